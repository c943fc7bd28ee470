// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_JOB_MAKER_HPP
#define NDX_VULKAN_JOB_MAKER_HPP

#include <ndx/vulkan/job.hpp>

#include <optional>

/// Which kernel carries out a plan: the one place where it is chosen.
namespace ndx::vulkan {

/// Makes jobs of plans in bytes over some tensors.
class job_maker {
public:
  job_maker(capabilities const& can, call_tensors const& tensors) noexcept
      : can_(can), limits_(can), tensors_(tensors), addressable_(can.device_address && tensors.have_addresses()) {}

  [[nodiscard]] bool addressable() const noexcept { return addressable_; }

  /// Moves units of the size given, or else of the largest that the plan allows.
  [[nodiscard]] job moving(plan::indexed_copy const& bytes, bounds mode, index_t unit = 0) const {
    if (unit == 0 && is_reversed_by_units(bytes)) {
      job what = moving(by_reversed_units(bytes), mode, 16);
      what.element = bytes.run;
      return what;
    }
    job what = by_units(bytes, mode, unit);
    take_rows(what, bytes);
    what.pads_rows = pads_rows(what, bytes);
    if (unit == 0) take_unaligned(what, bytes);
    return what;
  }

  /// A copy, whole or in part, that reads along another axis than it writes goes by tiles, unless windows would cut
  /// them.
  void take_tiles(job& part) const noexcept {
    if (part.key.which > kernel::move_word || part.unit == 16) return;
    std::size_t const loop = transposed_loop(part.plan);
    if (loop == part.plan.rank || by_windows(part) || can_.workgroup_size % tuning::tile_side != 0) return;
    bool const by_16 = transposes_by_16(part.plan, loop, part.unit, part.destination, part.source);
    if (!by_16 && part.key.which == kernel::move_word) return;
    part.transposed = loop;
    part.tile_side = by_16 ? tuning::tile_side_by_16(part.unit) : tuning::tile_side;
    part.key.which = part.unit == 8   ? (by_16 ? kernel::transpose_8_by_16 : kernel::transpose_8)
                     : part.unit == 4 ? (by_16 ? kernel::transpose_4_by_16 : kernel::transpose_4)
                     : part.unit == 2 ? (by_16 ? kernel::transpose_2_by_16 : kernel::transpose_2)
                                      : (by_16 ? kernel::transpose_1_by_16 : kernel::transpose_1);
    part.at_once = 1;
  }

  /// All that a scatter of few tuples does, by one dispatch, of which each workgroup looks at all of them before it
  /// writes: none waits for what looked before. Nothing where they are too many for that, or what they move is so much
  /// that this would be done too often, or where they are to be combined in their order. `input`: of its copy.
  [[nodiscard]] std::optional<job> of_few(plan::indexed_copy const& bytes, reduction_request const& request,
                                          operand const& input) const {
    plan::operation const& op = request.operation;
    if (bytes.tuples > static_cast<index_t>(can_.few) / bytes.tail) return std::nullopt;
    few_copy const copy(op, request.element_size, tensors_.destination, input);
    if (op.copy != nullptr && !reaches(copy)) return std::nullopt;
    bool const replaces = op.reduction == reduction::none;
    job what{};
    if (replaces) {
      index_t unit = common_unit(bytes, tensors_.destination, tensors_.source);
      if (unit == 8 || (unit == 16 && !copy.is_by_16())) unit = 4;  // no module of its own for so little
      what = by_units(bytes, op.bounds, unit);
      what.key.which = unit == 16 ? kernel::few_16 : unit >= 4 ? kernel::few_4 : kernel::few_word;
    } else {
      what = reducing(bytes, op.bounds, request, true);
      if (what.in_order || what.key.which == kernel::reduce64) return std::nullopt;
      what.key.which = what.key.which == kernel::reduce ? kernel::reduce_few : kernel::reduce_float_few;
    }
    index_t const in_step = index_t{can_.workgroup_size} * what.at_once;
    if (bytes.tuples > in_step) return std::nullopt;
    if (op.copy != nullptr && bytes.tuples * what.plan.tail > tuning::few_copied_steps * in_step) return std::nullopt;
    what.few = true;
    what.copied = copy;
    what.last_of_few = replaces && op.duplicates == duplicates::last;
    return what;
  }

  /// Scatters words that are close together in the destination, and in no order.
  [[nodiscard]] job exchanging(plan::indexed_copy const& bytes) const {
    job what = moving(bytes, bounds::ignore, 4);
    what.key.which = kernel::exchange_4;
    return what;
  }

  /// Looks at all indices and reports bad ones; moves nothing.
  [[nodiscard]] job looking(plan::indexed_copy const& bytes, bounds mode) const {
    job what = without_rows(moving(tuples_of(bytes), mode), kernel::check);
    what.looks = true;
    return what;
  }

  /// Each tuple of a job claims the place that it leads to.
  [[nodiscard]] static job claiming(job what) {
    what.plan = tuples_of(what.plan);
    return without_rows(what, kernel::claim);
  }

  /// Each tuple of a job, which moves whole words, signs the place that it leads to: the first pass, or the second.
  [[nodiscard]] static job signing(job const& all, kernel which) {
    job what = without_rows(all, which);
    what.plan = tuples_of(all.plan);
    what.destination = all.destination;
    what.unit = what.source_unit = 4;
    index_t const words = all.unit / what.unit;
    what.plan.destination_base *= words;
    for (std::size_t d = 0; d < what.plan.rank; ++d) what.plan.loops[d].destination *= words;
    for (std::size_t c = 0; c < what.plan.coordinate_count; ++c) what.plan.coordinates[c].stride *= words;
    return what;
  }

  /// The words that a job moves are brought into buckets, with the numbers of their tuples or without.
  [[nodiscard]] static job bucketing(job what, bool numbered) noexcept {
    what.key = {.which = numbered ? kernel::bucket_numbered : kernel::bucket};
    what.at_once = 64;  // so that not too many workgroups add up where the buckets begin
    what.claims_first = static_cast<index_t>(what.destinations().begin - what.destination.place) / what.unit;
    what.units_of_bucket = 1;
    auto const units = static_cast<index_t>(what.destinations().size()) / what.unit;
    while (what.units_of_bucket * tuning::buckets < units) what.units_of_bucket *= 2;
    return what;
  }

  /// `singly`: each invocation finds its updates by itself.
  [[nodiscard]] job reducing(plan::indexed_copy const& bytes, bounds mode, reduction_request const& request,
                             bool singly = false) const {
    bool const atomic = request.element_size < 8 || can_.int64_atomics;
    bool const native_add = request.element == element_kind::float32 && can_.float_atomic_add && request.adds();
    job what = moving(bytes, mode, request.element_size);
    what.in_order = request.needs_order() || !atomic;
    what.at_once = 4;
    bool const by_rows = !singly && finds_rows(what.plan, what.at_once);
    what.key.which = what.in_order               ? kernel::ordered
                     : request.element_size == 8 ? kernel::reduce64
                     : native_add                ? (by_rows ? kernel::reduce_float_rows : kernel::reduce_float)
                     : by_rows                   ? kernel::reduce_rows
                                                 : kernel::reduce;
    what.key.side = 0;
    what.key.element = static_cast<std::uint8_t>(request.element);
    what.key.reduction = static_cast<std::uint8_t>(
        request.operation.reduction == reduction::mean ? reduction::add : request.operation.reduction);
    what.key.native = true;
    if (what.in_order) what.at_once = 1;
    else if (what.key.which == kernel::reduce64 || what.key.which == kernel::reduce) what.at_once = 2;
    return what;
  }

  /// The tuples of a job are counted in the slots that they lead to. The source of the plan are the slots, so that the
  /// base of a part says how far its own are from the first.
  [[nodiscard]] static job counting(job what) {
    what.plan = tuples_of(what.plan);
    what.slots = plan::slots_of(what.plan);
    what.plan.source_base = 0;
    for (std::size_t d = 0; d < what.plan.tuple_rank; ++d) what.plan.loops[d].source = what.slots.of_loops[d];
    return without_rows(what, kernel::count);
  }

  /// The sums in the places that a scatter leads to become means.
  [[nodiscard]] job dividing(plan::indexed_copy const& bytes, reduction_request const& request) const {
    job what = moving(places_of(bytes), bounds::trust, request.element_size);
    what.key.which = kernel::divide;
    what.key.side = 0;
    what.key.element = static_cast<std::uint8_t>(request.element);
    what.at_once = 1;
    what.source = {};
    return what;
  }

private:
  /// Can a kernel make this copy where it gets at the tensors?
  [[nodiscard]] bool reaches(few_copy const& copy) const noexcept {
    if (copy.is_of_nothing() || !copy.is_by_words()) return false;
    return addressable_ ? copy.from.address != 0 : limits_.fits(copy.to) && limits_.fits(copy.source());
  }

  /// Units that each invocation finds by itself.
  [[nodiscard]] job by_units(plan::indexed_copy const& bytes, bounds mode, index_t unit = 0) const {
    job what{};
    what.destination = shifted(tensors_.destination, bytes.destination_base);
    what.source = shifted(tensors_.source, bytes.source_base);
    what.unit = unit != 0 ? unit : common_unit(bytes, tensors_.destination, tensors_.source);
    what.source_unit = what.unit;
    what.plan = in_units(bytes, what.unit);
    what.mode = mode;
    what.key.side = static_cast<std::uint8_t>(bytes.indirect);
    bool const as_words = (what.unit == 1 && !can_.storage_8) || (what.unit == 2 && !can_.storage_16);
    what.key.which = as_words          ? kernel::move_word
                     : what.unit == 16 ? kernel::move_16
                     : what.unit == 8  ? kernel::move_8
                     : what.unit == 4  ? kernel::move_4
                     : what.unit == 2  ? kernel::move_2
                                       : kernel::move_1;
    what.at_once = what.unit >= 8 ? 2 : 4;
    what.element = what.unit;
    what.transposed = what.plan.rank;
    return what;
  }

  static job without_rows(job what, kernel which) noexcept {
    what.key.which = which;
    what.key.side = 0;
    what.at_once = 4;
    what.destination = what.source = {};
    return what;
  }

  /// Are there contiguous rows, and of those that a workgroup moves a part of, `at_once` units an invocation, so few
  /// that its invocations find them together, one each?
  [[nodiscard]] bool finds_rows(plan::indexed_copy const& plan, std::uint32_t at_once) const noexcept {
    if (!has_rows(plan)) return false;
    index_t const size = can_.workgroup_size;
    return (at_once * size - 2) / plan.tail + 2 <= size;
  }

  /// Are its tensors seen through windows, one dispatch after the other?
  [[nodiscard]] bool by_windows(job const& what) const noexcept {
    return !addressable_ && !(limits_.fits(what.destinations()) && limits_.fits(what.sources()));
  }

  /// Rows are found together by a workgroup where they are read, and where they are written by units of 16 bytes or
  /// have their ends fetched: others took 1 % longer that way on an H200.
  void take_rows(job& what, plan::indexed_copy const& bytes) const noexcept {
    if (what.unit < 4 || bytes.indirect == plan::side::none) return;
    bool const fetches = fetches_ends(what, bytes);
    if (what.unit < 16 && bytes.indirect == plan::side::destination && !fetches) return;
    auto const at_once = static_cast<std::uint32_t>(32 / what.unit);  // POINTS of shaders/move.comp
    if (!finds_rows(what.plan, at_once)) return;
    what.key.which = what.unit == 16  ? (fetches ? kernel::rows_16_ends : kernel::rows_16)
                     : what.unit == 8 ? (fetches ? kernel::rows_8_ends : kernel::rows_8)
                                      : (fetches ? kernel::rows_4_ends : kernel::rows_4);
    what.at_once = at_once;
  }

  /// Is it worth the while to read the ends of scattered rows before they are written? Not through windows: they may be
  /// in others, and nothing keeps dispatches apart that write through different ones.
  [[nodiscard]] bool fetches_ends(job const& what, plan::indexed_copy const& bytes) const noexcept {
    if (bytes.indirect != plan::side::destination || bytes.tail < tuning::least_fetched_row_bytes) return false;
    if (!writes_parts_of_sectors(bytes, tensors_.destination) || by_windows(what)) return false;
    return what.unit < 16 || (bytes.tail <= tuning::most_fetched_row_bytes && exceeds_caches(what));
  }

  /// Is it worth the while to keep the units of a short scattered row in one subgroup? Rows of 16 bytes are one unit.
  [[nodiscard]] bool pads_rows(job const& what, plan::indexed_copy const& bytes) const noexcept {
    return bytes.indirect == plan::side::destination && has_rows(what.plan) &&
           bytes.tail < tuning::least_fetched_row_bytes && exceeds_caches(what);
  }

  [[nodiscard]] bool exceeds_caches(job const& what) const noexcept {
    return what.destinations().size() >= can_.fetched;
  }

  /// A copy whose blocks are aligned where they are written, but less so where they are read, is moved by what it
  /// writes.
  void take_unaligned(job& what, plan::indexed_copy const& bytes) const noexcept {
    if (bytes.indirect != plan::side::none || by_windows(what)) return;
    index_t const unit = destination_unit(bytes, tensors_.destination);
    if (unit <= what.unit || unit < 4 || (unit == 8 && what.unit == 4)) return;
    what.element = what.source_unit = lesser(what.unit, 4);
    what.unit = unit == 16 ? 16 : 4;
    what.plan = in_units(bytes, what.unit, what.source_unit);
    what.key.which = unit == 16 ? kernel::unaligned_16 : kernel::unaligned_4;
    what.at_once = unit == 16 ? 2 : 4;
  }

  /// Can rows that are read backwards be moved by 16 bytes at once?
  [[nodiscard]] bool is_reversed_by_units(plan::indexed_copy const& bytes) const noexcept {
    index_t const element = reversed_element(bytes);
    if (element == 0 || bytes.loops[bytes.rank - 1].extent * element % 16 != 0) return false;
    return common_unit(by_reversed_units(bytes), tensors_.destination, tensors_.source) == 16;
  }

  capabilities const& can_;
  binding_limits limits_;
  call_tensors const& tensors_;
  bool addressable_;
};

}  // namespace ndx::vulkan

#endif

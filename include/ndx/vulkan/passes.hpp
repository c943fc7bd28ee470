// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PASSES_HPP
#define NDX_VULKAN_PASSES_HPP

#include <ndx/options.hpp>
#include <ndx/plan/operation.hpp>
#include <ndx/vulkan/commands.hpp>
#include <ndx/vulkan/elements.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <vector>

/// Which kernels run for a plan, and in what order: the one place where they are chosen.
namespace ndx::vulkan {

/// `duplicates::last` matters where updates replace: each place has to know its last tuple.
inline bool replaces_last(plan::operation const& op) noexcept {
  return op.move.indirect == plan::side::destination && op.reduction == reduction::none &&
         op.duplicates == duplicates::last;
}

/// How a reduction is to be carried out.
struct reduction_request {
  element_kind element;
  index_t element_size;
  plan::operation const& operation;

  /// Rounding makes the order matter; integers and extremes are the same in any.
  [[nodiscard]] bool needs_order() const noexcept {
    bool const rounds = operation.reduction == reduction::add || operation.reduction == reduction::mul;
    return operation.duplicates == duplicates::last && rounds && is_floating(element);
  }
};

/// The passes over one pair of tensors. Plans are in bytes.
class passes {
public:
  passes(commands& out, operand const& destination, operand const& source, operand const& indices,
         std::uint32_t index_kind, std::array<std::uint32_t, 4> const& fill)
      : out_(out),
        destination_(destination),
        source_(source),
        indices_(indices),
        index_kind_(index_kind),
        fill_(fill),
        window_(out.can().storage_range / 256 * 256),
        addressable_(out.can().device_address && has_address(destination) && has_address(source) &&
                     has_address(indices)) {}

  /// The scratch that an operation will need, allocated.
  byte_range scratch_of(plan::operation const& op, plan::indexed_copy const& plan) {
    if (plan.indirect == plan::side::none || plan.tuples == 0) return {};
    if (replaces_last(op)) claims_bytes_ = 4 * lesser(slots_of(plan).count, claims_in_round());
    index_t const packed = claims_bytes_ + (256 - claims_bytes_ % 256) % 256;
    index_t total = claims_bytes_;
    if (!addressable_ && needs_windows(plan)) total = packed + 2 * packed_bytes();
    if (total == 0) return {};
    byte_range const scratch = out_.scratch(static_cast<VkDeviceSize>(total));
    claims_ = {scratch.buffer, scratch.begin, out_.scratch_address()};
    packed_indices_ = shifted(claims_, packed);
    packed_source_ = shifted(packed_indices_, packed_bytes());
    return scratch;
  }

  /// Where the parts of the plan that looks at indices report.
  void report_to(report_place const& place) { reports_ = place.range; }
  /// From now on nothing is written if a bad index has been reported.
  void obey_reports() { obeys_ = reports_; }
  void obey_like(passes const& other) { obeys_ = other.obeys_; }

  /// The first tuples of the parts that a plan will be cut into.
  [[nodiscard]] std::vector<index_t> first_tuples(plan::indexed_copy const& plan) const {
    std::vector<index_t> result;
    job const what = moving(plan, bounds::trust);
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const&, index_t first) { result.push_back(first); });
    return result;
  }

  /// Looks at all indices and reports bad ones; moves nothing.
  void look(plan::indexed_copy const& plan, bounds mode) {
    job what = moving(tuples_of(plan), mode);
    what.key.which = kernel::check;
    what.key.side = 0;
    what.at_once = 4;
    what.destination = what.source = {};
    run(what);
  }

  void move(plan::indexed_copy const& plan, bounds mode) { run(moving(plan, mode)); }

  /// Each tuple claims the place that it leads to, the last claim stands, and then tuples write where theirs does.
  void write_last(plan::indexed_copy const& plan, bounds mode) {
    job const what = moving(plan, mode);
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const& part, index_t) {
      job writing = what;
      writing.plan = part;
      index_t const places = slots_of(part).count;
      for (index_t first = 0; first < places; first += claims_in_round()) {
        index_t const count = lesser(places - first, claims_in_round());
        byte_range const claims{claims_.buffer, claims_.place, claims_.place + static_cast<std::uint64_t>(4 * count)};
        out_.barrier_to_transfers();
        out_.clear(claims);
        out_.barrier();
        job claiming = writing;
        claiming.plan = tuples_of(part);
        claiming.key.which = kernel::claim;
        claiming.key.side = 0;
        claiming.at_once = 4;
        claiming.destination = claiming.source = {};
        claiming.claims = writing.claims = claims;
        claiming.claims_first = writing.claims_first = first;
        run_part(claiming);
        out_.barrier();
        run_part(writing);
      }
    });
  }

  void reduce(plan::indexed_copy const& plan, bounds mode, reduction_request const& request) {
    bool const atomic = request.element_size < 8 || out_.can().int64_atomics;
    bool const native_add = request.element == element_kind::float32 && out_.can().float_atomic_add &&
                            request.operation.reduction == reduction::add;
    job what = moving(plan, mode, request.element_size);
    what.in_order = request.needs_order() || !atomic;
    what.key.which = what.in_order               ? kernel::ordered
                     : request.element_size == 8 ? kernel::reduce64
                     : native_add                ? kernel::reduce_float
                                                 : kernel::reduce;
    what.key.side = 0;
    what.key.element = static_cast<std::uint8_t>(request.element);
    what.key.reduction = static_cast<std::uint8_t>(request.operation.reduction);
    what.key.native = true;
    what.at_once = what.in_order ? 1 : native_add ? 4 : 2;
    run(what);
  }

private:
  /// Everything that one pass needs; the plan in units.
  struct job {
    plan::indexed_copy plan;
    index_t unit;
    operand destination;
    operand source;
    bounds mode;
    pipeline_key key;
    std::uint32_t at_once;
    index_t element;         ///< less than a unit where those are to be turned around
    std::size_t transposed;  ///< the loop that reads one unit after the other; the plan's rank: none, or another kernel
    bool in_order = false;
    byte_range claims{};
    index_t claims_first = 0;
  };

  /// A buffer of the application's may be none that has an address.
  static bool has_address(operand const& of) noexcept { return of.buffer == VK_NULL_HANDLE || of.address != 0; }

  static index_t lesser(index_t a, index_t b) noexcept { return a < b ? a : b; }

  [[nodiscard]] index_t claims_in_round() const noexcept {
    return lesser(tuning::claims_in_round, static_cast<index_t>(window_) / 4);
  }
  [[nodiscard]] index_t packed_bytes() const noexcept {
    return lesser(tuning::packed_bytes, static_cast<index_t>(window_));
  }

  [[nodiscard]] job moving(plan::indexed_copy const& bytes, bounds mode, index_t unit = 0) const {
    if (unit == 0 && is_reversed_by_units(bytes)) {
      job what = moving(by_reversed_units(bytes), mode, 16);
      what.element = bytes.run;
      return what;
    }
    job what{};
    what.destination = shifted(destination_, bytes.destination_base);
    what.source = shifted(source_, bytes.source_base);
    what.unit = unit != 0 ? unit : common_unit(bytes, destination_, source_);
    what.plan = in_units(bytes, what.unit);
    what.mode = mode;
    what.key.side = static_cast<std::uint8_t>(bytes.indirect);
    bool const as_words = (what.unit == 1 && !out_.can().storage_8) || (what.unit == 2 && !out_.can().storage_16);
    what.key.which = as_words          ? kernel::move_word
                     : what.unit == 16 ? kernel::move_16
                     : what.unit == 8  ? kernel::move_8
                     : what.unit == 4  ? kernel::move_4
                     : what.unit == 2  ? kernel::move_2
                                       : kernel::move_1;
    what.at_once = what.unit >= 8 ? 2 : 4;
    if (what.unit == 16 && has_rows(what.plan)) {
      what.key.which = kernel::move_rows;
      what.at_once = 1;
    }
    what.element = what.unit;
    what.transposed = transposed_loop(what.plan);
    bool const by_windows = !addressable_ && !(fits(destinations(what)) && fits(sources(what)));
    bool const has_tiles =
        what.unit < 16 && !as_words && !by_windows && out_.can().workgroup_size % tuning::tile_side == 0;
    if (!has_tiles) what.transposed = what.plan.rank;
    if (what.transposed < what.plan.rank) {
      what.key.which = what.unit == 8   ? kernel::transpose_8
                       : what.unit == 4 ? kernel::transpose_4
                       : what.unit == 2 ? kernel::transpose_2
                                        : kernel::transpose_1;
      what.at_once = 1;
    }
    return what;
  }

  /// Can rows that are read backwards be moved by 16 bytes at once?
  [[nodiscard]] bool is_reversed_by_units(plan::indexed_copy const& bytes) const noexcept {
    index_t const element = reversed_element(bytes);
    if (element == 0 || bytes.loops[bytes.rank - 1].extent * element % 16 != 0) return false;
    return common_unit(by_reversed_units(bytes), destination_, source_) == 16;
  }

  // What a buffer's descriptor has to cover.
  [[nodiscard]] byte_range aligned(byte_range range) const noexcept {
    std::uint64_t const alignment = out_.can().storage_alignment < 16 ? 16 : out_.can().storage_alignment;
    range.begin -= range.begin % alignment;
    range.end = (range.end + 3) / 4 * 4;
    return range;
  }
  [[nodiscard]] bool fits(byte_range const& range) const noexcept {
    return range.buffer == VK_NULL_HANDLE || aligned(range).size() <= out_.can().storage_range;
  }
  [[nodiscard]] byte_range destinations(job const& what) const noexcept {
    return reach(what.plan, through::destination, what.destination, what.unit, what.unit);
  }
  [[nodiscard]] byte_range sources(job const& what) const noexcept {
    return reach(what.plan, through::source, what.source, what.unit, what.unit);
  }
  [[nodiscard]] index_t index_size() const noexcept { return (index_kind_ & 1U) != 0 ? 8 : 4; }
  [[nodiscard]] byte_range indices_of(plan::indexed_copy const& plan) const noexcept {
    if (plan.indirect == plan::side::none) return {};
    return reach(plan, through::indices, indices_, index_size(), index_size());
  }

  [[nodiscard]] bool needs_windows(plan::indexed_copy const& bytes) const {
    job const what = moving(bytes, bounds::trust, 1);
    return !fits(destinations(what)) || !fits(sources(what)) || !fits(indices_of(what.plan));
  }

  /// Where windows are the only way, each part's indices have to be packed if they do not fit one, and its updates if
  /// they must be met in order.
  [[nodiscard]] bool packs_indices(job const& what) const { return !addressable_ && !fits(indices_of(what.plan)); }
  [[nodiscard]] bool packs_source(job const& what) const {
    return !addressable_ && what.in_order && !fits(sources(what));
  }
  [[nodiscard]] index_t limit(job const& what) const {
    index_t result = tuning::points_in_part;
    auto const lower = [&](index_t points) { result = points < result ? points : result; };
    if (packs_indices(what))
      lower(packed_bytes() / (static_cast<index_t>(what.plan.coordinate_count) * index_size()) * what.plan.tail);
    if (packs_source(what)) lower(packed_bytes() / what.unit);
    return result;
  }

  void run(job const& what) {
    bool first = true;
    std::uint64_t report = 0;
    for_each_part(what.plan, limit(what), [&](plan::indexed_copy const& plan, index_t) {
      // Tuples of a later part come after those of an earlier one, and both may use the same scratch.
      if (!first && (what.in_order || packs_indices(what))) out_.barrier();
      first = false;
      job part = what;
      part.plan = plan;
      run_part(part, report++);
    });
  }

  void run_part(job part, std::uint64_t report = 0) {
    operand indices = indices_;
    bool packed = false;
    if (packs_indices(part)) {
      pack_indices(part.plan);
      indices = packed_indices_;
      packed = true;
    }
    if (packs_source(part)) {
      pack_source(part);
      packed = true;
    }
    if (packed) out_.barrier();
    dispatch(part, indices, report);
  }

  /// Copies the indices of a part to scratch, one after the other, and points the plan to them.
  void pack_indices(plan::indexed_copy& plan) {
    plan::indexed_copy copy;
    auto const count = static_cast<index_t>(plan.coordinate_count);
    index_t stride = count;
    copy.source_base = plan.indices_base;
    for (std::size_t d = 0; d < plan.tuple_rank; ++d)
      copy.add({plan.loops[d].extent, 0, plan.loops[d].indices, 0}, false);
    for (std::size_t d = plan.tuple_rank; d-- > 0;) {
      copy.loops[d].destination = plan.loops[d].indices = stride;
      stride *= plan.loops[d].extent;
    }
    if (count > 1) copy.add({count, 1, plan.coordinate_step, 0}, false);
    plan.indices_base = 0;
    plan.coordinate_step = 1;
    plan::normalize(copy);
    passes(out_, packed_indices_, indices_, {}, 0, {})
        .move(plan::in_bytes(copy, static_cast<std::size_t>(index_size())), bounds::trust);
  }

  /// The same for the updates of a part.
  void pack_source(job& part) {
    plan::indexed_copy copy;
    index_t stride = 1;
    copy.source_base = part.plan.source_base;
    for (std::size_t d = 0; d < part.plan.rank; ++d)
      copy.add({part.plan.loops[d].extent, 0, part.plan.loops[d].source, 0}, false);
    for (std::size_t d = part.plan.rank; d-- > 0;) {
      copy.loops[d].destination = part.plan.loops[d].source = stride;
      stride *= part.plan.loops[d].extent;
    }
    part.plan.source_base = 0;
    plan::normalize(copy);
    passes(out_, packed_source_, part.source, {}, 0, {})
        .move(plan::in_bytes(copy, static_cast<std::size_t>(part.unit)), bounds::trust);
    part.source = packed_source_;
  }

  void dispatch(job const& what, operand const& indices, std::uint64_t report) {
    bool const by_tiles = what.transposed < what.plan.rank;
    parameters values = by_tiles ? transposition_of(what.plan, what.transposed, what.unit, out_.can().workgroup_size)
                        : what.key.which == kernel::move_rows ? rows_of(what.plan, what.unit)
                                                              : parameters_of(what.plan, what.unit);
    values.unit_bytes = static_cast<std::uint32_t>(what.element);
    values.index_kind = index_kind_;
    values.bounds = static_cast<std::uint32_t>(what.mode);
    for (std::size_t i = 0; i < 4; ++i) values.fill[i] = fill_[i];
    bindings with;
    bool const looks = what.key.which == kernel::check;
    bool const reports = looks || (obeys_.buffer == VK_NULL_HANDLE && what.plan.indirect == plan::side::source);
    if (reports && reports_.buffer != VK_NULL_HANDLE) {
      with.status = reports_;
      values.report = static_cast<std::uint32_t>(report * sizeof(report_block) / 4);
      if (looks) values.verdict = verdict_word;
    } else if (obeys_.buffer != VK_NULL_HANDLE) {
      with.status = obeys_;
      values.verdict = verdict_word;
    }
    if (what.claims.buffer != VK_NULL_HANDLE) {
      with.claims = what.claims;
      values.claimed = 1;
      values.claims_first = what.claims_first;
      values.claims_count = static_cast<std::uint32_t>(what.claims.size() / 4);
      values.claims_address = std::uint64_t{claims_.address} + what.claims.begin;
    }
    if (what.key.which == kernel::ordered) {
      index_t const places = slots_of(what.plan).count;
      index_t owners = places < tuning::owners ? places : tuning::owners;
      if (owners > tuning::points_in_part / what.plan.tail) owners = tuning::points_in_part / what.plan.tail;
      values.owners = static_cast<std::uint32_t>(owners < 1 ? 1 : owners);
      values.points = values.owners * values.tail_units;
    }
    if (what.plan.indirect != plan::side::none) {
      byte_range const range = reach(what.plan, through::indices, indices, index_size(), index_size());
      with.indices = aligned(range);
      values.indices_address = std::uint64_t{indices.address} + indices.place;
      if (fits(range))
        values.indices_base =
            what.plan.indices_base + static_cast<index_t>(indices.place - with.indices.begin) / index_size();
    }
    byte_range const destination = destinations(what);
    byte_range const source = sources(what);
    if (fits(destination) && fits(source) && fits(with.indices)) {
      with.destination = bind(what, destination, what.destination, what.plan.destination_base, values.destination_base);
      with.source = bind(what, source, what.source, what.plan.source_base, values.source_base);
      emit(what, memory_model::buffer, false, with, values);
    } else if (addressable_) {
      with.destination = with.source = with.indices = with.claims = {};
      values.indices_base = what.plan.indices_base;
      values.destination_address = std::uint64_t{what.destination.address} + what.destination.place;
      values.source_address = std::uint64_t{what.source.address} + what.source.place;
      emit(what, memory_model::address, true, with, values);
    } else {
      for_each_window(destination, [&](byte_range const& to, index_t first_destination) {
        for_each_window(source, [&](byte_range const& from, index_t first_source) {
          with.destination = to;
          with.source = from;
          bind(what, destination, what.destination, what.plan.destination_base, values.destination_base);
          bind(what, source, what.source, what.plan.source_base, values.source_base);
          values.destination_first = first_destination / what.unit;
          values.source_first = first_source / what.unit;
          values.destination_count = static_cast<std::uint32_t>(to.size() / static_cast<std::uint64_t>(what.unit));
          values.source_count = static_cast<std::uint32_t>(from.size() / static_cast<std::uint64_t>(what.unit));
          emit(what, memory_model::buffer, true, with, values);
        });
      });
    }
  }

  void emit(job const& what, memory_model model, bool wide, bindings const& with, parameters const& values) {
    pipeline_key key = what.key;
    key.model = model;
    key.wide = wide;
    out_.dispatch(key, with, values, what.at_once);
  }

  /// The descriptor's range for a tensor; its base, in units, then counts from there.
  byte_range bind(job const& what, byte_range const& range, operand const& of, index_t base, word_pair& bound) const {
    if (range.buffer == VK_NULL_HANDLE) return {};
    byte_range const result = aligned(range);
    bound = base + static_cast<index_t>(of.place - result.begin) / what.unit;
    return result;
  }

  template <class Visit>
  void for_each_window(byte_range const& range, Visit const& visit) const {
    if (range.buffer == VK_NULL_HANDLE) return visit(byte_range{}, index_t{0});
    byte_range const all = aligned(range);
    for (std::uint64_t begin = all.begin; begin < all.end; begin += window_)
      visit(byte_range{all.buffer, begin, all.end - begin < window_ ? all.end : begin + window_},
            static_cast<index_t>(begin - all.begin));
  }

  static constexpr std::uint32_t verdict_word = offsetof(report_block, verdict) / 4;

  commands& out_;
  operand destination_;
  operand source_;
  operand indices_;
  std::uint32_t index_kind_;
  std::array<std::uint32_t, 4> fill_;
  std::uint64_t window_;
  bool addressable_;
  index_t claims_bytes_ = 0;
  operand claims_;
  operand packed_indices_;
  operand packed_source_;
  byte_range reports_;
  byte_range obeys_;
};

}  // namespace ndx::vulkan

#endif

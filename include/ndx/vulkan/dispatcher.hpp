// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DISPATCHER_HPP
#define NDX_VULKAN_DISPATCHER_HPP

#include <ndx/vulkan/commands.hpp>
#include <ndx/vulkan/job.hpp>
#include <ndx/vulkan/plan_parameters.hpp>

namespace ndx::vulkan {

/// Records a job as one dispatch, or as one for each pair of windows where the tensors exceed what can be bound.
class dispatcher {
public:
  dispatcher(commands& out, call_tensors const& tensors, bool addressable) noexcept
      : out_(out), limits_(out.can()), tensors_(tensors), addressable_(addressable) {}

  /// Where the parts of the plan that looks at indices report.
  void report_to(byte_range const& reports) noexcept { reports_ = reports; }
  /// From now on nothing is written if a bad index has been reported there.
  void obey(byte_range const& reports) noexcept { obeys_ = reports; }
  [[nodiscard]] byte_range const& reports() const noexcept { return reports_; }
  [[nodiscard]] byte_range const& obeyed() const noexcept { return obeys_; }

  /// `indices`: those of the call, or where they were packed. `report`: the number of the part's report block.
  void dispatch(job const& what, operand const& indices, std::uint64_t report) {
    parameters values = parameters_for(what);
    bindings with;
    set_reports(what, report, values, with);
    set_claims(what, values, with);
    if (what.plan.indirect != plan::side::none) {
      byte_range const range =
          reach(what.plan, through::indices, indices, tensors_.index_size(), tensors_.index_size());
      with.indices = limits_.aligned(range);
      values.indices_address = std::uint64_t{indices.address} + indices.place;
      if (limits_.fits(range))
        values.indices_base =
            what.plan.indices_base + static_cast<index_t>(indices.place - with.indices.begin) / tensors_.index_size();
      if (reads_pairs(what.plan, indices, with.indices)) values.index_kind |= index_pairs;
    }
    byte_range const destination = what.destinations();
    byte_range const source = what.sources();
    byte_range const copied = what.copied.source();
    if (limits_.fits(destination) && limits_.fits(source) && limits_.fits(with.indices) && limits_.fits(copied)) {
      with.destination = bind_destination(what, destination, values);
      with.source = bind_source(what, source, values);
      if (!what.copied.is_of_nothing()) {
        with.claims = limits_.aligned(copied);
        set_copied(what.copied, with.claims.begin, with.destination.begin, values);
      }
      emit(what, memory_model::buffer, false, with, values);
    } else if (addressable_) {
      with.destination = with.source = with.indices = with.claims = {};
      values.indices_base = what.plan.indices_base;
      values.destination_address = std::uint64_t{what.destination.address} + what.destination.place;
      values.source_address = std::uint64_t{what.source.address} + what.source.place;
      if (!what.copied.is_of_nothing()) set_copied(what.copied, copied.begin, what.destination.place, values);
      emit(what, memory_model::address, true, with, values);
    } else {
      by_windows(what, destination, source, with, values);
    }
  }

private:
  [[nodiscard]] parameters parameters_for(job const& what) const noexcept {
    bool const by_tiles = what.transposed < what.plan.rank;
    parameters values =
        by_tiles ? transposition_of(what.plan, what.transposed, what.unit, what.tile_side, out_.can().workgroup_size)
        : what.key.which == kernel::count ? parameters_of(what.plan, what.unit, what.slots)
                                          : parameters_of(what.plan, what.unit);
    if (index_t const padded = what.padded_tail(); padded != what.plan.tail) {
      values.tail_units = static_cast<std::uint32_t>(padded);
      values.tail_divisor = divisor(values.tail_units);
      values.points = values.tuples * values.tail_units;
    }
    values.unit_bytes = static_cast<std::uint32_t>(what.element);
    values.index_kind = tensors_.index_kind;
    values.bounds = static_cast<std::uint32_t>(what.mode);
    for (std::size_t i = 0; i < 4; ++i) values.fill[i] = tensors_.fill[i];
    if (what.key.which == kernel::ordered) {
      index_t const places = slots_of(what.plan).count;
      index_t owners = places < tuning::owners ? places : tuning::owners;
      if (owners > tuning::points_in_part / what.plan.tail) owners = tuning::points_in_part / what.plan.tail;
      values.owners = static_cast<std::uint32_t>(owners < 1 ? 1 : owners);
      values.points = values.owners * values.tail_units;
    }
    return values;
  }

  /// Are tuples two indices side by side that one load may read, in the buffer and in the range of it that is bound?
  [[nodiscard]] bool reads_pairs(plan::indexed_copy const& plan, operand const& indices,
                                 byte_range const& bound) const noexcept {
    if (plan.coordinate_count != 2 || plan.coordinate_step != 1) return false;
    index_t steps = plan.indices_base;
    for (std::size_t d = 0; d < plan.tuple_rank; ++d) steps |= plan.loops[d].indices;
    auto const size = static_cast<std::uint64_t>(tensors_.index_size());
    std::uint64_t const places = indices.place | bound.begin | indices.address;
    return steps % 2 == 0 && places % (2 * size) == 0;
  }

  void set_reports(job const& what, std::uint64_t report, parameters& values, bindings& with) const noexcept {
    constexpr std::uint32_t verdict_word = offsetof(report_block, verdict) / 4;
    bool const reports =
        what.looks || what.few || (obeys_.buffer == VK_NULL_HANDLE && what.plan.indirect == plan::side::source);
    if (reports && reports_.buffer != VK_NULL_HANDLE) {
      with.status = reports_;
      values.report = static_cast<std::uint32_t>(report * sizeof(report_block) / 4);
      if (what.looks) values.verdict = verdict_word;
    } else if (obeys_.buffer != VK_NULL_HANDLE) {
      with.status = obeys_;
      values.verdict = verdict_word;
    }
  }

  static void set_claims(job const& what, parameters& values, bindings& with) noexcept {
    // As in shaders/common.glsl.
    if (what.last_of_few) values.claimed = 3;
    if (what.claims.buffer == VK_NULL_HANDLE) return;
    with.claims = what.claims;
    values.claimed = what.claimed_by_tuples ? 2 : 1;
    values.claims_first = what.claims_first - (what.key.which == kernel::count ? what.plan.source_base : 0);
    values.claims_count =
        static_cast<std::uint32_t>(what.units_of_bucket != 0 ? what.units_of_bucket
                                   : what.claimed_by_tuples  ? what.words_before_numbers
                                                             : static_cast<index_t>(what.claims.size() / 4));
    values.claims_address = std::uint64_t{what.claims_address} + what.claims.begin;
  }

  /// As in shaders/few.glsl. `source_begin`, `destination_begin`: where kernels count from.
  static void set_copied(few_copy const& copied, std::uint64_t source_begin, std::uint64_t destination_begin,
                         parameters& values) noexcept {
    values.owners = static_cast<std::uint32_t>(copied.from.place - source_begin) / 4;
    values.claims_address = std::uint64_t{copied.from.address} + source_begin;
    values.claims_count = static_cast<std::uint32_t>(copied.to.size() / 4);
    values.claims_first = copied.to.begin - destination_begin;
  }

  void by_windows(job const& what, byte_range const& destination, byte_range const& source, bindings with,
                  parameters values) {
    limits_.for_each_window(destination, [&](byte_range const& to, index_t first_destination) {
      limits_.for_each_window(source, [&](byte_range const& from, index_t first_source) {
        with.destination = to;
        with.source = from;
        bind_destination(what, destination, values);
        bind_source(what, source, values);
        values.destination_first = first_destination / what.unit;
        values.source_first = first_source / what.unit;
        values.destination_count = static_cast<std::uint32_t>(to.size() / static_cast<std::uint64_t>(what.unit));
        values.source_count = static_cast<std::uint32_t>(from.size() / static_cast<std::uint64_t>(what.unit));
        emit(what, memory_model::buffer, true, with, values);
      });
    });
  }

  void emit(job const& what, memory_model model, bool wide, bindings const& with, parameters const& values) {
    pipeline_key key = what.key;
    key.model = model;
    key.wide = wide;
    if (what.copied.is_of_nothing()) return out_.dispatch(key, with, values, values.points, what.at_once);
    out_.dispatch(key, with, values, values.claims_count, tuning::few_copied_words);
  }

  /// The descriptor's range for a tensor; its base, in units, then counts from there.
  byte_range bind(byte_range const& range, operand const& of, index_t base, index_t unit, word_pair& bound) const {
    if (range.buffer == VK_NULL_HANDLE) return {};
    byte_range const result = limits_.aligned(range);
    bound = base + static_cast<index_t>(of.place - result.begin) / unit;
    return result;
  }
  byte_range bind_destination(job const& what, byte_range const& range, parameters& values) const {
    return bind(range, what.destination, what.plan.destination_base, what.unit, values.destination_base);
  }
  byte_range bind_source(job const& what, byte_range const& range, parameters& values) const {
    return bind(range, what.source, what.plan.source_base, what.source_unit, values.source_base);
  }

  commands& out_;
  binding_limits limits_;
  call_tensors const& tensors_;
  bool addressable_;
  byte_range reports_;
  byte_range obeys_;
};

}  // namespace ndx::vulkan

#endif

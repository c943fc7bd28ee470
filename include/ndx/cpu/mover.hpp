// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MOVER_HPP
#define NDX_CPU_MOVER_HPP

#include <ndx/cpu/lookahead.hpp>
#include <ndx/cpu/nest.hpp>
#include <ndx/cpu/reach.hpp>
#include <ndx/plan/normalize.hpp>

namespace ndx::cpu {

/// Moves what the tuples of a plan lead to, some at a time, while the lines of later ones are being fetched.
template <class Index>
class mover {
public:
  explicit mover(work<Index> const& what) noexcept
      : work_(what),
        plan_(*what.plan),
        tail_{plan_.loops.data() + plan_.tuple_rank, plan_.rank - plan_.tuple_rank, plan_.run},
        tuples_(what) {}

  /// Looks at every tuple and moves nothing. False where one is bad.
  bool check() noexcept { return tuples_.check(); }

  /// False where a bad index stopped it: a gather, or a scatter that is not checked before.
  bool move(ownership const& owned = {}) noexcept {
    if (plan_.moves_nothing()) return check_nothing();
    bool good = true;
    if (plan_.indirect == plan::side::none) {
      copy_nest(*work_.copies, tail_, work_.destination + plan_.destination_base, work_.source + plan_.source_base,
                work_.how);
    } else {
      good = move_tuples(owned);
    }
    if (work_.how.stream) finish_streamed_stores();
    return good;
  }

private:
  bool move_tuples(ownership const& owned) noexcept {
    if (work_.write_lines != nullptr && plan_.coordinate_count == 1 && plan_.tail == work_.element_size &&
        owned.extent == 0)
      return write_lines();
    bool const repeats = repeats_few_tuples();
    if (!repeats || tuples_.tuples_in_line() >= tuning::least_repeated_line)
      if (auto* const gather = line_gather()) return read_all_lines(gather);
    if (repeats) return read_groups();
    if (auto* const gather = packed_gather()) return read_lines(gather);
    bool const writes = plan_.indirect == plan::side::destination;
    index_t distance = 0;
    if (work_.how.prefetch && tail_.count == 0)
      distance = (writes ? unit_index(tail_.run) : element_index(tail_.run)) >= 0 ? tuning::tuples_ahead
                                                                                  : rows_ahead(tail_.run);
    lookahead<Index> steps(work_, tuples_, owned, distance);
    work_.how.first = true;
    while (!steps.done()) {
      resolved_tuples const tuples = steps.next();
      if (writes && !(tuples.bad && work_.mode == bounds::check && owned.extent == 0)) write(tuples, steps.direct());
      else if (writes) return false;
      else if (!tuples.bad) read(tuples, steps.direct());
      else if (work_.mode == bounds::ignore) read_or_fill(tail_, tuples, steps.direct());
      else return false;
      work_.how.first = false;
    }
    return true;
  }

  using gather_kernel = typename gather_kernels<Index>::gather;

  /// The kernel that gathers whole lines of packed tuples; null where there is none for them, or they are too short for
  /// it to begin anew with each.
  [[nodiscard]] gather_kernel* packed_gather() const noexcept {
    if (work_.gathers == nullptr || plan_.indirect != plan::side::source || tail_.count != 0) return nullptr;
    if (tuples_.direct_step() != tail_.run) return nullptr;
    auto grain = reinterpret_cast<std::uintptr_t>(work_.destination + plan_.destination_base);
    for (std::size_t d = 0; d + 1 < plan_.tuple_rank; ++d)
      grain |= static_cast<std::uintptr_t>(plan_.loops[d].destination);
    int const element = element_index(tail_.run);
    if (element >= 0) {
      auto const part = static_cast<std::uintptr_t>(tail_.run & -tail_.run);  // of an element of three, as of any other
      bool const aligned = !work_.how.stream || (grain & (part - 1)) == 0;
      index_t const least =
          work_.how.prefetch ? tuning::line_of_rows_ahead * tuning::tuples_ahead : least_packed_tuples;
      bool const fits = aligned && tuples_.has_short_tuples() && tuples_.tuples_in_line() >= least;
      return fits ? work_.gathers->elements[element] : nullptr;
    }
    bool const whole_lines = ((grain | static_cast<std::uintptr_t>(tail_.run)) & 63U) == 0;
    bool const of_kind = work_.how.stream ? whole_lines : finds_kept_rows_singly(tail_.run);
    index_t const least =
        work_.how.prefetch ? tuning::line_of_rows_ahead * rows_of_lines_ahead(tail_.run) : tuning::least_line_of_rows;
    bool const fits =
        of_kind && plan_.coordinate_count == 1 && tuples_.has_still_lines() && tuples_.tuples_in_line() >= least;
    return fits ? work_.gathers->rows : nullptr;
  }

  bool read_lines(gather_kernel* kernel) noexcept {
    bool const checked = work_.mode == bounds::check;
    std::byte const* const from = work_.source + plan_.source_base;
    for (index_t left = plan_.tuples; left > 0; left -= tuples_.tuples_in_line(), tuples_.next_line()) {
      std::byte* const to = work_.destination + plan_.destination_base + tuples_.direct();
      if (!kernel(to, from, tuples_.line(), tail_.run, checked, work_.how)) return false;
    }
    return true;
  }

  using line_gather_kernel = typename gather_kernels<Index>::gather_lines;

  /// The kernel that gathers single elements by several lines of packed single indices, without fetching anything
  /// early; null for anything else.
  [[nodiscard]] line_gather_kernel* line_gather() const noexcept {
    if (work_.gathers == nullptr || plan_.indirect != plan::side::source || tail_.count != 0) return nullptr;
    int const element = element_index(tail_.run);
    bool const fits = element >= 0 && plan_.tuple_rank > 1 && packing_of(tuples_.line()) == packing::singles &&
                      (is_kept() || brings_rows());
    return fits ? work_.gathers->lines[element] : nullptr;
  }

  /// Do the caches hold everything?
  [[nodiscard]] bool is_kept() const noexcept {
    return !work_.how.prefetch && !work_.how.stream && !work_.how.fetch_output;
  }

  /// Does each line of tuples lead to one short row, which the processor brings by itself, as most of it is read or as
  /// it is not far away?
  [[nodiscard]] bool brings_rows() const noexcept {
    plan::coordinate const axis = plan_.coordinates[0];
    if (work_.stores == ndx::stores::streaming) return false;
    if (!tuples_.has_still_lines() || axis.stride <= 0 || axis.extent > tuning::gathered_row_bytes / axis.stride)
      return false;
    index_t const row = axis.extent * axis.stride;
    if (row <= 64 || 64 * tuples_.tuples_in_line() >= tuning::gathered_row_tuples * row) return true;
    return !work_.how.stream && !work_.how.fetch_output &&
           reach_of_tuples(plan_).bytes() <= static_cast<std::uint64_t>(tuning::gathered_rows_bytes);
  }

  /// All lines of the loop around them at a time.
  bool read_all_lines(line_gather_kernel* kernel) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base;
    plan::loop const& lines = plan_.loops[plan_.tuple_rank - 2];
    for (index_t left = plan_.tuples; left > 0; tuples_.next_lines()) {
      tuple_request<Index> const first = tuples_.line();
      if (!kernel(to + tuples_.direct(), tuples_.direct_step(), from, first, lines, work_.mode == bounds::check))
        return false;
      left -= first.count * lines.extent;
    }
    return true;
  }

  /// Is a line of tuples gone through again and again, so short that what is done for each time counts?
  [[nodiscard]] bool repeats_few_tuples() const noexcept {
    if (plan_.indirect != plan::side::source || plan_.tuple_rank < 2 || tail_.count != 0) return false;
    plan::loop const& again = plan_.loops[plan_.tuple_rank - 2];
    index_t const count = tuples_.tuples_in_line();
    // Some whole lines are streamed from where they lie, not by way of a stage.
    bool const streams_lines = work_.how.stream && tail_.run % 64 == 0 && tail_.run > 64;
    return again.indices == 0 && again.extent >= tuning::least_groups && count <= tuning::tuples_in_group &&
           count * tail_.run <= tuning::group_bytes && !streams_lines;
  }

  /// Finds each line of tuples once for all the times that it is gone through.
  bool read_groups() noexcept {
    std::size_t const repeating = plan_.tuple_rank - 2;
    plan::loop const& again = plan_.loops[repeating];
    // The same tuples, each line once.
    plan::indexed_copy once = plan_;
    once.loops[repeating] = plan_.loops[repeating + 1];
    --once.tuple_rank;
    once.tuples /= again.extent;
    work<Index> finding = work_;
    finding.plan = &once;
    tuple_walker<Index> lines(finding);
    index_t const count = lines.tuples_in_line();
    index_t places[tuning::tuples_in_group];
    int const element = element_index(tail_.run);
    auto* const kernel = element >= 0 ? work_.reads->groups[element] : work_.reads->row_groups;
    for (index_t left = once.tuples; left > 0; left -= count) {
      index_t const direct = lines.direct();
      if (!lines.resolve(places, count)) {
        kernel(work_.destination + plan_.destination_base + direct, work_.source + plan_.source_base,
               {places, count, lines.direct_step(), again, tail_.run}, work_.how);
      } else if (work_.mode == bounds::ignore) {
        read_or_fill({&again, 1, tail_.run}, {places, count, count, true}, direct);
      } else {
        return false;
      }
    }
    return true;
  }

  /// All lines of the loop around them at a time.
  bool write_lines() noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base;
    plan::loop const lines = plan_.tuple_rank > 1 ? plan_.loops[plan_.tuple_rank - 2] : no_loop;
    for (index_t left = plan_.tuples; left > 0;) {
      tuple_request<Index> const first = tuples_.line();
      std::byte const* const updates = from + tuples_.direct();
      left -= first.count * lines.extent;
      tuples_.next_lines();
      index_t const next = tuples_.line().start;
      work_.write_lines(to, updates, tuples_.direct_step(), first, {lines, next, next + lines.destination}, work_.how);
    }
    return true;
  }

  /// An empty tail: nothing moves, but a gather's indices have not been looked at yet.
  bool check_nothing() noexcept {
    return plan_.tuples == 0 || plan_.indirect != plan::side::source || work_.mode == bounds::ignore ||
           work_.mode == bounds::trust || check();
  }

  void read(resolved_tuples const& tuples, index_t direct) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + direct;
    std::byte const* const from = work_.source + plan_.source_base;
    if (tail_.count == 0) {
      int const element = element_index(tail_.run);
      auto* const kernel = element >= 0 ? work_.reads->elements[element] : work_.reads->rows;
      kernel(to, tuples_.direct_step(), from, tuples, tail_.run, work_.how);
    } else {
      for (index_t i = 0; i < tuples.count; ++i)
        copy_nest(*work_.copies, tail_, to + i * tuples_.direct_step(), from + tuples.offsets[i], work_.how);
    }
  }

  void read_or_fill(nest const& tail, resolved_tuples const& tuples, index_t direct) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base + direct;
    for (index_t i = 0; i < tuples.count; ++i) {
      if (tuples.offsets[i] == plan::no_offset) fill(tail, to + i * tuples_.direct_step());
      else
        copy_nest(*work_.copies, tail, to + i * tuples_.direct_step(),
                  work_.source + plan_.source_base + tuples.offsets[i], work_.how);
    }
  }

  void fill(nest const& loops, std::byte* to) noexcept {
    if (loops.count == 0) {
      plan::loop const line{loops.run / work_.element_size, work_.element_size, 0, 0};
      copy_line(*work_.copies, line, work_.element_size, to, work_.fill, work_.how);
      return;
    }
    for (index_t i = 0; i < loops.loops->extent; ++i)
      fill({loops.loops + 1, loops.count - 1, loops.run}, to + i * loops.loops->destination);
  }

  void write(resolved_tuples const& tuples, index_t direct) noexcept {
    std::byte* const to = work_.destination + plan_.destination_base;
    std::byte const* const from = work_.source + plan_.source_base + direct;
    if (tail_.count == 0) {
      write_rows(to, from, tuples_.direct_step(), tuples);
    } else {
      for (index_t i = 0; i < tuples.count; ++i)
        if (tuples.offsets[i] != plan::no_offset)
          write_nest(tail_, to + tuples.offsets[i], from + i * tuples_.direct_step());
    }
  }

  void write_rows(std::byte* to, std::byte const* from, index_t from_stride, resolved_tuples const& tuples) noexcept {
    int const unit = unit_index(tail_.run);
    auto* const kernel = work_.reduce != nullptr ? work_.reduce
                         : unit >= 0             ? work_.writes->elements[unit]
                                                 : work_.writes->rows;
    kernel(to, from, from_stride, tuples, tail_.run, work_.how);
  }

  void write_nest(nest const& loops, std::byte* to, std::byte const* from) noexcept {
    if (work_.reduce == nullptr) return copy_nest(*work_.copies, loops, to, from, work_.how);
    plan::loop const& outer = *loops.loops;
    if (loops.count > 1) {
      for (index_t i = 0; i < outer.extent; ++i)
        write_nest({loops.loops + 1, loops.count - 1, loops.run}, to + i * outer.destination, from + i * outer.source);
      return;
    }
    // The innermost loop is a block of rows at known places.
    index_t offsets[tuning::tuples_in_step];
    for (index_t first = 0, count; first < outer.extent; first += count) {
      count = lesser(outer.extent - first, tuning::tuples_in_step);
      for (index_t i = 0; i < count; ++i) offsets[i] = (first + i) * outer.destination;
      write_rows(to, from + first * outer.source, outer.source, {offsets, count, count});
    }
  }

  work<Index> work_;
  plan::indexed_copy const& plan_;
  nest tail_;
  tuple_walker<Index> tuples_;
};

}  // namespace ndx::cpu

#endif

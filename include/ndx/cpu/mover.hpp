// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MOVER_HPP
#define NDX_CPU_MOVER_HPP

#include <ndx/cpu/gather_by_lines.hpp>
#include <ndx/cpu/lookahead.hpp>
#include <ndx/cpu/nest.hpp>
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
    if (plan_.indirect == plan::side::source && tail_.count == 0) {
      gather_by_lines<Index> lines(work_, tuples_);
      bool const repeats = repeats_few_tuples();
      if ((!repeats || tuples_.tuples_in_line() >= tuning::least_repeated_line) && lines.takes_all())
        return lines.move_all();
      if (repeats) return read_groups();
      if (lines.takes_each()) return lines.move_each();
    }
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

  /// Is a line of a gather's tuples gone through again and again, so short that what is done for each time counts?
  [[nodiscard]] bool repeats_few_tuples() const noexcept {
    if (plan_.tuple_rank < 2) return false;
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
      auto const first = for_kernels(tuples_.line());
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

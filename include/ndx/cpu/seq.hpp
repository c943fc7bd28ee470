// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SEQ_HPP
#define NDX_CPU_SEQ_HPP

#include <ndx/cpu/mean.hpp>
#include <ndx/cpu/tuning.hpp>
#include <ndx/cpu/walk.hpp>
#include <ndx/execution.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/plan/resolve.hpp>

#include <type_traits>

namespace ndx {

namespace cpu {

/// A run of elements from one place to another; at run time bit by bit, padding included.
template <class T>
constexpr void copy_run(T* destination, T const* source, index_t count) {
  if constexpr (std::is_copy_assignable_v<T>) {
    if (std::is_constant_evaluated()) {
      for (index_t i = 0; i < count; ++i) destination[i] = source[i];
      return;
    }
  }
  // Not std::memcpy, as in the kernels (kernels/all.inl).
  if (count == 1) __builtin_memcpy(static_cast<void*>(destination), source, sizeof(T));  // of a known size: no call
  else __builtin_memcpy(static_cast<void*>(destination), source, static_cast<std::size_t>(count) * sizeof(T));
}

template <ndx::reduction Op, class T>
constexpr void reduce_run(T* destination, T const* source, index_t count) {
  if constexpr (Op == ndx::reduction::none || !plan::reducible<T>) {
    copy_run(destination, source, count);
  } else {
    for (index_t i = 0; i < count; ++i) destination[i] = plan::combine<Op>(destination[i], source[i]);
  }
}

/// So few elements, or such a few runs of them, that choosing kernels, and making a plan easier to walk, cost more than
/// they save. Of a plan as it was made.
[[gnu::always_inline]] constexpr bool is_small(plan::indexed_copy const& plan) noexcept {
  if (plan.tuples > tuning::small_call || plan.tail > tuning::small_copy) return false;
  index_t const elements = plan.tuples * plan.tail;
  plan::loop const line = line_of(plan, plan.tuple_rank, plan.rank);
  bool const has_runs = line.destination == 1 && line.source == 1;
  return elements <= tuning::small_call ||
         (has_runs && elements <= tuning::small_copy && elements <= tuning::small_call_runs * line.extent);
}
/// The same of all that an operation does.
constexpr bool is_small(plan::operation const& op) noexcept {
  // Kernels make sums of runs in fewer steps.
  bool const few = op.reduction == ndx::reduction::none
                       ? is_small(op.move)
                       : op.move.tuples <= tuning::small_call && op.move.tail <= tuning::small_call &&
                             op.move.tuples * op.move.tail <= tuning::small_call;
  return few && (op.copy == nullptr || op.copy->tail <= (op.copy->rank == 0 ? tuning::small_copy : tuning::small_call));
}

}  // namespace cpu

/// One thread, plain loops, any element type, usable in constant expressions: the definition of what all policies do.
struct seq_policy {
  template <class Operation, class T, class Index>
  constexpr void execute(Operation const& op, plan::arguments<T, Index> const& on) const {
    if constexpr (Operation::may_scatter)
      if (op.reduction == ndx::reduction::mean)
        return cpu::carry_out_mean(op, on, [&](Operation const& sums) { execute(sums, on); });
    // A scatter must not have written anything when it meets a bad index.
    bool good = op.move.indirect != plan::side::destination || valid(op, on.indices);
    if (good) {
      if (op.copy != nullptr)
        move<ndx::reduction::none>(
            *op.copy, op.bounds,
            plan::arguments<T, Index>{on.destination, op.copies_fill ? on.fill : on.input, nullptr, nullptr, nullptr});
      if (op.reset != nullptr)
        move<ndx::reduction::none>(*op.reset, op.bounds,
                                   plan::arguments<T, Index>{on.destination, on.fill, on.indices, nullptr, nullptr});
      if (op.reduction == ndx::reduction::none && op.bounds == bounds::check && moves_elements(op.move))
        good = move_elements(op.move, on);
      else if constexpr (Operation::may_scatter)
        plan::with_reduction(op.reduction, [&]<ndx::reduction Op>() { good = move<Op>(op.move, op.bounds, on); });
      else good = move<ndx::reduction::none>(op.move, op.bounds, on);
    }
    if (!good) plan::fail_first_bad_index(op, on.indices);
  }

  /// May a plan come as it was made, not normalized? On a few elements, normalizing costs more than it saves.
  static constexpr bool takes_as_made(plan::operation const& op) noexcept { return cpu::is_small(op); }

  /// The call that small ones mostly are: few elements that replace others, their indices, if any, all good. To be
  /// compiled into the call itself, with a plan as it was made. False where it is another call, or an index is bad;
  /// some of a gather's output may have been written then. Indices that are good by the caller's word are looked at
  /// too: that takes less than the way of other calls.
  template <class T, class Index>
  [[gnu::always_inline]] static constexpr bool move_few(plan::indexed_copy const& plan, bounds mode,
                                                        plan::arguments<T, Index> const& on) {
    if ((mode != bounds::check && mode != bounds::trust) || !cpu::is_small(plan)) return false;
    if (plan.indirect == plan::side::destination && !are_good(plan, on.indices)) return false;
    return moves_elements(plan) ? move_elements(plan, on) : move_here<ndx::reduction::none>(plan, bounds::check, on);
  }

private:
  static constexpr cpu::offsets start(plan::indexed_copy const& plan) {
    return {plan.destination_base, plan.source_base, plan.indices_base};
  }

  /// Does every tuple have an answer, with the bounds mode that there is?
  template <class Index>
  static constexpr bool valid(plan::operation const& op, Index const* indices) {
    if (op.bounds == bounds::ignore || op.bounds == bounds::trust) return true;
    if (op.bounds == bounds::check) return are_good(op.move, indices);
    return cpu::for_each_point(op.move, 0, op.move.tuple_rank, start(op.move), [&](cpu::offsets const& at) {
      return plan::resolve_tuple(op.move, indices + at.indices, op.bounds) != plan::no_offset;
    });
  }

  /// The same for `bounds::check`.
  template <class Index>
  [[gnu::always_inline]] static constexpr bool are_good(plan::indexed_copy const& plan, Index const* indices) {
    return cpu::for_each_point(
        plan, 0, plan.tuple_rank, start(plan), [&](cpu::offsets const& at) __attribute__((always_inline)) {
          index_t offset = 0;
          return plan::add_tuple(offset, plan, indices + at.indices, bounds::check);
        });
  }

  static constexpr bool moves_elements(plan::indexed_copy const& plan) noexcept {
    return plan.indirect != plan::side::none && plan.rank == plan.tuple_rank && plan.run == 1;
  }

  /// `move` for elements that replace others under `bounds::check`, without what need not be asked there: each finds
  /// its tuple, if any, for itself. False where a bad index stopped it.
  template <class T, class Index>
  [[gnu::always_inline]] static constexpr bool move_elements(plan::indexed_copy const& plan,
                                                             plan::arguments<T, Index> const& on) {
    plan::loop line = cpu::line_of(plan, 0, plan.rank);
    return cpu::for_each_line(
        plan, 0, plan.rank, start(plan), [&](cpu::offsets at) __attribute__((always_inline)) {
          for (index_t i = 0; i < line.extent; ++i) {
            index_t offset = 0;
            if (!plan::add_tuple(offset, plan, on.indices + at.indices, bounds::check)) return false;
            if (plan.indirect == plan::side::destination)
              cpu::copy_run(on.destination + at.destination + offset, on.source + at.source, 1);
            else cpu::copy_run(on.destination + at.destination, on.source + at.source + offset, 1);
            cpu::step(at, line);
          }
          return true;
        });
  }

  /// Whatever a tuple moves. False where a bad index stopped it.
  template <ndx::reduction Op, class T, class Index>
  [[gnu::always_inline]] static constexpr bool move_here(plan::indexed_copy const& plan, bounds mode,
                                                         plan::arguments<T, Index> const& on) {
    plan::loop const line = cpu::line_of(plan, plan.tuple_rank, plan.rank);
    // A plan that has not been normalized has its run as a loop.
    bool const is_run = plan.run == 1 && line.destination == 1 && line.source == 1;
    return cpu::for_each_point(
        plan, 0, plan.tuple_rank, start(plan), [&](cpu::offsets at) __attribute__((always_inline)) {
          bool filled = false;
          if (plan.indirect != plan::side::none) {
            index_t const offset = plan::resolve_tuple(plan, on.indices + at.indices, mode);
            if (offset == plan::no_offset) {
              if (mode != bounds::ignore) return false;
              if (plan.indirect == plan::side::destination) return true;
              filled = true;
            } else {
              (plan.indirect == plan::side::source ? at.source : at.destination) += offset;
            }
          }
          auto const put = [&](cpu::offsets const& to, index_t run) __attribute__((always_inline)) {
            if (filled) {
              for (index_t i = 0; i < run; ++i) cpu::copy_run(on.destination + to.destination + i, on.fill, 1);
            } else {
              cpu::reduce_run<Op>(on.destination + to.destination, on.source + to.source, run);
            }
          };
          return cpu::for_each_line(
              plan, plan.tuple_rank, plan.rank, at, [&](cpu::offsets to) __attribute__((always_inline)) {
                if (is_run) put(to, line.extent);
                else
                  for (index_t i = 0; i < line.extent; ++i, cpu::step(to, line)) put(to, plan.run);
                return true;
              });
        });
  }
  template <ndx::reduction Op, class T, class Index>
  static constexpr bool move(plan::indexed_copy const& plan, bounds mode, plan::arguments<T, Index> const& on) {
    return move_here<Op>(plan, mode, on);
  }
};

inline constexpr seq_policy seq{};

}  // namespace ndx

#endif

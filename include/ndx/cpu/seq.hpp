// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SEQ_HPP
#define NDX_CPU_SEQ_HPP

#include <ndx/execution.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/plan/resolve.hpp>

#include <cstring>
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
  if (count == 1) std::memcpy(static_cast<void*>(destination), source, sizeof(T));  // of a known size: no call
  else std::memcpy(static_cast<void*>(destination), source, static_cast<std::size_t>(count) * sizeof(T));
}

template <ndx::reduction Op, class T>
constexpr void reduce_run(T* destination, T const* source, index_t count) {
  if constexpr (Op == ndx::reduction::none || !plan::reducible<T>) {
    copy_run(destination, source, count);
  } else {
    for (index_t i = 0; i < count; ++i) destination[i] = plan::combine<Op>(destination[i], source[i]);
  }
}

/// Where a loop nest stands, counted up in row-major order.
struct offsets {
  index_t destination;
  index_t source;
  index_t indices;
};

/// Calls `visit(offsets)` for every point of the loops [first, last) of a plan, in row-major order, until it says
/// false.
template <class Visit>
constexpr bool for_each_point(plan::indexed_copy const& plan, std::size_t first, std::size_t last, offsets at,
                              Visit const& visit) {
  if (first == last) return visit(at);
  plan::loop const& loop = plan.loops[first];
  for (index_t i = 0; i < loop.extent; ++i) {
    if (!for_each_point(plan, first + 1, last, at, visit)) return false;
    // The step beyond the last point is never used, and need not fit.
    at.destination = plan::wrapping_add(at.destination, loop.destination);
    at.source = plan::wrapping_add(at.source, loop.source);
    at.indices = plan::wrapping_add(at.indices, loop.indices);
  }
  return true;
}

}  // namespace cpu

/// One thread, plain loops, any element type, usable in constant expressions: the definition of what all policies do.
struct seq_policy {
  template <class T, class Index>
  constexpr void execute(plan::operation const& op, plan::arguments<T, Index> const& on) const {
    // A scatter must not have written anything when it meets a bad index.
    if (op.move.indirect == plan::side::destination && !valid(op, on.indices))
      plan::fail_first_bad_index(op, on.indices);
    if (op.copy != nullptr) {
      plan::arguments<T, Index> const copied{on.destination, on.input, nullptr, nullptr, nullptr};
      move<ndx::reduction::none>(*op.copy, op.bounds, copied);
    }
    bool good = true;
    plan::with_reduction(op.reduction, [&]<ndx::reduction Op>() { good = move<Op>(op.move, op.bounds, on); });
    if (!good) plan::fail_first_bad_index(op, on.indices);
  }

private:
  static constexpr cpu::offsets start(plan::indexed_copy const& plan) {
    return {plan.destination_base, plan.source_base, plan.indices_base};
  }

  /// Does every tuple have an answer, with the bounds mode that there is?
  template <class Index>
  static constexpr bool valid(plan::operation const& op, Index const* indices) {
    if (op.bounds == bounds::ignore || op.bounds == bounds::trust) return true;
    return cpu::for_each_point(op.move, 0, op.move.tuple_rank, start(op.move), [&](cpu::offsets const& at) {
      return plan::resolve_tuple(op.move, indices + at.indices, op.bounds) != plan::no_offset;
    });
  }

  /// False where a bad index stopped it.
  template <ndx::reduction Op, class T, class Index>
  static constexpr bool move(plan::indexed_copy const& plan, bounds mode, plan::arguments<T, Index> const& on) {
    return cpu::for_each_point(plan, 0, plan.tuple_rank, start(plan), [&](cpu::offsets at) {
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
      return cpu::for_each_point(plan, plan.tuple_rank, plan.rank, at, [&](cpu::offsets const& to) {
        if (filled) {
          for (index_t i = 0; i < plan.run; ++i) cpu::copy_run(on.destination + to.destination + i, on.fill, 1);
        } else {
          cpu::reduce_run<Op>(on.destination + to.destination, on.source + to.source, plan.run);
        }
        return true;
      });
    });
  }
};

inline constexpr seq_policy seq{};

}  // namespace ndx

#endif

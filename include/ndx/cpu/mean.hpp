// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_MEAN_HPP
#define NDX_CPU_MEAN_HPP

#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/walk.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/resolve.hpp>
#include <ndx/plan/slots.hpp>

/// `reduction::mean`: sums, then how many numbers are in each, then the quotients.
namespace ndx::cpu {

/// Calls `visit(offsets)` for every good tuple: where it leads, as `destination`, and the number of its slot, as
/// `source`.
template <class Index, class Visit>
[[gnu::always_inline]] constexpr void for_each_slot(plan::indexed_copy const& plan, bounds mode, Index const* indices,
                                                    Visit const& visit) {
  plan::slots const slots = plan::slots_of(plan);
  plan::indexed_copy tuples = plan;
  for (std::size_t d = 0; d < plan.tuple_rank; ++d) tuples.loops[d].source = slots.of_loops[d];
  for_each_point(
      tuples, 0, plan.tuple_rank,
      {plan.destination_base, 0, plan.indices_base}, [&](offsets at) __attribute__((always_inline)) {
        for (std::size_t c = 0; c < plan.coordinate_count; ++c) {
          Index const read = indices[at.indices + static_cast<index_t>(c) * plan.coordinate_step];
          index_t const index = plan::resolve_index(read, plan.coordinates[c].extent, mode);
          if (index < 0 && mode != bounds::trust) return true;  // skipped
          at.destination += index * plan.coordinates[c].stride;
          at.source += index * slots.of_coordinates[c];
        }
        visit(at);
        return true;
      });
}

template <class Index>
constexpr void count_tuples(plan::indexed_copy const& plan, bounds mode, Index const* indices, index_t* counts) {
  for_each_slot(plan, mode, indices, [&](offsets const& at) { ++counts[at.source]; });
}

/// Divides every sum by its count, once, and makes the counts 0 again: so the cost is that of the tuples, however many
/// places there are.
template <class T, class Index>
constexpr void divide_by_counts(plan::operation const& op, plan::arguments<T, Index> const& on, index_t* counts) {
  plan::indexed_copy const& plan = op.move;
  for_each_slot(plan, op.bounds, on.indices, [&](offsets const& at) {
    index_t const updates = counts[at.source];
    counts[at.source] = 0;
    index_t const count = updates + (op.includes_self() ? 1 : 0);
    if (updates == 0 || count == 1) return;
    for_each_point(plan, plan.tuple_rank, plan.rank, at, [&](offsets const& to) {
      for (index_t i = 0; i < plan.run; ++i) {
        T& element = on.destination[to.destination + i];
        element = plan::quotient(element, count);
      }
      return true;
    });
  });
}

/// A mean; `add(operation)` carries out its sums, and checks the indices before it writes. The memory for the counts
/// comes first, as nothing must have been written where there is none.
template <class Operation, class T, class Index, class Add>
constexpr void carry_out_mean(Operation const& op, plan::arguments<T, Index> const& on, Add const& add) {
  if constexpr (plan::reducible<T>) {
    Operation sums = op;
    sums.reduction = ndx::reduction::add;
    if (op.move.moves_nothing()) return add(sums);
    place_counts const counts(plan::slots_of(op.move).count);
    add(sums);
    count_tuples(op.move, op.bounds, on.indices, counts.data());
    divide_by_counts(op, on, counts.data());
  }
}

}  // namespace ndx::cpu

#endif

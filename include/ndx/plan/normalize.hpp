// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_NORMALIZE_HPP
#define NDX_PLAN_NORMALIZE_HPP

#include <ndx/plan/indexed_copy.hpp>

namespace ndx::plan {

namespace detail {

/// Can both be one loop with the inner one's strides?
constexpr bool joinable(loop const& outer, loop const& inner) noexcept {
  return outer.destination == wrapping_multiply(inner.destination, inner.extent) &&
         outer.source == wrapping_multiply(inner.source, inner.extent) &&
         outer.indices == wrapping_multiply(inner.indices, inner.extent);
}

/// Loops of a tail may run in any order and direction: descending strides of the destination, all of them positive, so
/// that writes ascend and the innermost loop is the one that can be a block.
constexpr void order_tail(indexed_copy& plan) noexcept {
  for (std::size_t d = plan.tuple_rank; d < plan.rank; ++d) {
    loop current = plan.loops[d];
    if (current.destination < 0 || (current.destination == 0 && current.source < 0)) {
      plan.destination_base += (current.extent - 1) * current.destination;
      plan.source_base += (current.extent - 1) * current.source;
      current.destination = -current.destination;
      current.source = -current.source;
    }
    std::size_t place = d;
    for (; place > plan.tuple_rank && plan.loops[place - 1].destination < current.destination; --place)
      plan.loops[place] = plan.loops[place - 1];
    plan.loops[place] = current;
  }
}

constexpr void drop_unit_loops(indexed_copy& plan) noexcept {
  std::size_t kept = 0;
  std::size_t kept_of_tuples = 0;
  for (std::size_t d = 0; d < plan.rank; ++d) {
    if (plan.loops[d].extent == 1) continue;
    plan.loops[kept++] = plan.loops[d];
    if (d < plan.tuple_rank) ++kept_of_tuples;
  }
  plan.rank = kept;
  plan.tuple_rank = kept_of_tuples;
}

/// Innermost loops along which the tuple stays the same belong to what that tuple moves. Not where a scatter moves it
/// all to one place: there the order of the tuples decides who is last.
constexpr void shift_repeated_tuples(indexed_copy& plan) noexcept {
  while (plan.tuple_rank > 0) {
    loop const& inner = plan.loops[plan.tuple_rank - 1];
    if (inner.indices != 0 || (plan.indirect == side::destination && inner.destination == 0)) return;
    plan.tuples /= inner.extent;
    plan.tail *= inner.extent;
    --plan.tuple_rank;
    if (plan.tuples == 1) plan.rounds = 1;
  }
}

/// Joins what can be joined of the loops [first, last) and moves them to `place`; the end of what is left.
constexpr std::size_t join(indexed_copy& plan, std::size_t first, std::size_t last, std::size_t place) noexcept {
  std::size_t const start = place;
  for (std::size_t d = first; d < last; ++d) {
    loop next = plan.loops[d];
    if (place > start && joinable(plan.loops[place - 1], next)) next.extent *= plan.loops[--place].extent;
    plan.loops[place++] = next;
  }
  return place;
}

}  // namespace detail

/// The same copy with as few tuples and as long loops as there can be: no loop of one step, repeated tuples made one,
/// contiguous loops joined, the tail in the order of the destination and its innermost block taken out as `run`. The
/// order of the tuples stays. (Inlined, GCC 12 warns with -O3 of loops beyond those that there are, as they have no
/// value.)
[[gnu::noinline]] constexpr void normalize(indexed_copy& plan) noexcept {
  if (plan.moves_nothing()) return;  // there is nothing to walk
  detail::drop_unit_loops(plan);
  detail::shift_repeated_tuples(plan);
  detail::order_tail(plan);
  std::size_t const first_of_tail = plan.tuple_rank;
  plan.tuple_rank = detail::join(plan, 0, first_of_tail, 0);
  plan.rank = detail::join(plan, first_of_tail, plan.rank, plan.tuple_rank);
  if (plan.rank > plan.tuple_rank) {
    loop const& inner = plan.loops[plan.rank - 1];
    if (inner.destination == 1 && inner.source == 1) {
      plan.run = inner.extent;
      --plan.rank;
    }
  }
}

/// The part [begin, end) of one loop of a plan; `dimension == rank` means the run. The parts of a loop that moves the
/// destination write disjoint elements.
constexpr indexed_copy part(indexed_copy const& plan, std::size_t dimension, index_t begin, index_t end) noexcept {
  indexed_copy result = plan;
  if (dimension == plan.rank) {
    result.run = end - begin;
    result.destination_base += begin;
    result.source_base += begin;
    result.tail = plan.tail / plan.run * result.run;
    return result;
  }
  loop& divided = result.loops[dimension];
  index_t& count = dimension < plan.tuple_rank ? result.tuples : result.tail;
  count = count / divided.extent * (end - begin);
  divided.extent = end - begin;
  result.destination_base += begin * divided.destination;
  result.source_base += begin * divided.source;
  result.indices_base += begin * divided.indices;
  return result;
}

}  // namespace ndx::plan

#endif

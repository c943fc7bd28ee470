// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_WALK_HPP
#define NDX_CPU_WALK_HPP

#include <ndx/plan/indexed_copy.hpp>

/// Through the loops of a plan, point by point.
namespace ndx::cpu {

/// Where a loop nest stands, counted up in row-major order.
struct offsets {
  index_t destination;
  index_t source;
  index_t indices;
};

/// Steps beyond the last point of a loop are never used, and need not fit.
constexpr void step(offsets& at, plan::loop const& loop) noexcept {
  at.destination = plan::wrapping_add(at.destination, loop.destination);
  at.source = plan::wrapping_add(at.source, loop.source);
  at.indices = plan::wrapping_add(at.indices, loop.indices);
}

/// The innermost of the loops [first, last) of a plan; where there is none, one step.
constexpr plan::loop line_of(plan::indexed_copy const& plan, std::size_t first, std::size_t last) noexcept {
  return first == last ? plan::loop{1, 0, 0, 0} : plan.loops[last - 1];
}

// The walks and what they call are always inline: otherwise every point is a call, and `move_few` has to have its
// plan in memory.

/// Calls `visit(offsets)` where each round of the innermost of the loops [first, last) starts, in row-major order,
/// until it says false.
template <class Visit>
[[gnu::always_inline]] constexpr bool for_each_line(plan::indexed_copy const& plan, std::size_t first, std::size_t last,
                                                    offsets at, Visit const& visit) {
  std::size_t const innermost = last > first ? last - 1 : first;
  index_t left[plan::max_rank];    // how many steps of each of the loops around it are still to come, this one included
  offsets starts[plan::max_rank];  // where this one starts
  for (std::size_t d = first; d < last; ++d) {
    if (plan.loops[d].extent == 0) return true;
    left[d] = plan.loops[d].extent;
    starts[d] = at;
  }
  for (;;) {
    if (!visit(at)) return false;
    std::size_t d = innermost;
    do {
      if (d == first) return true;
      if (d != innermost) left[d] = plan.loops[d].extent;
      --d;
    } while (--left[d] == 0);
    at = starts[d];
    step(at, plan.loops[d]);
    for (; d < innermost; ++d) starts[d] = at;
  }
}

/// Calls `visit(offsets)` for every point of the loops [first, last) of a plan, in row-major order, until it says
/// false.
template <class Visit>
[[gnu::always_inline]] constexpr bool for_each_point(plan::indexed_copy const& plan, std::size_t first,
                                                     std::size_t last, offsets const& start, Visit const& visit) {
  plan::loop line = line_of(plan, first, last);
  return for_each_line(
      plan, first, last, start, [&](offsets at) __attribute__((always_inline)) {
        for (index_t i = 0; i < line.extent; ++i) {
          if (!visit(at)) return false;
          step(at, line);
        }
        return true;
      });
}

}  // namespace ndx::cpu

#endif

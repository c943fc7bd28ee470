// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_SLOTS_HPP
#define NDX_PLAN_SLOTS_HPP

#include <ndx/plan/indexed_copy.hpp>

namespace ndx::plan {

/// The numbers of the places that a scatter's tuples can lead to: each coordinate counts, and each loop that moves the
/// destination.
struct slots {
  index_t count = 1;
  index_t of_loops[max_rank] = {};
  index_t of_coordinates[max_rank] = {};
};

constexpr slots slots_of(indexed_copy const& plan) noexcept {
  slots result;
  for (std::size_t c = plan.coordinate_count; c-- > 0;) {
    result.of_coordinates[c] = result.count;
    result.count = wrapping_multiply(result.count, plan.coordinates[c].extent);
  }
  for (std::size_t d = plan.tuple_rank; d-- > 0;) {
    if (plan.loops[d].destination == 0) continue;
    result.of_loops[d] = result.count;
    result.count = wrapping_multiply(result.count, plan.loops[d].extent);
  }
  return result;
}

}  // namespace ndx::plan

#endif

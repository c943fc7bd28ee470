// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_BYTES_HPP
#define NDX_PLAN_BYTES_HPP

#include <ndx/plan/indexed_copy.hpp>

namespace ndx::plan {

/// A plan with all strides and bases of the moved tensors, and its run, in bytes.
inline indexed_copy in_bytes(indexed_copy const& elements, std::size_t element_size) noexcept {
  indexed_copy plan = elements;
  auto const scale = [&](index_t& stride) {
    // Only the strides of axes that are never stepped along may overflow.
    stride = wrapping_multiply(stride, static_cast<index_t>(element_size));
  };
  for (std::size_t d = 0; d < plan.rank; ++d) {
    scale(plan.loops[d].destination);
    scale(plan.loops[d].source);
  }
  for (std::size_t c = 0; c < plan.coordinate_count; ++c) scale(plan.coordinates[c].stride);
  scale(plan.run);
  scale(plan.tail);
  scale(plan.destination_base);
  scale(plan.source_base);
  return plan;
}

}  // namespace ndx::plan

#endif

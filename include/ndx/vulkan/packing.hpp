// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PACKING_HPP
#define NDX_VULKAN_PACKING_HPP

#include <ndx/plan/normalize.hpp>

/// Parts of tensors that lie too far apart for a window are copied to scratch first, one element after the other.
namespace ndx::vulkan {

/// The copy that packs the indices of a plan, which is made to read them packed. Elements are indices.
inline plan::indexed_copy pack_indices(plan::indexed_copy& plan) {
  plan::indexed_copy copy;
  auto const count = static_cast<index_t>(plan.coordinate_count);
  index_t stride = count;
  copy.source_base = plan.indices_base;
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    copy.add({plan.loops[d].extent, 0, plan.loops[d].indices, 0}, false);
  for (std::size_t d = plan.tuple_rank; d-- > 0;) {
    copy.loops[d].destination = plan.loops[d].indices = stride;
    stride *= plan.loops[d].extent;
  }
  if (count > 1) copy.add({count, 1, plan.coordinate_step, 0}, false);
  plan.indices_base = 0;
  plan.coordinate_step = 1;
  plan::normalize(copy);
  return copy;
}

/// The same for the source of a plan. Elements are the plan's units.
inline plan::indexed_copy pack_source(plan::indexed_copy& plan) {
  plan::indexed_copy copy;
  index_t stride = 1;
  copy.source_base = plan.source_base;
  for (std::size_t d = 0; d < plan.rank; ++d) copy.add({plan.loops[d].extent, 0, plan.loops[d].source, 0}, false);
  for (std::size_t d = plan.rank; d-- > 0;) {
    copy.loops[d].destination = plan.loops[d].source = stride;
    stride *= plan.loops[d].extent;
  }
  plan.source_base = 0;
  plan::normalize(copy);
  return copy;
}

}  // namespace ndx::vulkan

#endif

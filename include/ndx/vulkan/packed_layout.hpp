// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PACKED_LAYOUT_HPP
#define NDX_VULKAN_PACKED_LAYOUT_HPP

#include <ndx/plan/normalize.hpp>
#include <ndx/vulkan/operand.hpp>

namespace ndx::vulkan {

/// A copy of all elements that a plan can reach on one side, each to the place where it is: for two memories of the
/// same layout. In elements.
inline plan::indexed_copy every_element(plan::indexed_copy const& plan, through which) noexcept {
  plan::indexed_copy copy;
  auto const add = [&](index_t extent, index_t stride) {
    if (extent == 0 || (extent != 1 && stride != 0)) copy.add({extent, stride, stride, 0}, false);
  };
  std::size_t const loops = which == through::indices ? plan.tuple_rank : plan.rank;
  if (is_indirect(plan, which))
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) add(plan.coordinates[c].extent, plan.coordinates[c].stride);
  for (std::size_t d = 0; d < loops; ++d) add(plan.loops[d].extent, stride_of(plan.loops[d], which));
  if (which == through::indices) add(static_cast<index_t>(plan.coordinate_count), plan.coordinate_step);
  else if (plan.run > 1) add(plan.run, 1);
  copy.destination_base = copy.source_base = base_of(plan, which);
  plan::normalize(copy);
  return copy;
}

/// Is what a plain copy writes one block, which it goes through from the start to the end?
inline bool is_packed(plan::indexed_copy const& plan) noexcept {
  index_t packed = plan.run;
  for (std::size_t d = plan.rank; d-- > 0; packed *= plan.loops[d].extent)
    if (plan.loops[d].destination != packed) return false;
  return true;
}

/// Where the elements of a tensor are if nothing lies between them: in the same order, from 0 on. Strides in elements.
class packed_layout {
public:
  /// Of the elements of `copy` (of `every_element`), at least one.
  explicit packed_layout(plan::indexed_copy const& copy) noexcept : copy_(copy) {
    index_t packed = copy.run;
    index_t reached = copy.run;
    for (std::size_t d = copy.rank; d-- > 0;) {
      plan::loop& loop = copy_.loops[d];
      exists_ = exists_ && loop.source >= reached;
      reached += (loop.extent - 1) * loop.source;
      loop.destination = packed;
      packed *= loop.extent;
    }
    copy_.destination_base = 0;
  }

  /// Does each loop step over all that those within it reach? Otherwise there is no such layout for this class.
  [[nodiscard]] bool exists() const noexcept { return exists_; }

  /// From the tensor to its packed elements.
  [[nodiscard]] plan::indexed_copy const& copy() const noexcept { return copy_; }

  /// Makes a plan that steps through the tensor, or a part of it, step through the packed elements instead.
  void relocate(plan::indexed_copy& plan, through which) const noexcept {
    // A plan that moves nothing still has its indices looked at.
    if (plan.tuples == 0 || (plan.tail == 0 && which != through::indices)) return;
    auto const relocate_stride = [&](index_t extent, index_t& stride) {
      if (extent <= 1) stride = 0;  // never stepped along, and of any size
      else stride = stride < 0 ? -place(-stride) : place(stride);
    };
    std::size_t const loops = which == through::indices ? plan.tuple_rank : plan.rank;
    for (std::size_t d = 0; d < loops; ++d) relocate_stride(plan.loops[d].extent, plan.loops[d].*stride_through(which));
    if (is_indirect(plan, which))
      for (std::size_t c = 0; c < plan.coordinate_count; ++c)
        relocate_stride(plan.coordinates[c].extent, plan.coordinates[c].stride);
    if (which == through::indices) relocate_stride(static_cast<index_t>(plan.coordinate_count), plan.coordinate_step);
    index_t& base = plan.*base_through(which);
    base = place(base - copy_.source_base);
    if (plan.tail == 0) return;
    // What was apart may be one block now.
    if (plan.run > 1) plan.loops[plan.rank++] = {plan.run, 1, 1, 0};
    plan.run = 1;
    plan::normalize(plan);
  }

private:
  /// Of the element that lies so far behind the first one; of a stride as well, which is a multiple of one loop's.
  [[nodiscard]] index_t place(index_t offset) const noexcept {
    index_t result = 0;
    for (std::size_t d = 0; d < copy_.rank; ++d) {
      plan::loop const& loop = copy_.loops[d];
      result += offset / loop.source * loop.destination;
      offset %= loop.source;
    }
    return result + offset;
  }

  plan::indexed_copy copy_;
  bool exists_ = true;
};

}  // namespace ndx::vulkan

#endif

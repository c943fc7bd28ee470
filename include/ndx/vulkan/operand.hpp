// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_OPERAND_HPP
#define NDX_VULKAN_OPERAND_HPP

#include <ndx/plan/bytes.hpp>

#include <vulkan/vulkan_core.h>

/// The tensors of a call as the device sees them, and which of their bytes a plan reaches.
namespace ndx::vulkan {

/// A tensor of a call as the device sees it.
struct operand {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint64_t place = 0;      ///< of the element that the plan calls 0: bytes from the start of the buffer
  VkDeviceAddress address = 0;  ///< of the start of the buffer; 0 where the device has no addresses
};

/// The bytes [begin, end) of a buffer.
struct byte_range {
  VkBuffer buffer = VK_NULL_HANDLE;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
};

inline bool overlap(byte_range const& a, byte_range const& b) noexcept {
  return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

/// The same tensor seen from a base that a plan has.
inline operand shifted(operand of, index_t bytes) noexcept {
  of.place += static_cast<std::uint64_t>(bytes);
  return of;
}

/// Which numbers a plan counts when it steps through a tensor.
enum class through : unsigned char { destination, source, indices };

constexpr auto stride_through(through which) noexcept {
  return which == through::destination ? &plan::loop::destination
         : which == through::source    ? &plan::loop::source
                                       : &plan::loop::indices;
}

constexpr auto base_through(through which) noexcept {
  return which == through::destination ? &plan::indexed_copy::destination_base
         : which == through::source    ? &plan::indexed_copy::source_base
                                       : &plan::indexed_copy::indices_base;
}

inline index_t stride_of(plan::loop const& loop, through which) noexcept { return loop.*stride_through(which); }

inline index_t base_of(plan::indexed_copy const& plan, through which) noexcept { return plan.*base_through(which); }

inline bool is_indirect(plan::indexed_copy const& plan, through which) noexcept {
  return (which == through::destination && plan.indirect == plan::side::destination) ||
         (which == through::source && plan.indirect == plan::side::source);
}

/// The bytes that a plan of one point or more can reach; strides in bytes, or in elements of `scale` bytes.
inline byte_range reach(plan::indexed_copy const& plan, through which, operand const& of, index_t scale,
                        index_t width) noexcept {
  index_t low = base_of(plan, which);
  index_t high = low;
  auto const add = [&](index_t extent, index_t stride) {
    if (extent > 1) (stride < 0 ? low : high) += (extent - 1) * stride;
  };
  std::size_t const loops = which == through::indices ? plan.tuple_rank : plan.rank;
  for (std::size_t d = 0; d < loops; ++d) add(plan.loops[d].extent, stride_of(plan.loops[d], which));
  if (is_indirect(plan, which)) {
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) {
      if (plan.coordinates[c].extent == 0) return {};  // no tuple leads anywhere
      add(plan.coordinates[c].extent, plan.coordinates[c].stride);
    }
  }
  if (which == through::indices) add(static_cast<index_t>(plan.coordinate_count), plan.coordinate_step);
  return {of.buffer, of.place + static_cast<std::uint64_t>(low * scale),
          of.place + static_cast<std::uint64_t>(high * scale + width)};
}

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_SLOTS_HPP
#define NDX_VULKAN_SLOTS_HPP

#include <ndx/vulkan/parameters.hpp>
#include <ndx/vulkan/state.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// Some slots that follow one another, and where the host sees them.
struct slot_range {
  byte_range range;
  std::byte* mapped = nullptr;
};

/// Memory for what goes with commands, a slot each, in slabs that are given back together. A slot holds the parameters
/// of a dispatch or a report block.
class slots {
public:
  static constexpr VkDeviceSize slot_bytes = sizeof(report_block);
  static_assert(slot_bytes >= sizeof(parameters));

  explicit slots(memory_use use) noexcept : use_(use) {}

  /// `count` slots of the last of the slabs.
  slot_range take(device_state& state, std::size_t count) {
    VkDeviceSize const size = count * slot_bytes;
    if (slabs_.empty() || slabs_.back()->size - used_ < size) {
      slabs_.emplace_back(state, size > slab_bytes ? size : slab_bytes, use_);
      used_ = 0;
    }
    region const& slab = *slabs_.back();
    VkDeviceSize const begin = slab.offset + used_;
    slot_range const result{{slab.buffer, begin, begin + size}, slab.mapped + used_};
    used_ += size;
    return result;
  }

  [[nodiscard]] std::vector<scoped_region> const& slabs() const noexcept { return slabs_; }

private:
  static constexpr VkDeviceSize slab_bytes = VkDeviceSize{64} << 10;

  memory_use use_;
  std::vector<scoped_region> slabs_;
  VkDeviceSize used_ = 0;  // of the last one
};

}  // namespace ndx::vulkan

#endif

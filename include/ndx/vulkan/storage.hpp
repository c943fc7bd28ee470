// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_STORAGE_HPP
#define NDX_VULKAN_STORAGE_HPP

#include <ndx/vulkan/state.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace ndx::vulkan {

/// The memory of a device tensor: its own, or a buffer of the application's.
class storage {
public:
  storage(std::shared_ptr<device_state> state, VkDeviceSize size)
      : state_(std::move(state)), bytes_(state_->memory.allocate(size, memory_use::device)), owns_(true) {}
  /// `bytes` stays the application's.
  storage(std::shared_ptr<device_state> state, region const& bytes)
      : state_(std::move(state)), bytes_(bytes), owns_(false) {}
  storage(storage const&) = delete;
  storage& operator=(storage const&) = delete;
  ~storage() {
    if (owns_) state_->retire(bytes_);
  }

  [[nodiscard]] region const& bytes() const noexcept { return bytes_; }
  /// Is it ndx's own, so that commands may copy from and to it?
  [[nodiscard]] bool owns() const noexcept { return owns_; }
  [[nodiscard]] device_state const* state() const noexcept { return state_.get(); }
  /// Tells one buffer from another.
  [[nodiscard]] void const* space() const noexcept { return reinterpret_cast<void const*>(bytes_.buffer); }

private:
  std::shared_ptr<device_state> state_;
  region bytes_;
  bool owns_;
};

}  // namespace ndx::vulkan

#endif

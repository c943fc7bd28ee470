// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_STATE_HPP
#define NDX_VULKAN_STATE_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/descriptor_blocks.hpp>
#include <ndx/vulkan/memory.hpp>
#include <ndx/vulkan/pipelines.hpp>
#include <ndx/vulkan/submission.hpp>
#include <ndx/vulkan/transfers.hpp>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// What a device, its tensors, batches and recorders share, and keep alive.
class device_state {
public:
  explicit device_state(std::shared_ptr<vulkan::context> made, std::string const& cache_file)
      : context(std::move(made)),
        memory(context),
        pipelines(context, cache_file),
        descriptors(context, pipelines.set_layout()),
        submissions(context),
        transfers(context, memory, submissions) {}
  device_state(device_state const&) = delete;
  device_state& operator=(device_state const&) = delete;
  ~device_state() {
    for (auto const& [stamp, bytes] : retired_) memory.release(bytes);
  }

  std::shared_ptr<vulkan::context> context;
  vulkan::memory memory;
  vulkan::pipelines pipelines;
  descriptor_blocks descriptors;
  submission_pool submissions;
  vulkan::transfers transfers;

  /// From here to `close`, memory that is retired stays: commands that are being recorded, or run, may use it.
  [[nodiscard]] std::uint64_t open() {
    std::lock_guard const lock(mutex_);
    open_.insert(++stamp_);
    return stamp_;
  }

  void close(std::uint64_t stamp) noexcept {
    std::lock_guard const lock(mutex_);
    open_.erase(stamp);
    std::uint64_t const oldest = open_.empty() ? stamp_ + 1 : *open_.begin();
    std::erase_if(retired_, [&](auto const& entry) {
      if (entry.first >= oldest) return false;
      memory.release(entry.second);
      return true;
    });
  }

  /// Gives memory back as soon as no commands that are open now can use it.
  void retire(region const& bytes) noexcept {
    std::lock_guard const lock(mutex_);
    if (open_.empty()) memory.release(bytes);
    else retired_.emplace_back(stamp_, bytes);
  }

private:
  std::mutex mutex_;
  std::set<std::uint64_t> open_;
  std::vector<std::pair<std::uint64_t, region>> retired_;
  std::uint64_t stamp_ = 0;
};

/// The time in which commands may use memory that is retired meanwhile.
class usage_period {
public:
  explicit usage_period(device_state& state) : state_(state), stamp_(state.open()) {}
  usage_period(usage_period const&) = delete;
  usage_period& operator=(usage_period const&) = delete;
  ~usage_period() { state_.close(stamp_); }

private:
  device_state& state_;
  std::uint64_t stamp_;
};

/// Memory of one call, given back at its end whatever happens.
class scoped_region {
public:
  scoped_region() = default;
  scoped_region(device_state& state, VkDeviceSize size, memory_use use)
      : state_(&state), bytes_(state.memory.allocate(size, use)) {}
  /// Nothing where the device has not enough memory. Without exceptions that is an error here as well.
  static scoped_region if_available(device_state& state, VkDeviceSize size, memory_use use) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    try {
      return {state, size, use};
    } catch (error const& problem) {
      if (problem.result() != VK_ERROR_OUT_OF_DEVICE_MEMORY) throw;
      return {};
    }
#else
    return {state, size, use};
#endif
  }
  scoped_region(scoped_region&& other) noexcept : state_(std::exchange(other.state_, nullptr)), bytes_(other.bytes_) {}
  scoped_region& operator=(scoped_region&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~scoped_region() {
    if (state_ != nullptr) state_->memory.release(bytes_);
  }

  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] region const& operator*() const noexcept { return bytes_; }
  [[nodiscard]] region const* operator->() const noexcept { return &bytes_; }

private:
  device_state* state_ = nullptr;
  region bytes_{};
};

}  // namespace ndx::vulkan

#endif

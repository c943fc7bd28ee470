// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_SUBMISSION_HPP
#define NDX_VULKAN_SUBMISSION_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// A command buffer, and the fence that tells when its commands are done.
struct command_slot {
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
};

/// Command buffers to borrow; each has a pool of its own, so that threads need no lock while they record.
class submission_pool {
public:
  explicit submission_pool(std::shared_ptr<vulkan::context> of) : context_(std::move(of)) {}
  submission_pool(submission_pool const&) = delete;
  submission_pool& operator=(submission_pool const&) = delete;
  ~submission_pool() {
    for (command_slot const& slot : free_) destroy(slot);
  }

  [[nodiscard]] command_slot take() {
    {
      std::lock_guard const lock(mutex_);
      if (!free_.empty()) {
        command_slot const slot = free_.back();
        free_.pop_back();
        return slot;
      }
    }
    return make();
  }

  void give_back(command_slot const& slot) noexcept {
    context_->call.vkResetCommandPool(context_->device, slot.pool, 0);
    context_->call.vkResetFences(context_->device, 1, &slot.fence);
    std::lock_guard const lock(mutex_);
    free_.push_back(slot);
  }

  /// For what cannot be used again: after a lost device.
  void destroy(command_slot const& slot) noexcept {
    context_->call.vkDestroyFence(context_->device, slot.fence, nullptr);
    context_->call.vkDestroyCommandPool(context_->device, slot.pool, nullptr);
  }

private:
  /// On failure nothing is left behind.
  command_slot make() {
    struct guard {
      submission_pool& pool;
      command_slot slot{};
      bool complete = false;
      ~guard() {
        if (!complete) pool.destroy(slot);
      }
    } made{*this};
    command_slot& slot = made.slot;
    functions const& call = context_->call;
    VkCommandPoolCreateInfo const pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                       VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, context_->family};
    context_->report(call.vkCreateCommandPool(context_->device, &pool, nullptr, &slot.pool), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo const buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, slot.pool,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    context_->report(call.vkAllocateCommandBuffers(context_->device, &buffer, &slot.buffer),
                     "vkAllocateCommandBuffers");
    VkFenceCreateInfo const fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
    context_->report(call.vkCreateFence(context_->device, &fence, nullptr, &slot.fence), "vkCreateFence");
    made.complete = true;
    return slot;
  }

  std::shared_ptr<vulkan::context> context_;
  std::mutex mutex_;
  std::vector<command_slot> free_;
};

/// Asks for a while, as to be woken takes longer than most small calls do: `done()`, until it says so. Not where the
/// device is the host's processor, which has the device's work to do meanwhile.
template <class Done>
void ask_for_a_while(context const& of, Done const& done) {
  if (of.can.is_processor) return;
  auto const end = std::chrono::steady_clock::now() + tuning::asks_for;
  while (!done() && std::chrono::steady_clock::now() < end) {}
}

/// One submission: record into `buffer()`, then `submit`, then `wait`. Waits before it goes.
class submission {
public:
  submission(context& of, submission_pool& pool) : context_(of), pool_(pool), slot_(pool.take()) {
    VkCommandBufferBeginInfo const info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                        VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, nullptr};
    VkResult const result = context_.call.vkBeginCommandBuffer(slot_.buffer, &info);
    if (result != VK_SUCCESS) pool_.destroy(slot_);
    context_.report(result, "vkBeginCommandBuffer");
  }
  submission(submission const&) = delete;
  submission& operator=(submission const&) = delete;
  ~submission() {
    settle();
    if (context_.lost()) pool_.destroy(slot_);
    else pool_.give_back(slot_);
  }

  [[nodiscard]] VkCommandBuffer buffer() const noexcept { return slot_.buffer; }

  void submit() {
    context_.report(context_.call.vkEndCommandBuffer(slot_.buffer), "vkEndCommandBuffer");
    VkSubmitInfo const info{VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 0, nullptr, nullptr, 1, &slot_.buffer, 0, nullptr};
    context_.submit(info, slot_.fence);
    submitted_ = true;
  }

  void wait() {
    if (done_) return;
    ask_for_a_while(context_, [this] { return done(); });
    if (!done_) context_.wait(slot_.fence);
    done_ = true;
  }

  /// Returns when nothing runs any more, whether that went well or not.
  void settle() noexcept {
    while (submitted_ && !done_ && !context_.lost()) {
      VkResult const result = context_.try_wait(slot_.fence);
      if (result != VK_SUCCESS && result != VK_TIMEOUT) return;
      done_ = result == VK_SUCCESS;
    }
  }

  [[nodiscard]] bool submitted() const noexcept { return submitted_; }

  [[nodiscard]] bool done() {
    if (!done_) {
      context_.require("vkGetFenceStatus");
      VkResult const result = context_.call.vkGetFenceStatus(context_.device, slot_.fence);
      context_.report(result, "vkGetFenceStatus");
      done_ = result == VK_SUCCESS;
    }
    return done_;
  }

private:
  context& context_;
  submission_pool& pool_;
  command_slot slot_;
  bool submitted_ = false;
  bool done_ = false;
};

}  // namespace ndx::vulkan

#endif

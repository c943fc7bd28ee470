// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DESCRIPTOR_BLOCKS_HPP
#define NDX_VULKAN_DESCRIPTOR_BLOCKS_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// Descriptor sets of the one layout that there is, all of the sets of a pool.
struct descriptor_block {
  static constexpr std::uint32_t size = 64;

  VkDescriptorPool pool = VK_NULL_HANDLE;
  std::array<VkDescriptorSet, size> sets{};
};

/// Blocks of descriptor sets to borrow. They are kept, as to make and to destroy one takes as long as the rest of what
/// the host does for a call.
class descriptor_blocks {
public:
  /// `layout` outlives this.
  descriptor_blocks(std::shared_ptr<vulkan::context> of, VkDescriptorSetLayout layout)
      : context_(std::move(of)), layout_(layout) {
    free_.reserve(tuning::descriptor_blocks_kept);  // to give one back needs no memory
  }
  descriptor_blocks(descriptor_blocks const&) = delete;
  descriptor_blocks& operator=(descriptor_blocks const&) = delete;
  ~descriptor_blocks() {
    for (descriptor_block const& block : free_) destroy(block.pool);
  }

  [[nodiscard]] descriptor_block take() {
    {
      std::lock_guard const lock(mutex_);
      if (!free_.empty()) {
        descriptor_block const block = free_.back();
        free_.pop_back();
        return block;
      }
    }
    return make();
  }

  /// No commands that may still run use its sets.
  void give_back(descriptor_block const& block) noexcept {
    std::unique_lock lock(mutex_);
    if (free_.size() < tuning::descriptor_blocks_kept) return free_.push_back(block);
    lock.unlock();
    destroy(block.pool);
  }

private:
  descriptor_block make() {
    constexpr std::uint32_t sets = descriptor_block::size;
    std::array<VkDescriptorPoolSize, 2> const sizes{
        {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 5 * sets}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, sets}}};
    VkDescriptorPoolCreateInfo const pool{
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, sets, sizes.size(), sizes.data()};
    descriptor_block block;
    context_->report(context_->call.vkCreateDescriptorPool(context_->device, &pool, nullptr, &block.pool),
                     "vkCreateDescriptorPool");
    std::array<VkDescriptorSetLayout, sets> layouts;
    layouts.fill(layout_);
    VkDescriptorSetAllocateInfo const all{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, block.pool, sets,
                                          layouts.data()};
    VkResult const result = context_->call.vkAllocateDescriptorSets(context_->device, &all, block.sets.data());
    if (result < 0) destroy(block.pool);
    context_->report(result, "vkAllocateDescriptorSets");
    return block;
  }

  void destroy(VkDescriptorPool pool) noexcept {
    context_->call.vkDestroyDescriptorPool(context_->device, pool, nullptr);
  }

  std::shared_ptr<vulkan::context> context_;
  VkDescriptorSetLayout layout_;
  std::mutex mutex_;
  std::vector<descriptor_block> free_;
};

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_MEMORY_HPP
#define NDX_VULKAN_MEMORY_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/memory_block.hpp>
#include <ndx/vulkan/sub_allocator.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// A part of a VkBuffer: what `memory::allocate` gives. A value that is copied freely and given back once.
struct region {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;
  std::byte* mapped = nullptr;  ///< where the host sees `offset`; null for memory_use::device
  VkDeviceAddress address = 0;  ///< of `offset` on the device; 0 without capabilities::device_address

private:
  friend class memory;
  detail::memory_block* block = nullptr;  // null: of no memory
};

/// The memory of a device. Small regions are parts of chunks, large ones have an allocation of their own.
///
/// Used from any thread. A region must not be given back before the device has done all that uses it. No region
/// outlives the memory that it is of.
class memory {
public:
  /// From here on a region has an allocation of its own.
  static constexpr VkDeviceSize large = VkDeviceSize(1) << 20;
  static constexpr VkDeviceSize chunk_size = VkDeviceSize(16) << 20;

  explicit memory(std::shared_ptr<context> of) : context_(std::move(of)) {
    capabilities const& can = context_->can;
    for (VkDeviceSize wanted : {can.storage_alignment, can.uniform_alignment, can.atom})
      if (wanted > alignment_) alignment_ = wanted;  // all are powers of two
    VkDeviceSize const most = can.allocation & ~(alignment_ - 1);
    if (most < chunk_) chunk_ = most;
    context_->call.vkGetPhysicalDeviceMemoryProperties(context_->physical, &properties_);
  }

  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;

  /// At least 16 bytes, at an offset that every binding allows. Where there is not enough memory, `error` says how much
  /// was asked for, and everything is as it was.
  region allocate(VkDeviceSize size, memory_use use) {
    context_->require("vkAllocateMemory");
    if (size < 16) size = 16;
    region part;
    if (size < large && size <= chunk_) {
      if (allocate_part(size, use, part)) return part;
      context_->require("vkAllocateMemory");
    }

    // A large one; or there was no memory for another chunk, but perhaps there is for this.
    block_pointer block;
    char const* call = "vkAllocateMemory";
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (size <= context_->can.allocation) {
      do {
        block = std::make_unique<detail::memory_block>(*context_, use);
        result = open(*block, size, allocations(), call);
      } while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && release_empty_chunks());
    }
    if (result < 0) {
      block.reset();
      context_->report(result, call, ndx::detail::text(size, " bytes were asked for"));
    }
    part = region_of(*block, 0, size);
    std::lock_guard const lock(mutex_);
    keep(singles_, std::move(block));
    return part;
  }

  void release(region const& given) noexcept {
    if (given.block == nullptr) return;
    block_pointer unused;  // destroyed when others may allocate again
    std::lock_guard const lock(mutex_);
    detail::memory_block& block = *given.block;
    if (!block.parts) {
      unused = take(singles_, block);
      return;
    }
    block.parts->release(given.offset, rounded(given.size));
    if (!block.parts->empty()) return;
    auto& chunks = chunks_[static_cast<int>(block.use)];
    for (auto const& other : chunks) {
      if (other.get() == &block || !other->parts->empty()) continue;
      unused = take(chunks, block);
      return;
    }
  }

  /// Shows the device what the host has written to [offset, offset + size) of the region.
  void flush(region const& given, VkDeviceSize offset, VkDeviceSize size) {
    if (given.block == nullptr || given.block->coherent || size == 0) return;
    VkMappedMemoryRange const range = given.block->atoms(given.offset + offset, given.offset + offset + size);
    context_->report(context_->call.vkFlushMappedMemoryRanges(context_->device, 1, &range),
                     "vkFlushMappedMemoryRanges");
  }

  /// Shows the host what the device has written there.
  void invalidate(region const& given, VkDeviceSize offset, VkDeviceSize size) {
    if (given.block == nullptr || given.block->coherent || size == 0) return;
    VkMappedMemoryRange const range = given.block->atoms(given.offset + offset, given.offset + offset + size);
    context_->report(context_->call.vkInvalidateMappedMemoryRanges(context_->device, 1, &range),
                     "vkInvalidateMappedMemoryRanges");
  }

  /// What every offset is a multiple of.
  [[nodiscard]] VkDeviceSize alignment() const noexcept { return alignment_; }

  /// How many allocations of the device there are, chunks among them.
  [[nodiscard]] std::size_t allocations() const {
    std::lock_guard const lock(mutex_);
    return count();
  }

private:
  using block_pointer = std::unique_ptr<detail::memory_block>;
  using block_list = std::vector<block_pointer>;

  [[nodiscard]] VkDeviceSize rounded(VkDeviceSize size) const noexcept {
    return (size + (alignment_ - 1)) & ~(alignment_ - 1);
  }

  static region region_of(detail::memory_block& block, VkDeviceSize offset, VkDeviceSize size) noexcept {
    region result;
    result.buffer = block.buffer;
    result.offset = offset;
    result.size = size;
    if (block.mapped != nullptr) result.mapped = block.mapped + offset;
    if (block.address != 0) result.address = block.address + offset;
    result.block = &block;
    return result;
  }

  /// `others`: how many allocations there are.
  VkResult open(detail::memory_block& block, VkDeviceSize size, std::size_t others, char const*& call) {
    call = "vkAllocateMemory";
    if (others >= context_->can.allocations) return VK_ERROR_TOO_MANY_OBJECTS;
    return block.open(properties_, rounded(size), call);
  }

  /// False: no chunk has room, and there is no memory for another one.
  bool allocate_part(VkDeviceSize size, memory_use use, region& part) {
    VkDeviceSize const needed = rounded(size);
    std::lock_guard const lock(mutex_);
    auto& chunks = chunks_[static_cast<int>(use)];
    for (auto const& chunk : chunks) {
      VkDeviceSize const offset = chunk->parts->allocate(needed);
      if (offset == sub_allocator::none) continue;
      part = region_of(*chunk, offset, size);
      return true;
    }
    auto chunk = std::make_unique<detail::memory_block>(*context_, use);
    chunk->parts.emplace(chunk_);
    char const* call = nullptr;
    VkResult const result = open(*chunk, chunk_, count(), call);
    context_->note(result);
    if (result < 0) return false;
    part = region_of(*chunk, chunk->parts->allocate(needed), size);
    keep(chunks, std::move(chunk));
    return true;
  }

  /// Gives back the chunks that are kept though nothing is in them. False: there are none.
  bool release_empty_chunks() noexcept {
    std::lock_guard const lock(mutex_);
    bool found = false;
    for (auto& chunks : chunks_) {
      for (std::size_t i = chunks.size(); i-- != 0;) {
        if (!chunks[i]->parts->empty()) continue;
        take(chunks, *chunks[i]);
        found = true;
      }
    }
    return found;
  }

  static void keep(block_list& list, block_pointer block) {
    block->position = list.size();
    list.push_back(std::move(block));
  }

  static block_pointer take(block_list& list, detail::memory_block& block) noexcept {
    std::size_t const position = block.position;
    block_pointer result = std::move(list[position]);
    if (position + 1 != list.size()) {
      list[position] = std::move(list.back());
      list[position]->position = position;
    }
    list.pop_back();
    return result;
  }

  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t sum = singles_.size();
    for (auto const& chunks : chunks_) sum += chunks.size();
    return sum;
  }

  std::shared_ptr<context> context_;
  VkPhysicalDeviceMemoryProperties properties_ = {};
  VkDeviceSize alignment_ = 256;
  VkDeviceSize chunk_ = chunk_size;
  mutable std::mutex mutex_;
  block_list chunks_[4];  // by use
  block_list singles_;
};

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_MEMORY_BLOCK_HPP
#define NDX_VULKAN_MEMORY_BLOCK_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/sub_allocator.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ndx::vulkan {

enum class memory_use : unsigned char {
  device,     ///< the device's own memory; the host never sees it
  upload,     ///< the host writes, the device reads
  download,   ///< the device writes, the host reads: cached where there is such memory
  parameters  ///< small things that both see; the device's own memory where the host can see that
};

namespace detail {

/// One allocation of the device's memory, mapped as long as it lives, and the buffer that is all of it. With a buffer
/// of its own even a chunk counts as dedicated, which drivers map with large pages.
class memory_block {
public:
  VkBuffer buffer = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
  VkDeviceAddress address = 0;
  memory_use use;
  bool coherent = true;
  std::size_t position = 0;            // in the list that it is in
  std::optional<sub_allocator> parts;  // of a chunk

  memory_block(context& of, memory_use what) noexcept : use(what), context_(of) {}

  memory_block(memory_block const&) = delete;
  memory_block& operator=(memory_block const&) = delete;

  ~memory_block() {
    if (buffer != VK_NULL_HANDLE) context_.call.vkDestroyBuffer(context_.device, buffer, nullptr);
    if (memory_ != VK_NULL_HANDLE) context_.call.vkFreeMemory(context_.device, memory_, nullptr);
  }

  /// Takes memory. Where that fails, `call` is what failed, and the destructor gives back what was taken before.
  VkResult open(VkPhysicalDeviceMemoryProperties const& properties, VkDeviceSize size, char const*& call) {
    VkBufferCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = size;
    create.usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (use == memory_use::parameters) create.usage |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    if (context_.can.device_address) create.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    create.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    call = "vkCreateBuffer";
    VkResult result = context_.call.vkCreateBuffer(context_.device, &create, nullptr, &buffer);
    if (result < 0) {
      buffer = VK_NULL_HANDLE;
      return result;
    }
    VkMemoryRequirements needed = {};
    context_.call.vkGetBufferMemoryRequirements(context_.device, buffer, &needed);
    call = "vkAllocateMemory";
    result = allocate(properties, needed);
    if (result < 0) return result;
    call = "vkBindBufferMemory";
    result = context_.call.vkBindBufferMemory(context_.device, buffer, memory_, 0);
    if (result < 0) return result;
    if (use != memory_use::device) {
      call = "vkMapMemory";
      void* start = nullptr;
      result = context_.call.vkMapMemory(context_.device, memory_, 0, VK_WHOLE_SIZE, 0, &start);
      if (result < 0) return result;
      mapped = static_cast<std::byte*>(start);
    }
    if (context_.can.device_address) {
      VkBufferDeviceAddressInfo of = {};
      of.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
      of.buffer = buffer;
      address = context_.call.vkGetBufferDeviceAddress(context_.device, &of);
    }
    return VK_SUCCESS;
  }

  /// What vkFlushMappedMemoryRanges and vkInvalidateMappedMemoryRanges want for [first, last).
  [[nodiscard]] VkMappedMemoryRange atoms(VkDeviceSize first, VkDeviceSize last) const noexcept {
    VkDeviceSize const atom = context_.can.atom != 0 ? context_.can.atom : 1;
    VkMappedMemoryRange range = {};
    range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE;
    range.memory = memory_;
    range.offset = first / atom * atom;
    VkDeviceSize const end = (last + atom - 1) / atom * atom;
    range.size = end < size_ ? end - range.offset : VK_WHOLE_SIZE;
    return range;
  }

  /// How well a type of memory serves a use; 0: not at all.
  static int merit(VkMemoryPropertyFlags flags, memory_use use) noexcept {
    constexpr VkMemoryPropertyFlags known = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    if ((flags & ~known) != 0) return 0;  // protected, lazily allocated, of an extension: wants more than is done here
    bool const local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    bool const visible = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    bool const coherent = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    bool const cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
    switch (use) {
      case memory_use::device:
        return local ? (visible ? 1 : 2) : 0;
      case memory_use::upload:
        return visible && coherent ? 1 + (local ? 0 : 2) + (cached ? 0 : 1) : 0;
      case memory_use::download:
        return visible ? 1 + (cached ? 4 : 0) + (coherent ? 2 : 0) + (local ? 0 : 1) : 0;
      default:
        return visible && coherent ? 1 + (local ? 2 : 0) + (cached ? 0 : 1) : 0;
    }
  }

private:
  /// From the best type of memory that the buffer can be in; where that is used up from the next.
  VkResult allocate(VkPhysicalDeviceMemoryProperties const& properties, VkMemoryRequirements const& needed) {
    VkMemoryDedicatedAllocateInfo dedicated = {};
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
    dedicated.buffer = buffer;
    VkMemoryAllocateFlagsInfo flags = {};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    if (context_.can.device_address) dedicated.pNext = &flags;
    VkMemoryAllocateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    create.pNext = &dedicated;
    create.allocationSize = needed.size;

    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    constexpr int most = 8;
    for (int wanted = most; wanted > 0; --wanted) {
      for (std::uint32_t type = 0; type < properties.memoryTypeCount; ++type) {
        VkMemoryType const& one = properties.memoryTypes[type];
        if ((needed.memoryTypeBits >> type & 1) == 0 || merit(one.propertyFlags, use) != wanted) continue;
        if (needed.size > properties.memoryHeaps[one.heapIndex].size) continue;
        create.memoryTypeIndex = type;
        result = context_.call.vkAllocateMemory(context_.device, &create, nullptr, &memory_);
        if (result >= 0) {
          size_ = needed.size;
          coherent = (one.propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
          return result;
        }
        memory_ = VK_NULL_HANDLE;
        if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY) return result;
      }
    }
    return result;
  }

  context& context_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkDeviceSize size_ = 0;  // of the memory
};

}  // namespace detail
}  // namespace ndx::vulkan

#endif

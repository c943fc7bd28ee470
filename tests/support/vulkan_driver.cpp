// SPDX-License-Identifier: MIT
#include "vulkan_driver.hpp"

#include <type_traits>

namespace test {

using namespace ndx::vulkan;

driver* driver::current = nullptr;

VkResult driver::next(char const* name) {
  std::lock_guard const lock(counting_);
  int const call = calls++;
  bool const fails = fail_every.empty() ? call == fail_at : fail_at >= 0 && call >= fail_at && fail_every == name;
  if (!fails) return VK_SUCCESS;
  failed = name;
  return failure;
}

void driver::count(char const* destroyed_by, int more) {
  std::lock_guard const lock(counting_);
  objects[destroyed_by] += more;
}

/// What stands in the table instead of one function.
template <class... A, VkResult (VKAPI_PTR* functions::*Member)(A...)>
struct driver::hook<Member> {
  static inline char const* name = nullptr;
  static inline char const* destroyed_by = nullptr;

  static VKAPI_ATTR VkResult VKAPI_CALL call(A... arguments) {
    if (VkResult const result = current->next(name); result < 0) {
      // Nothing runs on a device that is lost.
      if (result == VK_ERROR_DEVICE_LOST) current->real_.vkDeviceWaitIdle(current->of_.device);
      return result;
    }
    VkResult const result = (current->real_.*Member)(arguments...);
    if (result >= 0 && destroyed_by != nullptr) current->count(destroyed_by, 1);
    return result;
  }
};

template <class... A, void (VKAPI_PTR* functions::*Member)(A...)>
struct driver::hook<Member> {
  static inline char const* name = nullptr;

  static VKAPI_ATTR void VKAPI_CALL call(A... arguments) {
    current->count(name, -1);
    (current->real_.*Member)(arguments...);
  }
};

driver::driver(context& of) : of_(of), real_(of.call), is_processor_(of.can.is_processor) {
  current = this;
#define NDX_TEST_FAILING(function, destroyer)            \
  hook<& functions::function>::name = #function;         \
  hook<& functions::function>::destroyed_by = destroyer; \
  of.call.function = &hook<&functions::function>::call;
#define NDX_TEST_OBJECT(what)                                                                              \
  NDX_TEST_FAILING(vkCreate##what, "vkDestroy" #what)                                                      \
  hook<& functions::vkDestroy##what>::name = "vkDestroy" #what;                                            \
  of.call.vkDestroy##what = [](VkDevice device, Vk##what object, VkAllocationCallbacks const* callbacks) { \
    if (object != VK_NULL_HANDLE) hook<&functions::vkDestroy##what>::call(device, object, callbacks);      \
  };
  NDX_TEST_OBJECT(CommandPool)
  NDX_TEST_OBJECT(DescriptorPool)
  NDX_TEST_OBJECT(Fence)
  NDX_TEST_OBJECT(ShaderModule)
#undef NDX_TEST_OBJECT
  NDX_TEST_FAILING(vkAllocateCommandBuffers, nullptr)
  NDX_TEST_FAILING(vkAllocateDescriptorSets, nullptr)
  NDX_TEST_FAILING(vkBeginCommandBuffer, nullptr)
  NDX_TEST_FAILING(vkBindBufferMemory, nullptr)
  NDX_TEST_FAILING(vkCreateComputePipelines, nullptr)
  NDX_TEST_FAILING(vkEndCommandBuffer, nullptr)
  NDX_TEST_FAILING(vkGetFenceStatus, nullptr)
  NDX_TEST_FAILING(vkMapMemory, nullptr)
  NDX_TEST_FAILING(vkQueueSubmit, nullptr)
  NDX_TEST_FAILING(vkWaitForFences, nullptr)
#undef NDX_TEST_FAILING
  of.call.vkCreateBuffer = [](VkDevice device, VkBufferCreateInfo const* info, VkAllocationCallbacks const* callbacks,
                              VkBuffer* to) {
    if (VkResult const result = current->next("vkCreateBuffer"); result < 0) return result;
    std::lock_guard const lock(current->counting_);
    ++current->buffers;
    return current->real_.vkCreateBuffer(device, info, callbacks, to);
  };
  of.call.vkDestroyBuffer = [](VkDevice device, VkBuffer buffer, VkAllocationCallbacks const* callbacks) {
    std::lock_guard const lock(current->counting_);
    --current->buffers;
    current->real_.vkDestroyBuffer(device, buffer, callbacks);
  };
  of.call.vkAllocateMemory = [](VkDevice device, VkMemoryAllocateInfo const* info,
                                VkAllocationCallbacks const* callbacks, VkDeviceMemory* to) {
    if (VkResult const result = current->next("vkAllocateMemory"); result < 0) return result;
    std::lock_guard const lock(current->counting_);
    if (current->bytes + info->allocationSize > current->most_bytes) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult const result = current->real_.vkAllocateMemory(device, info, callbacks, to);
    current->sizes[*to] = info->allocationSize;
    current->bytes += info->allocationSize;
    return result;
  };
  of.call.vkFreeMemory = [](VkDevice device, VkDeviceMemory memory, VkAllocationCallbacks const* callbacks) {
    std::lock_guard const lock(current->counting_);
    current->bytes -= current->sizes[memory];
    current->sizes.erase(memory);
    current->real_.vkFreeMemory(device, memory, callbacks);
  };
}

driver::~driver() {
  of_.call = real_;
  of_.can.is_processor = is_processor_;
  current = nullptr;
}

void driver::asks_first() { of_.can.is_processor = false; }

void driver::sleeps_at_once() { of_.can.is_processor = true; }

void driver::never_ready() {
  of_.call.vkGetFenceStatus = [](VkDevice, VkFence) { return VK_NOT_READY; };
}

bool driver::has_nothing() const {
  for (auto const& [name, count] : objects)
    if (count != 0) return false;
  return buffers == 0 && sizes.empty();
}

}  // namespace test

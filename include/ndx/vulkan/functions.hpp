// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_FUNCTIONS_HPP
#define NDX_VULKAN_FUNCTIONS_HPP

#include <vulkan/vulkan_core.h>

namespace ndx::vulkan {

#define NDX_VULKAN_GLOBAL_FUNCTIONS(function)                                 \
  function(vkCreateInstance) function(vkEnumerateInstanceExtensionProperties) \
      function(vkEnumerateInstanceLayerProperties)

#define NDX_VULKAN_INSTANCE_FUNCTIONS(function)                                                                 \
  function(vkCreateDevice) function(vkDestroyInstance) function(vkEnumerateDeviceExtensionProperties)           \
      function(vkEnumeratePhysicalDevices) function(vkGetDeviceProcAddr) function(vkGetPhysicalDeviceFeatures2) \
          function(vkGetPhysicalDeviceMemoryProperties) function(vkGetPhysicalDeviceProperties)                 \
              function(vkGetPhysicalDeviceProperties2) function(vkGetPhysicalDeviceQueueFamilyProperties)

// Of Vulkan 1.0 and 1.1: every device has them.
#define NDX_VULKAN_DEVICE_FUNCTIONS(function)                                                                          \
  function(vkAllocateCommandBuffers) function(vkAllocateDescriptorSets) function(vkAllocateMemory) function(           \
      vkBeginCommandBuffer) function(vkBindBufferMemory) function(vkCmdBindDescriptorSets) function(vkCmdBindPipeline) \
      function(vkCmdCopyBuffer) function(vkCmdDispatch) function(vkCmdDispatchIndirect) function(                      \
          vkCmdFillBuffer) function(vkCmdPipelineBarrier) function(vkCmdPushConstants) function(vkCmdResetQueryPool)   \
          function(vkCmdUpdateBuffer) function(vkCmdWriteTimestamp) function(vkCreateBuffer) function(                 \
              vkCreateCommandPool) function(vkCreateComputePipelines) function(vkCreateDescriptorPool)                 \
              function(vkCreateDescriptorSetLayout) function(vkCreateFence) function(vkCreatePipelineCache) function(  \
                  vkCreatePipelineLayout) function(vkCreateQueryPool) function(vkCreateSemaphore)                      \
                  function(vkCreateShaderModule) function(vkDestroyBuffer) function(vkDestroyCommandPool) function(    \
                      vkDestroyDescriptorPool) function(vkDestroyDescriptorSetLayout) function(vkDestroyDevice)        \
                      function(vkDestroyFence) function(vkDestroyPipeline) function(vkDestroyPipelineCache)            \
                          function(vkDestroyPipelineLayout) function(vkDestroyQueryPool) function(vkDestroySemaphore)  \
                              function(vkDestroyShaderModule) function(vkDeviceWaitIdle) function(vkEndCommandBuffer)  \
                                  function(vkFlushMappedMemoryRanges) function(vkFreeCommandBuffers)                   \
                                      function(vkFreeDescriptorSets) function(vkFreeMemory)                            \
                                          function(vkGetBufferMemoryRequirements) function(vkGetDeviceQueue)           \
                                              function(vkGetFenceStatus) function(vkGetPipelineCacheData) function(    \
                                                  vkGetQueryPoolResults) function(vkInvalidateMappedMemoryRanges)      \
                                                  function(vkMapMemory) function(vkQueueSubmit)                        \
                                                      function(vkQueueWaitIdle) function(vkResetCommandBuffer)         \
                                                          function(vkResetCommandPool) function(vkResetDescriptorPool) \
                                                              function(vkResetFences) function(vkUnmapMemory)          \
                                                                  function(vkUpdateDescriptorSets)                     \
                                                                      function(vkWaitForFences)

/// The Vulkan functions that ndx calls. A member of whoever calls them, never a global object: so it cannot clash with
/// the loader that an application links or with other tables, every device calls its driver directly, and a test can
/// put a function of its own in place of any one.
struct functions {
#define NDX_VULKAN_MEMBER(name) PFN_##name name = nullptr;
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  PFN_vkEnumerateInstanceVersion vkEnumerateInstanceVersion = nullptr;  // null: a loader of Vulkan 1.0
  NDX_VULKAN_GLOBAL_FUNCTIONS(NDX_VULKAN_MEMBER)
  NDX_VULKAN_INSTANCE_FUNCTIONS(NDX_VULKAN_MEMBER)
  NDX_VULKAN_DEVICE_FUNCTIONS(NDX_VULKAN_MEMBER)
#undef NDX_VULKAN_MEMBER
  // Null without what brings them.
  PFN_vkCreateDebugUtilsMessengerEXT vkCreateDebugUtilsMessengerEXT = nullptr;
  PFN_vkDestroyDebugUtilsMessengerEXT vkDestroyDebugUtilsMessengerEXT = nullptr;
  PFN_vkGetBufferDeviceAddress vkGetBufferDeviceAddress = nullptr;  // of Vulkan 1.2 or VK_KHR_buffer_device_address

  /// These three give the name of a function that is missing, null where all are there.
  char const* load_global(PFN_vkGetInstanceProcAddr get) noexcept {
    vkGetInstanceProcAddr = get;
    auto const find = [&](char const* name) { return get(nullptr, name); };
    vkEnumerateInstanceVersion = reinterpret_cast<PFN_vkEnumerateInstanceVersion>(find("vkEnumerateInstanceVersion"));
#define NDX_VULKAN_LOAD(name) \
  if ((name = reinterpret_cast<PFN_##name>(find(#name))) == nullptr) return #name;
    NDX_VULKAN_GLOBAL_FUNCTIONS(NDX_VULKAN_LOAD)
    return nullptr;
  }

  char const* load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance) noexcept {
    vkGetInstanceProcAddr = get;
    auto const find = [&](char const* name) { return get(instance, name); };
    NDX_VULKAN_INSTANCE_FUNCTIONS(NDX_VULKAN_LOAD)
    vkCreateDebugUtilsMessengerEXT =
        reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(find("vkCreateDebugUtilsMessengerEXT"));
    vkDestroyDebugUtilsMessengerEXT =
        reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(find("vkDestroyDebugUtilsMessengerEXT"));
    return nullptr;
  }

  char const* load_device(VkDevice device) noexcept {
    auto const find = [&](char const* name) { return vkGetDeviceProcAddr(device, name); };
    NDX_VULKAN_DEVICE_FUNCTIONS(NDX_VULKAN_LOAD)
#undef NDX_VULKAN_LOAD
    auto address = find("vkGetBufferDeviceAddress");
    if (address == nullptr) address = find("vkGetBufferDeviceAddressKHR");
    vkGetBufferDeviceAddress = reinterpret_cast<PFN_vkGetBufferDeviceAddress>(address);
    return nullptr;
  }
};

#undef NDX_VULKAN_GLOBAL_FUNCTIONS
#undef NDX_VULKAN_INSTANCE_FUNCTIONS
#undef NDX_VULKAN_DEVICE_FUNCTIONS

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VULKAN_APPLICATION_HPP
#define NDX_TESTS_SUPPORT_VULKAN_APPLICATION_HPP

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <mutex>
#include <span>

namespace test {

#define NDX_TEST_INSTANCE_FUNCTIONS(function)                                                           \
  function(CreateDebugUtilsMessengerEXT) function(CreateDevice) function(DestroyDebugUtilsMessengerEXT) \
      function(DestroyInstance) function(EnumeratePhysicalDevices) function(GetDeviceProcAddr)          \
          function(GetPhysicalDeviceMemoryProperties) function(GetPhysicalDeviceQueueFamilyProperties)

#define NDX_TEST_DEVICE_FUNCTIONS(function)                                                                         \
  function(AllocateCommandBuffers) function(AllocateMemory) function(BeginCommandBuffer) function(BindBufferMemory) \
      function(CmdExecuteCommands) function(CmdFillBuffer) function(CmdPipelineBarrier) function(CreateBuffer)      \
          function(CreateCommandPool) function(CreateFence) function(DestroyBuffer) function(DestroyCommandPool)    \
              function(DestroyDevice) function(DestroyFence) function(EndCommandBuffer) function(FreeMemory)        \
                  function(GetBufferMemoryRequirements) function(GetDeviceQueue) function(MapMemory)                \
                      function(QueueSubmit) function(WaitForFences)

/// A program that uses Vulkan by itself, and knows nothing of ndx: instance, device, queue and buffers are its own, and
/// so are the functions that it calls. With validation where that is installed; whatever fails there fails the test.
class vulkan_application {
public:
  /// With `features`: what the device is made with.
  explicit vulkan_application(VkPhysicalDeviceFeatures2 const* features = nullptr);
  ~vulkan_application();
  vulkan_application(vulkan_application const&) = delete;
  vulkan_application& operator=(vulkan_application const&) = delete;

  /// Hands commands to the queue and waits until they are done.
  void run(VkCommandBuffer commands);

  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
#define NDX_TEST_MEMBER(name) PFN_vk##name name = nullptr;
  NDX_TEST_INSTANCE_FUNCTIONS(NDX_TEST_MEMBER)
  NDX_TEST_DEVICE_FUNCTIONS(NDX_TEST_MEMBER)
#undef NDX_TEST_MEMBER
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  std::mutex queue_mutex;

private:
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

/// A buffer of the application's, which sees all of its memory.
class application_buffer {
public:
  application_buffer(vulkan_application& of, std::size_t bytes);
  ~application_buffer();
  application_buffer(application_buffer const&) = delete;
  application_buffer& operator=(application_buffer const&) = delete;

  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  VkBuffer handle = VK_NULL_HANDLE;

private:
  vulkan_application& of_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  std::span<std::byte> bytes_;
};

/// A command buffer of the application's, and the pool that it is from.
class application_commands {
public:
  explicit application_commands(vulkan_application& of, bool secondary = false);
  ~application_commands();
  application_commands(application_commands const&) = delete;
  application_commands& operator=(application_commands const&) = delete;

  /// Records what `record(handle)` does.
  template <class Record>
  void record(Record const& commands) {
    begin();
    commands(handle);
    of_.EndCommandBuffer(handle);
  }

  VkCommandBuffer handle = VK_NULL_HANDLE;

private:
  void begin();

  vulkan_application& of_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  bool secondary_;
};

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
// An application that uses Vulkan already: its instance, device, buffers and command buffer. ndx adopts the device and
// records a gather among the application's own commands.
#include <ndx/vulkan.hpp>

#include "support/skip.hpp"

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// ---- the application, in plain Vulkan

void require(VkResult result, char const* call) {
  if (result < 0) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(result));
}

struct application {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;

  application() = default;
  application(application const&) = delete;
  application& operator=(application const&) = delete;
  ~application() {
    if (device != VK_NULL_HANDLE) {
      vkDestroyFence(device, fence, nullptr);
      vkDestroyCommandPool(device, pool, nullptr);
      vkDestroyDevice(device, nullptr);
    }
    if (instance != VK_NULL_HANDLE) vkDestroyInstance(instance, nullptr);
  }

  /// False: there is no driver, or no device that computes.
  bool open() {
    VkApplicationInfo about{};
    about.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    about.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    create.pApplicationInfo = &about;
    if (vkCreateInstance(&create, nullptr, &instance) < 0) {
      instance = VK_NULL_HANDLE;
      return false;
    }
    if (!choose_device()) return false;
    float const priority = 1;
    VkDeviceQueueCreateInfo queues{};
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueFamilyIndex = queue_family;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    VkDeviceCreateInfo wanted{};
    wanted.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    wanted.queueCreateInfoCount = 1;
    wanted.pQueueCreateInfos = &queues;
    require(vkCreateDevice(physical_device, &wanted, nullptr, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, queue_family, 0, &queue);
    VkCommandPoolCreateInfo const commands{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, queue_family};
    require(vkCreateCommandPool(device, &commands, nullptr, &pool), "vkCreateCommandPool");
    VkFenceCreateInfo const done{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
    require(vkCreateFence(device, &done, nullptr, &fence), "vkCreateFence");
    return true;
  }

  bool choose_device() {
    std::uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(instance, &count, nullptr) < 0) return false;
    std::vector<VkPhysicalDevice> devices(count);
    if (count == 0 || vkEnumeratePhysicalDevices(instance, &count, devices.data()) < 0) return false;
    for (VkPhysicalDevice one : devices) {
      VkPhysicalDeviceProperties properties;
      vkGetPhysicalDeviceProperties(one, &properties);
      if (properties.apiVersion < VK_API_VERSION_1_1) continue;
      vkGetPhysicalDeviceQueueFamilyProperties(one, &count, nullptr);
      std::vector<VkQueueFamilyProperties> families(count);
      vkGetPhysicalDeviceQueueFamilyProperties(one, &count, families.data());
      for (std::uint32_t family = 0; family < count; ++family) {
        if ((families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
        physical_device = one;
        queue_family = family;
        std::printf("%s\n", properties.deviceName);
        return true;
      }
    }
    return false;
  }

  void run(VkCommandBuffer commands) {
    VkSubmitInfo const work{VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 0, nullptr, nullptr, 1, &commands, 0, nullptr};
    require(vkQueueSubmit(queue, 1, &work, fence), "vkQueueSubmit");
    require(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    require(vkResetFences(device, 1, &fence), "vkResetFences");
  }
};

/// A storage buffer of the application's, in memory that the host sees.
template <class T>
struct buffer {
  application const& of;
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  T* elements = nullptr;

  buffer(application const& app, std::size_t count) : of(app) {
    VkBufferCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = (count * sizeof(T) + 3) / 4 * 4;
    create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    require(vkCreateBuffer(of.device, &create, nullptr, &handle), "vkCreateBuffer");
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(of.device, handle, &needed);
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(of.physical_device, &types);
    constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    std::uint32_t type = 0;
    while ((needed.memoryTypeBits >> type & 1) == 0 || (types.memoryTypes[type].propertyFlags & wanted) != wanted) {
      ++type;  // there is always one
    }
    VkMemoryAllocateInfo const allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needed.size, type};
    require(vkAllocateMemory(of.device, &allocate, nullptr, &memory), "vkAllocateMemory");
    require(vkBindBufferMemory(of.device, handle, memory, 0), "vkBindBufferMemory");
    void* start = nullptr;
    require(vkMapMemory(of.device, memory, 0, VK_WHOLE_SIZE, 0, &start), "vkMapMemory");
    elements = static_cast<T*>(start);
  }
  buffer(buffer const&) = delete;
  buffer& operator=(buffer const&) = delete;
  ~buffer() {
    vkDestroyBuffer(of.device, handle, nullptr);
    vkFreeMemory(of.device, memory, nullptr);
  }
};

// ---- with ndx

bool gather(application& app) {
  constexpr ndx::index_t words = 100, width = 8, count = 4;
  buffer<float> const table_buffer(app, words * width);
  buffer<std::int32_t> const indices_buffer(app, count);
  buffer<float> const rows_buffer(app, count * width);
  for (ndx::index_t i = 0; i < words * width; ++i) table_buffer.elements[i] = static_cast<float>(i);

  // [adopt]
  ndx::vulkan::device const gpu = ndx::vulkan::device::adopt({.instance = app.instance,
                                                              .physical_device = app.physical_device,
                                                              .device = app.device,
                                                              .queue = app.queue,
                                                              .queue_family = app.queue_family});
  auto const table = gpu.wrap<float, 2>(table_buffer.handle, 0, {words, width});
  auto const indices = gpu.wrap<std::int32_t, 2>(indices_buffer.handle, 0, {count, 1});
  auto rows = gpu.wrap<float, 2>(rows_buffer.handle, 0, {count, width});
  // [/adopt]

  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkCommandBufferAllocateInfo const one{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, app.pool,
                                        VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  require(vkAllocateCommandBuffers(app.device, &one, &commands), "vkAllocateCommandBuffers");

  // [record]
  VkCommandBufferBeginInfo const begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, nullptr};
  require(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  // What the host writes before it submits is available to shaders; what commands write here takes a barrier.
  ndx::vulkan::recorder recorder(gpu, commands);
  ndx::gather_nd(recorder, table, indices, rows);
  recorder.finish();
  // The application's own barrier: the host is going to read the rows.
  VkMemoryBarrier const to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0,
                       nullptr, 0, nullptr);
  require(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  // [/record]

  // The same commands twice, on other indices.
  bool right = true;
  for (std::array<std::int32_t, count> const ids : {std::array{7, 99, 0, 7}, std::array{-1, 50, 51, 52}}) {
    std::memcpy(indices_buffer.elements, ids.data(), sizeof(ids));
    app.run(commands);
    recorder.check();
    for (ndx::index_t row = 0; row < count; ++row) {
      ndx::index_t const id = ids[static_cast<std::size_t>(row)];
      float const due = static_cast<float>((id < 0 ? id + words : id) * width);
      float const* const seen = rows_buffer.elements + row * width;
      std::printf("row %3lld: %3.0f .. %3.0f\n", static_cast<long long>(id), static_cast<double>(seen[0]),
                  static_cast<double>(seen[width - 1]));
      for (ndx::index_t i = 0; i < width; ++i) right = right && seen[i] == due + static_cast<float>(i);
    }
  }

  // [check]
  indices_buffer.elements[2] = 100;  // there is no such row
  app.run(commands);                 // submits, and waits for the fence
  try {
    recorder.check();
    right = false;
  } catch (ndx::index_error const& error) {
    std::printf("%s\n", error.what());
    right = right && error.value() == 100;
  }
  // [/check]
  return right;
}

}  // namespace

int main() {
  application app;
  try {
    if (!app.open()) return examples::skipped("there is no Vulkan device");
    return gather(app) ? 0 : 1;
  } catch (std::exception const& problem) {
    std::fprintf(stderr, "own_device: %s\n", problem.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_DEVICES_HPP
#define NDX_VULKAN_DEVICES_HPP

#include <ndx/vulkan/error.hpp>
#include <ndx/vulkan/features.hpp>
#include <ndx/vulkan/functions.hpp>
#include <ndx/vulkan/instance.hpp>
#include <ndx/vulkan/options.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace ndx::vulkan {
namespace detail {

/// A device that ndx can use, and the queue family for it.
struct candidate {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  device_info info;
};

inline device_info describe(functions const& call, VkPhysicalDevice physical) {
  VkPhysicalDeviceProperties plain = {};
  call.vkGetPhysicalDeviceProperties(physical, &plain);
  VkPhysicalDeviceDriverProperties driver = {};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  if (plain.apiVersion >= VK_API_VERSION_1_2 ||
      (plain.apiVersion >= VK_API_VERSION_1_1 &&
       contains(extensions_of(call, physical), VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME))) {
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    call.vkGetPhysicalDeviceProperties2(physical, &properties);
  }
  VkPhysicalDeviceMemoryProperties memory = {};
  call.vkGetPhysicalDeviceMemoryProperties(physical, &memory);

  device_info info;
  info.name = plain.deviceName;
  info.driver = ndx::detail::text(driver.driverName, *driver.driverInfo != '\0' ? " " : "", driver.driverInfo);
  switch (plain.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      info.type = device_type::discrete;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      info.type = device_type::integrated;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      info.type = device_type::virtual_gpu;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      info.type = device_type::cpu;
      break;
    default:
      info.type = device_type::other;
      break;
  }
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    VkMemoryHeap const& heap = memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 && heap.size > info.memory) info.memory = heap.size;
  }
  info.vendor = plain.vendorID;
  info.device = plain.deviceID;
  info.api_version = plain.apiVersion;
  info.driver_version = plain.driverVersion;
  return info;
}

/// The family to compute in: the first that computes, says that it transfers, and has timestamps; else the first that
/// does the most of these. The first is where drivers put the queue that does everything; GPUs copy no slower there
/// than on a family for computing alone. Every family that computes can transfer, whether it says so or not.
/// False: none computes.
inline bool choose_family(functions const& call, VkPhysicalDevice physical, std::uint32_t& family) {
  std::vector<VkQueueFamilyProperties> families;
  enumerate(families, [&](std::uint32_t* count, VkQueueFamilyProperties* to) {
    call.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, to);
    return VK_SUCCESS;
  });
  int best = 0;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    VkQueueFamilyProperties const& one = families[i];
    if ((one.queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || one.queueCount == 0) continue;
    int const merit =
        1 + ((one.queueFlags & VK_QUEUE_TRANSFER_BIT) != 0 ? 2 : 0) + (one.timestampValidBits != 0 ? 1 : 0);
    if (merit <= best) continue;
    best = merit;
    family = i;
  }
  return best != 0;
}

/// The devices of an instance that ndx can use, in the loader's order; of Vulkan 1.1 at least, with a queue that
/// computes. Where there is none, `why` tells.
inline std::vector<candidate> find_candidates(own_instance const& instance, std::string& why) {
  std::vector<VkPhysicalDevice> all;
  VkResult const result = enumerate(all, [&](std::uint32_t* count, VkPhysicalDevice* to) {
    return instance.call.vkEnumeratePhysicalDevices(instance.handle, count, to);
  });
  std::vector<candidate> fitting;
  if (result < 0) {
    why = ndx::detail::text("no Vulkan driver: vkEnumeratePhysicalDevices: ", result_name(result));
    return fitting;
  }
  why = all.empty() ? "no Vulkan driver: the loader finds no device" : "no fitting Vulkan device, there is only";
  for (VkPhysicalDevice physical : all) {
    candidate one;
    one.physical = physical;
    one.info = describe(instance.call, physical);
    bool const recent = one.info.api_version >= VK_API_VERSION_1_1;
    if (recent && choose_family(instance.call, physical, one.family)) fitting.push_back(one);
    else why += ndx::detail::text(" \"", one.info.name, recent ? "\" (no compute queue)" : "\" (of Vulkan 1.0)");
  }
  return fitting;
}

/// Is `part` in `whole`, upper and lower case alike?
inline bool contains_name(std::string const& whole, std::string const& part) noexcept {
  auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::size_t start = 0; start + part.size() <= whole.size(); ++start) {
    std::size_t same = 0;
    while (same < part.size() && lower(whole[start + same]) == lower(part[same])) ++same;
    if (same == part.size()) return true;
  }
  return false;
}

/// The one among `all` (not empty) that is asked for, or null and why.
inline candidate const* choose(std::vector<candidate> const& all, int index, std::string name, std::string& why) {
  std::string asked;
  if (index < 0 && name.empty()) {
    char const* const variable = std::getenv("NDX_VULKAN_DEVICE");
    if (variable != nullptr && *variable != '\0') {
      asked = ndx::detail::text("NDX_VULKAN_DEVICE is \"", variable, "\"");
      name = variable;
      if (name.size() <= 9 && name.find_first_not_of("0123456789") == std::string::npos) {
        index = std::atoi(variable);
        name.clear();
      }
    }
  } else if (index >= 0) {
    asked = ndx::detail::text("asked for was index ", index);
    if (!name.empty()) asked += ndx::detail::text(" with the name \"", name, "\"");
  } else {
    asked = ndx::detail::text("asked for was the name \"", name, "\"");
  }
  candidate const* best = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (index >= 0 && static_cast<std::size_t>(index) != i) continue;
    if (!contains_name(all[i].info.name, name)) continue;
    if (best == nullptr || all[i].info.type < best->info.type) best = &all[i];
  }
  if (best == nullptr) {
    why = ndx::detail::text("no fitting Vulkan device: ", asked, "; there is");
    for (std::size_t i = 0; i < all.size(); ++i)
      why += ndx::detail::text(i != 0 ? ", " : " ", i, ": \"", all[i].info.name, "\"");
  }
  return best;
}

}  // namespace detail

/// Does a `device` without options find a loader, a driver and a device that fits? Never throws, prints nothing.
[[nodiscard]] inline bool available() noexcept {
  std::string why;
  auto const instance = detail::own_instance::create(nullptr, why);
  if (instance == nullptr) return false;
  auto const all = detail::find_candidates(*instance, why);
  return !all.empty() && detail::choose(all, -1, {}, why) != nullptr;
}

/// The devices that ndx can use, in the loader's order. Fails with `unavailable` where there is none.
[[nodiscard]] inline std::vector<device_info> devices() {
  std::string why;
  auto const instance = detail::own_instance::create(nullptr, why);
  if (instance == nullptr) ndx::detail::fail(unavailable(why));
  auto const all = detail::find_candidates(*instance, why);
  if (all.empty()) ndx::detail::fail(unavailable(why));
  std::vector<device_info> result;
  for (auto const& one : all) result.push_back(one.info);
  return result;
}

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_OPTIONS_HPP
#define NDX_VULKAN_OPTIONS_HPP

#include <ndx/vulkan/capabilities.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace ndx::vulkan {

/// Which device, and how it is made. An aggregate: `device({.name = "radeon", .validation = true})`.
struct device_options {
  /// A position in `devices()`. Below 0: the device that `name` means; where that is empty too, the one that the
  /// environment variable NDX_VULKAN_DEVICE means (a position or a part of a name); without it the best one:
  /// discrete, then integrated, virtual, a processor, any other; among equals the first. What fits no device is
  /// `unavailable`.
  int index = -1;
  /// A part of the device's name, upper and lower case alike. Empty: any name. With an index both must hold.
  std::string name = {};
  /// Loads VK_LAYER_KHRONOS_validation, with synchronization validation; `unavailable` where it is not installed.
  bool validation = false;
  /// Gets the warnings and errors of validation, from any thread that calls Vulkan. It must not throw and must not call
  /// Vulkan. Empty: they go to the standard error stream.
  std::function<void(std::string const&)> on_validation_message = {};
  /// Lets the layer instrument the shaders too; means `validation`. Slow.
  bool gpu_assisted_validation = false;
  /// A file of compiled pipelines: read at the start if it is there and made by this device and driver, written when
  /// the device goes. Nothing fails where it cannot be read or written. Empty: none.
  std::string pipeline_cache = {};
  /// Features and limits to do without, so that the ways around what other devices lack can be tested.
  capability_limits limits = {};
};

/// The application's own handles, for a device that ndx uses and does not own: they must outlive it.
struct adopted_handles {
  VkInstance instance = VK_NULL_HANDLE;               ///< made for Vulkan 1.1 or later
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;  ///< of Vulkan 1.1 or later
  VkDevice device = VK_NULL_HANDLE;                   ///< of `physical_device`, with a queue of `queue_family`
  VkQueue queue = VK_NULL_HANDLE;                     ///< of `queue_family`, which must be able to compute
  std::uint32_t queue_family = 0;
  /// The features that the device was made with, and the structs chained to it: the very chain that was
  /// `VkDeviceCreateInfo::pNext`, if it begins with this struct. ndx uses no other feature. Read while the device is
  /// adopted, and not after. Null: none.
  VkPhysicalDeviceFeatures2 const* enabled_features = nullptr;
  /// Null: the loader that ndx finds for itself.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  /// Locked by ndx around every use of the queue. Null: the application promises not to use the queue meanwhile.
  std::mutex* queue_mutex = nullptr;
  capability_limits limits = {};  ///< as in `device_options`
};

/// What kind of device, the best one first.
enum class device_type : unsigned char { discrete, integrated, virtual_gpu, cpu, other };

/// One of `devices()`.
struct device_info {
  std::string name;
  std::string driver;  ///< its name and version, as it gives them
  device_type type = device_type::other;
  std::uint64_t memory = 0;          ///< bytes of the largest heap of its own memory
  std::uint32_t vendor = 0;          ///< vendorID
  std::uint32_t device = 0;          ///< deviceID
  std::uint32_t api_version = 0;     ///< as of VK_MAKE_API_VERSION
  std::uint32_t driver_version = 0;  ///< in an encoding of the vendor's
};

}  // namespace ndx::vulkan

#endif

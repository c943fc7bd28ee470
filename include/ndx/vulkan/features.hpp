// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_FEATURES_HPP
#define NDX_VULKAN_FEATURES_HPP

#include <ndx/vulkan/capabilities.hpp>
#include <ndx/vulkan/functions.hpp>
#include <ndx/vulkan/tuning.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace ndx::vulkan::detail {

/// Everything that a Vulkan function lists, by the pattern of two calls.
template <class Element, class Call>
VkResult enumerate(std::vector<Element>& all, Call const& call) {
  for (;;) {
    std::uint32_t count = 0;
    VkResult result = call(&count, static_cast<Element*>(nullptr));
    if (result < 0) return result;
    all.resize(count);
    if (count != 0) result = call(&count, all.data());
    if (result < 0) return result;
    all.resize(count);
    if (result != VK_INCOMPLETE) return VK_SUCCESS;
  }
}

inline bool contains(std::vector<VkExtensionProperties> const& all, char const* name) noexcept {
  for (auto const& one : all)
    if (std::strcmp(one.extensionName, name) == 0) return true;
  return false;
}

/// The extensions of a device; none where it does not tell.
inline std::vector<VkExtensionProperties> extensions_of(functions const& call, VkPhysicalDevice physical) {
  std::vector<VkExtensionProperties> all;
  if (enumerate(all, [&](std::uint32_t* count, VkExtensionProperties* to) {
        return call.vkEnumerateDeviceExtensionProperties(physical, nullptr, count, to);
      }) < 0)
    all.clear();
  return all;
}

/// The features that ndx uses where they are, one struct each. They are core in 1.2 (16 bits: 1.1) or belong to an
/// extension of the same struct, so that the version only decides whether the extension has to be named.
struct feature_chain {
  VkPhysicalDeviceFeatures2 first = {};
  VkPhysicalDevice16BitStorageFeatures storage_16 = {};
  VkPhysicalDevice8BitStorageFeatures storage_8 = {};
  VkPhysicalDeviceShaderFloat16Int8Features int_8 = {};
  VkPhysicalDeviceBufferDeviceAddressFeatures address = {};
  VkPhysicalDeviceShaderAtomicInt64Features atomic_64 = {};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float = {};
  std::vector<char const*> extensions;  ///< to be enabled on the device

  /// To be filled by the device: the structs that it knows.
  feature_chain(std::uint32_t version, std::vector<VkExtensionProperties> const& known)
      : feature_chain(version, known,
                      {.storage_8 = true, .device_address = true, .float_atomic_add = true, .int64_atomics = true}) {}

  /// With every feature off, and without what belongs to a feature that is not `wanted`.
  feature_chain(std::uint32_t version, std::vector<VkExtensionProperties> const& known, capabilities const& wanted) {
    first.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    void** end = &first.pNext;
    auto const add = [&](bool use, auto& part, VkStructureType type, std::uint32_t core, char const* extension) {
      part.sType = type;
      if (!use) return;
      if (version < core) {
        if (!contains(known, extension)) return;
        extensions.push_back(extension);
      }
      *end = &part;
      end = &part.pNext;
    };
    constexpr std::uint32_t never = UINT32_MAX;
    add(true, storage_16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, VK_API_VERSION_1_1, "");
    add(wanted.storage_8, storage_8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, VK_API_VERSION_1_2,
        "VK_KHR_8bit_storage");
    add(wanted.storage_8, int_8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, VK_API_VERSION_1_2,
        "VK_KHR_shader_float16_int8");
    add(wanted.device_address, address, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        VK_API_VERSION_1_2, "VK_KHR_buffer_device_address");
    add(wanted.int64_atomics, atomic_64, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
        VK_API_VERSION_1_2, "VK_KHR_shader_atomic_int64");
    add(wanted.float_atomic_add, atomic_float, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
        never, "VK_EXT_shader_atomic_float");
    // A device that emulates Vulkan wants to be told that this is known. No feature that it may lack is used.
    if (contains(known, "VK_KHR_portability_subset")) extensions.push_back("VK_KHR_portability_subset");
  }

  feature_chain(feature_chain const&) = delete;
  feature_chain& operator=(feature_chain const&) = delete;

  /// Turns on what `can` says, and nothing else. robustBufferAccess among it stays off: it costs time, and the kernels
  /// compare every index themselves.
  void enable(capabilities const& can) noexcept {
    storage_16.storageBuffer16BitAccess = can.storage_16;
    storage_8.storageBuffer8BitAccess = can.storage_8;
    int_8.shaderInt8 = can.storage_8;
    address.bufferDeviceAddress = can.device_address;
    atomic_64.shaderBufferInt64Atomics = can.int64_atomics;
    first.features.shaderInt64 = can.int64_atomics;
    atomic_float.shaderBufferFloat32AtomicAdd = can.float_atomic_add;
  }
};

/// Puts into `can` the features that are on in a chain: what a device has, or what an application has enabled.
inline void read_features(VkPhysicalDeviceFeatures2 const& chain, capabilities& can) noexcept {
  bool storage_8 = false;
  bool int_8 = false;
  bool atomic_64 = false;
  auto* next = static_cast<VkBaseInStructure const*>(chain.pNext);
  for (; next != nullptr; next = next->pNext) {
    switch (static_cast<int>(next->sType)) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES: {
        auto const& all = *reinterpret_cast<VkPhysicalDeviceVulkan11Features const*>(next);
        can.storage_16 |= all.storageBuffer16BitAccess != VK_FALSE;
        break;
      }
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
        auto const& all = *reinterpret_cast<VkPhysicalDeviceVulkan12Features const*>(next);
        storage_8 |= all.storageBuffer8BitAccess != VK_FALSE;
        int_8 |= all.shaderInt8 != VK_FALSE;
        atomic_64 |= all.shaderBufferInt64Atomics != VK_FALSE;
        can.device_address |= all.bufferDeviceAddress != VK_FALSE;
        break;
      }
#define NDX_VULKAN_FEATURE(type, structure, member, target)                 \
  case type:                                                                \
    target |= reinterpret_cast<structure const*>(next)->member != VK_FALSE; \
    break;
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                           VkPhysicalDevice16BitStorageFeatures, storageBuffer16BitAccess, can.storage_16)
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, VkPhysicalDevice8BitStorageFeatures,
                           storageBuffer8BitAccess, storage_8)
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                           VkPhysicalDeviceShaderFloat16Int8Features, shaderInt8, int_8)
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                           VkPhysicalDeviceBufferDeviceAddressFeatures, bufferDeviceAddress, can.device_address)
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
                           VkPhysicalDeviceShaderAtomicInt64Features, shaderBufferInt64Atomics, atomic_64)
        NDX_VULKAN_FEATURE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                           VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, shaderBufferFloat32AtomicAdd,
                           can.float_atomic_add)
#undef NDX_VULKAN_FEATURE
      default:
        break;
    }
  }
  can.storage_8 = storage_8 && int_8;
  can.int64_atomics = atomic_64 && chain.features.shaderInt64 != VK_FALSE;
}

/// Everything in `capabilities` but the features.
inline capabilities query_limits(functions const& call, VkPhysicalDevice physical, std::uint32_t family) {
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  call.vkGetPhysicalDeviceProperties2(physical, &properties);
  std::vector<VkQueueFamilyProperties> families;
  enumerate(families, [&](std::uint32_t* count, VkQueueFamilyProperties* to) {
    call.vkGetPhysicalDeviceQueueFamilyProperties(physical, count, to);
    return VK_SUCCESS;
  });

  VkPhysicalDeviceLimits const& limits = properties.properties.limits;
  capabilities can;
  can.storage_range = limits.maxStorageBufferRange;
  can.storage_alignment = limits.minStorageBufferOffsetAlignment;
  can.uniform_alignment = limits.minUniformBufferOffsetAlignment;
  can.atom = limits.nonCoherentAtomSize;
  can.allocations = limits.maxMemoryAllocationCount;
  can.workgroups_x = limits.maxComputeWorkGroupCount[0];
  can.workgroups_y = limits.maxComputeWorkGroupCount[1];
  can.workgroup_size = 128;
  for (std::uint32_t limit : {limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]})
    if (limit < can.workgroup_size) can.workgroup_size = power_of_two_within(limit);
  can.shared_memory = limits.maxComputeSharedMemorySize;
  can.is_processor = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) can.bucketed = tuning::bucketed_bytes;
  if (family < families.size() && families[family].timestampValidBits != 0) {
    can.timestamp_period = limits.timestampPeriod;
    can.timestamp_bits = families[family].timestampValidBits;
  }
  return can;
}

}  // namespace ndx::vulkan::detail

#endif

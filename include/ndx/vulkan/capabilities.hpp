// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_CAPABILITIES_HPP
#define NDX_VULKAN_CAPABILITIES_HPP

#include <ndx/vulkan/tuning.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <optional>

namespace ndx::vulkan {

/// What a device can do, as far as ndx makes use of it. The features are enabled on the device.
struct capabilities {
  VkDeviceSize storage_range = 0;      ///< maxStorageBufferRange
  VkDeviceSize storage_alignment = 0;  ///< minStorageBufferOffsetAlignment
  VkDeviceSize uniform_alignment = 0;  ///< minUniformBufferOffsetAlignment
  VkDeviceSize atom = 0;               ///< nonCoherentAtomSize
  /// The most bytes that are asked for at once. Not maxMemoryAllocationSize: drivers state less there than they give
  /// (NVIDIA 4 GiB - 2 MiB of 140), and say so themselves where something is too large.
  VkDeviceSize allocation = ~VkDeviceSize(0);
  std::uint32_t allocations = 0;     ///< maxMemoryAllocationCount
  std::uint32_t workgroups_x = 0;    ///< maxComputeWorkGroupCount[0]
  std::uint32_t workgroups_y = 0;    ///< maxComputeWorkGroupCount[1]
  std::uint32_t workgroup_size = 0;  ///< the local size of every kernel: 128, or a lower power of two
  std::uint32_t shared_memory = 0;   ///< maxComputeSharedMemorySize, in bytes
  /// The least destination, in bytes, for which a scatter of 4-byte elements brings its updates into buckets first.
  VkDeviceSize bucketed = ~VkDeviceSize(0);
  /// The least destination, in bytes, for which a scatter of rows of 16-byte units reads the sectors at their ends, and
  /// for which one of short rows keeps the units of each in one subgroup.
  VkDeviceSize fetched = tuning::fetched_destination_bytes;
  /// The most bytes of updates for which each workgroup of a scatter of few tuples looks at all of them.
  VkDeviceSize few = tuning::few_bytes;
  VkDeviceSize scratch = tuning::most_scratch_bytes;       ///< the most bytes that a scatter takes beside its tensors
  VkDeviceSize in_pieces = tuning::transferred_in_pieces;  ///< the least host tensor, in bytes, that is transferred so
  VkDeviceSize piece = tuning::transfer_piece_bytes;       ///< the most bytes of a piece
  bool is_processor = false;         ///< VK_PHYSICAL_DEVICE_TYPE_CPU: the device takes the time of the host's processor
  float timestamp_period = 0;        ///< nanoseconds a tick; 0: the queue has no timestamps
  std::uint32_t timestamp_bits = 0;  ///< the low bits of a timestamp that count
  bool storage_8 = false;            ///< storageBuffer8BitAccess and shaderInt8
  bool storage_16 = false;           ///< storageBuffer16BitAccess
  bool device_address = false;       ///< bufferDeviceAddress
  bool float_atomic_add = false;     ///< shaderBufferFloat32AtomicAdd
  bool int64_atomics = false;        ///< shaderBufferInt64Atomics and shaderInt64
};

/// Lowers what the device says: so the ways around what other devices lack can be tested on any one. A limit that is
/// wider than the device's changes nothing, and `true` does not bring a feature that is not there. `scratch` is for
/// applications as well that have little memory left.
struct capability_limits {
  std::optional<VkDeviceSize> storage_range = {};
  std::optional<VkDeviceSize> storage_alignment = {};  ///< a power of two; alignments are raised, not lowered
  std::optional<VkDeviceSize> uniform_alignment = {};
  std::optional<VkDeviceSize> allocation = {};
  std::optional<std::uint32_t> workgroups_x = {};
  std::optional<std::uint32_t> workgroups_y = {};
  std::optional<std::uint32_t> workgroup_size = {};
  std::optional<std::uint32_t> shared_memory = {};
  std::optional<VkDeviceSize> bucketed = {};
  std::optional<VkDeviceSize> fetched = {};
  std::optional<VkDeviceSize> few = {};
  std::optional<VkDeviceSize> scratch = {};
  std::optional<VkDeviceSize> in_pieces = {};
  std::optional<VkDeviceSize> piece = {};
  std::optional<bool> storage_8 = {};
  std::optional<bool> storage_16 = {};
  std::optional<bool> device_address = {};
  std::optional<bool> float_atomic_add = {};
  std::optional<bool> int64_atomics = {};
};

namespace detail {

/// The highest power of two that is not above `value`; 1 for 0.
constexpr std::uint32_t power_of_two_within(std::uint32_t value) noexcept {
  std::uint32_t power = 1;
  while (power <= value / 2) power *= 2;
  return power;
}

inline void apply_limits(capabilities& can, capability_limits const& limits) noexcept {
  auto const at_most = [](auto& value, auto const& limit) {
    if (limit && *limit < value) value = *limit;
  };
  auto const at_least = [](auto& value, auto const& limit) {
    if (limit && *limit > value) value = *limit;
  };
  auto const only_if = [](bool& value, std::optional<bool> const& limit) { value = value && limit.value_or(true); };
  at_most(can.storage_range, limits.storage_range);
  at_least(can.storage_alignment, limits.storage_alignment);
  at_least(can.uniform_alignment, limits.uniform_alignment);
  at_most(can.allocation, limits.allocation);
  at_most(can.workgroups_x, limits.workgroups_x);
  at_most(can.workgroups_y, limits.workgroups_y);
  at_most(can.workgroup_size, limits.workgroup_size);
  can.workgroup_size = power_of_two_within(can.workgroup_size);
  at_most(can.shared_memory, limits.shared_memory);
  at_most(can.bucketed, limits.bucketed);
  at_most(can.fetched, limits.fetched);
  at_most(can.few, limits.few);
  at_most(can.scratch, limits.scratch);
  at_most(can.in_pieces, limits.in_pieces);
  at_most(can.piece, limits.piece);
  only_if(can.storage_8, limits.storage_8);
  only_if(can.storage_16, limits.storage_16);
  only_if(can.device_address, limits.device_address);
  only_if(can.float_atomic_add, limits.float_atomic_add);
  only_if(can.int64_atomics, limits.int64_atomics);
}

}  // namespace detail
}  // namespace ndx::vulkan

#endif

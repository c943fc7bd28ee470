// SPDX-License-Identifier: MIT
#include "vulkan_limits.hpp"

#include "vulkan_device.hpp"

#include <cstring>
#include <string>

namespace test {

namespace {

using namespace ndx::vulkan;

functions real;
capabilities can;

void require(bool holds, std::string const& text) {
  if (!holds) add_validation_message("beyond the limits of the device: " + text);
}

VKAPI_ATTR void VKAPI_CALL update_descriptor_sets(VkDevice device, std::uint32_t count, VkWriteDescriptorSet const* all,
                                                  std::uint32_t copies, VkCopyDescriptorSet const* copied) {
  for (std::uint32_t i = 0; i < count; ++i) {
    VkDescriptorBufferInfo const& range = *all[i].pBufferInfo;
    bool const is_uniform = all[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    // Of reports there are so few that they fit what every device has, as the parameters do.
    bool const are_reports = all[i].dstBinding == 3 && range.range > can.storage_range;
    VkDeviceSize const most = is_uniform ? 16384 : are_reports ? VkDeviceSize{1} << 27 : can.storage_range;
    VkDeviceSize const alignment = is_uniform ? can.uniform_alignment : can.storage_alignment;
    std::string const binding = "binding " + std::to_string(all[i].dstBinding) + ": ";
    require(range.range <= most, binding + "a range of " + std::to_string(range.range) + " bytes");
    require(range.offset % alignment == 0, binding + "an offset of " + std::to_string(range.offset) + " bytes");
  }
  real.vkUpdateDescriptorSets(device, count, all, copies, copied);
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer buffer, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  require(x <= can.workgroups_x && y <= can.workgroups_y && z <= 1,
          "a dispatch of " + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + " workgroups");
  real.vkCmdDispatch(buffer, x, y, z);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, VkMemoryAllocateInfo const* info,
                                               VkAllocationCallbacks const* callbacks, VkDeviceMemory* to) {
  require(info->allocationSize <= can.allocation,
          "an allocation of " + std::to_string(info->allocationSize) + " bytes");
  return real.vkAllocateMemory(device, info, callbacks, to);
}

VKAPI_ATTR VkResult VKAPI_CALL create_compute_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                                        VkComputePipelineCreateInfo const* all,
                                                        VkAllocationCallbacks const* callbacks, VkPipeline* to) {
  for (std::uint32_t i = 0; i < count; ++i) {
    VkSpecializationInfo const& constants = *all[i].stage.pSpecializationInfo;
    for (std::uint32_t entry = 0; entry < constants.mapEntryCount; ++entry) {
      if (constants.pMapEntries[entry].constantID != 0) continue;
      std::uint32_t size = 0;
      std::memcpy(&size, static_cast<char const*>(constants.pData) + constants.pMapEntries[entry].offset, sizeof size);
      require(size <= can.workgroup_size, "a workgroup of " + std::to_string(size) + " invocations");
    }
  }
  return real.vkCreateComputePipelines(device, cache, count, all, callbacks, to);
}

}  // namespace

void hold_to_limits(context& of) {
  real = of.call;
  can = of.can;
  of.call.vkUpdateDescriptorSets = &update_descriptor_sets;
  of.call.vkCmdDispatch = &dispatch;
  of.call.vkAllocateMemory = &allocate_memory;
  of.call.vkCreateComputePipelines = &create_compute_pipelines;
}

}  // namespace test

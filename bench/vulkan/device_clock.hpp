// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_VULKAN_DEVICE_CLOCK_HPP
#define NDX_BENCH_VULKAN_DEVICE_CLOCK_HPP

#include <ndx/vulkan.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace ndx_bench {

/// Times what a recorder records by the device's own timestamps: no submission, no wait and no host is in the numbers.
class device_clock {
public:
  static constexpr std::uint32_t most_repetitions = 64;

  explicit device_clock(ndx::vulkan::device const& gpu)
      : gpu_(gpu), context_(*gpu.state()->context), call_(context_.call) {
    if (context_.can.timestamp_period == 0 || context_.can.timestamp_bits == 0)
      throw std::runtime_error("the queue has no timestamps");
    VkQueryPoolCreateInfo const queries{
        VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_TIMESTAMP, 2 * most_repetitions, 0};
    context_.report(call_.vkCreateQueryPool(context_.device, &queries, nullptr, &queries_), "vkCreateQueryPool");
    VkCommandPoolCreateInfo const pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, context_.family};
    context_.report(call_.vkCreateCommandPool(context_.device, &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo const buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool_,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    context_.report(call_.vkAllocateCommandBuffers(context_.device, &buffer, &buffer_), "vkAllocateCommandBuffers");
    VkFenceCreateInfo const fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
    context_.report(call_.vkCreateFence(context_.device, &fence, nullptr, &fence_), "vkCreateFence");
  }
  device_clock(device_clock const&) = delete;
  device_clock& operator=(device_clock const&) = delete;
  ~device_clock() {
    call_.vkDestroyFence(context_.device, fence_, nullptr);
    call_.vkDestroyCommandPool(context_.device, pool_, nullptr);
    call_.vkDestroyQueryPool(context_.device, queries_, nullptr);
  }

  /// Seconds of each of `repetitions` runs of `operate(recorder)`, one after the other in one submission. Throws what
  /// the operators throw.
  template <class Operate>
  std::vector<double> seconds(std::uint32_t repetitions, Operate const& operate) {
    context_.report(call_.vkResetCommandPool(context_.device, pool_, 0), "vkResetCommandPool");
    VkCommandBufferBeginInfo const begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                         VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, nullptr};
    context_.report(call_.vkBeginCommandBuffer(buffer_, &begin), "vkBeginCommandBuffer");
    call_.vkCmdResetQueryPool(buffer_, queries_, 0, 2 * repetitions);
    ndx::vulkan::recorder recorder(gpu_, buffer_);
    for (std::uint32_t i = 0; i < repetitions; ++i) {
      // Nothing of an earlier run is left to be waited for when the first of the two timestamps is taken, and the
      // second is taken when all of this run is done.
      barrier();
      call_.vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 2 * i);
      operate(recorder);
      call_.vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 2 * i + 1);
    }
    recorder.finish();
    context_.report(call_.vkEndCommandBuffer(buffer_), "vkEndCommandBuffer");
    VkSubmitInfo const work{VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 0, nullptr, nullptr, 1, &buffer_, 0, nullptr};
    context_.report(call_.vkResetFences(context_.device, 1, &fence_), "vkResetFences");
    context_.submit(work, fence_);
    context_.wait(fence_);
    recorder.check();
    return results(repetitions);
  }

private:
  void barrier() const {
    VkMemoryBarrier const memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    call_.vkCmdPipelineBarrier(buffer_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                               &memory, 0, nullptr, 0, nullptr);
  }

  std::vector<double> results(std::uint32_t repetitions) const {
    std::vector<std::uint64_t> ticks(2 * repetitions);
    context_.report(call_.vkGetQueryPoolResults(
                        context_.device, queries_, 0, 2 * repetitions, ticks.size() * sizeof(std::uint64_t),
                        ticks.data(), sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                    "vkGetQueryPoolResults");
    std::uint32_t const bits = context_.can.timestamp_bits;
    std::uint64_t const valid = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    std::vector<double> seconds(repetitions);
    for (std::uint32_t i = 0; i < repetitions; ++i) {
      std::uint64_t const passed = (ticks[2 * i + 1] - ticks[2 * i]) & valid;
      seconds[i] = static_cast<double>(passed) * static_cast<double>(context_.can.timestamp_period) * 1e-9;
    }
    return seconds;
  }

  ndx::vulkan::device gpu_;
  ndx::vulkan::context& context_;
  ndx::vulkan::functions const& call_;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace ndx_bench

#endif

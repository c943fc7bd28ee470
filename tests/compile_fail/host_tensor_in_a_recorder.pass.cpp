// SPDX-License-Identifier: MIT
#include <ndx/vulkan.hpp>

void run(ndx::vulkan::device const& gpu, VkCommandBuffer commands) {
  ndx::vulkan::recorder recorder(gpu, commands);
  auto const input = gpu.allocate<float, 2>({3, 4});
  auto output = gpu.allocate<float, 2>({2, 4});
  ndx::slice1(recorder, input, output, {.sizes = {2, 4}});
}

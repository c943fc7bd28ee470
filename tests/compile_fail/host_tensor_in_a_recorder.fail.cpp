// SPDX-License-Identifier: MIT
// rejected with: a batch and a recorder take device tensors only; a host tensor has to be uploaded first
#include <ndx/vulkan.hpp>

void run(ndx::vulkan::device const& gpu, VkCommandBuffer commands) {
  ndx::vulkan::recorder recorder(gpu, commands);
  auto const input = gpu.allocate<float, 2>({3, 4});
  ndx::tensor<float, 2> output({2, 4});
  ndx::slice1(recorder, input, output, {.sizes = {2, 4}});
}

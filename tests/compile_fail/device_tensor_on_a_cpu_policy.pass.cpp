// SPDX-License-Identifier: MIT
#include <ndx/vulkan.hpp>

#include <cstdint>

void run(ndx::vulkan::device const& gpu) {
  ndx::vulkan::tensor<float, 2> const input = gpu.allocate<float, 2>({3, 4});
  ndx::tensor<std::int64_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> output({5, 4});
  ndx::gather_nd(gpu, input, indices, output);
}

// SPDX-License-Identifier: MIT
// rejected with: the CPU policies take host tensors only; a device tensor needs a device, a batch or a recorder
#include <ndx/vulkan.hpp>

#include <cstdint>

void run(ndx::vulkan::device const& gpu) {
  ndx::vulkan::tensor<float, 2> const input = gpu.allocate<float, 2>({3, 4});
  ndx::tensor<std::int64_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> output({5, 4});
  ndx::gather_nd(ndx::par_simd, input, indices, output);
}

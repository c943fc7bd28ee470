// SPDX-License-Identifier: MIT
// rejected with: a batch and a recorder take device tensors only; a host tensor has to be uploaded first
#include <ndx/vulkan.hpp>

#include <cstdint>

void run(ndx::vulkan::device const& gpu) {
  ndx::vulkan::batch batch = gpu.begin();
  auto const input = gpu.allocate<float, 2>({3, 4});
  ndx::tensor<std::int64_t, 2> const indices({5, 1});
  auto output = gpu.allocate<float, 2>({5, 4});
  ndx::gather_nd(batch, input, indices, output);
}

// SPDX-License-Identifier: MIT
// rejected with: for a device tensor the policy has to be a device; a batch and a recorder need an output
#include <ndx/vulkan.hpp>

#include <cstdint>

void run(ndx::vulkan::device const& gpu) {
  ndx::vulkan::batch batch = gpu.begin();
  auto const input = gpu.allocate<float, 2>({3, 4});
  auto const indices = gpu.allocate<std::int64_t, 1>({5});
  auto const output = ndx::take(batch, input, indices);
}

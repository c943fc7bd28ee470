// SPDX-License-Identifier: MIT
#include <ndx/vulkan.hpp>

#include <cstdint>

void run(ndx::vulkan::device const& gpu) {
  auto const input = gpu.allocate<float, 2>({3, 4});
  auto const indices = gpu.allocate<std::int64_t, 2>({5, 1});
  auto const output = ndx::gather_nd.to<2>(gpu, input, indices);
}

// SPDX-License-Identifier: MIT
#include <ndx/vulkan.hpp>

#include <cstdint>

struct color {
  std::uint8_t red, green, blue, alpha;
};

void run(ndx::vulkan::device const& gpu) {
  ndx::tensor<color, 2> const input({3, 4});
  ndx::tensor<color, 2> output({2, 4});
  ndx::slice1(gpu, input, output, {.sizes = {2, 4}});
}

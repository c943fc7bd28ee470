// SPDX-License-Identifier: MIT
// rejected with: elements on a Vulkan device are of 1, 2, 4, 8 or 16 bytes
#include <ndx/vulkan.hpp>

#include <cstdint>

struct color {
  std::uint8_t red, green, blue;
};

void run(ndx::vulkan::device const& gpu) {
  ndx::tensor<color, 2> const input({3, 4});
  ndx::tensor<color, 2> output({2, 4});
  ndx::slice1(gpu, input, output, {.sizes = {2, 4}});
}

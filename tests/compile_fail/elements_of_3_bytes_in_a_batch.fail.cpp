// SPDX-License-Identifier: MIT
// rejected with: elements on a Vulkan device are of 1, 2, 4, 8 or 16 bytes
#include <ndx/vulkan.hpp>

#include <cstdint>

struct color {
  std::uint8_t red, green, blue;
};

void run(ndx::vulkan::batch& batch, ndx::vulkan::tensor_view<color const, 2> input,
         ndx::vulkan::tensor_view<color, 2> output) {
  ndx::slice1(batch, input, output, {.sizes = {2, 4}});
}

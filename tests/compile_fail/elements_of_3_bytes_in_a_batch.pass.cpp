// SPDX-License-Identifier: MIT
#include <ndx/vulkan.hpp>

#include <cstdint>

struct color {
  std::uint8_t red, green, blue, alpha;
};

void run(ndx::vulkan::batch& batch, ndx::vulkan::tensor_view<color const, 2> input,
         ndx::vulkan::tensor_view<color, 2> output) {
  ndx::slice1(batch, input, output, {.sizes = {2, 4}});
}

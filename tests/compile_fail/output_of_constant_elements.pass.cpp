// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <cstdint>

void run(ndx::tensor<float, 2>& output) {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<std::int32_t, 2> const indices({3, 2});
  ndx::tensor<float, 2> const updates({3, 2});
  ndx::scatter_elements(ndx::seq, input, indices, updates, output, {.axis = 1});
}

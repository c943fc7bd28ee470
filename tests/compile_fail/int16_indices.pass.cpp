// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <cstdint>

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<std::int32_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> output({5, 4});
  ndx::gather_nd(ndx::seq, input, indices, output);
}

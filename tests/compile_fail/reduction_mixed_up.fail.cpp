// SPDX-License-Identifier: MIT
// rejected with: cannot convert .*scatter_nd_options
#include <ndx/ndx.hpp>

#include <cstdint>

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<std::uint32_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> const updates({5, 4});
  ndx::tensor<float, 2> output({3, 4});
  ndx::scatter_nd(ndx::seq, input, indices, updates, output, {.reduction = ndx::duplicates::last});
}

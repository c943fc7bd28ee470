// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<float, 2> output({2, 2});
  ndx::slice1(ndx::seq, input, output, {.offsets = {0, 1}, .sizes = {2, 2}});
}

// SPDX-License-Identifier: MIT
// rejected with: candidate expects 4 arguments, 3 provided|requires 4 arguments, but 3 were provided
#include <ndx/ndx.hpp>

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<float, 2> output({2, 2});
  ndx::slice1(ndx::seq, input, output);
}

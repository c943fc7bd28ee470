// SPDX-License-Identifier: MIT
// rejected by concept: execution_policy
#include <ndx/ndx.hpp>

#include <cstdint>

struct threads {
  int count;
};

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<std::int64_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> output({5, 4});
  ndx::gather_nd(threads{8}, input, indices, output);
}

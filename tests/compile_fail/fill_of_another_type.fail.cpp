// SPDX-License-Identifier: MIT
// rejected with: (no known conversion for argument 5|cannot convert initializer list argument).*gather_nd_options<
#include <ndx/ndx.hpp>

#include <cstdint>

void run() {
  ndx::tensor<float, 2> const input({3, 4});
  ndx::tensor<std::int64_t, 2> const indices({5, 1});
  ndx::tensor<float, 2> output({5, 4});
  ndx::gather_nd(ndx::seq, input, indices, output, {.bounds = ndx::bounds::ignore, .fill = "nothing"});
}

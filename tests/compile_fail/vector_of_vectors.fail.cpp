// SPDX-License-Identifier: MIT
// rejected by concept: tensor_like
#include <ndx/interop/std.hpp>
#include <ndx/ndx.hpp>

#include <array>
#include <vector>

void run(std::vector<std::vector<float>> const& rows, std::vector<std::array<int, 1>> const& indices) {
  std::vector<std::array<float, 3>> output(2);
  ndx::gather_nd(ndx::seq, rows, indices, output);
}

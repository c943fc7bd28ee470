// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <cstdint>
#include <vector>

void run(std::vector<float> const& input, ndx::tensor<std::int32_t, 2> const& indices) {
  ndx::tensor<float, 1> output({2});
  ndx::gather_nd(ndx::seq, ndx::tensor_view{input.data(), {3}}, indices, output);
}

// SPDX-License-Identifier: MIT
// The backward pass of an embedding: the gradients of the tokens are added to the rows that the tokens came from.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [scatter-add]
  std::array<std::uint32_t, 4> const tokens{2, 0, 2, 3};  // word 2 is there twice: both gradients count
  ndx::tensor<float, 2> const of_tokens({4, 2}, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f});

  ndx::tensor<float, 2> of_table({4, 2});  // zeros
  ndx::tensor_view const indices(tokens.data(), {4, 1});
  // Input and output are the same tensor: in place, rows without a token are not touched.
  ndx::scatter_nd(ndx::simd, of_table, indices, of_tokens, of_table, {.reduction = ndx::reduction::add});
  // [/scatter-add]

  // [paste]
  // Without a reduction an update replaces what is there; here whole rows by the one coordinate they have.
  ndx::tensor<std::int64_t, 2> const rows({2, 1}, {1, -1});
  ndx::tensor<float, 2> const pasted({2, 2}, {0.5f, 0.5f, 0.25f, 0.25f});
  ndx::tensor<float, 2> result({4, 2});
  ndx::scatter_nd(ndx::simd, of_table, rows, pasted, result);
  // [/paste]

  for (ndx::index_t row = 0; row < 4; ++row) {
    std::printf("%4.1f %4.1f    %5.2f %5.2f\n", of_table(row, 0), of_table(row, 1), result(row, 0), result(row, 1));
  }
  constexpr std::array due_gradients{3.0f, 4.0f, 0.0f, 0.0f, 6.0f, 8.0f, 7.0f, 8.0f};
  constexpr std::array due_result{3.0f, 4.0f, 0.5f, 0.5f, 6.0f, 8.0f, 0.25f, 0.25f};
  return std::equal(of_table.begin(), of_table.end(), due_gradients.begin(), due_gradients.end()) &&
                 std::equal(result.begin(), result.end(), due_result.begin(), due_result.end())
             ? 0
             : 1;
}

// SPDX-License-Identifier: MIT
// Embedding lookup: every token of a sentence takes its row of a table.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [embedding]
  ndx::tensor<float, 2> const table({4, 3},  // 4 words, a vector of 3 numbers for each
                                    {0.0f, 0.1f, 0.2f, 1.0f, 1.1f, 1.2f, 2.0f, 2.1f, 2.2f, 3.0f, 3.1f, 3.2f});
  std::array<std::int64_t, 5> const tokens{2, 0, 3, -1, 7};  // -1 counts from the end, 7 is no word

  // One coordinate a token: indices of extents {5, 1}, read where the tokens lie.
  ndx::tensor_view const indices(tokens.data(), {5, 1});
  ndx::tensor<float, 2> sentence({5, 3});
  ndx::gather_nd(ndx::simd, table, indices, sentence, {.bounds = ndx::bounds::ignore, .fill = -9.0f});
  // [/embedding]

  for (ndx::index_t token = 0; token < 5; ++token) {
    std::printf("%4.1f %4.1f %4.1f\n", sentence(token, 0), sentence(token, 1), sentence(token, 2));
  }
  constexpr std::array due{2.0f, 2.1f, 2.2f, 0.0f, 0.1f, 0.2f, 3.0f, 3.1f, 3.2f, 3.0f, 3.1f, 3.2f, -9.0f, -9.0f, -9.0f};
  return std::equal(sentence.begin(), sentence.end(), due.begin(), due.end()) ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Two jobs a classifier has: marking the class of every sample, and putting scores in the order of their ranks.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [one-hot]
  ndx::tensor<std::int32_t, 2> const classes({3, 1}, {2, 0, 3});  // one a sample
  std::uint8_t const one = 1;
  ndx::tensor_view<std::uint8_t const, 2> const ones(&one, {3, 1}, {0, 0});  // stride 0: the same one for all

  ndx::tensor<std::uint8_t, 2> one_hot({3, 4});  // zeros, filled in place
  ndx::scatter_elements(ndx::simd, one_hot, classes, ones, one_hot, {.axis = 1});
  // [/one-hot]

  // [ranks]
  ndx::tensor<float, 2> const scores({2, 3}, {0.3f, 0.9f, 0.5f, 0.8f, 0.1f, 0.4f});
  ndx::tensor<std::int64_t, 2> const ranks({2, 3}, {2, 0, 1, 0, 2, 1});  // of each score in its row
  ndx::tensor<float, 2> sorted({2, 3});
  ndx::scatter_elements(ndx::simd, sorted, ranks, scores, sorted, {.axis = -1});
  // [/ranks]

  for (ndx::index_t sample = 0; sample < 3; ++sample) {
    for (ndx::index_t c = 0; c < 4; ++c) std::printf("%d ", one_hot(sample, c));
    std::printf("\n");
  }
  for (ndx::index_t row = 0; row < 2; ++row) {
    std::printf("%.1f %.1f %.1f\n", sorted(row, 0), sorted(row, 1), sorted(row, 2));
  }
  constexpr std::array<std::uint8_t, 12> due_one_hot{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  constexpr std::array due_sorted{0.9f, 0.5f, 0.3f, 0.8f, 0.4f, 0.1f};
  return std::equal(one_hot.begin(), one_hot.end(), due_one_hot.begin(), due_one_hot.end()) &&
                 std::equal(sorted.begin(), sorted.end(), due_sorted.begin(), due_sorted.end())
             ? 0
             : 1;
}

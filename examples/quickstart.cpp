// SPDX-License-Identifier: MIT
// [quickstart]
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstdio>

int main() {
  ndx::tensor<float, 2> const table({3, 2}, {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f});
  // Tuples of one index each; -1 is the last row.
  ndx::tensor<std::int32_t, 2> const rows({4, 1}, {2, 0, 0, -1});

  ndx::tensor<float, 2> taken({4, 2});
  ndx::gather_nd(ndx::simd, table, rows, taken);  // taken[j] = table[rows[j]]

  ndx::tensor<float, 2> sums({3, 2});
  // And back, where rows that are named twice add up.
  ndx::scatter_nd(ndx::simd, sums, rows, taken, sums, {.reduction = ndx::reduction::add});

  for (ndx::index_t row = 0; row < 3; ++row) {
    std::printf("%.1f %.1f\n", sums(row, 0), sums(row, 1));
  }
  return sums(0, 1) == 1.0f && sums(1, 0) == 0.0f && sums(2, 0) == 4.0f ? 0 : 1;
}
// [/quickstart]

// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <cstdint>

// Compiled several times, with other flags and another name for the function.
long SUM(long rows) {
  ndx::tensor<float, 2> table({rows, 5});
  ndx::tensor<std::int32_t, 2> indices({rows, 1});
  for (long row = 0; row < rows; ++row) {
    indices(row, 0) = static_cast<std::int32_t>(rows - 1 - row);
    for (long column = 0; column < 5; ++column) table(row, column) = static_cast<float>(row + column);
  }
  ndx::tensor<float, 2> gathered({rows, 5});
  ndx::gather_nd(ndx::simd, table, indices, gathered);
  ndx::tensor<float, 2> added({rows, 5});
  ndx::scatter_nd(ndx::par_simd.threads(2), table, indices, gathered, added, {.reduction = ndx::reduction::add});
  ndx::tensor<float, 2> sliced({rows, 3});
  ndx::slice1(ndx::simd, added, sliced, {.offsets = {0, 0}, .sizes = {rows, 5}, .strides = {-1, 2}});
  // A call of few elements, which are moved where it stands, into memory whose size the compiler knows.
  static float backwards[8];
  long const few = rows < 8 ? rows : 8;
  ndx::flip(ndx::simd, ndx::tensor_view<float const, 1>(sliced.data(), {few}, {3}),
            ndx::tensor_view<float, 1>(backwards, {few}));
  if (backwards[0] != sliced(few - 1, 0) || backwards[few - 1] != sliced(0, 0)) return -1;
  long sum = 0;
  for (long row = 0; row < rows; ++row)
    for (long column = 0; column < 3; ++column) sum += (row + 1) * static_cast<long>(sliced(row, column));
  return sum;
}

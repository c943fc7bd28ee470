// SPDX-License-Identifier: MIT
// Windows of a tensor in three forms: a slice as Python writes it, a flip, and the way back that a gradient takes.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <optional>

int main() {
  // [slice]
  ndx::tensor<int, 2> numbers({3, 5});  // 0 to 14
  std::iota(numbers.begin(), numbers.end(), 0);

  // numbers[-2:, ::-2] in Python: the last two rows, every second column from the right
  ndx::slice_options<2> const last_rows{.starts = {-2}, .steps = {std::nullopt, -2}};
  ndx::tensor<int, 2> taken(ndx::resolve_slice(numbers.extents(), last_rows).extents);  // {2, 3}
  ndx::slice(ndx::simd, numbers, taken, last_rows);
  // [/slice]

  // [view]
  // The same without a copy: a view that anything in ndx takes.
  ndx::tensor_view<int, 2> const view = numbers.view().sliced(last_rows);
  // [/view]

  // [flip]
  ndx::tensor<int, 2> mirrored({3, 5});
  ndx::flip(ndx::simd, numbers, mirrored, {.axes = {-1}});  // every row from right to left
  // [/flip]

  // [slice-grad]
  // What the loss changes by with each element of the window changes it by as much with that element of the whole, and
  // with the others not at all.
  ndx::tensor<float, 2> const of_window({2, 2}, {0.1f, 0.2f, 0.3f, 0.4f});
  ndx::tensor<float, 2> of_whole({3, 4});
  ndx::slice_grad(ndx::simd, of_window, of_whole, {.offsets = {1, 0}, .sizes = {2, 3}, .strides = {1, 2}});
  // [/slice-grad]

  for (ndx::index_t row = 0; row < 2; ++row) std::printf("%3d %3d %3d\n", taken(row, 0), taken(row, 1), taken(row, 2));
  for (ndx::index_t row = 0; row < 3; ++row)
    std::printf("%.1f %.1f %.1f %.1f\n", of_whole(row, 0), of_whole(row, 1), of_whole(row, 2), of_whole(row, 3));
  constexpr std::array due{9, 7, 5, 14, 12, 10};
  constexpr std::array due_of_whole{0.0f, 0.0f, 0.0f, 0.0f, 0.1f, 0.0f, 0.2f, 0.0f, 0.3f, 0.0f, 0.4f, 0.0f};
  return std::equal(taken.begin(), taken.end(), due.begin(), due.end()) && view(1, 0) == 14 &&
                 mirrored(1, 0) == numbers(1, 4) &&
                 std::equal(of_whole.begin(), of_whole.end(), due_of_whole.begin(), due_of_whole.end())
             ? 0
             : 1;
}

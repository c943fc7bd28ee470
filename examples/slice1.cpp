// SPDX-License-Identifier: MIT
// Prepares a picture for a network: the middle of it, mirrored, every second pixel, in one pass.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

int main() {
  // [crop-flip]
  ndx::tensor<int, 2> picture({6, 8});  // 0 to 47
  std::iota(picture.begin(), picture.end(), 0);

  ndx::tensor<int, 2> prepared({2, 3});
  ndx::slice1(ndx::simd, picture, prepared,
              {.offsets = {1, 1},     // the window begins at row 1, column 1
               .sizes = {4, 6},       // and has 4 rows of 6 columns;
               .strides = {2, -2}});  // every second row, and every second column from the right
  // [/crop-flip]

  // [window]
  // The same without a copy: a view that anything in ndx takes.
  auto const window = picture.view().window({.offsets = {1, 1}, .sizes = {4, 6}, .strides = {2, -2}});
  // [/window]

  for (ndx::index_t row = 0; row < 2; ++row) {
    std::printf("%3d %3d %3d\n", prepared(row, 0), prepared(row, 1), prepared(row, 2));
  }
  constexpr std::array due{14, 12, 10, 30, 28, 26};
  bool const right = std::equal(prepared.begin(), prepared.end(), due.begin(), due.end());
  return right && window(1, 2) == prepared(1, 2) ? 0 : 1;
}

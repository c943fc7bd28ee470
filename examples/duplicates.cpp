// SPDX-License-Identifier: MIT
// Several updates of one element: which of them wins, and what their sum is.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

int main() {
  bool right = true;

  // [last]
  ndx::tensor<int, 1> winners({4}, {0, 0, 0, 0});
  ndx::tensor<std::int32_t, 2> const places({5, 1}, {1, 3, 1, 0, 1});
  ndx::tensor<int, 1> const updates({5}, {10, 20, 30, 40, 50});
  ndx::scatter_nd(ndx::par_simd, winners, places, updates, winners, {.duplicates = ndx::duplicates::last});
  // {40, 50, 0, 20}: of the three updates of element 1 the last one in the order of the indices
  // [/last]
  right = right && winners(0) == 40 && winners(1) == 50 && winners(2) == 0 && winners(3) == 20;

  // [reductions]
  ndx::tensor<int, 1> const zeros({4}, {0, 0, 0, 0});
  ndx::tensor<int, 1> sums({4});
  ndx::scatter_nd(ndx::simd, zeros, places, updates, sums, {.reduction = ndx::reduction::add});
  // {40, 90, 0, 20}: every duplicate counts
  ndx::tensor<int, 1> largest({4});
  ndx::scatter_nd(ndx::simd, zeros, places, updates, largest, {.reduction = ndx::reduction::max});
  // {40, 50, 0, 20}
  // [/reductions]
  right = right && sums(0) == 40 && sums(1) == 90 && sums(2) == 0 && sums(3) == 20 && largest(1) == 50;

  // [include-self]
  ndx::tensor<int, 1> const before({4}, {100, 100, 100, 100});
  ndx::tensor<int, 1> of_updates({4});
  ndx::scatter_nd(ndx::simd, before, places, updates, of_updates,
                  {.reduction = ndx::reduction::min, .include_self = false});
  // {40, 10, 100, 20}: of the updates alone, and nothing goes to element 2
  ndx::tensor<int, 1> rest({4});
  ndx::scatter_nd(ndx::simd, before, places, updates, rest, {.reduction = ndx::reduction::sub});
  // {60, 10, 100, 80}: 100 less everything that goes there
  // [/include-self]
  right = right && of_updates(0) == 40 && of_updates(1) == 10 && of_updates(2) == 100 && of_updates(3) == 20;
  right = right && rest(0) == 60 && rest(1) == 10 && rest(2) == 100 && rest(3) == 80;

  // [mean]
  ndx::tensor<double, 2> averages({3, 2});  // zeros, which are not to count
  ndx::tensor<std::int32_t, 2> const samples({4, 1}, {0, 2, 0, 0});
  ndx::tensor<double, 2> const rows({4, 2}, {1.0, 10.0, 7.0, 70.0, 2.0, 20.0, 6.0, 60.0});
  ndx::scatter_nd(ndx::simd, averages, samples, rows, averages,
                  {.reduction = ndx::reduction::mean, .include_self = false});
  // {{3, 30}, {0, 0}, {7, 70}}: row 0 is the mean of three rows, and nothing goes to row 1
  // [/mean]
  right = right && averages(0, 0) == 3.0 && averages(0, 1) == 30.0 && averages(1, 0) == 0.0 && averages(2, 1) == 70.0;

  // [order]
  ndx::tensor<float, 1> const start({1}, {0.0f});
  ndx::tensor<std::int32_t, 2> const all_to_one({3, 1}, {0, 0, 0});
  ndx::tensor<float, 1> const terms({3}, {1e8f, 1.0f, -1e8f});  // (1e8 + 1) - 1e8 is 0, (1e8 - 1e8) + 1 is 1
  ndx::tensor<float, 1> sum({1});
  ndx::scatter_nd(ndx::par_simd, start, all_to_one, terms, sum,
                  {.reduction = ndx::reduction::add, .duplicates = ndx::duplicates::last});
  // 0 on every policy: last fixes the order of the additions
  // [/order]
  right = right && sum(0) == 0.0f;

  // [nan]
  float const nan = std::numeric_limits<float>::quiet_NaN();
  ndx::tensor<float, 1> const mixed({2}, {nan, -0.0f});
  ndx::tensor<std::int32_t, 2> const both({2, 1}, {0, 1});
  ndx::tensor<float, 1> least({2}, {1.0f, 0.0f});
  ndx::scatter_nd(ndx::simd, least, both, mixed, least, {.reduction = ndx::reduction::min});
  // {NaN, -0}: a NaN on either side gives a NaN, and -0 is below +0
  // [/nan]
  std::uint32_t bits = 0;
  std::memcpy(&bits, &least(1), sizeof bits);
  right = right && least(0) != least(0) && bits == 0x80000000u;

  std::printf("%s\n", right ? "as promised" : "wrong");
  return right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// What a classifier answers: for each sample the two classes of the highest scores, and those scores.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [top-2]
  ndx::tensor<float, 2> const scores({2, 3}, {0.3f, 0.9f, 0.5f, 0.8f, 0.1f, 0.4f});
  ndx::tensor<std::int64_t, 2> order({2, 3}, {0, 1, 2, 0, 1, 2});  // of the classes of each sample, best first
  for (ndx::index_t sample = 0; sample < 2; ++sample)
    std::sort(&order(sample, 0), &order(sample, 0) + 3,
              [&](std::int64_t a, std::int64_t b) { return scores(sample, a) > scores(sample, b); });

  auto const best = order.view().window({.sizes = {2, 2}});  // without a copy: indices may be strided
  ndx::tensor<float, 2> top({2, 2});
  ndx::gather_elements(ndx::simd, scores, best, top, {.axis = 1});  // top[i, j] = scores[i, best[i, j]]
  // [/top-2]

  for (ndx::index_t sample = 0; sample < 2; ++sample)
    std::printf("class %d: %.1f, class %d: %.1f\n", static_cast<int>(best(sample, 0)), top(sample, 0),
                static_cast<int>(best(sample, 1)), top(sample, 1));
  constexpr std::array due{0.9f, 0.5f, 0.8f, 0.4f};
  return std::equal(top.begin(), top.end(), due.begin(), due.end()) ? 0 : 1;
}

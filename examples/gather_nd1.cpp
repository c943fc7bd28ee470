// SPDX-License-Identifier: MIT
// Beam search with a cache of keys: each sentence of a batch keeps other beams, and takes their keys along.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

int main() {
  // [kv-cache]
  // 2 sentences, 3 beams each, 2 positions, keys of 2 numbers: {batch, beam, position, key}
  ndx::tensor<float, 4> cache({2, 3, 2, 2});
  std::iota(cache.begin(), cache.end(), 0.0f);

  // The beams that each sentence goes on with: {batch, beam, 1}
  ndx::tensor<std::int32_t, 3> const survivors({2, 3, 1}, {0, 0, 2,    // sentence 0: beam 0 twice, then beam 2
                                                           1, 2, 1});  // sentence 1
  ndx::tensor<float, 4> next({2, 3, 2, 2});
  ndx::gather_nd1(ndx::par_simd, cache, survivors, next, {.batch_dims = 1});
  // [/kv-cache]

  for (ndx::index_t sentence = 0; sentence < 2; ++sentence) {
    for (ndx::index_t beam = 0; beam < 3; ++beam) {
      float const* const keys = &next(sentence, beam, 0, 0);
      std::printf("sentence %d, beam %d: %2.0f %2.0f | %2.0f %2.0f\n", static_cast<int>(sentence),
                  static_cast<int>(beam), keys[0], keys[1], keys[2], keys[3]);
    }
  }
  constexpr std::array<float, 24> due{0,  1,  2,  3,  0,  1,  2,  3,  8,  9,  10, 11,
                                      16, 17, 18, 19, 20, 21, 22, 23, 16, 17, 18, 19};
  return std::equal(next.begin(), next.end(), due.begin(), due.end()) ? 0 : 1;
}

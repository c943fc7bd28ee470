// SPDX-License-Identifier: MIT
// A step of a language model that goes on with several sequences at once: each has a part of the cache of its own, and
// puts the key of its new token where that part is filled up to.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [cache]
  // Three sequences, room for four tokens each, keys of two numbers.
  ndx::tensor<float, 3> cache({3, 4, 2});
  ndx::tensor<std::int32_t, 2> const filled({3, 1}, {1, 3, 0});  // how many tokens each has
  ndx::tensor<float, 2> const keys({3, 2}, {1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f});

  // cache[s, filled[s]] = keys[s]; in place, so that nothing else of the cache is touched.
  ndx::scatter_nd(ndx::simd, cache, filled, keys, cache, {.batch_dims = 1});
  // [/cache]

  // [full]
  // Next step. The second sequence is full: 4 is out of range, and its update is left out.
  ndx::tensor<std::int32_t, 2> const next({3, 1}, {2, 4, 1});
  ndx::tensor<float, 2> const next_keys({3, 2}, {4.0f, 4.5f, 5.0f, 5.5f, 6.0f, 6.5f});
  ndx::scatter_nd(ndx::simd, cache, next, next_keys, cache, {.bounds = ndx::bounds::ignore, .batch_dims = 1});
  // [/full]

  for (ndx::index_t sequence = 0; sequence < 3; ++sequence) {
    for (ndx::index_t token = 0; token < 4; ++token)
      std::printf("(%.1f %.1f) ", cache(sequence, token, 0), cache(sequence, token, 1));
    std::printf("\n");
  }
  constexpr std::array due{0.0f, 0.0f, 1.0f, 1.5f, 4.0f, 4.5f, 0.0f, 0.0f,   // the first sequence
                           0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 2.0f, 2.5f,   // the second
                           3.0f, 3.5f, 6.0f, 6.5f, 0.0f, 0.0f, 0.0f, 0.0f};  // the third
  return std::equal(cache.begin(), cache.end(), due.begin(), due.end()) ? 0 : 1;
}

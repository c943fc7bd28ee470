// SPDX-License-Identifier: MIT
// Words of sentences become vectors, and pictures get their channels in another order.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

int main() {
  // [embedding]
  ndx::tensor<float, 2> const table({4, 2}, {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f});
  ndx::tensor<std::int64_t, 2> const sentences({2, 3}, {2, 0, 3, 1, 1, -1});  // 2 sentences of 3 words
  ndx::tensor<float, 3> vectors({2, 3, 2});
  ndx::take(ndx::simd, table, sentences, vectors);  // vectors[s, w] = table[sentences[s, w]]
  // [/embedding]

  // [channels]
  ndx::tensor<std::uint8_t, 3> const rgb({1, 2, 3}, {10, 20, 30, 11, 21, 31});  // 2 pixels
  ndx::tensor<std::int32_t, 1> const blue_green_red({3}, {2, 1, 0});
  ndx::tensor<std::uint8_t, 3> bgr({1, 2, 3});
  ndx::take(ndx::simd, rgb, blue_green_red, bgr, {.axis = -1});
  // [/channels]

  for (ndx::index_t sentence = 0; sentence < 2; ++sentence) {
    for (ndx::index_t word = 0; word < 3; ++word)
      std::printf("(%.1f %.1f) ", vectors(sentence, word, 0), vectors(sentence, word, 1));
    std::printf("\n");
  }
  constexpr std::array due_vectors{2.0f, 2.5f, 0.0f, 0.5f, 3.0f, 3.5f, 1.0f, 1.5f, 1.0f, 1.5f, 3.0f, 3.5f};
  constexpr std::array<std::uint8_t, 6> due_bgr{30, 20, 10, 31, 21, 11};
  return std::equal(vectors.begin(), vectors.end(), due_vectors.begin(), due_vectors.end()) &&
                 std::equal(bgr.begin(), bgr.end(), due_bgr.begin(), due_bgr.end())
             ? 0
             : 1;
}

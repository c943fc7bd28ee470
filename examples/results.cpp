// SPDX-License-Identifier: MIT
// Calls without an output return their result: the vectors of sentences, the last word of each, and the words in
// between that are asked for.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

int main() {
  ndx::tensor<float, 2> const table({4, 2}, {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 3.5f});
  ndx::tensor<std::int64_t, 2> const sentences({2, 3}, {2, 0, -1, 1, 3, 1});  // 2 sentences of 3 words

  // [known]
  ndx::tensor<float, 3> const vectors = ndx::take(ndx::simd, table, sentences);            // {2, 3, 2}
  auto const last_words = ndx::slice(ndx::simd, vectors, {.starts = {std::nullopt, -1}});  // {2, 1, 2}
  // [/known]

  // [rank]
  // Words or single numbers: that depends on how many indices a tuple has.
  ndx::tensor<std::int32_t, 2> const words({3, 2}, {0, 2, 1, 0, 0, 0});           // sentence, word
  ndx::tensor<std::int32_t, 2> const numbers({2, 3}, {0, 2, 1, 1, 0, 0});         // and place
  auto const chosen_words = ndx::gather_nd.to<2>(ndx::simd, vectors, words);      // {3, 2}
  auto const chosen_numbers = ndx::gather_nd.to<1>(ndx::simd, vectors, numbers);  // {2}
  // [/rank]

  // [count]
  // How often each word is there: zeros, to which a one is added for each of the words.
  ndx::tensor<int, 1> const zeros({4});
  ndx::tensor_view const ids(sentences.data(), {6, 1});
  ndx::tensor<int, 1> const ones({6}, {1, 1, 1, 1, 1, 1});
  auto const counts = ndx::scatter_nd(ndx::simd, zeros, ids, ones, {.reduction = ndx::reduction::add});
  // [/count]

  for (ndx::index_t sentence = 0; sentence < 2; ++sentence)
    std::printf("last word of sentence %d: (%.1f %.1f)\n", static_cast<int>(sentence), last_words(sentence, 0, 0),
                last_words(sentence, 0, 1));
  for (ndx::index_t word = 0; word < 3; ++word)
    std::printf("chosen: (%.1f %.1f)\n", chosen_words(word, 0), chosen_words(word, 1));
  std::printf("numbers: %.1f %.1f\ncounts: %d %d %d %d\n", chosen_numbers(0), chosen_numbers(1), counts(0), counts(1),
              counts(2), counts(3));
  constexpr std::array due_last{3.0f, 3.5f, 1.0f, 1.5f};
  constexpr std::array due_words{3.0f, 3.5f, 1.0f, 1.5f, 2.0f, 2.5f};
  constexpr std::array due_numbers{3.5f, 1.0f};
  constexpr std::array due_counts{1, 2, 1, 2};
  auto const is = [](auto const& seen, auto const& due) {
    return std::equal(seen.begin(), seen.end(), due.begin(), due.end());
  };
  return is(last_words, due_last) && is(chosen_words, due_words) && is(chosen_numbers, due_numbers) &&
                 is(counts, due_counts)
             ? 0
             : 1;
}

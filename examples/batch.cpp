// SPDX-License-Identifier: MIT
// Several operators on a Vulkan device, with one submission: a step of training an embedding.
#include <ndx/vulkan.hpp>

#include "support/skip.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

bool same(ndx::tensor<float, 2> const& a, ndx::tensor<float, 2> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool run() {
  // [device]
  ndx::vulkan::device const gpu;  // the best one, or what NDX_VULKAN_DEVICE says
  std::printf("%s\n", gpu.info().name.c_str());
  // [/device]

  // [host]
  ndx::tensor<float, 2> table({1000, 16});  // 1000 words, a vector of 16 numbers each
  std::iota(table.begin(), table.end(), 0.0f);
  ndx::tensor<std::int32_t, 2> const words({5, 1}, {7, 0, 999, 7, -1});

  ndx::tensor<float, 2> rows({5, 16});
  ndx::gather_nd(gpu, table, words, rows);  // copies to the device, runs there, copies back
  // [/host]

  // [upload]
  auto table_there = gpu.upload(table);  // an ndx::vulkan::tensor<float, 2>
  auto const words_there = gpu.upload(words);
  auto rows_there = gpu.allocate<float, 2>({5, 16});  // its elements are unspecified until they are written
  auto backwards = gpu.allocate<float, 2>({5, 16});
  // [/upload]

  // [batch]
  ndx::vulkan::batch step = gpu.begin();
  ndx::gather_nd(step, table_there, words_there, rows_there);
  ndx::scatter_nd(step, table_there, words_there, rows_there, table_there, {.reduction = ndx::reduction::add});
  ndx::slice1(step, rows_there, backwards, {.sizes = {5, 16}, .strides = {1, -1}});
  ndx::vulkan::pending const running = step.submit();
  // The host is free to do something else here.
  running.wait();
  // [/batch]

  // [download]
  ndx::tensor<float, 2> seen({5, 16});
  gpu.download(rows_there, seen);
  // [/download]
  bool right = same(seen, rows);
  gpu.download(backwards, seen);
  for (ndx::index_t row = 0; row < 5; ++row) {
    for (ndx::index_t i = 0; i < 16; ++i) right = right && seen(row, i) == rows(row, 15 - i);
  }
  ndx::tensor<float, 2> trained({1000, 16});
  gpu.download(table_there, trained);
  ndx::scatter_nd(ndx::simd, table, words, rows, table, {.reduction = ndx::reduction::add});
  right = right && same(trained, table);
  std::printf("gather, scatter and slice in one submission: %s\n", right ? "as on the processor" : "wrong");

  // [views]
  // Every second number of the first three words, seen as rows of numbers: no copy is made.
  auto const few = table_there.view().window({.sizes = {3, 16}, .strides = {1, 2}}).permuted({1, 0});
  ndx::tensor<float, 2> corner({8, 3});
  gpu.download(few, corner);
  // [/views]
  for (ndx::index_t i = 0; i < 8; ++i) {
    for (ndx::index_t word = 0; word < 3; ++word) right = right && corner(i, word) == table(word, 2 * i);
  }

  // [errors]
  auto const bad_words = gpu.upload(ndx::tensor<std::int32_t, 2>({2, 1}, {3, 1000}));
  auto two_rows = gpu.allocate<float, 2>({2, 16});
  ndx::vulkan::batch faulty = gpu.begin();
  ndx::gather_nd(faulty, table_there, bad_words, two_rows);      // index 1000 is out of range
  ndx::gather_nd(faulty, table_there, words_there, rows_there);  // runs all the same
  try {
    faulty.submit().wait();
    right = false;
  } catch (ndx::index_error const& error) {
    std::printf("%s\n", error.what());
    right = right && error.position() == std::vector<ndx::index_t>{1, 0} && error.value() == 1000;
  }
  // [/errors]
  gpu.download(rows_there, seen);
  ndx::gather_nd(ndx::simd, table, words, rows);
  return right && same(seen, rows);
}

}  // namespace

int main() {
  try {
    return run() ? 0 : 1;
  } catch (ndx::vulkan::unavailable const& why) {
    return examples::skipped(why.what());
  }
}

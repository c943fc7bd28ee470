// SPDX-License-Identifier: MIT
// Tensors in memory that the program has already: vectors, arrays, parts of them, and types of its own.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

// [image-type]
struct image {
  std::vector<unsigned char> bytes;
  std::int64_t height;
  std::int64_t width;
};

template <>
struct ndx::tensor_traits<image> {
  static tensor_view<unsigned char, 3> view(image& x) { return {x.bytes.data(), {x.height, x.width, 3}}; }
  static tensor_view<unsigned char const, 3> view(image const& x) { return {x.bytes.data(), {x.height, x.width, 3}}; }
};
// [/image-type]

int main() {
  bool right = true;

  // [vector]
  std::vector<float> prices{10, 11, 12, 20, 21, 22, 30, 31, 32};  // 3 shops, 3 goods
  std::array<std::int32_t, 2> const shops{2, 0};
  std::vector<float> chosen(6);

  ndx::tensor_view const table(prices.data(), {3, 3});  // refers to the vector, copies nothing
  ndx::tensor_view const rows(shops.data(), {2, 1});    // tuples of one index
  ndx::tensor_view const into(chosen.data(), {2, 3});
  ndx::gather_nd(ndx::simd, table, rows, into);
  // [/vector]
  right = right && chosen == std::vector<float>{30, 31, 32, 10, 11, 12};

  // [views]
  // The same memory, transposed: {good, shop}.
  ndx::tensor_view const goods = table.permuted({1, 0});
  // Goods 1 and 2 of every shop.
  ndx::tensor_view const last_two = table.window({.offsets = {0, 1}, .sizes = {3, 2}});
  // The last shop first.
  ndx::tensor_view const backwards = table.reversed(0);
  // Shop 0 three times, by a stride of 0.
  ndx::tensor_view const same(prices.data(), {3, 3}, {0, 1});
  // [/views]
  right = right && goods(2, 1) == 22 && last_two(1, 0) == 21 && backwards(0, 0) == 30 && same(2, 1) == 11;

  // [strided]
  // Into every second column of something larger; what lies between is not touched.
  std::vector<float> report(12, -1.0f);
  ndx::tensor_view const columns(report.data(), {2, 3}, {6, 2});
  ndx::gather_nd(ndx::simd, table, rows, columns);
  // [/strided]
  right = right && report == std::vector<float>{30, -1, 31, -1, 32, -1, 10, -1, 11, -1, 12, -1};

  image picture{std::vector<unsigned char>(4 * 6 * 3), 4, 6};
  std::iota(picture.bytes.begin(), picture.bytes.end(), static_cast<unsigned char>(0));
  image cropped{std::vector<unsigned char>(2 * 5 * 3), 2, 5};
  // [image-call]
  ndx::slice1(ndx::simd, picture, cropped, {.offsets = {1, 0, 0}, .sizes = {2, 5, 3}});  // two images
  // [/image-call]
  right = right && cropped.bytes.front() == 18 && cropped.bytes.back() == 36 + 14;

  std::printf("%s\n", right ? "every view led where it should" : "wrong");
  return right ? 0 : 1;
}

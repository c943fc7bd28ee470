// SPDX-License-Identifier: MIT
// Containers and arrays of the standard library as tensors: letters of a puzzle, a mesh, a histogram.
#include <ndx/interop/std.hpp>
#include <ndx/ndx.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

namespace {

bool reads_a_word() {
  // [gather]
  char const puzzle[3][4]{{'s', 't', 'o', 'm'},  //
                          {'k', 'a', 'r', 'e'},
                          {'o', 'n', 'x', 'd'}};
  std::vector<std::array<std::int32_t, 2>> const path{{2, 1}, {2, 3}, {-1, 2}};  // row and column of each letter
  std::vector<char> word(path.size());
  ndx::gather_nd(ndx::simd, puzzle, path, word);
  // [/gather]
  std::printf("%.*s\n", static_cast<int>(word.size()), word.data());
  return std::string_view(word.data(), word.size()) == "ndx";
}

bool welds_a_mesh() {
  // [mesh]
  // The normals of triangles, added to the normals of the points that they have in common.
  std::vector<std::array<float, 3>> const of_triangles{{0, 0, 1}, {0, 1, 0}};
  std::vector<std::int32_t> const first_corners{2, 2};
  std::vector<std::array<float, 3>> of_points(4);  // zeros

  // One coordinate a triangle: a vector alone has rank 1, and would be one tuple.
  ndx::tensor_view const indices(first_corners.data(), {std::ssize(first_corners), 1});
  ndx::scatter_nd(ndx::simd, of_points, indices, of_triangles, of_points, {.reduction = ndx::reduction::add});
  // [/mesh]
  return of_points[2] == std::array<float, 3>{0, 1, 1} && of_points[0] == std::array<float, 3>{0, 0, 0};
}

// [constexpr]
constexpr std::array<int, 6> count(std::span<std::int32_t const> values) {
  std::array<int, 6> counts{};
  int const one = 1;
  // One element, as often as there are values: the stride is 0.
  ndx::tensor_view const ones(&one, {std::ssize(values)}, {0});
  ndx::scatter_elements(ndx::seq, counts, values, ones, counts, {.reduction = ndx::reduction::add});
  return counts;
}

constexpr std::int32_t rolled[]{3, 1, 5, 3, 3};
static_assert(count(rolled) == std::array<int, 6>{0, 1, 0, 3, 0, 1});
// [/constexpr]

}  // namespace

int main() {
  std::vector<std::int32_t> const more{0, 0, 4};
  return reads_a_word() && welds_a_mesh() && count(more)[0] == 2 ? 0 : 1;
}

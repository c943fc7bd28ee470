// SPDX-License-Identifier: MIT
// Calls that name no output: what they return is what the same call writes to one.
#include "support/catch.hpp"
#include "support/count_allocations.hpp"
#include "support/message_of.hpp"

#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace {

using matrix = ndx::tensor<int, 2>;

matrix numbers() {
  matrix result({3, 4});
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// Type, extents and elements.
template <std::size_t Rank>
void expect(auto const& seen, std::array<ndx::index_t, Rank> const& extents, std::vector<int> const& elements) {
  STATIC_REQUIRE(std::same_as<std::remove_cvref_t<decltype(seen)>, ndx::tensor<int, Rank>>);
  CHECK(seen.extents() == extents);
  CHECK(std::vector<int>(seen.begin(), seen.end()) == elements);
}

}  // namespace

TEST_CASE("A gather returns its result where the ranks of the arguments tell that of the result") {
  matrix const input = numbers();
  ndx::tensor<std::int32_t, 1> const rows({2}, {2, -1});
  expect<2>(ndx::take(ndx::simd, input, rows), {2, 4}, {8, 9, 10, 11, 8, 9, 10, 11});
  expect<2>(ndx::take(ndx::seq, input.view(), rows, {.axis = 1}), {3, 2}, {2, 3, 6, 7, 10, 11});
  std::int64_t const first = 0;
  expect<1>(ndx::take(ndx::simd, input, ndx::tensor_view<std::int64_t const, 0>(&first, {}), {.axis = -1}), {3},
            {0, 4, 8});
  ndx::tensor<std::uint32_t, 2> const places({1, 4}, {2, 0, 1, 9});
  expect<2>(ndx::gather_elements(ndx::simd, input, places, {.bounds = ndx::bounds::ignore, .fill = -1}), {1, 4},
            {8, 1, 6, -1});
}

TEST_CASE("gather_nd and gather_nd1 return a result of the rank that is asked for, if that is due") {
  matrix const input = numbers();
  ndx::tensor<std::int64_t, 2> const rows({2, 1}, {2, 0});
  ndx::tensor<std::int64_t, 2> const pairs({2, 2}, {2, 0, 0, -1});
  expect<2>(ndx::gather_nd.to<2>(ndx::simd, input, rows), {2, 4}, {8, 9, 10, 11, 0, 1, 2, 3});
  expect<1>(ndx::gather_nd.to<1>(ndx::par_simd, input, pairs), {2}, {8, 3});
  ndx::tensor<std::int64_t, 2> const columns({3, 1}, {3, 0, 9});
  expect<1>(
      ndx::gather_nd1.to<1>(ndx::simd, input, columns, {.batch_dims = 1, .bounds = ndx::bounds::ignore, .fill = 77}),
      {3}, {3, 4, 77});
  CHECK(test::message_of<ndx::shape_error>([&] { static_cast<void>(ndx::gather_nd.to<2>(ndx::simd, input, pairs)); }) ==
        "gather_nd: the rank of the result is 2; due is 1, one less than that of indices and the input's tail "
        "(input {3, 4}, indices {2, 2})");
  CHECK(test::message_of<ndx::shape_error>([&] { static_cast<void>(ndx::gather_nd1.to<3>(ndx::simd, input, rows)); }) ==
        "gather_nd1: the rank of the result is 3; due is 2, one less than that of indices and the input's tail "
        "(input {3, 4}, indices {2, 1})");
}

TEST_CASE("A scatter returns a copy of its input with the updates") {
  matrix const input = numbers();
  ndx::tensor<std::int64_t, 2> const rows({1, 1}, {1});
  matrix const updates({1, 4}, {50, 51, 52, 53});
  expect<2>(ndx::scatter_nd(ndx::simd, input, rows, updates), {3, 4}, {0, 1, 2, 3, 50, 51, 52, 53, 8, 9, 10, 11});
  ndx::tensor<std::int32_t, 2> const places({1, 4}, {0, 1, 2, 0});
  expect<2>(ndx::scatter_elements(ndx::simd, input, places, updates, {.reduction = ndx::reduction::add}), {3, 4},
            {50, 1, 2, 56, 4, 56, 6, 7, 8, 9, 62, 11});
}

TEST_CASE("Slices and flips return their results") {
  matrix const input = numbers();
  expect<2>(ndx::slice1(ndx::simd, input, {.offsets = {1, 0}, .sizes = {2, 4}, .strides = {1, -3}}), {2, 2},
            {7, 4, 11, 8});
  expect<2>(ndx::slice(ndx::simd, input, {.starts = {-1}, .ends = {std::nullopt, 2}}), {1, 2}, {8, 9});
  expect<2>(ndx::slice(ndx::simd, input, {.starts = {5}}), {0, 4}, {});
  expect<2>(ndx::flip(ndx::simd, input, {.axes = {0}}), {3, 4}, {8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3});
  CHECK(test::message_of<ndx::shape_error>([&] {
          static_cast<void>(ndx::slice1(ndx::simd, input, {.sizes = {4, 4}}));
        }) == "slice1: offsets[0] is 0 and sizes[0] is 4; due is a window within the input's extent 3 (dimension 0)");
  ndx::tensor_view<int const, 2> const wrong(input.data(), {-1, 4});
  CHECK(test::message_of<ndx::shape_error>([&] {
          static_cast<void>(ndx::flip(ndx::simd, wrong));
        }).starts_with("flip: input: extents"));
}

TEST_CASE("A result takes one allocation") {
  matrix const input = numbers();
  ndx::tensor<std::int32_t, 1> const rows({2}, {2, -1});
  ndx::tensor<std::int64_t, 2> const tuples({2, 1}, {2, 0});
  std::size_t const before = test::allocation_count();
  auto const taken = ndx::take(ndx::simd, input, rows);
  auto const gathered = ndx::gather_nd.to<2>(ndx::simd, input, tuples);
  auto const flipped = ndx::flip(ndx::simd, input);
  CHECK(test::allocation_count() - before == 3);
}

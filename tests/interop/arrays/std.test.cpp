// SPDX-License-Identifier: MIT
#include <ndx/interop/std.hpp>

#include "operators.hpp"

#include <array>
#include <complex>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

using namespace test;
using ndx::tensor_view;

namespace {

template <class T>
using view_of_lvalue = ndx::view_of<T&>;

static_assert(std::is_same_v<view_of_lvalue<std::vector<float>>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::vector<float> const>, tensor_view<float const, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<float, 3>>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<float, 3> const>, tensor_view<float const, 1>>);
static_assert(std::is_same_v<view_of_lvalue<float[3]>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<float const[3]>, tensor_view<float const, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float>>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float> const>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float, 3> const>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float const>>, tensor_view<float const, 1>>);

static_assert(std::is_same_v<view_of_lvalue<float[2][3]>, tensor_view<float, 2>>);
static_assert(std::is_same_v<view_of_lvalue<float const[2][3][4]>, tensor_view<float const, 3>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<std::array<float, 3>, 2>>, tensor_view<float, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<std::array<float, 3>, 2> const>, tensor_view<float const, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<float[3], 2> const>, tensor_view<float const, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::array<float, 3> const[2]>, tensor_view<float const, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::vector<std::array<float, 3>>>, tensor_view<float, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::vector<std::array<float, 3>> const>, tensor_view<float const, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float[3]> const>, tensor_view<float, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<float const[3], 2>>, tensor_view<float const, 2>>);
static_assert(std::is_same_v<view_of_lvalue<std::span<std::array<float, 3> const>>, tensor_view<float const, 2>>);
static_assert(
    std::is_same_v<view_of_lvalue<std::vector<std::array<std::array<int[4], 3>, 2>> const>, tensor_view<int const, 4>>);

static_assert(ndx::tensor_like<std::vector<std::complex<float>>>);
static_assert(ndx::writable_tensor<std::span<float>>);
static_assert(ndx::index_tensor<std::vector<std::array<std::int64_t, 2>> const&>);
static_assert(!ndx::writable_tensor<std::vector<float> const&>);
static_assert(!ndx::writable_tensor<std::span<float const>>);
static_assert(!ndx::tensor_like<std::vector<bool>>);
static_assert(!ndx::tensor_like<std::vector<std::vector<float>>>);
static_assert(!ndx::tensor_like<std::vector<std::string>>);
static_assert(!ndx::tensor_like<std::array<std::unique_ptr<int>, 2>>);
static_assert(!ndx::tensor_like<float*>);

// Rank 1 in constant expressions.

constexpr bool gathers_at_compile_time() {
  std::array<int, 5> const input{10, 11, 12, 13, 14};
  std::int32_t const last_but_one[1]{-2};
  int output[1]{};
  ndx::gather_nd(ndx::seq, input, last_but_one, output);
  return output[0] == 13;
}
static_assert(gathers_at_compile_time());

constexpr std::array<int, 6> histogram(std::span<std::int32_t const> values) {
  std::array<int, 6> result{};
  std::array<int, 8> const ones{1, 1, 1, 1, 1, 1, 1, 1};
  ndx::scatter_elements(ndx::seq, result, values, std::span(ones).first(values.size()), result,
                        {.reduction = ndx::reduction::add});
  return result;
}
constexpr std::int32_t dice[]{1, 5, 5, 0, 5};
static_assert(histogram(dice) == std::array<int, 6>{1, 1, 0, 0, 0, 3});

constexpr bool slices_at_compile_time() {
  int const input[]{0, 1, 2, 3, 4, 5};
  std::array<int, 3> output{};
  ndx::slice1(ndx::seq, input, output, {.offsets = {0}, .sizes = {6}, .strides = {-2}});
  return output == std::array<int, 3>{5, 3, 1};
}
static_assert(slices_at_compile_time());

// What the tensors of this file are made of, with an element reached as usual.

template <class Storage, class T, int Rows, int Columns>
struct nested : matrix_kind<T, Rows, Columns> {
  Storage elements{};

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i, int j) { return elements[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
  T at(int i, int j) const { return elements[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; }
};

// By names of their own: clang-format mangles a base class that has brackets among its arguments.
template <class T, int Size>
using c_array_of = T[Size];
template <class T, int Rows, int Columns>
using c_rows = c_array_of<c_array_of<T, Columns>, Rows>;

template <class T, int Rows, int Columns>
struct array_of_arrays : nested<std::array<std::array<T, Columns>, Rows>, T, Rows, Columns> {};

template <class T, int Rows, int Columns>
struct c_array_of_c_arrays : nested<c_rows<T, Rows, Columns>, T, Rows, Columns> {};

template <class T, int Rows, int Columns>
struct c_array_of_arrays : nested<c_array_of<std::array<T, Columns>, Rows>, T, Rows, Columns> {};

template <class T, int Rows, int Columns>
struct vector_of_arrays : nested<std::vector<std::array<T, Columns>>, T, Rows, Columns> {
  vector_of_arrays() { this->elements.resize(Rows); }
};

/// A temporary as an output: what is written are its elements.
template <class T, int Rows, int Columns>
struct span_of_c_arrays : nested<c_rows<T, Rows, Columns>, T, Rows, Columns> {
  auto tensor() { return std::span<c_array_of<T, Columns>>(this->elements); }
  auto tensor() const { return std::span<c_array_of<T const, Columns>, Rows>(this->elements); }
};

template <class Storage, class T>
struct flat {
  Storage elements{};

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i) { return elements[static_cast<std::size_t>(i)]; }
  T at(int i) const { return elements[static_cast<std::size_t>(i)]; }
};

template <class T, int Size>
struct array : flat<std::array<T, Size>, T> {};

template <class T, int Size>
struct c_array : flat<c_array_of<T, Size>, T> {};

template <class T, int Size>
struct vector : flat<std::vector<T>, T> {
  vector() { this->elements.resize(Size); }
};

template <class T, int Size>
struct span : vector<T, Size> {
  std::span<T> tensor() { return this->elements; }
  std::span<T const> tensor() const { return this->elements; }
};

}  // namespace

TEST_CASE("std: operators take arrays of arrays, as std::array and as C arrays") {
  check_operators_on_matrices<array_of_arrays>();
  check_operators_on_matrices<c_array_of_c_arrays>();
  check_operators_on_matrices<c_array_of_arrays>();
}

TEST_CASE("std: operators take vectors and spans of arrays") {
  check_operators_on_matrices<vector_of_arrays>();
  check_operators_on_matrices<span_of_c_arrays>();
}

TEST_CASE("std: operators take vectors, spans, arrays and C arrays of elements") {
  check_operators_on_vectors<vector>();
  check_operators_on_vectors<span>();
  check_operators_on_vectors<array>();
  check_operators_on_vectors<c_array>();
}

TEST_CASE("std: extents and strides are those of the arrays, outermost first") {
  std::vector<std::array<std::array<int[2], 3>, 4>> const nested(5);
  auto const view = ndx::view(nested);
  CHECK(view.extents() == std::array<ndx::index_t, 4>{5, 4, 3, 2});
  CHECK(view.strides() == std::array<ndx::index_t, 4>{24, 6, 2, 1});
  CHECK(&view(4, 3, 2, 1) == &nested[4][3][2][1]);
}

TEST_CASE("std: containers without elements are tensors without elements") {
  std::vector<std::array<float, 3>> table(4);
  std::vector<std::array<std::int32_t, 1>> const no_indices;
  std::vector<std::array<float, 3>> gathered;
  ndx::gather_nd(ndx::simd, table, no_indices, gathered);
  CHECK(ndx::view(gathered).extents() == std::array<ndx::index_t, 2>{0, 3});
  std::array<std::array<float, 0>, 4> rows_of_nothing{};
  CHECK(ndx::view(rows_of_nothing).extents() == std::array<ndx::index_t, 2>{4, 0});
  std::array<float, 0> nothing{};
  CHECK(ndx::view(nothing).extents() == std::array<ndx::index_t, 1>{0});
}

TEST_CASE("std: a temporary vector may be an input") {
  std::vector<int> output(2);
  ndx::gather_nd(ndx::simd, std::vector<int>{5, 6, 7}, std::vector<std::array<std::int64_t, 1>>{{2}, {0}}, output);
  CHECK(output == std::vector<int>{7, 5});
}

TEST_CASE("std: a vector that is too short is an error that names the extents") {
  std::vector<int> const input{5, 6, 7};
  std::vector<std::array<std::int32_t, 1>> const indices{{2}, {0}};
  std::vector<int> output(3);
  CHECK_THROWS_AS(ndx::gather_nd(ndx::seq, input, indices, output), ndx::shape_error);
}

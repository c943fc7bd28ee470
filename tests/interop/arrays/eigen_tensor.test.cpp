// SPDX-License-Identifier: MIT
#include <ndx/interop/eigen.hpp>

#include "operators.hpp"

#include <array>
#include <type_traits>

using namespace test;
using ndx::index_t;
using ndx::tensor_view;

namespace {

template <class T>
using view_of_lvalue = ndx::view_of<T&>;

static_assert(std::is_same_v<view_of_lvalue<Eigen::Tensor<float, 3>>, tensor_view<float, 3>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::Tensor<float, 3> const>, tensor_view<float const, 3>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::Tensor<int, 0, Eigen::RowMajor>>, tensor_view<int, 0>>);
static_assert(
    std::is_same_v<view_of_lvalue<Eigen::TensorFixedSize<double, Eigen::Sizes<2, 3>>>, tensor_view<double, 2>>);
static_assert(
    std::is_same_v<view_of_lvalue<Eigen::TensorFixedSize<double, Eigen::Sizes<>> const>, tensor_view<double const, 0>>);

// A map gives the elements of its tensor, which it does not own: they are as const as that, not as the map.
using map_of_tensor = Eigen::TensorMap<Eigen::Tensor<float, 2>>;
using map_of_constant = Eigen::TensorMap<Eigen::Tensor<float, 2> const>;
static_assert(std::is_assignable_v<decltype(std::declval<map_of_tensor const&>()(0, 0)), float>);
static_assert(ndx::writable_tensor<map_of_tensor>);
static_assert(ndx::writable_tensor<map_of_tensor const&>);
static_assert(ndx::tensor_like<map_of_constant>);
static_assert(!ndx::writable_tensor<map_of_constant>);
static_assert(!ndx::writable_tensor<Eigen::TensorMap<Eigen::Tensor<float const, 2>>>);

static_assert(!ndx::tensor_like<Eigen::TensorRef<Eigen::Tensor<float, 2>>>);
static_assert(!ndx::tensor_like<decltype(Eigen::Tensor<float, 2>() + Eigen::Tensor<float, 2>())>);
static_assert(!ndx::tensor_like<decltype(std::declval<Eigen::Tensor<float, 2>&>().chip(0, 0))>);

template <class Tensor, class T, int Rows, int Columns>
struct owning : matrix_kind<T, Rows, Columns> {
  Tensor elements;

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i, int j) { return elements(i, j); }
  T at(int i, int j) const { return elements(i, j); }
};

template <class T, int Rows, int Columns>
struct column_major : owning<Eigen::Tensor<T, 2>, T, Rows, Columns> {
  column_major() { this->elements.resize(Rows, Columns); }
};

template <class T, int Rows, int Columns>
struct row_major : owning<Eigen::Tensor<T, 2, Eigen::RowMajor>, T, Rows, Columns> {
  row_major() { this->elements.resize(Rows, Columns); }
};

template <class T, int Rows, int Columns>
struct fixed_size : owning<Eigen::TensorFixedSize<T, Eigen::Sizes<Rows, Columns>>, T, Rows, Columns> {};

/// Passed as a temporary: what is written are the elements.
template <class T, int Rows, int Columns>
struct map : matrix_kind<T, Rows, Columns> {
  std::array<T, static_cast<std::size_t>(Rows* Columns)> elements{};

  auto tensor() { return Eigen::TensorMap<Eigen::Tensor<T, 2>>(elements.data(), Rows, Columns); }
  auto tensor() const { return Eigen::TensorMap<Eigen::Tensor<T, 2> const>(elements.data(), Rows, Columns); }
  T& at(int i, int j) { return tensor()(i, j); }
  T at(int i, int j) const { return tensor()(i, j); }
};

template <class Tensor>
void check_places(Tensor& tensor) {
  auto const view = ndx::view(tensor);
  REQUIRE(view.extents() == std::array<index_t, 4>{2, 3, 4, 5});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 5; ++l) CHECK(&view(i, j, k, l) == &tensor(i, j, k, l));
}

}  // namespace

TEST_CASE("Eigen: operators take tensors, column-major and row-major") {
  check_operators_on_matrices<column_major>();
  check_operators_on_matrices<row_major>();
}

TEST_CASE("Eigen: operators take tensors of fixed size and maps") {
  check_operators_on_matrices<fixed_size>();
  check_operators_on_matrices<map>();
}

TEST_CASE("Eigen: a view has the elements of its tensor where these are") {
  Eigen::Tensor<float, 4> left(2, 3, 4, 5);
  Eigen::Tensor<float, 4, Eigen::RowMajor> right(2, 3, 4, 5);
  Eigen::TensorFixedSize<float, Eigen::Sizes<2, 3, 4, 5>, Eigen::RowMajor> fixed;
  Eigen::TensorMap<Eigen::Tensor<float, 4, Eigen::RowMajor> const, Eigen::Aligned> const map(right.data(), 2, 3, 4, 5);
  check_places(left);
  check_places(std::as_const(left));
  check_places(right);
  check_places(fixed);
  check_places(map);
  CHECK(ndx::view(left).strides() == std::array<index_t, 4>{1, 2, 6, 24});
  CHECK(ndx::view(right).strides() == std::array<index_t, 4>{60, 20, 5, 1});
}

TEST_CASE("Eigen: a tensor of rank 0 is one element") {
  Eigen::Tensor<float, 1> values(3);
  values.setValues({5, 6, 8});
  Eigen::TensorFixedSize<std::int64_t, Eigen::Sizes<1>> last;
  last(0) = -1;
  Eigen::Tensor<float, 0> element;
  ndx::gather_nd(ndx::simd, values, last, element);
  CHECK(element() == 8);
}

TEST_CASE("Eigen: slices and gathers of rank 3 are what Eigen's own make of it") {
  Eigen::Tensor<float, 3> batch(4, 6, 5);
  batch.setRandom();
  Eigen::Tensor<float, 3> window(2, 3, 5);
  ndx::slice1(ndx::par_simd, batch, window, {.offsets = {1, 0, 0}, .sizes = {2, 6, 5}, .strides = {1, 2, -1}});
  using places = Eigen::array<Eigen::Index, 3>;
  Eigen::Tensor<float, 3> const due = batch.stridedSlice(places{1, 0, 0}, places{3, 6, 5}, places{1, 2, 1})
                                          .reverse(Eigen::array<bool, 3>{false, false, true});
  Eigen::Tensor<float, 0> const difference = (window - due).abs().maximum();
  CHECK(difference() == 0);

  Eigen::Tensor<std::int32_t, 2> chosen(3, 1);
  chosen.setValues({{3}, {0}, {-1}});
  Eigen::Tensor<float, 3, Eigen::RowMajor> gathered(3, 6, 5);
  ndx::gather_nd(ndx::simd, batch, chosen, gathered);
  for (int n = 0; n < 3; ++n) {
    Eigen::Tensor<float, 2> const item = batch.chip(n == 1 ? 0 : 3, 0);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 5; ++j) CHECK(gathered(n, i, j) == item(i, j));
  }
}

// SPDX-License-Identifier: MIT
#include <ndx/interop/eigen_core.hpp>

#include "operators.hpp"

#include <array>
#include <type_traits>

using namespace test;
using ndx::index_t;
using ndx::tensor_view;

namespace {

using Eigen::Dynamic;
using row_major_matrix = Eigen::Matrix<float, Dynamic, Dynamic, Eigen::RowMajor>;
using strides = Eigen::Stride<Dynamic, Dynamic>;

template <class T>
using view_of_lvalue = ndx::view_of<T&>;

// Rank: 1 for what is a vector by its type, else 2.
static_assert(std::is_same_v<view_of_lvalue<Eigen::MatrixXf>, tensor_view<float, 2>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::Matrix<int, 2, 3, Eigen::RowMajor>>, tensor_view<int, 2>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::ArrayXXd>, tensor_view<double, 2>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::VectorXf>, tensor_view<float, 1>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::RowVector3d>, tensor_view<double, 1>>);
static_assert(std::is_same_v<view_of_lvalue<Eigen::Array<float, 1, 1>>, tensor_view<float, 1>>);
static_assert(std::is_same_v<ndx::view_of<decltype(Eigen::MatrixXf().row(0))>, tensor_view<float, 1>>);

// What may be written is what Eigen lets one write.
static_assert(std::is_same_v<view_of_lvalue<Eigen::MatrixXf const>, tensor_view<float const, 2>>);
static_assert(ndx::writable_tensor<Eigen::Map<Eigen::MatrixXf>>);
static_assert(!ndx::writable_tensor<Eigen::Map<Eigen::MatrixXf> const&>);
static_assert(!ndx::writable_tensor<Eigen::Map<Eigen::MatrixXf const>>);
static_assert(ndx::tensor_like<Eigen::Map<Eigen::MatrixXf const>>);
static_assert(ndx::writable_tensor<Eigen::Ref<Eigen::VectorXf>&>);
static_assert(!ndx::writable_tensor<Eigen::Ref<Eigen::VectorXf const>&>);
static_assert(ndx::writable_tensor<decltype(std::declval<Eigen::MatrixXf&>().col(0))>);
static_assert(!ndx::writable_tensor<decltype(std::declval<Eigen::MatrixXf const&>().col(0))>);
static_assert(!ndx::writable_tensor<decltype(std::declval<Eigen::MatrixXf const&>().transpose())>);

// Expressions have no elements in memory.
template <class X>
constexpr bool no_tensor(X const&) {
  return !ndx::tensor_like<X> && !ndx::tensor_like<X const&>;
}
static_assert(ndx::index_tensor<Eigen::MatrixXi&>);
static_assert(!ndx::index_tensor<Eigen::MatrixXf&>);

template <class T, int Rows, int Columns>
struct column_major : matrix_kind<T, Rows, Columns> {
  Eigen::Matrix<T, Dynamic, Dynamic> elements{Rows, Columns};

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i, int j) { return elements(i, j); }
  T at(int i, int j) const { return elements(i, j); }
};

template <class T, int Rows, int Columns>
struct row_major : matrix_kind<T, Rows, Columns> {
  Eigen::Array<T, Dynamic, Dynamic, Eigen::RowMajor> elements{Rows, Columns};

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i, int j) { return elements(i, j); }
  T at(int i, int j) const { return elements(i, j); }
};

/// A vector, and so of rank 1, where it has one row.
template <class T, int Rows, int Columns>
struct fixed_size : matrix_kind<T, Rows, Columns> {
  Eigen::Matrix<T, Rows, Columns> elements;

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i, int j) { return elements(i, j); }
  T at(int i, int j) const { return elements(i, j); }
};

/// Every other element of columns that are longer than that; passed as a temporary.
template <class T, int Rows, int Columns>
struct map : matrix_kind<T, Rows, Columns> {
  using matrix = Eigen::Matrix<T, Dynamic, Dynamic>;
  std::array<T, static_cast<std::size_t>(Columns*(2 * Rows + 3))> elements{};

  auto tensor() { return Eigen::Map<matrix, 0, strides>(elements.data(), Rows, Columns, strides(2 * Rows + 3, 2)); }
  auto tensor() const {
    return Eigen::Map<matrix const, 0, strides>(elements.data(), Rows, Columns, strides(2 * Rows + 3, 2));
  }
  T& at(int i, int j) { return elements[static_cast<std::size_t>(j * (2 * Rows + 3) + 2 * i)]; }
  T at(int i, int j) const { return tensor()(i, j); }
};

/// The transpose of a block in the middle of a matrix, and a Ref to that.
template <class T, int Rows, int Columns>
struct block : matrix_kind<T, Rows, Columns> {
  using matrix = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;
  Eigen::Matrix<T, Dynamic, Dynamic> elements{Columns + 3, Rows + 2};

  auto tensor() { return elements.block(1, 1, Columns, Rows).transpose(); }
  Eigen::Ref<matrix const, 0, Eigen::OuterStride<>> tensor() const {
    return elements.block(1, 1, Columns, Rows).transpose();
  }
  T& at(int i, int j) { return elements(j + 1, i + 1); }
  T at(int i, int j) const { return elements(j + 1, i + 1); }
};

template <class T, int Size>
struct vector {
  Eigen::Matrix<T, Dynamic, 1> elements{Size};

  auto& tensor() { return elements; }
  auto& tensor() const { return elements; }
  T& at(int i) { return elements(i); }
  T at(int i) const { return elements(i); }
};

/// A row of a column-major matrix: its elements do not lie side by side.
template <class T, int Size>
struct row {
  Eigen::Array<T, 3, Size> elements;

  auto tensor() { return elements.row(1); }
  auto tensor() const { return elements.row(1); }
  T& at(int i) { return elements(1, i); }
  T at(int i) const { return elements(1, i); }
};

template <class Matrix>
void check_places(Matrix&& matrix) {
  auto const view = ndx::view(matrix);
  REQUIRE(view.extents() == std::array<index_t, 2>{matrix.rows(), matrix.cols()});
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) CHECK(&view(i, j) == &matrix.coeffRef(i, j));
}

/// As functions of Eigen's take what they take.
template <class Derived>
void check_places_of_base(Eigen::DenseBase<Derived>& base) {
  auto const view = ndx::view(base);
  CHECK(&view(1, 0) == &base.derived()(1, 0));
  Eigen::MatrixBase<Derived> const& constant = base.derived();
  static_assert(std::is_same_v<decltype(ndx::view(constant)), tensor_view<float const, 2>>);
  CHECK(&ndx::view(constant)(1, 0) == &base.derived()(1, 0));
}

template <class Vector>
void check_vector_places(Vector&& vector) {
  auto const view = ndx::view(vector);
  REQUIRE(view.extents() == std::array<index_t, 1>{vector.size()});
  for (Eigen::Index i = 0; i < vector.size(); ++i) CHECK(&view(i) == &vector.coeffRef(i));
}

}  // namespace

TEST_CASE("Eigen: operators take matrices and arrays, column-major, row-major and of fixed size") {
  check_operators_on_matrices<column_major>();
  check_operators_on_matrices<row_major>();
  check_operators_on_matrices<fixed_size>();
}

TEST_CASE("Eigen: operators take maps with inner and outer strides, blocks, transposes and refs") {
  check_operators_on_matrices<map>();
  check_operators_on_matrices<block>();
}

TEST_CASE("Eigen: operators take vectors, and rows of matrices") {
  check_operators_on_vectors<vector>();
  check_operators_on_vectors<row>();
}

TEST_CASE("Eigen: a view has the elements of its matrix where these are") {
  Eigen::MatrixXf matrix(5, 7);
  row_major_matrix other(5, 7);
  float* const data = matrix.data();
  check_places(matrix);
  check_places(std::as_const(matrix));
  check_places(other);
  check_places(matrix.transpose());
  check_places(matrix.block(1, 2, 3, 4));
  check_places(other.block<2, 2>(1, 1).transpose());
  check_places(matrix.topRows(2).array());
  check_places(matrix.reshaped(7, 5));
  check_places(Eigen::Map<row_major_matrix, 0, Eigen::OuterStride<>>(data, 4, 3, Eigen::OuterStride<>(8)));
  check_places(Eigen::Map<Eigen::MatrixXf, 0, strides>(data, 3, 2, strides(1, 4)));
  check_places(Eigen::Ref<Eigen::MatrixXf>(matrix.leftCols(3)));
  check_vector_places(matrix.row(3));
  check_vector_places(matrix.col(3).segment(1, 2));
  check_vector_places(matrix.diagonal(1));
  check_vector_places(other.row(2).tail<3>());
  check_vector_places(Eigen::Map<Eigen::VectorXf, 0, Eigen::InnerStride<3>>(data, 5));
  check_places_of_base(matrix);
  auto middle = other.block(1, 2, 3, 4);
  check_places_of_base(middle);
  Eigen::MatrixXcf complex(2, 3);
  CHECK(&ndx::view(complex.imag())(1, 2) == reinterpret_cast<float*>(&complex(1, 2)) + 1);
}

TEST_CASE("Eigen: expressions without memory of their own are no tensors") {
  Eigen::MatrixXf const m = Eigen::MatrixXf::Ones(3, 3);
  CHECK(no_tensor(m + m));
  CHECK(no_tensor(m * m));
  CHECK(no_tensor(m.cast<double>()));
  CHECK(no_tensor(Eigen::MatrixXf::Zero(2, 2)));
  CHECK(no_tensor(m.colwise().reverse()));
  CHECK(no_tensor((m + m).transpose()));
  CHECK(no_tensor((m + m).col(0)));
  CHECK(no_tensor(static_cast<Eigen::MatrixBase<std::remove_const_t<decltype(m + m)>> const&>(m + m)));
  CHECK(no_tensor(m.triangularView<Eigen::Lower>()));
  CHECK(!no_tensor((m + m).eval()));
}

TEST_CASE("Eigen: a Ref to an expression is a tensor of what it was evaluated to") {
  Eigen::MatrixXf const m = Eigen::MatrixXf::Random(3, 2);
  Eigen::Ref<Eigen::MatrixXf const> const sum(m + m);
  Eigen::MatrixXf taken(2, 2);
  ndx::slice1(ndx::simd, sum, taken, {.offsets = {1, 0}, .sizes = {2, 2}});
  CHECK(taken == (m + m).bottomRows(2));
}

TEST_CASE("Eigen: matrices without elements are tensors without elements") {
  Eigen::MatrixXf const table = Eigen::MatrixXf::Ones(4, 3);
  Eigen::MatrixXf none(0, 3);
  ndx::gather_nd(ndx::simd, table, Eigen::MatrixXi(0, 1), none);
  CHECK(ndx::view(none).extents() == std::array<index_t, 2>{0, 3});
  CHECK(ndx::view(Eigen::VectorXd()).extents() == std::array<index_t, 1>{0});
}

TEST_CASE("Eigen: a block that is output leaves the rest of its matrix alone") {
  Eigen::MatrixXf const table = Eigen::MatrixXf::Random(6, 2);
  Eigen::MatrixXi ids(2, 1);
  ids << 5, 1;
  Eigen::MatrixXf matrix = Eigen::MatrixXf::Zero(4, 4);
  ndx::gather_nd(ndx::simd, table, ids, matrix.block(1, 1, 2, 2));
  Eigen::MatrixXf due = Eigen::MatrixXf::Zero(4, 4);
  due.block(1, 1, 2, 2) << table.row(5), table.row(1);
  CHECK(matrix == due);
}

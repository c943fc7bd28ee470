// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_BASELINES_EIGEN_HPP
#define NDX_BENCH_BASELINES_EIGEN_HPP

#include <Eigen/Core>
#include <unsupported/Eigen/CXX11/Tensor>

#include <array>
#include <cstdint>

/// Eigen 3.4: indexed views for rows and elements, Tensor for slices. It checks no index in an optimized program
/// without assertions.
namespace ndx_bench::eigen {

template <class T>
using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Index>
using index_map = Eigen::Map<Eigen::Array<Index, Eigen::Dynamic, 1> const>;
template <class T>
using tensor = Eigen::Tensor<T, 4, Eigen::RowMajor>;

template <class T, class Index>
void gather_rows(T const* input, std::int64_t rows, std::int64_t width, Index const* indices, std::int64_t count,
                 T* output) {
  Eigen::Map<matrix<T> const> const from(input, rows, width);
  Eigen::Map<matrix<T>>(output, count, width).noalias() = from(index_map<Index>(indices, count), Eigen::all);
}

template <class T, class Index>
void scatter_rows(T* output, std::int64_t rows, std::int64_t width, Index const* indices, std::int64_t count,
                  T const* updates) {
  Eigen::Map<matrix<T>> to(output, rows, width);
  to(index_map<Index>(indices, count), Eigen::all) = Eigen::Map<matrix<T> const>(updates, count, width);
}

/// The matrix as one array, and in it the places that tuples lead to.
template <class Index>
Eigen::Array<Eigen::Index, Eigen::Dynamic, 1> places(Index const* tuples, std::int64_t count, std::int64_t columns) {
  using strided = Eigen::Map<Eigen::Array<Index, Eigen::Dynamic, 1> const, 0, Eigen::InnerStride<2>>;
  return strided(tuples, count).template cast<Eigen::Index>() * columns +
         strided(tuples + 1, count).template cast<Eigen::Index>();
}

template <class T, class Index>
void gather_elements(T const* input, std::int64_t rows, std::int64_t columns, Index const* tuples, std::int64_t count,
                     T* output) {
  using array = Eigen::Array<T, Eigen::Dynamic, 1>;
  Eigen::Map<array const> const from(input, rows * columns);
  Eigen::Map<array>(output, count) = from(places(tuples, count, columns));
}

template <class T, class Index>
void scatter_elements(T* output, std::int64_t rows, std::int64_t columns, Index const* tuples, std::int64_t count,
                      T const* updates) {
  using array = Eigen::Array<T, Eigen::Dynamic, 1>;
  Eigen::Map<array> to(output, rows * columns);
  to(places(tuples, count, columns)) = Eigen::Map<array const>(updates, count);
}

/// Each row of a matrix read backwards.
template <class T>
void flip(T const* input, std::int64_t rows, std::int64_t width, T* output) {
  Eigen::Map<matrix<T>>(output, rows, width).noalias() =
      Eigen::Map<matrix<T> const>(input, rows, width).rowwise().reverse();
}

/// Extents, the first element, the number of elements covered from there, and the step between them.
template <class T>
struct box {
  Eigen::array<Eigen::Index, 4> extents, offsets, sizes, strides;
  Eigen::array<bool, 4> reversed;
};

template <class T>
void slice(T const* input, box<T> const& b, T* output, std::array<std::int64_t, 4> extents) {
  Eigen::TensorMap<tensor<T const>> const from(input, b.extents);
  Eigen::TensorMap<tensor<T>> to(output, extents[0], extents[1], extents[2], extents[3]);
  bool const reversed = b.reversed[0] || b.reversed[1] || b.reversed[2] || b.reversed[3];
  bool const strided = b.strides[0] * b.strides[1] * b.strides[2] * b.strides[3] != 1;
  if (reversed && strided) to = from.slice(b.offsets, b.sizes).reverse(b.reversed).stride(b.strides);
  else if (reversed) to = from.slice(b.offsets, b.sizes).reverse(b.reversed);
  else if (strided) to = from.slice(b.offsets, b.sizes).stride(b.strides);
  else to = from.slice(b.offsets, b.sizes);
}

}  // namespace ndx_bench::eigen

#endif

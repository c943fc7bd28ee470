// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_EIGEN_CORE_HPP
#define NDX_INTEROP_EIGEN_CORE_HPP

#include <ndx/concepts.hpp>
#include <ndx/float16.hpp>

#include <Eigen/Core>

#include <concepts>
#include <type_traits>

/// Matrices and arrays of Eigen as tensors, for every argument of an operator: `Matrix`, `Array`, `Map`, `Ref`, and
/// what Eigen makes of them without a copy (blocks, rows, columns, segments, transposes, diagonals, reshaped ones), and
/// where a function template knows them as `MatrixBase<Derived>` or the like.
///
/// A type that is a vector at compile time (`VectorXf`, `RowVector3i`, `ArrayXd`, `m.row(0)`) has rank 1, every other
/// one rank 2: `MatrixXf(n, 1)` has two extents. Nothing is copied: column-major and row-major storage, inner and outer
/// strides are strides of the view.
///
/// What may be written is what Eigen lets one write: a `Map<MatrixXf const>` and a `Ref<MatrixXf const>` are no
/// outputs, nor is a `Map` or a block that is const itself. A temporary one is: `m.row(0)`. An expression that has to
/// be computed first (`a + b`) is no tensor: `eval()` makes one of it.
namespace ndx {

/// IEEE 754 binary16, the bits of `ndx::float16`.
template <>
struct reduced_as<Eigen::half> : std::type_identity<float16> {};
/// The upper half of a float, the bits of `ndx::bfloat16`.
template <>
struct reduced_as<Eigen::bfloat16> : std::type_identity<bfloat16> {};

namespace detail {

template <class Derived>
void takes_eigen_dense(Eigen::DenseBase<Derived> const&);

/// What has coefficients in memory at distances that it tells: Eigen calls that direct access.
template <class X>
concept eigen_matrix = requires(X& x) {
  detail::takes_eigen_dense(x);
  requires(X::Flags & Eigen::DirectAccessBit) != 0;
  { x.derived().data() } -> std::convertible_to<typename X::Scalar const*>;
};

}  // namespace detail

template <detail::eigen_matrix X>
  requires(!std::is_const_v<X>)
struct tensor_traits<X> {
  static auto view(X& x) noexcept { return as_stored(x.derived()); }
  static auto view(X const& x) noexcept { return as_stored(x.derived()); }

private:
  /// `data()` points to const elements wherever Eigen does not let them be written.
  template <class Y>
  static auto as_stored(Y& x) noexcept {
    using element = std::remove_pointer_t<decltype(x.data())>;
    if constexpr (X::IsVectorAtCompileTime) return tensor_view<element, 1>(x.data(), {x.size()}, {x.innerStride()});
    else return tensor_view<element, 2>(x.data(), {x.rows(), x.cols()}, {x.rowStride(), x.colStride()});
  }
};

}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_EIGEN_TENSOR_HPP
#define NDX_INTEROP_EIGEN_TENSOR_HPP

#include <ndx/interop/eigen_core.hpp>

#include <unsupported/Eigen/CXX11/Tensor>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// `Eigen::Tensor`, `TensorFixedSize` and `TensorMap` as tensors, for every argument of an operator: rank 0 to 8,
/// column-major (Eigen's default) and row-major, which are strides of the view; nothing is copied. All else that Eigen
/// makes of tensors (`a + b`, `t.chip(0, 1)`, `t.slice(..)`) is an expression without memory of its own, and no tensor.
///
/// What may be written is what Eigen lets one write: no const `Tensor`, no `TensorMap<Tensor const>`; a `TensorMap`
/// of a Tensor that is not const may be, even if the map itself is const.
namespace ndx {

namespace detail {

template <class X>
inline constexpr bool is_eigen_tensor = false;
template <class T, int Rank, int Options, class Index>
inline constexpr bool is_eigen_tensor<Eigen::Tensor<T, Rank, Options, Index>> = true;
template <class T, class Sizes, int Options, class Index>
inline constexpr bool is_eigen_tensor<Eigen::TensorFixedSize<T, Sizes, Options, Index>> = true;
template <class Mapped, int Options, template <class> class MakePointer>
inline constexpr bool is_eigen_tensor<Eigen::TensorMap<Mapped, Options, MakePointer>> =
    std::is_pointer_v<typename Eigen::TensorMap<Mapped, Options, MakePointer>::StoragePointerType>;

}  // namespace detail

template <class X>
  requires detail::is_eigen_tensor<X>
struct tensor_traits<X> {
  static auto view(X& x) noexcept { return as_stored(x); }
  static auto view(X const& x) noexcept { return as_stored(x); }

private:
  template <class Y>
  static auto as_stored(Y& x) noexcept {
    constexpr auto rank = static_cast<std::size_t>(X::NumIndices);
    using view_type = tensor_view<std::remove_pointer_t<decltype(x.data())>, rank>;
    // The numbers of dimensions are signed for some of the types and unsigned for others: constants suit both.
    auto const extents = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return std::array<index_t, rank>{static_cast<index_t>(x.dimension(D))...};
    }
    (std::make_index_sequence<rank>());
    if constexpr (static_cast<int>(X::Layout) == static_cast<int>(Eigen::RowMajor)) return view_type(x.data(), extents);
    else return view_type(x.data(), extents, plan::column_major_strides(extents));
  }
};

}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_STD_HPP
#define NDX_INTEROP_STD_HPP

#include <ndx/concepts.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

/// Containers and arrays of the standard library as tensors, for every argument of an operator. `std::vector<T>`,
/// `std::span<T>`, `std::array<T, N>` and `T[N]` have rank 1. Where T is an array of either kind, its extents follow,
/// so `T[2][3]`, `std::array<std::array<T, 3>, 2>`, `std::vector<std::array<T, 3>>` and `std::span<T[3]>` have rank 2:
/// row-major, in one block.
///
/// The innermost elements must be trivially copyable and lie in that block: a vector of vectors is no tensor, nor is
/// `std::vector<bool>`. Vectors and arrays are as const as the object is; a span is as const as its elements. Those of
/// rank 1 work in constant expressions; arrays of arrays do not, because there a pointer cannot go from one inner array
/// to the next.
namespace ndx {

namespace detail {

/// What is in a T that is one element of an array: itself, or where T is an array too, what is in that one.
template <class T>
struct array_element {
  using element_type = T;
  static constexpr std::array<index_t, 0> extents{};
};

template <class T, std::size_t N>
struct array_of {
  using element_type = typename array_element<T>::element_type;
  static constexpr auto extents = [] {
    constexpr auto inner = array_element<T>::extents;
    std::array<index_t, inner.size() + 1> result{static_cast<index_t>(N)};
    for (std::size_t d = 0; d < inner.size(); ++d) result[d + 1] = inner[d];
    return result;
  }();
};

template <class T, std::size_t N>
struct array_element<T[N]> : array_of<T, N> {};
template <class T, std::size_t N>
struct array_element<std::array<T, N>> : array_of<T, N> {
  static_assert(N == 0 || sizeof(std::array<T, N>) == N * sizeof(T), "ndx: this std::array has padding");
};
template <class T, std::size_t N>
struct array_element<std::array<T, N> const> : array_of<T const, N> {};

/// What a container may hold for it to be a tensor. Of other elements it is none, rather than one that no operator
/// takes.
template <class T>
concept block_element = std::is_trivially_copyable_v<typename array_element<T>::element_type>;

/// `count` elements, or arrays of them, one after the other.
template <class T>
constexpr auto block(T* first, std::size_t count) noexcept {
  constexpr auto extents = array_of<T, 0>::extents;
  using element = typename array_element<T>::element_type;
  auto result = extents;
  result[0] = static_cast<index_t>(count);
  if constexpr (extents.size() == 1) return tensor_view<element, 1>(first, result);
  // From the address of the whole, as that of the first inner array leads nowhere else.
  else return tensor_view<element, extents.size()>(reinterpret_cast<element*>(first), result);
}

}  // namespace detail

template <detail::block_element T, class Allocator>
  requires(!std::same_as<T, bool>)
struct tensor_traits<std::vector<T, Allocator>> {
  static constexpr auto view(std::vector<T, Allocator>& x) noexcept { return detail::block(x.data(), x.size()); }
  static constexpr auto view(std::vector<T, Allocator> const& x) noexcept { return detail::block(x.data(), x.size()); }
};

template <detail::block_element T, std::size_t Extent>
struct tensor_traits<std::span<T, Extent>> {
  static constexpr auto view(std::span<T, Extent> x) noexcept { return detail::block(x.data(), x.size()); }
};

template <detail::block_element T, std::size_t N>
struct tensor_traits<std::array<T, N>> {
  static constexpr auto view(std::array<T, N>& x) noexcept { return detail::block(x.data(), N); }
  static constexpr auto view(std::array<T, N> const& x) noexcept { return detail::block(x.data(), N); }
};

template <detail::block_element T, std::size_t N>
  requires(!std::is_const_v<T>)
struct tensor_traits<T[N]> {
  static constexpr auto view(T (&x)[N]) noexcept { return detail::block(&x[0], N); }
  static constexpr auto view(T const (&x)[N]) noexcept { return detail::block(&x[0], N); }
};

}  // namespace ndx

#endif

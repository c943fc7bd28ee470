// SPDX-License-Identifier: MIT
#ifndef NDX_CONCEPTS_HPP
#define NDX_CONCEPTS_HPP

#include <ndx/tensor.hpp>
#include <ndx/tensor_view.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ndx {

/// The customization point that makes a type a tensor: `static constexpr auto view(X& x)` returns a `tensor_view` of
/// what `x` holds. `X` is const where the tensor is. Specialize it for a type without const; both forms then work.
template <class X>
struct tensor_traits;

namespace detail {

template <class X>
inline constexpr bool has_default_accessor = false;
template <template <class...> class Mdspan, class T, class Extents, class Layout, class Accessor>
inline constexpr bool has_default_accessor<Mdspan<T, Extents, Layout, Accessor>> = requires {
  requires std::same_as<Mdspan<T, Extents, Layout>, Mdspan<T, Extents, Layout, Accessor>>;
};

/// Are the elements those that `data_handle()` points to? An accessor may make others of them. Which accessor does not
/// is known without an include: the one that an mdspan has when none is named. Types without accessors are taken by
/// their word.
template <class X>
concept reads_in_place = !requires {
  typename X::accessor_type;
}
|| has_default_accessor<X>;

/// Has each dimension a stride? `stride` may be declared, and may not compile, where `is_always_strided()` is false.
template <class X>
concept always_strided = !requires {
  X::is_always_strided();
}
|| requires { requires X::is_always_strided(); };

/// std::mdspan, Kokkos::mdspan and all that have their shape, known without an include.
template <class X>
concept mdspan_like = requires(X const& x, std::size_t dimension) {
  typename X::element_type;
  typename X::extents_type;
  { X::rank() } -> std::convertible_to<std::size_t>;
  { x.extent(dimension) } -> std::convertible_to<index_t>;
  { x.stride(dimension) } -> std::convertible_to<index_t>;
  { x.data_handle() } -> std::convertible_to<typename X::element_type*>;
}
&&reads_in_place<X>&& always_strided<X>;

template <class View>
inline constexpr bool is_tensor_view = false;
template <class T, std::size_t Rank, class Handle>
inline constexpr bool is_tensor_view<tensor_view<T, Rank, Handle>> = true;

}  // namespace detail

template <class X>
  requires requires { sizeof(tensor_traits<X>); }
struct tensor_traits<X const> : tensor_traits<X> {};

template <class T, std::size_t Rank, class Handle>
struct tensor_traits<tensor_view<T, Rank, Handle>> {
  static constexpr tensor_view<T, Rank, Handle> view(tensor_view<T, Rank, Handle> const& x) noexcept { return x; }
};

template <class T, std::size_t Rank>
struct tensor_traits<tensor<T, Rank>> {
  static tensor_view<T, Rank> view(tensor<T, Rank>& x) noexcept { return x.view(); }
  static tensor_view<T const, Rank> view(tensor<T, Rank> const& x) noexcept { return x.view(); }
};

template <detail::mdspan_like X>
  requires(!std::is_const_v<X>)
struct tensor_traits<X> {
  static constexpr auto view(X const& x) {
    std::array<index_t, X::rank()> extents{};
    std::array<index_t, X::rank()> strides{};
    if constexpr (X::rank() > 0) {  // without dimensions the layouts of std::mdspan have no strides to ask for
      for (std::size_t d = 0; d < X::rank(); ++d) {
        // The mdspan names these types by a parameter of its own, which may be of any signedness.
        extents[d] = static_cast<index_t>(x.extent(static_cast<decltype(X::rank())>(d)));
        strides[d] = static_cast<index_t>(x.stride(static_cast<decltype(X::rank())>(d)));
      }
    }
    return tensor_view<typename X::element_type, X::rank()>(x.data_handle(), extents, strides);
  }
};

/// A type that `view` takes: `tensor_traits` is specialized for it and gives a `tensor_view`.
template <class X>
concept tensor_like = requires(std::remove_reference_t<X>& x) {
  requires detail::is_tensor_view<std::remove_cvref_t<decltype(tensor_traits<std::remove_reference_t<X>>::view(x))>>;
};

/// Anything tensor-like as a tensor_view.
template <tensor_like X>
[[nodiscard]] constexpr auto view(X&& x) {
  return tensor_traits<std::remove_reference_t<X>>::view(x);
}

/// The view that a tensor-like type becomes, and what it is a view of.
template <tensor_like X>
using view_of = decltype(ndx::view(std::declval<X>()));
template <tensor_like X>
using element_type_of = typename view_of<X>::element_type;
template <tensor_like X>
using value_type_of = typename view_of<X>::value_type;
template <class X>
inline constexpr std::size_t rank_of = 0;  // so that the options of slice1 do not fail before its constraints do
template <tensor_like X>
inline constexpr std::size_t rank_of<X> = view_of<X>::rank();

/// One of the four types of indices, which are read in place.
template <class I>
concept index_type = std::same_as<I, std::int32_t> || std::same_as<I, std::int64_t> || std::same_as<I, std::uint32_t> ||
    std::same_as<I, std::uint64_t>;

template <class X>
concept index_tensor = tensor_like<X> && index_type<value_type_of<X>>;

template <class X>
concept writable_tensor = tensor_like<X> && !std::is_const_v<element_type_of<X>>;

/// Operators move elements as they are: input, updates and output hold the same type.
template <class A, class B>
concept same_value_type = tensor_like<A> && tensor_like<B> && std::same_as<value_type_of<A>, value_type_of<B>>;

template <class X>
concept movable_elements = tensor_like<X> && std::is_trivially_copyable_v<value_type_of<X>>;

}  // namespace ndx

#endif

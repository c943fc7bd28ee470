// SPDX-License-Identifier: MIT
#ifndef NDX_HANDLE_HPP
#define NDX_HANDLE_HPP

#include <cstddef>
#include <type_traits>

/// What a tensor's elements are reached by: a pointer on the host, something like one on a device. A handle other than
/// a pointer is default constructible (null), copyable, has `operator+(index_t)` in elements, a member template
/// `rebind<U>` that names its like for elements `U`, and `place()`.
namespace ndx {

template <class Handle>
concept host_handle = std::is_pointer_v<Handle>;

namespace detail {

template <class Handle, class U>
struct rebound_handle {
  using type = typename Handle::template rebind<U>;
};
template <class T, class U>
struct rebound_handle<T*, U> {
  using type = U*;
};

}  // namespace detail

/// The handle of the same kind for elements of type `U`.
template <class Handle, class U>
using rebound = typename detail::rebound_handle<Handle, U>::type;

/// Where a handle leads: an address in a space. Addresses in different spaces have nothing in common.
struct place {
  void const* space = nullptr;    ///< null on the host, else what tells one device memory from another
  void const* address = nullptr;  ///< on a device a number of bytes in that space, as a pointer
};

template <class T>
constexpr place place_of(T* pointer) noexcept {
  return {nullptr, pointer};
}
template <class Handle>
  requires(!host_handle<Handle>)
place place_of(Handle const& handle)
noexcept { return handle.place(); }

}  // namespace ndx

#endif

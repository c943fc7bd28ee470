// SPDX-License-Identifier: MIT
#ifndef NDX_OPTIONS_HPP
#define NDX_OPTIONS_HPP

#include <ndx/tensor_view.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace ndx {

/// What becomes of an index outside `[-extent, extent)` (signed) or `[0, extent)` (unsigned).
enum class bounds : unsigned char {
  check,   ///< throws `index_error`; a scatter has written nothing then
  clamp,   ///< the nearest index of the axis, after negative ones were counted from the end
  wrap,    ///< modulo the extent
  ignore,  ///< a gather fills the slice with `fill`, a scatter skips the update
  trust    ///< there is none, the caller promises: nothing is checked, negative indices still count from the end
};

/// How an update meets the element it goes to: `output = input op update`.
enum class reduction : unsigned char {
  none,  ///< replaces it
  add,   ///< integers wrap; float16 and bfloat16 round after every update
  mul,   ///< as add
  min,   ///< IEEE 754-2019 minimum: a NaN gives a NaN, -0 is below +0
  max    ///< IEEE 754-2019 maximum
};

/// Which of several updates of one element wins.
enum class duplicates : unsigned char {
  any,  ///< one of them, whole; float `add` and `mul` in any order
  last  ///< the last in row-major order of the indices, and reductions in that order, on every policy
};

namespace detail {

/// T{}, or all bits zero for a type without a default constructor.
template <class T>
constexpr T default_fill() {
  if constexpr (std::is_default_constructible_v<T>) return T{};
  else return std::bit_cast<T>(std::array<std::byte, sizeof(T)>{});
}

}  // namespace detail

template <class T>
struct gather_nd_options {
  ndx::bounds bounds = ndx::bounds::check;
  T fill = detail::default_fill<T>();
};

template <class T>
struct gather_nd1_options {
  index_t batch_dims = 0;
  ndx::bounds bounds = ndx::bounds::check;
  T fill = detail::default_fill<T>();
};

template <class T>
struct gather_elements_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  T fill = detail::default_fill<T>();
};

template <class T>
struct take_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  T fill = detail::default_fill<T>();
};

struct scatter_nd_options {
  ndx::bounds bounds = ndx::bounds::check;
  ndx::reduction reduction = ndx::reduction::none;
  ndx::duplicates duplicates = ndx::duplicates::any;
};

struct scatter_elements_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  ndx::reduction reduction = ndx::reduction::none;
  ndx::duplicates duplicates = ndx::duplicates::any;
};

}  // namespace ndx

#endif

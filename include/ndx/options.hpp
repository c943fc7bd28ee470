// SPDX-License-Identifier: MIT
#ifndef NDX_OPTIONS_HPP
#define NDX_OPTIONS_HPP

#include <ndx/tensor_view.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <initializer_list>
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
  max,   ///< IEEE 754-2019 maximum
  sub,   ///< add of the update with its sign turned around
  mean   ///< add, then divided by how many numbers that were; integers round towards minus infinity
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

/// Some of the axes of a tensor; every one of them where no list is given.
class axis_list {
public:
  /// Every axis.
  constexpr axis_list() noexcept = default;
  constexpr axis_list(std::initializer_list<index_t> axes) : axis_list(axes.begin(), axes.size()) {}
  /// Of a std::vector, std::array or std::span of index_t.
  template <class List>
    requires requires(List const& list) {
      { std::data(list) } -> std::convertible_to<index_t const*>;
      { std::size(list) } -> std::convertible_to<std::size_t>;
    }
  constexpr axis_list(List const& axes) : axis_list(std::data(axes), std::size(axes)) {}

  [[nodiscard]] constexpr bool is_every_axis() const noexcept { return every_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr index_t const* begin() const noexcept { return axes_.data(); }

private:
  constexpr axis_list(index_t const* axes, std::size_t size) : every_(false), size_(size) {
    if (size > axes_.size())
      detail::fail(shape_error(detail::text("axis_list: ", size, " axes; due are at most 8, each once")));
    for (std::size_t i = 0; i < size; ++i) axes_[i] = axes[i];
  }

  bool every_ = true;
  std::size_t size_ = 0;
  std::array<index_t, max_rank> axes_{};
};

struct flip_options {
  axis_list axes{};
};

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
  index_t batch_dims = 0;
  bool include_self = true;  ///< false: a reduction is of the updates alone, wherever there is one
};

struct scatter_elements_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  ndx::reduction reduction = ndx::reduction::none;
  ndx::duplicates duplicates = ndx::duplicates::any;
  bool include_self = true;  ///< as of `scatter_nd_options`
};

}  // namespace ndx

#endif

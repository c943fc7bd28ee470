// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_WINDOW_HPP
#define NDX_PLAN_WINDOW_HPP

#include <ndx/plan/layout.hpp>

#include <optional>

namespace ndx::plan {

/// One dimension of a window: `size` elements from `offset`, every `|stride|`-th of them, backwards if it is negative.
struct window_axis {
  index_t offset;
  index_t size;
  index_t stride;

  [[nodiscard]] constexpr index_t start() const noexcept { return offset + (stride < 0 ? size - 1 : 0); }

  /// `1 + (size - 1) / |stride|`. DirectML's page divides by the signed stride, which gives nothing for negative ones.
  [[nodiscard]] constexpr index_t steps() const noexcept {
    return 1 + static_cast<index_t>(static_cast<std::uint64_t>(size - 1) / magnitude(stride));
  }

  /// The elements from the first that is taken to the last.
  [[nodiscard]] constexpr index_t reached() const noexcept {
    return size - static_cast<index_t>(static_cast<std::uint64_t>(size - 1) % magnitude(stride));
  }

  /// `count <= steps()` for a window that has been checked and a count of at least 1, most often without a division.
  [[nodiscard]] constexpr bool reaches(index_t count) const noexcept {
    std::uint64_t const more = static_cast<std::uint64_t>(count) - 1;
    std::uint64_t const distance = magnitude(stride);
    if (((more | distance) >> 31U) == 0) return more * distance <= static_cast<std::uint64_t>(size - 1);
    return count <= steps();
  }
};

namespace detail {

[[noreturn]] inline void fail_window(char const* name, std::size_t dimension, window_axis const& axis, index_t extent,
                                     char const* whole) {
  using ndx::detail::text;
  std::string const where = text("[", dimension, "]");
  std::string problem;
  if (axis.stride == 0) problem = text("strides", where, " is 0; due is a stride other than 0");
  else if (axis.size < 1) problem = text("sizes", where, " is ", axis.size, "; due is a window of at least 1 element");
  else
    problem = text("offsets", where, " is ", axis.offset, " and sizes", where, " is ", axis.size,
                   "; due is a window within the ", whole, "'s extent ", extent);
  ndx::detail::fail(shape_error(text(name, ": ", problem, " (dimension ", dimension, ")")));
}

}  // namespace detail

/// Has the window elements, and does it lie within the extent?
[[gnu::always_inline]] constexpr bool fits_window(window_axis const& axis, index_t extent) noexcept {
  // extent - size cannot overflow once size is at least 1, while offset + size could.
  return axis.stride != 0 && axis.size >= 1 && axis.offset >= 0 && axis.size <= extent &&
         axis.offset <= extent - axis.size;
}

constexpr void check_window(char const* name, std::size_t dimension, window_axis const& axis, index_t extent,
                            char const* whole = "input") {
  if (!fits_window(axis, extent)) detail::fail_window(name, dimension, axis, extent, whole);
}

/// One dimension of a slice as Python has it: elements `start`, `start + step`, .. up to but without `end`, of which
/// negative ones count from the end once and are then brought within the extent. The size is 0 where there are none.
/// The step must not be 0.
constexpr window_axis sliced(index_t extent, std::optional<index_t> start, std::optional<index_t> end,
                             std::optional<index_t> step) noexcept {
  index_t const stride = step.value_or(1);
  // Where a walk may begin and where it ends: forwards 0 to extent, backwards extent - 1 to -1.
  index_t const lowest = stride < 0 ? -1 : 0;
  index_t const highest = lowest + extent;
  auto const place = [&](std::optional<index_t> given, index_t otherwise) {
    if (!given) return otherwise;
    index_t const counted = *given < 0 ? *given + extent : *given;
    return counted < lowest ? lowest : counted > highest ? highest : counted;
  };
  index_t const first = place(start, stride < 0 ? highest : lowest);
  index_t const last = place(end, stride < 0 ? lowest : highest);
  index_t const distance = stride < 0 ? first - last : last - first;
  if (distance <= 0) return {0, 0, stride};
  // The window reaches from the first element that is taken to the last one.
  index_t const size = window_axis{0, distance, stride}.reached();
  return {stride < 0 ? first - (size - 1) : first, size, stride};
}

[[noreturn]] inline void fail_step(char const* name, std::size_t dimension) {
  ndx::detail::fail(shape_error(ndx::detail::text(name, ": steps[", dimension,
                                                  "] is 0; due is a step other than 0 (dimension ", dimension, ")")));
}

[[noreturn]] inline void fail_permutation(std::size_t rank, std::size_t position, std::size_t value) {
  ndx::detail::fail(shape_error(ndx::detail::text("permuted: order[", position, "] is ", value, "; due is each of the ",
                                                  rank, " dimensions once")));
}

[[noreturn]] inline void fail_dimension(char const* name, std::size_t rank, std::size_t dimension) {
  ndx::detail::fail(
      shape_error(ndx::detail::text(name, ": dimension ", dimension, "; due is a dimension below the rank ", rank)));
}

}  // namespace ndx::plan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_WINDOW_SHAPE_HPP
#define NDX_PLAN_WINDOW_SHAPE_HPP

#include <ndx/plan/shape.hpp>
#include <ndx/plan/window.hpp>

/// The shape rules of the operators that take a window of a tensor, or fill one.
namespace ndx::plan {

/// Which argument a window lies in, and which has the elements of it.
struct window_roles {
  char const* whole;
  char const* part;
};

namespace detail {

[[noreturn]] inline void fail_window_extents(char const* name, window_roles const& roles, layout const& part,
                                             layout const& whole, window_axis const* window) {
  shape due;
  for (std::size_t d = 0; d < whole.rank; ++d) due.extents[due.rank++] = window[d].steps();
  fail_extents(name, roles.part, part, due, "those of the window at most, after leading ones",
               subjects(whole, roles.whole));
}

[[noreturn]] inline void fail_axis(char const* name, layout const& input, std::size_t position, index_t axis,
                                   char const* problem) {
  auto const rank = static_cast<index_t>(input.rank);
  fail_number(subjects(input), name, "axes[", position, "] is ", axis, problem, "; due are different ones of ", -rank,
              " to ", rank - 1);
}

}  // namespace detail

/// Does `check_slice` find nothing?
[[gnu::always_inline]] constexpr bool fits_slice(layout const& whole, window_axis const* window,
                                                 layout const& part) noexcept {
  if (part.rank < whole.rank) return false;
  std::size_t const padding = part.rank - whole.rank;
  for (std::size_t d = 0; d < padding; ++d)
    if (part.extents[d] != 1) return false;
  for (std::size_t d = 0; d < whole.rank; ++d) {
    index_t const extent = part.extents[padding + d];
    if (!fits_window(window[d], whole.extents[d]) || extent < 1 || !window[d].reaches(extent)) return false;
  }
  return true;
}

/// The window lies in the whole, and the part takes at least one step of it along every dimension and not too many.
[[gnu::always_inline]] constexpr void check_slice(char const* name, window_roles const& roles, layout const& whole,
                                                  window_axis const* window, layout const& part) {
  if (fits_slice(whole, window, part)) return;
  bool fits = part.rank >= whole.rank;
  std::size_t const padding = fits ? part.rank - whole.rank : 0;
  for (std::size_t d = 0; d < padding; ++d) fits = fits && part.extents[d] == 1;
  for (std::size_t d = 0; d < whole.rank; ++d) check_window(name, d, window[d], whole.extents[d], roles.whole);
  if (!fits) detail::fail_window_extents(name, roles, part, whole, window);
  for (std::size_t d = 0; d < whole.rank; ++d) {
    index_t const extent = part.extents[padding + d];
    if (extent < 1 || !window[d].reaches(extent))
      detail::fail_number(detail::subjects(whole, roles.whole), name, "extent of dimension ", d, " of ", roles.part,
                          " is ", extent, "; due is 1 to ", window[d].steps(), ", the steps of the window");
  }
}

/// output extents = those of a slice
constexpr void check_sliced(char const* name, layout const& input, layout const& slice, layout const& output) {
  detail::check_extents(name, "output", output, slice, "those of the slice", input);
}

/// Marks the dimensions that a list of axes names; false where it names none of them, or one twice.
template <std::size_t Rank>
[[gnu::always_inline]] constexpr bool name_axes(std::array<bool, Rank>& named, index_t const* axes,
                                                std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const d = detail::counted_axis(axes[i], Rank);
    if (d >= Rank || named[d]) return false;
    named[d] = true;
  }
  return true;
}

/// Each axis of a list is one of the input's, and none is there twice.
constexpr void check_axes(char const* name, layout const& input, index_t const* axes, std::size_t count) {
  std::array<bool, max_rank> named{};
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t const d = detail::counted_axis(axes[i], input.rank);
    if (d >= input.rank) detail::fail_axis(name, input, i, axes[i], "");
    if (named[d]) detail::fail_axis(name, input, i, axes[i], ", for the second time");
    named[d] = true;
  }
}

}  // namespace ndx::plan

#endif

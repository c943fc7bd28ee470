// SPDX-License-Identifier: MIT
#ifndef NDX_SLICING_HPP
#define NDX_SLICING_HPP

#include <ndx/plan/window.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace ndx {

/// The highest rank of a tensor.
inline constexpr std::size_t max_rank = plan::max_rank;

/// A window of a tensor as DirectML's SLICE1 has it: `sizes[d]` elements from `offsets[d]`, of which every
/// `|strides[d]|`-th is taken, from the last one backwards where the stride is negative.
template <std::size_t Rank>
struct slice1_options {
  std::array<index_t, Rank> offsets{};
  std::array<index_t, Rank> sizes{};
  std::array<index_t, Rank> strides = ones();

private:
  static constexpr std::array<index_t, Rank> ones() {
    std::array<index_t, Rank> result{};
    for (index_t& one : result) one = 1;
    return result;
  }
};

/// A slice in Python's terms, `x[start:end:step]` in each dimension: negative numbers count from the end, whatever lies
/// beyond an end is cut off there, and what is left out (std::nullopt, or missing at the end of a list) is Python's
/// None: all of the dimension, in the direction of the step, which is 1.
template <std::size_t Rank>
struct slice_options {
  std::array<std::optional<index_t>, Rank> starts{};
  std::array<std::optional<index_t>, Rank> ends{};
  std::array<std::optional<index_t>, Rank> steps{};
};

/// A slice as a window of slice1, and the extents of what it takes. Where an extent is 0 the slice is empty, and so is
/// the window there, which slice1 does not take.
template <std::size_t Rank>
struct resolved_slice {
  slice1_options<Rank> window{};
  std::array<index_t, Rank> extents{};
};

/// What a slice takes of a tensor of these extents. Throws `shape_error` where a step is 0.
template <std::size_t Rank>
[[nodiscard]] constexpr resolved_slice<Rank> resolve_slice(std::array<index_t, Rank> const& extents,
                                                           slice_options<Rank> const& options) {
  resolved_slice<Rank> result;
  for (std::size_t d = 0; d < Rank; ++d) {
    if (options.steps[d] == index_t{0}) plan::fail_step("slice", d);
    plan::window_axis const axis = plan::sliced(extents[d], options.starts[d], options.ends[d], options.steps[d]);
    result.window.offsets[d] = axis.offset;
    result.window.sizes[d] = axis.size;
    result.window.strides[d] = axis.stride;
    result.extents[d] = axis.size == 0 ? 0 : axis.steps();
  }
  return result;
}

}  // namespace ndx

#endif

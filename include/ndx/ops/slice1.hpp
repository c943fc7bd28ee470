// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SLICE1_HPP
#define NDX_OPS_SLICE1_HPP

#include <ndx/ops/result.hpp>

namespace ndx {

/// A window of a tensor, of which every so many elements are taken, forwards or backwards.
///
///     output[c] = input[start + strides * c],   start[i] = offsets[i] + (strides[i] < 0 ? sizes[i] - 1 : 0)
///
/// - `input`: rank r of 0 to 8, strides of any sign.
/// - `output`: rank r (leading ones allowed), `1 <= extent[i] <= 1 + (sizes[i] - 1) / |strides[i]|`; a smaller one is
///   given the first elements of the walk; disjoint from the input.
/// - `offsets`, `sizes`: the window, `sizes >= 1` and `offsets + sizes <= extent`.
/// - `strides`: other than 0, 1 by default.
///
/// Throws `shape_error`, which names the dimension, and `overlap_error`, both before any access. DirectML calls it
/// SLICE1, ONNX Slice, NumPy basic slicing. DirectML's page divides by the signed stride; due is its magnitude.
struct slice1_function {
  template <class Policy, movable_elements Input, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Output&& output,
                                                   slice1_options<rank_of<Input>> const& options) const {
    auto const& input_view = detail::viewed(input);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "slice1";
    auto const find = [&](auto& found) __attribute__((always_inline)) {
      for (std::size_t d = 0; d < rank_of<Input>; ++d)
        found[d] = {options.offsets[d], options.sizes[d], options.strides[d]};
      return plan::fits_slice(plan::layout_of(input_view), found.data(), plan::layout_of(output_view));
    };
    detail::copy_window(policy, name, input_view, output_view, find,
                        [&](plan::layout const& from, auto const& found, plan::layout const& to) {
                          plan::check_slice(name, {"input", "output"}, from, found.data(), to);
                        });
  }

  /// The same into a tensor of its own, which lies where the input does and takes all steps of the window.
  template <class Policy, movable_elements Input>
    requires execution_policy<Policy>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, slice1_options<rank_of<Input>> const& options) const {
    auto extents = detail::checked_extents("slice1", "input", input);
    for (std::size_t d = 0; d < rank_of<Input>; ++d) {
      plan::window_axis const axis{options.offsets[d], options.sizes[d], options.strides[d]};
      plan::check_window("slice1", d, axis, extents[d]);
      extents[d] = axis.steps();
    }
    return detail::written<Input>(policy, extents, [&](auto& output) { (*this)(policy, input, output, options); });
  }
};

inline constexpr slice1_function slice1{};

}  // namespace ndx

#endif

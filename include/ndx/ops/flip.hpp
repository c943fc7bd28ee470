// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_FLIP_HPP
#define NDX_OPS_FLIP_HPP

#include <ndx/ops/result.hpp>

namespace ndx {

/// A copy of a tensor with the order of elements reversed along some axes.
///
///     output[p] = input[p with p[d] replaced by extent[d] - 1 - p[d] for every d of axes]
///
/// - `input`: rank r of 0 to 8, strides of any sign.
/// - `output`: the input's extents, leading ones allowed; disjoint from the input.
/// - `axes`: different ones of -r to r - 1, negative ones count from the end; every axis by default.
///
/// Throws `shape_error` and `overlap_error`, both before any access. NumPy calls it flip, PyTorch torch.flip,
/// TensorFlow tf.reverse; in DirectML and ONNX it is a slice with strides of -1. The view `view.reversed(d)` is the
/// same for one axis without a copy.
struct flip_function {
  template <class Policy, movable_elements Input, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Output&& output,
                                                   flip_options const& options = {}) const {
    auto const& input_view = detail::viewed(input);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "flip";
    auto const find = [&](auto& found) __attribute__((always_inline)) {
      std::array<bool, rank_of<Input>> named{};
      if (!plan::name_axes(named, options.axes.begin(), options.axes.size())) return false;
      for (std::size_t d = 0; d < rank_of<Input>; ++d)
        found[d] = {0, input_view.extent(d), options.axes.is_every_axis() || named[d] ? -1 : 1};
      return plan::detail::matches(plan::layout_of(output_view), plan::layout_of(input_view));
    };
    detail::copy_window(policy, name, input_view, output_view, find,
                        [&](plan::layout const& from, auto const&, plan::layout const& to) {
                          plan::check_axes(name, from, options.axes.begin(), options.axes.size());
                          plan::check_same_shape(name, from, to);
                        });
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input>
    requires execution_policy<Policy>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, flip_options const& options = {}) const {
    return detail::written<Input>(policy, detail::checked_extents("flip", "input", input),
                                  [&](auto& output) { (*this)(policy, input, output, options); });
  }
};

inline constexpr flip_function flip{};

}  // namespace ndx

#endif

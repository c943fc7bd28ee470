// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SLICE_HPP
#define NDX_OPS_SLICE_HPP

#include <ndx/ops/result.hpp>

namespace ndx {

/// A slice of a tensor in Python's terms.
///
///     output = input[start:end:step, ..]
///
/// Negative starts and ends count from the end, once; what then lies outside is brought to the nearest end; what is
/// left out is None: all of the dimension in the direction of the step, which is 1.
///
/// - `input`: rank r of 0 to 8, strides of any sign.
/// - `output`: the extents of the slice, which `resolve_slice` tells, 0 among them; leading ones allowed; disjoint from
///   the input.
/// - `starts`, `ends`, `steps`: std::optional<index_t> for each dimension; a step is not 0.
///
/// Throws `shape_error` and `overlap_error`, both before any access. ONNX calls it Slice, Python and NumPy x[a:b:s],
/// TensorFlow tf.strided_slice. The view `view.sliced(options)` is the same without a copy, `slice1` the same in
/// DirectML's terms. After the language reference of Python, whose `slice.indices` is the rule for each dimension.
struct slice_function {
  template <class Policy, movable_elements Input, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  constexpr void operator()(Policy&& policy, Input&& input, Output&& output,
                            slice_options<rank_of<Input>> const& options = {}) const {
    auto const& input_view = detail::viewed(input);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "slice";
    detail::argument const from = detail::measured(name, "input", input_view);
    detail::argument const to = detail::measured(name, "output", output_view);
    auto const slice = resolve_slice(input_view.extents(), options);
    plan::check_sliced(name, from.layout, {rank_of<Input>, slice.extents.data(), nullptr}, to.layout);
    std::array<plan::window_axis, rank_of<Input>> window{};
    for (std::size_t d = 0; d < rank_of<Input>; ++d)
      window[d] = {slice.window.offsets[d], slice.window.sizes[d], slice.window.strides[d]};
    detail::copy_window(policy, name, from, input_view, window, to, output_view);
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input>
    requires execution_policy<Policy>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input,
                                slice_options<rank_of<Input>> const& options = {}) const {
    auto const slice = resolve_slice(detail::checked_extents("slice", "input", input), options);
    return detail::written<Input>(policy, slice.extents,
                                  [&](auto& output) { (*this)(policy, input, output, options); });
  }
};

inline constexpr slice_function slice{};

}  // namespace ndx

#endif

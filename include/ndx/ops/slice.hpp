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
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Output&& output,
                                                   slice_options<rank_of<Input>> const& options = {}) const {
    auto const& input_view = detail::viewed(input);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "slice";
    auto const find = [&](auto& found) __attribute__((always_inline)) {
      std::array<index_t, rank_of<Input>> extents{};
      for (std::size_t d = 0; d < rank_of<Input>; ++d) {
        if (options.steps[d] == index_t{0}) return false;
        found[d] = plan::sliced(input_view.extent(d), options.starts[d], options.ends[d], options.steps[d]);
        extents[d] = found[d].size == 0 ? 0 : found[d].steps();
      }
      return plan::detail::matches(plan::layout_of(output_view), plan::layout{extents.size(), extents.data(), nullptr});
    };
    detail::copy_window(policy, name, input_view, output_view, find,
                        [&](plan::layout const& from, auto const&, plan::layout const& to) {
                          auto const slice = resolve_slice(input_view.extents(), options);
                          plan::check_sliced(name, from, {rank_of<Input>, slice.extents.data(), nullptr}, to);
                        });
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

// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SLICE_GRAD_HPP
#define NDX_OPS_SLICE_GRAD_HPP

#include <ndx/ops/call.hpp>

namespace ndx {

/// The gradient of slice1: what `slice1` has taken goes back to its place, and all else is zero.
///
///     output = 0;   output[start + strides * c] = input[c],   start[i] = offsets[i] + (strides[i] < 0 ? sizes[i] - 1 :
///     0)
///
/// - `input`: the gradient with respect to what slice1 wrote: rank r (leading ones allowed),
///   `1 <= extent[i] <= 1 + (sizes[i] - 1) / |strides[i]|`; a smaller one has the first elements of the walk.
/// - `output`: the gradient with respect to what slice1 read: rank r of 0 to 8; disjoint from the input.
/// - `offsets`, `sizes`: the window, `sizes >= 1` and `offsets + sizes <= extent` of the output.
/// - `strides`: other than 0, 1 by default.
///
/// Zero is `T{}`, all bits 0 for a type without a default constructor. Throws `shape_error`, which names the dimension,
/// and `overlap_error`, both before any access. DirectML calls it SLICE_GRAD.
struct slice_grad_function {
  template <class Policy, movable_elements Input, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Output&& output,
                                                   slice1_options<rank_of<Output>> const& options) const {
    auto const& input_view = detail::viewed(input);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "slice_grad";
    using value_type = value_type_of<Output>;
    detail::argument const from = detail::measured(name, "input", input_view);
    detail::argument const to = detail::measured(name, "output", output_view);
    std::array<plan::window_axis, rank_of<Output>> window{};
    for (std::size_t d = 0; d < rank_of<Output>; ++d)
      window[d] = {options.offsets[d], options.sizes[d], options.strides[d]};
    plan::check_slice(name, {"output", "input"}, to.layout, window.data(), from.layout);
    detail::check_no_self_overlap(name, to);
    detail::check_apart(name, to, from);

    plan::operation_on<plan::side::none> operation;
    operation.name = name;
    operation.copies_fill = true;
    plan::make_window_write(operation.move, from.layout, window.data(), to.layout);
    plan::indexed_copy zeros;
    plan::make_fill(zeros, to.layout);
    auto const zero = detail::default_fill<value_type>();
    using handle = typename view_of<Output>::data_handle_type;
    detail::execute(policy, operation, &zeros,
                    detail::arguments_of<value_type, std::int32_t>(output_view.data_handle(), input_view.data_handle(),
                                                                   rebound<handle, std::int32_t>{},
                                                                   detail::nothing_like(input_view), &zero));
  }
};

inline constexpr slice_grad_function slice_grad{};

}  // namespace ndx

#endif

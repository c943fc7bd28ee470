// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SCATTER_ELEMENTS_HPP
#define NDX_OPS_SCATTER_ELEMENTS_HPP

#include <ndx/ops/result.hpp>
#include <ndx/ops/scatter_call.hpp>

namespace ndx {

/// A copy of a tensor with elements replaced, or reduced, each placed by one index along an axis.
///
///     output = input;   output[p with p[axis] replaced by indices[p]] = updates[p]   for every p of indices
///
/// With a `reduction` the element becomes `output op update`, every duplicate applied.
///
/// - `input`: rank r of 1 to 8. The same view as `output`: in place, at a cost proportional to the updates.
/// - `indices`: int32, int64, uint32 or uint64, rank r; its extents are at most the input's (DirectML: equal), but for
///   `axis`, where they are free; read in place.
/// - `updates`: the extents of `indices`, leading ones allowed.
/// - `output`: the input's extents, leading ones allowed; disjoint from `indices` and `updates`.
/// - `axis`: -r to r - 1, negative ones count from the end.
/// - `bounds`: what an index out of range does; `bounds::ignore` skips the update.
/// - `duplicates`: which of several updates of one element wins.
///
/// Throws `shape_error`, `overlap_error` and `unsupported_error` (a reduction on a type that has none) before any
/// access, `index_error` under `bounds::check` before anything is written. DirectML calls it SCATTER and
/// SCATTER_ELEMENTS, ONNX ScatterElements, PyTorch torch.scatter and torch.scatter_reduce, NumPy put_along_axis.
struct scatter_elements_function {
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output> && same_value_type<Updates, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates,
                                                   Output&& output,
                                                   scatter_elements_options const& options = {}) const {
    auto const& input_view = detail::viewed(input);
    auto const& indices_view = detail::viewed(indices);
    auto const& updates_view = detail::viewed(updates);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "scatter_elements";
    detail::scatter_call const call{policy, input_view, indices_view, updates_view, output_view};
    call.template run<detail::by_elements<plan::side::destination>>(
        name, options, options.axis,
        [&](plan::layout const& from, plan::layout const& places, plan::layout const& values, plan::layout const& to)
            __attribute__((always_inline)) {
              std::size_t const axis = plan::check_elements(name, from, places, "updates", values, options.axis);
              plan::check_same_shape(name, from, to);
              return axis;
            });
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates>
    requires execution_policy<Policy> && same_value_type<Updates, Input>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates,
                                scatter_elements_options const& options = {}) const {
    return detail::written<Input>(policy, detail::checked_extents("scatter_elements", "input", input),
                                  [&](auto& output) { (*this)(policy, input, indices, updates, output, options); });
  }
};

inline constexpr scatter_elements_function scatter_elements{};

}  // namespace ndx

#endif

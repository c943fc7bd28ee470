// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SCATTER_ND_HPP
#define NDX_OPS_SCATTER_ND_HPP

#include <ndx/ops/result.hpp>
#include <ndx/ops/scatter_call.hpp>

namespace ndx {

/// A copy of a tensor with slices replaced, or reduced, each named by a tuple of indices.
///
///     output = input;   output[B, indices[B, J, 0], .., indices[B, J, k-1], T] = updates[B, J, T]
///
/// B runs over the first `batch_dims` extents, which are equal in `input` and `indices` (none by default), J over the
/// further extents of `indices` but the last, k is the last, T runs over the extents of `input` from `batch_dims + k`
/// on.
/// With a `reduction` the element becomes `output op update`, every duplicate applied.
///
/// - `input`: rank r of 1 to 8. The same view as `output`: in place, at a cost proportional to the updates.
/// - `indices`: int32, int64, uint32 or uint64, rank q of 1 to 8, `1 <= k <= r - batch_dims`; read in place.
/// - `updates`: extents `indices[0 .. q-1) ++ input[batch_dims + k .. r)`, leading ones allowed.
/// - `output`: the input's extents, leading ones allowed; disjoint from `indices` and `updates`.
/// - `bounds`: what an index out of range does; `bounds::ignore` skips the update.
/// - `duplicates`: which of several updates of one element wins.
/// - `batch_dims`: 0 and more, below r and q.
/// - `include_self`: false for a reduction of the updates alone, wherever there is one.
///
/// Throws `shape_error`, `overlap_error` and `unsupported_error` (a reduction on a type that has none) before any
/// access, `index_error` under `bounds::check` before anything is written. DirectML calls it SCATTER_ND, ONNX
/// ScatterND, TensorFlow tf.tensor_scatter_nd_update.
struct scatter_nd_function {
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output> && same_value_type<Updates, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates,
                                                   Output&& output, scatter_nd_options const& options = {}) const {
    auto const& input_view = detail::viewed(input);
    auto const& indices_view = detail::viewed(indices);
    auto const& updates_view = detail::viewed(updates);
    auto const& output_view = detail::viewed(output);
    constexpr char const* name = "scatter_nd";
    detail::scatter_call const call{policy, input_view, indices_view, updates_view, output_view};
    call.template run<detail::by_tuples<plan::side::destination, rank_of<Input>>>(
        name, options, options.batch_dims,
        [&](plan::layout const& from, plan::layout const& tuples, plan::layout const& values, plan::layout const& to)
            __attribute__((always_inline)) {
              plan::check_scatter(name, from, tuples, values, options.batch_dims);
              plan::check_same_shape(name, from, to);
              return static_cast<std::size_t>(options.batch_dims);
            });
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates>
    requires execution_policy<Policy> && same_value_type<Updates, Input>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates,
                                scatter_nd_options const& options = {}) const {
    return detail::written<Input>(policy, detail::checked_extents("scatter_nd", "input", input),
                                  [&](auto& output) { (*this)(policy, input, indices, updates, output, options); });
  }
};

inline constexpr scatter_nd_function scatter_nd{};

}  // namespace ndx

#endif

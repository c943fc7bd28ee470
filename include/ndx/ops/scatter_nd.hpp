// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SCATTER_ND_HPP
#define NDX_OPS_SCATTER_ND_HPP

#include <ndx/ops/call.hpp>

namespace ndx {

/// A copy of a tensor with slices replaced, or reduced, each named by a tuple of indices.
///
///     output = input;   output[indices[J, 0], .., indices[J, k-1], T] = updates[J, T]
///
/// J runs over the extents of `indices` but the last, k is the last, T runs over the extents of `input` from k on.
/// With a `reduction` the element becomes `output op update`, every duplicate applied.
///
/// - `input`: rank r of 1 to 8. The same view as `output`: in place, at a cost proportional to the updates.
/// - `indices`: int32, int64, uint32 or uint64, rank q of 1 to 8, `1 <= k <= r`; read in place.
/// - `updates`: extents `indices[0 .. q-1) ++ input[k .. r)`, leading ones allowed.
/// - `output`: the input's extents, leading ones allowed; disjoint from `indices` and `updates`.
/// - `bounds`: what an index out of range does; `bounds::ignore` skips the update.
/// - `duplicates`: which of several updates of one element wins.
///
/// Throws `shape_error`, `overlap_error` and `unsupported_error` (a reduction on a type that has none) before any
/// access, `index_error` under `bounds::check` before anything is written. DirectML calls it SCATTER_ND, ONNX
/// ScatterND, TensorFlow tf.tensor_scatter_nd_update.
struct scatter_nd_function {
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output> && same_value_type<Updates, Output>
  constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates, Output&& output,
                            scatter_nd_options const& options = {}) const {
    auto const input_view = ndx::view(input);
    auto const indices_view = ndx::view(indices);
    auto const updates_view = ndx::view(updates);
    auto const output_view = ndx::view(output);
    constexpr char const* name = "scatter_nd";
    detail::scatter_call const call{policy, input_view, indices_view, updates_view, output_view};
    call.run(name, options,
             [&](plan::operation& operation, plan::layout const& from, plan::layout const& tuples,
                 plan::layout const& values, plan::layout const& to) {
               plan::check_scatter(name, from, tuples, values);
               plan::check_same_shape(name, from, to);
               operation.last_is_coordinate = true;
               plan::make_tuple_copy(operation.move, detail::without_padding(to, from.rank), tuples, values, 0,
                                     plan::tuple_size(tuples), plan::side::destination);
             });
  }
};

inline constexpr scatter_nd_function scatter_nd{};

}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_GATHER_ND1_HPP
#define NDX_OPS_GATHER_ND1_HPP

#include <ndx/ops/gather_call.hpp>
#include <ndx/ops/result.hpp>

namespace ndx {

/// Slices of each tensor of a batch, each named by a tuple of indices.
///
///     output[B, J, T] = input[B, indices[B, J, 0], .., indices[B, J, k-1], T]
///
/// B runs over the first `batch_dims` extents, which are equal in `input` and `indices`, J over the further extents of
/// `indices` but the last, k is the last, T runs over the extents of `input` from `batch_dims + k` on.
///
/// - `input`: rank r of 1 to 8, strides of any sign.
/// - `indices`: int32, int64, uint32 or uint64, rank q of 1 to 8, `1 <= k <= r - batch_dims`; read in place.
/// - `output`: extents `indices[0 .. q-1) ++ input[batch_dims + k .. r)`, leading ones allowed; disjoint from the
/// others.
/// - `batch_dims`: 0 and more, below r and q; 0 is `gather_nd`.
/// - `bounds`: what an index out of range does; `fill`: the element that `bounds::ignore` writes for it.
///
/// Throws `shape_error` and `overlap_error` before any access, `index_error` under `bounds::check`; what the output
/// holds then is unspecified. DirectML calls it GATHER_ND1, ONNX GatherND with batch_dims, TensorFlow tf.gather_nd with
/// batch_dims; the bound on k is `r - batch_dims`, where DirectML's page says r.
struct gather_nd1_function {
  template <class Policy, movable_elements Input, index_tensor Indices, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(
      Policy&& policy, Input&& input, Indices&& indices, Output&& output,
      gather_nd1_options<value_type_of<Output>> const& options = {}) const {
    constexpr char const* name = "gather_nd1";
    detail::gather<detail::by_batched_tuples<plan::side::source, rank_of<Input>>>(
        policy, name, detail::viewed(input), detail::viewed(indices), detail::viewed(output), options.bounds,
        options.fill, options.batch_dims,
        [](plan::layout const& from, plan::layout const& tuples, plan::layout const& to, index_t batch_dims)
            __attribute__((always_inline)) {
              plan::check_gather(name, from, tuples, to, batch_dims);
              return static_cast<std::size_t>(batch_dims);
            });
  }

  /// The same into a tensor of its own, of rank R, which lies where the input does: `gather_nd1.to<R>(..)`. R is a
  /// matter of the extents of `indices`, which are known at run time: another than due is a `shape_error`.
  template <std::size_t R, class Policy, movable_elements Input, index_tensor Indices>
    requires execution_policy<Policy>
  [[nodiscard]] auto to(Policy&& policy, Input&& input, Indices&& indices,
                        gather_nd1_options<value_type_of<Input>> const& options = {}) const {
    return detail::written<Input>(policy, detail::gathered_extents<R>("gather_nd1", input, indices, options.batch_dims),
                                  [&](auto& output) { (*this)(policy, input, indices, output, options); });
  }
};

inline constexpr gather_nd1_function gather_nd1{};

}  // namespace ndx

#endif

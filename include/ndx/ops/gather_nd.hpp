// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_GATHER_ND_HPP
#define NDX_OPS_GATHER_ND_HPP

#include <ndx/ops/gather_call.hpp>
#include <ndx/ops/result.hpp>

namespace ndx {

/// Slices of a tensor, each named by a tuple of indices.
///
///     output[J, T] = input[indices[J, 0], .., indices[J, k-1], T]
///
/// J runs over the extents of `indices` but the last, k is the last, T runs over the extents of `input` from k on.
/// Negative indices of a signed type count from the end.
///
/// - `input`: rank r of 1 to 8, strides of any sign.
/// - `indices`: int32, int64, uint32 or uint64, rank q of 1 to 8, `1 <= k <= r`; read in place.
/// - `output`: extents `indices[0 .. q-1) ++ input[k .. r)`, leading ones allowed; disjoint from the other two.
/// - `bounds`: what an index out of range does; `fill`: the element that `bounds::ignore` writes for it.
///
/// Throws `shape_error` and `overlap_error` before any access, `index_error` under `bounds::check`; what the output
/// holds then is unspecified. DirectML calls it GATHER_ND, ONNX GatherND, TensorFlow tf.gather_nd; after the DirectML
/// operator's last published level, but for the output's tail, which its page gives wrongly.
struct gather_nd_function {
  template <class Policy, movable_elements Input, index_tensor Indices, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Output&& output,
                                                   gather_nd_options<value_type_of<Output>> const& options = {}) const {
    constexpr char const* name = "gather_nd";
    detail::gather<detail::by_tuples<plan::side::source, rank_of<Input>>>(
        policy, name, detail::viewed(input), detail::viewed(indices), detail::viewed(output), options.bounds,
        options.fill, 0,
        [](plan::layout const& from, plan::layout const& tuples, plan::layout const& to, index_t)
            __attribute__((always_inline)) {
              plan::check_gather(name, from, tuples, to, 0);
              return std::size_t{0};
            });
  }

  /// The same into a tensor of its own, of rank R, which lies where the input does: `gather_nd.to<R>(..)`. R is a
  /// matter of the extents of `indices`, which are known at run time: another than due is a `shape_error`.
  template <std::size_t R, class Policy, movable_elements Input, index_tensor Indices>
    requires execution_policy<Policy>
  [[nodiscard]] auto to(Policy&& policy, Input&& input, Indices&& indices,
                        gather_nd_options<value_type_of<Input>> const& options = {}) const {
    return detail::written<Input>(policy, detail::gathered_extents<R>("gather_nd", input, indices, 0),
                                  [&](auto& output) { (*this)(policy, input, indices, output, options); });
  }
};

inline constexpr gather_nd_function gather_nd{};

}  // namespace ndx

#endif

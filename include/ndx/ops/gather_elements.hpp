// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_GATHER_ELEMENTS_HPP
#define NDX_OPS_GATHER_ELEMENTS_HPP

#include <ndx/ops/gather_call.hpp>
#include <ndx/ops/result.hpp>

namespace ndx {

/// Elements of a tensor, each named by one index along an axis; the inverse of `scatter_elements`.
///
///     output[p] = input[p with p[axis] replaced by indices[p]]   for every p of indices
///
/// - `input`: rank r of 1 to 8, strides of any sign.
/// - `indices`: int32, int64, uint32 or uint64, rank r; its extents are at most the input's, but for `axis`, where they
///   are free; read in place.
/// - `output`: the extents of `indices`, leading ones allowed; disjoint from the other two.
/// - `axis`: -r to r - 1, negative ones count from the end.
/// - `bounds`: what an index out of range does; `fill`: the element that `bounds::ignore` writes for it.
///
/// Throws `shape_error` and `overlap_error` before any access, `index_error` under `bounds::check`; what the output
/// holds then is unspecified. DirectML calls it GATHER_ELEMENTS, ONNX GatherElements, PyTorch torch.gather, NumPy
/// take_along_axis. DirectML and ONNX want extents that are equal beside the axis; smaller ones are as PyTorch has it.
struct gather_elements_function {
  template <class Policy, movable_elements Input, index_tensor Indices, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(
      Policy&& policy, Input&& input, Indices&& indices, Output&& output,
      gather_elements_options<value_type_of<Output>> const& options = {}) const {
    constexpr char const* name = "gather_elements";
    detail::gather<detail::by_elements<plan::side::source>>(
        policy, name, detail::viewed(input), detail::viewed(indices), detail::viewed(output), options.bounds,
        options.fill, options.axis,
        [](plan::layout const& from, plan::layout const& places, plan::layout const& to, index_t axis)
            __attribute__((always_inline)) { return plan::check_elements(name, from, places, "output", to, axis); });
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input, index_tensor Indices>
    requires execution_policy<Policy>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, Indices&& indices,
                                gather_elements_options<value_type_of<Input>> const& options = {}) const {
    return detail::written<Input>(policy, detail::checked_extents("gather_elements", "indices", indices),
                                  [&](auto& output) { (*this)(policy, input, indices, output, options); });
  }
};

inline constexpr gather_elements_function gather_elements{};

}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_TAKE_HPP
#define NDX_OPS_TAKE_HPP

#include <ndx/ops/gather_call.hpp>
#include <ndx/ops/result.hpp>

namespace ndx {

namespace detail {

/// Has what is taken one of the ranks that tensors have?
template <class Input, class Indices>
concept taken_fits_a_tensor = (rank_of<Input> > 0) && (rank_of<Input> + rank_of<Indices> - 1 <= max_rank);

}  // namespace detail

/// Slices across an axis of a tensor, each named by one index.
///
///     output[P, J, T] = input[P, indices[J], T]
///
/// P runs over the extents of `input` before the axis, J over all of `indices`, T over the extents behind the axis.
///
/// - `input`: rank r of 1 to 8, strides of any sign.
/// - `indices`: int32, int64, uint32 or uint64, rank q of 0 to 8; rank 0 is one index, and the axis is gone; read in
///   place.
/// - `output`: extents `input[0 .. axis) ++ indices ++ input(axis .. r)`, leading ones allowed, of rank 8 at most;
///   disjoint from the other two.
/// - `axis`: -r to r - 1, negative ones count from the end.
/// - `bounds`: what an index out of range does; `fill`: the element that `bounds::ignore` writes for it.
///
/// Throws `shape_error` and `overlap_error` before any access, `index_error` under `bounds::check`; what the output
/// holds then is unspecified. DirectML calls it GATHER, ONNX Gather, NumPy take, PyTorch torch.index_select (indices of
/// rank 1), TensorFlow tf.gather.
struct take_function {
  template <class Policy, movable_elements Input, index_tensor Indices, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  [[gnu::always_inline]] constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Output&& output,
                                                   take_options<value_type_of<Output>> const& options = {}) const {
    constexpr char const* name = "take";
    detail::gather<detail::by_axis<plan::side::source>>(
        policy, name, detail::viewed(input), detail::viewed(indices), detail::viewed(output), options.bounds,
        options.fill, options.axis,
        [](plan::layout const& from, plan::layout const& places, plan::layout const& to, index_t named)
            __attribute__((always_inline)) {
              std::size_t const axis = plan::detail::check_axis(name, from, places, named);
              plan::check_taken(name, "output", from, places, to, axis);
              return axis;
            });
  }

  /// The same into a tensor of its own, which lies where the input does.
  template <class Policy, movable_elements Input, index_tensor Indices>
    requires execution_policy<Policy> && detail::taken_fits_a_tensor<Input, Indices>
  [[nodiscard]] auto operator()(Policy&& policy, Input&& input, Indices&& indices,
                                take_options<value_type_of<Input>> const& options = {}) const {
    auto const whole = detail::checked_extents("take", "input", input);
    auto const places = detail::checked_extents("take", "indices", indices);
    std::size_t const axis = plan::detail::check_axis("take", {whole.size(), whole.data(), nullptr},
                                                      {places.size(), places.data(), nullptr}, options.axis);
    std::array<index_t, rank_of<Input> + rank_of<Indices> - 1> extents{};
    std::size_t at = 0;
    for (std::size_t d = 0; d < axis; ++d) extents[at++] = whole[d];
    for (index_t extent : places) extents[at++] = extent;
    for (std::size_t d = axis + 1; d < whole.size(); ++d) extents[at++] = whole[d];
    return detail::written<Input>(policy, extents,
                                  [&](auto& output) { (*this)(policy, input, indices, output, options); });
  }
};

inline constexpr take_function take{};

}  // namespace ndx

#endif

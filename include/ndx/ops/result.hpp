// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_RESULT_HPP
#define NDX_OPS_RESULT_HPP

#include <ndx/ops/call.hpp>

/// Results of the operators that own their elements: for calls that name no output.
namespace ndx::detail {

/// Can a call with this policy and input make the tensor for its result? On the host always; on a device where the
/// policy has `allocate<T, Rank>(extents)`, as a Vulkan device does and a batch does not.
template <class Policy, class Input>
concept makes_results_for = host_handle<typename view_of<Input>::data_handle_type> ||
    requires(Policy& policy, std::array<index_t, 1> const& extents) {
  policy.template allocate<value_type_of<Input>, 1>(extents);
};

/// A tensor for a result, not written yet, where the input is: on the host, or on the policy's device.
template <class T, class Handle, class Policy, std::size_t Rank>
auto result_of(Policy& policy, std::array<index_t, Rank> const& extents) {
  if constexpr (host_handle<Handle>) return tensor<T, Rank>(extents, uninitialized);
  else return policy.template allocate<T, Rank>(extents);
}

/// A result of these extents that `write(output)` has written.
template <class Input, class Policy, std::size_t Rank, class Write>
auto written(Policy& policy, std::array<index_t, Rank> const& extents, Write const& write) {
  static_assert(makes_results_for<Policy, Input>,
                "ndx: a call without an output makes one where its input is: for a device tensor the policy has to be "
                "a device; a batch and a recorder need an output, and the CPU policies take host tensors only");
  // What would fail below says less than that text.
  if constexpr (makes_results_for<Policy, Input>) {
    using view = view_of<Input>;
    auto output = result_of<typename view::value_type, typename view::data_handle_type>(policy, extents);
    write(output);
    return output;
  }
}

/// The extents of an argument, which has been looked at: those of a tensor that cannot be are no one's.
template <tensor_like X>
constexpr auto checked_extents(char const* operator_name, char const* name, X& x) {
  decltype(auto) view = viewed(x);
  static_cast<void>(measured(operator_name, name, view));
  return view.extents();
}

/// The output extents of gather_nd and gather_nd1, whose rank the values of extents decide; `shape_error` for another.
template <std::size_t Rank, tensor_like Input, tensor_like Indices>
constexpr std::array<index_t, Rank> gathered_extents(char const* name, Input& input, Indices& indices,
                                                     index_t batch_dims) {
  auto const whole = checked_extents(name, "input", input);
  auto const tuples = checked_extents(name, "indices", indices);
  plan::layout const from{whole.size(), whole.data(), nullptr};
  plan::layout const places{tuples.size(), tuples.data(), nullptr};
  std::size_t const first_of_tail = plan::detail::check_tuples(name, from, places, batch_dims);
  std::size_t const due = places.rank - 1 + from.rank - first_of_tail;
  if (due != Rank)
    plan::detail::fail_number(plan::detail::subjects(from, places), name, "the rank of the result is ", Rank,
                              "; due is ", due, ", one less than that of indices and the input's tail");
  std::array<index_t, Rank> result{};
  std::size_t at = 0;
  for (std::size_t d = 0; d + 1 < places.rank; ++d) result[at++] = places.extents[d];
  for (std::size_t d = first_of_tail; d < from.rank; ++d) result[at++] = from.extents[d];
  return result;
}

}  // namespace ndx::detail

#endif

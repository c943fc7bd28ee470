// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_GATHER_CALL_HPP
#define NDX_OPS_GATHER_CALL_HPP

#include <ndx/ops/call.hpp>
#include <ndx/ops/plan_makers.hpp>

namespace ndx::detail {

/// A gather that has been checked, from the plan on. The layouts by value: the way by `move_few` does not need them
/// in memory. Not inlined: GCC 12 at -O3 would warn of dimensions beyond the ranks that it sees.
template <class Plans, class Policy, class Arguments>
[[gnu::noinline]] constexpr void gather_at_length(Policy& policy, char const* name, plan::layout input,
                                                  plan::layout indices, plan::layout output, std::size_t axis,
                                                  bounds mode, Arguments on) {
  plan::operation operation;
  operation.name = name;
  operation.indices = indices;
  operation.first_axis = axis;
  operation.last_is_coordinate = Plans::last_is_coordinate;
  operation.bounds = mode;
  Plans::make(operation.move, input, indices, output, axis);
  if (operation.move.tuples != 0) execute(policy, operation, nullptr, on);
}

/// All of a gather, whose plan is one of `Plans` (plan_makers.hpp). The operator's `check(input, indices, output)`
/// checks the shape rule and says the first axis that is indexed.
template <class Plans, class Policy, class Input, class Indices, class Output, class T, class Check>
[[gnu::always_inline]] constexpr void gather(Policy& policy, char const* name, Input const& input_view,
                                             Indices const& indices_view, Output const& output_view, bounds mode,
                                             T const& fill, Check const& check) {
  argument const input = measured(name, "input", input_view);
  argument const indices = measured(name, "indices", indices_view);
  argument const output = measured(name, "output", output_view);
  std::size_t const axis = check(input.layout, indices.layout, output.layout);
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  check_apart(name, output, indices);

  auto const on = arguments_of<T, typename Indices::value_type>(
      output_view.data_handle(), input_view.data_handle(), indices_view.data_handle(), nothing_like(input_view), &fill);
  bool const done = Plans::make_known(
      input.layout, indices.layout, output.layout,
      axis, [&](auto const& make) __attribute__((always_inline)) { return move_few(policy, mode, on, make); });
  if (!done) gather_at_length<Plans>(policy, name, input.layout, indices.layout, output.layout, axis, mode, on);
}

}  // namespace ndx::detail

#endif

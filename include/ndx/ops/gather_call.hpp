// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_GATHER_CALL_HPP
#define NDX_OPS_GATHER_CALL_HPP

#include <ndx/ops/call.hpp>
#include <ndx/ops/plan_makers.hpp>

namespace ndx::detail {

/// `few(on, make)` where all that a gather has to check is in order, else false.
template <class Plans, class Input, class Indices, class Output, class T, class Few>
[[gnu::always_inline]] constexpr bool usual_gather(Input const& input_view, Indices const& indices_view,
                                                   Output const& output_view, T const& fill, index_t axis,
                                                   Few const& few) {
  plan::footprint input;
  plan::footprint indices;
  plan::footprint output;
  if (!is_usual(input_view, input) || !is_usual(indices_view, indices) || !is_usual(output_view, output) ||
      !output.distinct || !are_apart(place_of_view(output_view), output, place_of_view(input_view), input) ||
      !are_apart(place_of_view(output_view), output, place_of_view(indices_view), indices))
    return false;
  return Plans::make_known(
      plan::layout_of(input_view), plan::layout_of(indices_view), plan::layout_of(output_view),
      axis, [&](auto const& make) __attribute__((always_inline)) {
        return few(
            arguments_of<T, typename Indices::value_type>(output_view.data_handle(), input_view.data_handle(),
                                                          indices_view.data_handle(), nothing_like(input_view), &fill),
            make);
      });
}

/// Not inlined: a gather of four elements would take twice as long beside it.
template <class Plans, class Policy, class Input, class Indices, class Output, class T>
[[gnu::noinline]] bool gather_listed(Policy& policy, Input const& input_view, Indices const& indices_view,
                                     Output const& output_view, T const& fill, index_t axis) {
  return usual_gather<Plans>(
      input_view, indices_view, output_view, fill,
      axis, [&](auto const& on, auto const& make) __attribute__((always_inline)) {
        plan::indexed_copy move;
        make(move);
        return policy.template move_listed<plan::side::source>(move, on);
      });
}

/// The small calls that `Plans` knows. False: there is more to do, or an error to be found.
template <class Plans, class Policy, class Input, class Indices, class Output, class T>
[[gnu::always_inline]] constexpr bool gather_few(Policy& policy, Input const& input_view, Indices const& indices_view,
                                                 Output const& output_view, bounds mode, T const& fill, index_t axis) {
  return move_few(
      policy,
      [&](auto const& few) __attribute__((always_inline)) {
        return usual_gather<Plans>(
            input_view, indices_view, output_view, fill,
            axis, [&](auto const& on, auto const& make) __attribute__((always_inline)) { return few(mode, on, make); });
      },
      [&](auto& listing) __attribute__((always_inline)) {
        return gather_listed<Plans>(listing, input_view, indices_view, output_view, fill, axis);
      });
}

/// The long way of `gather`, and the small calls that are not compiled into each call. Not inlined: GCC 12 at -O3 would
/// warn of dimensions beyond the ranks that it sees. By value: a small call that shares its arguments with nothing
/// takes less time.
template <class Plans, class Policy, class Input, class Indices, class Output, class T, class Check>
[[gnu::noinline]] constexpr void gather_at_length(Policy& policy, char const* name, Input input_view,
                                                  Indices indices_view, Output output_view, bounds mode, T fill,
                                                  index_t axis, Check check) {
  if constexpr (!std::is_void_v<typename Plans::further>)
    if (gather_few<typename Plans::further>(policy, input_view, indices_view, output_view, mode, fill, axis)) return;
  argument const input = measured(name, "input", input_view);
  argument const indices = measured(name, "indices", indices_view);
  argument const output = measured(name, "output", output_view);
  plan::operation_on<plan::side::source> operation;
  operation.name = name;
  operation.indices = indices.layout;
  operation.first_axis = check(input.layout, indices.layout, output.layout, axis);
  operation.last_is_coordinate = Plans::last_is_coordinate;
  operation.bounds = mode;
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  check_apart(name, output, indices);
  Plans::make(operation.move, input.layout, indices.layout, output.layout, operation.first_axis);
  if (operation.move.tuples != 0)
    execute(policy, operation, nullptr,
            arguments_of<T, typename Indices::value_type>(output_view.data_handle(), input_view.data_handle(),
                                                          indices_view.data_handle(), nothing_like(input_view), &fill));
}

/// All of a gather, whose plan is one of `Plans` (plan_makers.hpp). `axis` is the first one that is indexed, as the
/// caller has it. The operator's `check(input, indices, output, axis)` throws unless the shape rule is kept, and
/// returns that axis, counted from the front.
template <class Plans, class Policy, class Input, class Indices, class Output, class T, class Check>
[[gnu::always_inline]] constexpr void gather(Policy& policy, char const* name, Input const& input_view,
                                             Indices const& indices_view, Output const& output_view, bounds mode,
                                             T const& fill, index_t axis, Check const& check) {
  if (gather_few<Plans>(policy, input_view, indices_view, output_view, mode, fill, axis)) return;
  gather_at_length<Plans>(policy, name, input_view, indices_view, output_view, mode, fill, axis, check);
}

}  // namespace ndx::detail

#endif

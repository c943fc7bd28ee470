// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_SCATTER_CALL_HPP
#define NDX_OPS_SCATTER_CALL_HPP

#include <ndx/ops/call.hpp>
#include <ndx/ops/plan_makers.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/indexed_copy.hpp>

namespace ndx::detail {

/// The dimensions of `output` that are the input's, without the leading ones.
constexpr plan::layout without_padding(plan::layout const& output, std::size_t rank) noexcept {
  std::size_t const padding = output.rank - rank;
  return {rank, output.extents + padding, output.strides + padding};
}

/// The pointers of a scatter, and what it needs beside its plan.
template <class Policy, class Input, class Indices, class Updates, class Output>
struct scatter_call {
  Policy& policy;
  Input const& input_view;
  Indices const& indices_view;
  Updates const& updates_view;
  Output const& output_view;

  /// All of it. The plan is one of `Plans` (plan_makers.hpp), to the output's dimensions that are the input's. The
  /// operator's `check(input, indices, updates, output)` checks the shape rule and says the first axis that is indexed.
  template <class Plans, class Options, class Check>
  [[gnu::always_inline]] constexpr void run(char const* name, Options const& options, Check const& check) const {
    using value_type = typename Output::value_type;
    argument const input = measured(name, "input", input_view);
    argument const indices = measured(name, "indices", indices_view);
    argument const updates = measured(name, "updates", updates_view);
    argument const output = measured(name, "output", output_view);
    check_reduction<value_type>(name, options.reduction);
    std::size_t const axis = check(input.layout, indices.layout, updates.layout, output.layout);
    check_no_self_overlap(name, output);
    bool const in_place = same_place(input, output);
    if (!in_place) check_apart(name, output, input);
    check_apart(name, output, indices);
    check_apart(name, output, updates);

    auto on = arguments_of<value_type, typename Indices::value_type>(
        output_view.data_handle(), updates_view.data_handle(), indices_view.data_handle(), input_view.data_handle(),
        static_cast<value_type const*>(nullptr));
    plan::layout const to = without_padding(output.layout, Input::rank());
    if (in_place && options.reduction == reduction::none &&
        Plans::make_known(
            to, indices.layout, updates.layout, axis, [&](auto const& make) __attribute__((always_inline)) {
              return move_few(policy, options.bounds, on, make);
            }))
      return;
    plan::operation operation;
    operation.name = name;
    operation.first_axis = axis;
    operation.last_is_coordinate = Plans::last_is_coordinate;
    operation.bounds = options.bounds;
    operation.reduction = options.reduction;
    operation.duplicates = options.duplicates;
    at_length<Plans>(operation, input.layout, indices.layout, updates.layout, output.layout, in_place,
                     options.include_self, on);
  }

private:
  /// From the plan on. Not inlined: GCC 12 at -O3 would warn of dimensions beyond the ranks that it sees.
  template <class Plans, class Arguments>
  [[gnu::noinline]] constexpr void at_length(plan::operation& operation, plan::layout input, plan::layout indices,
                                             plan::layout updates, plan::layout output, bool in_place,
                                             bool include_self, Arguments on) const {
    using value_type = typename Output::value_type;
    operation.indices = indices;
    Plans::make(operation.move, without_padding(output, input.rank), indices, updates, operation.first_axis);
    plan::indexed_copy copy;
    if (!in_place) plan::make_copy(copy, input, output);
    if constexpr (plan::reducible<value_type>) {
      if (!include_self && operation.reduction != reduction::none) {
        value_type const identity = plan::identity_of<value_type>(operation.reduction);
        on.fill = &identity;
        plan::indexed_copy reset;
        plan::make_reset(reset, operation.move);
        return execute(policy, operation, in_place ? nullptr : &copy, on, &reset);
      }
    }
    execute(policy, operation, in_place ? nullptr : &copy, on);
  }
};

template <class Policy, class Input, class Indices, class Updates, class Output>
scatter_call(Policy&, Input const&, Indices const&, Updates const&, Output const&)
    -> scatter_call<Policy, Input, Indices, Updates, Output>;

}  // namespace ndx::detail

#endif

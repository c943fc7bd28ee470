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

  /// All of it. The plan is one of `Plans` (plan_makers.hpp), to the output's dimensions that are the input's. `axis`
  /// is the first one that is indexed, as the caller has it. The operator's `check(input, indices, updates, output)`
  /// throws unless the shape rule is kept, and returns that axis, counted from the front.
  template <class Plans, class Options, class Check>
  [[gnu::always_inline]] constexpr void run(char const* name, Options const& options, index_t axis,
                                            Check const& check) const {
    if (!replaces_few<Plans>(options, axis)) at_length<Plans>(name, options, check);
  }

private:
  [[nodiscard]] constexpr auto arguments() const {
    using value_type = typename Output::value_type;
    return arguments_of<value_type, typename Indices::value_type>(output_view.data_handle(), updates_view.data_handle(),
                                                                  indices_view.data_handle(), input_view.data_handle(),
                                                                  static_cast<value_type const*>(nullptr));
  }

  /// `few(on, make)` in place, and without a reduction, where all that is to be checked is in order; else false.
  template <class Plans, class Options, class Few>
  [[gnu::always_inline]] constexpr bool usual(Options const& options, index_t axis, Few const& few) const {
    plan::footprint indices;
    plan::footprint updates;
    plan::footprint output;
    if (options.reduction != reduction::none || !is_usual(indices_view, indices) || !is_usual(updates_view, updates) ||
        !is_usual(output_view, output) || !output.distinct)
      return false;
    place const here = place_of_view(output_view);
    plan::layout const whole = plan::layout_of(output_view);
    if (!same_place(place_of_view(input_view), plan::layout_of(input_view), here, whole) ||
        !are_apart(here, output, place_of_view(indices_view), indices) ||
        !are_apart(here, output, place_of_view(updates_view), updates))
      return false;
    return Plans::make_known(
        without_padding(whole, Input::rank()), plan::layout_of(indices_view), plan::layout_of(updates_view),
        axis, [&](auto const& make) __attribute__((always_inline)) { return few(arguments(), make); });
  }

  template <class Plans, class Options>
  [[gnu::always_inline]] constexpr bool replaces_few(Options const& options, index_t axis) const {
    if constexpr (Output::rank() < Input::rank()) return false;  // an error
    else
      return move_few(
          policy,
          [&](auto const& few) __attribute__((always_inline)) {
            return usual<Plans>(
                options, axis, [&](auto const& on, auto const& make) __attribute__((always_inline)) {
                  return few(options.bounds, on, make);
                });
          },
          [&](auto& listing) __attribute__((always_inline)) { return replaces_listed<Plans>(listing, options, axis); });
  }

  /// Not inlined, as `gather_listed`.
  template <class Plans, class Options>
  [[gnu::noinline]] bool replaces_listed(Policy& listing, Options const& options, index_t axis) const {
    return usual<Plans>(
        options, axis, [&](auto const& on, auto const& make) __attribute__((always_inline)) {
          plan::indexed_copy move;
          make(move);
          return listing.template move_listed<plan::side::destination>(move, on);
        });
  }

  /// Not inlined: GCC 12 at -O3 would warn of dimensions beyond the ranks that it sees.
  template <class Plans, class Options, class Check>
  [[gnu::noinline]] constexpr void at_length(char const* name, Options const& options, Check const& check) const {
    using value_type = typename Output::value_type;
    argument const input = measured(name, "input", input_view);
    argument const indices = measured(name, "indices", indices_view);
    argument const updates = measured(name, "updates", updates_view);
    argument const output = measured(name, "output", output_view);
    check_reduction<value_type>(name, options.reduction);
    plan::operation_on<plan::side::destination> operation;
    operation.name = name;
    operation.indices = indices.layout;
    operation.first_axis = check(input.layout, indices.layout, updates.layout, output.layout);
    operation.last_is_coordinate = Plans::last_is_coordinate;
    operation.bounds = options.bounds;
    operation.reduction = options.reduction;
    operation.duplicates = options.duplicates;
    check_no_self_overlap(name, output);
    bool const in_place = same_place(input, output);
    if (!in_place) check_apart(name, output, input);
    check_apart(name, output, indices);
    check_apart(name, output, updates);

    Plans::make(operation.move, without_padding(output.layout, Input::rank()), indices.layout, updates.layout,
                operation.first_axis);
    plan::indexed_copy copy;
    if (!in_place) plan::make_copy(copy, input.layout, output.layout);
    auto on = arguments();
    if constexpr (plan::reducible<value_type>) {
      if (!options.include_self && options.reduction != reduction::none) {
        value_type const identity = plan::identity_of<value_type>(options.reduction);
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

// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_CALL_HPP
#define NDX_OPS_CALL_HPP

#include <ndx/concepts.hpp>
#include <ndx/execution.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/plan/overlap.hpp>
#include <ndx/plan/shape.hpp>
#include <ndx/plan/window_shape.hpp>

#include <type_traits>

/// What the operators do alike between the user's call and the policy: every check that does not read an index.
namespace ndx::detail {

/// A tensor argument that has been measured.
struct argument {
  char const* name;
  plan::layout layout;
  plan::footprint bytes;
  place data;
};

/// A constant expression cannot compare every pointer, and finds a null one by itself when it is read.
constexpr bool has_data(place const& data) noexcept {
  if (std::is_constant_evaluated()) return true;
  return data.address != nullptr || data.space != nullptr;
}

/// A tensor_view as it is, for which `view` would make a copy, to be read before it has been written (4 of 20 ns of a
/// gather); of anything else the view.
template <tensor_like X>
constexpr decltype(auto) viewed(X& x) {
  if constexpr (is_tensor_view<std::remove_const_t<X>>) return static_cast<X const&>(x);
  else return ndx::view(x);
}

// Always inline for the constants that the rank and the size of the elements are.
template <class View>
[[gnu::always_inline]] constexpr argument measured(char const* operator_name, char const* name, View const& view) {
  return {name, plan::layout_of(view),
          plan::check_layout(operator_name, name, plan::layout_of(view), sizeof(typename View::value_type),
                             has_data(place_of(view.data_handle()))),
          place_of(view.data_handle())};
}

constexpr bool same_place(argument const& a, argument const& b) noexcept {
  return a.data.space == b.data.space && a.data.address == b.data.address && plan::same_layout(a.layout, b.layout);
}

[[gnu::always_inline]] constexpr void check_apart(char const* operator_name, argument const& output,
                                                  argument const& other) {
  // Addresses of different objects cannot be compared in constant expressions.
  if (std::is_constant_evaluated()) return;
  if (output.data.space == other.data.space &&
      plan::overlap(plan::range_of(output.data.address, output.bytes), plan::range_of(other.data.address, other.bytes)))
    plan::fail_overlap(operator_name, other.name);
}

constexpr void check_no_self_overlap(char const* operator_name, argument const& output) {
  if (!output.bytes.distinct && plan::overlaps_itself(output.layout))
    plan::fail_self_overlap(operator_name, output.layout);
}

template <class T>
constexpr void check_reduction(char const* operator_name, reduction chosen) {
  if (static_cast<unsigned>(chosen) > static_cast<unsigned>(reduction::mean))
    fail(unsupported_error(text(operator_name, ": reduction: ", static_cast<index_t>(chosen),
                                " is none; due is one of none, add, mul, min, max, sub and mean")));
  if constexpr (!plan::reducible<T>) {
    if (chosen != reduction::none)
      fail(unsupported_error(text(operator_name,
                                  ": reduction: the element type has none; due are integers of 8 to 64 bits, float16, "
                                  "bfloat16, float or double, or reduction::none")));
  }
}

/// A null handle of the kind that a view has.
template <class View>
constexpr auto nothing_like(View const&) noexcept {
  return typename View::data_handle_type{};
}

/// What a policy is given of the tensors of a call.
template <class T, class Index, class Destination, class Source, class Indices, class Input>
constexpr auto arguments_of(Destination destination, Source source, Indices indices, Input input, T const* fill) {
  return plan::arguments<T, Index, Destination, rebound<Source, T const>, rebound<Indices, Index const>,
                         rebound<Input, T const>>{destination, source, indices, input, fill};
}

/// The end of every operator: hands the plan, and those of the copy and of the reset to be done before, if there are
/// any, to the policy. In one place, so that a policy which cannot reach a tensor is told so. A policy with a member
/// `takes_as_made` is asked whether normalizing would cost more than it saves.
template <class Policy, class Arguments>
constexpr void execute(Policy& policy, plan::operation& operation, plan::indexed_copy* copy, Arguments const& on,
                       plan::indexed_copy* reset = nullptr) {
  constexpr bool reaches_all = requires(plan::operation const& planned) { policy.execute(planned, on); };
  static_assert(
      reaches_all,
      "ndx: this policy cannot reach a tensor of this call: the CPU policies take host tensors only; a device "
      "tensor needs a device, a batch or a recorder as its policy");
  operation.copy = copy;
  operation.reset = reset;
  if (copy != nullptr) plan::normalize(*copy);
  bool as_made = false;
  if constexpr (requires { policy.takes_as_made(operation); }) as_made = policy.takes_as_made(operation);
  if (!as_made) {
    plan::normalize(operation.move);
    if (reset != nullptr) plan::normalize(*reset);
  }
  if constexpr (reaches_all) policy.execute(operation, on);
}

/// A gather that has been checked, from the plan on. The layouts by value: the way by `move_few` does not need them
/// in memory.
template <class Policy, class Arguments>
constexpr void gather_at_length(Policy& policy, char const* name, plan::layout input, plan::layout indices,
                                plan::layout output, index_t batch_dims, bounds mode, Arguments on) {
  plan::operation operation;
  operation.name = name;
  operation.indices = indices;
  operation.first_axis = static_cast<std::size_t>(batch_dims);
  operation.last_is_coordinate = true;
  operation.bounds = mode;
  plan::make_tuple_copy(operation.move, input, indices, output, operation.first_axis, plan::tuple_size(indices),
                        plan::side::source);
  if (operation.move.tuples != 0) execute(policy, operation, nullptr, on);
}

/// gather_nd and gather_nd1.
template <class Policy, class Input, class Indices, class Output, class T>
[[gnu::always_inline]] constexpr void gather(Policy& policy, char const* name, Input const& input_view,
                                             Indices const& indices_view, Output const& output_view, index_t batch_dims,
                                             bounds mode, T const& fill) {
  argument const input = measured(name, "input", input_view);
  argument const indices = measured(name, "indices", indices_view);
  argument const output = measured(name, "output", output_view);
  plan::check_gather(name, input.layout, indices.layout, output.layout, batch_dims);
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  check_apart(name, output, indices);

  auto on = arguments_of<T, typename Indices::value_type>(output_view.data_handle(), input_view.data_handle(),
                                                          indices_view.data_handle(), nothing_like(input_view), &fill);
  // A policy with a member `move_few` is asked first, in place, where the tuples name elements: the compiler knows
  // the whole shape of the plan then, and next to nothing of it ever exists. False: more to do, or an error to be
  // found.
  if constexpr (requires(plan::indexed_copy & move) { policy.move_few(move, mode, on); }) {
    if (batch_dims == 0 && indices.layout.extents[Indices::rank() - 1] == static_cast<index_t>(Input::rank())) {
      plan::indexed_copy move;
      plan::make_tuple_copy(move, input.layout, indices.layout, output.layout, 0, Input::rank(), plan::side::source);
      if (policy.move_few(move, mode, on)) return;
    }
  }
  gather_at_length(policy, name, input.layout, indices.layout, output.layout, batch_dims, mode, on);
}

/// A gather by single indices that has been checked, from the plan on.
template <class Policy, class Arguments, class Make>
constexpr void gather_along_axis_at_length(Policy& policy, char const* name, plan::layout input, plan::layout indices,
                                           plan::layout output, std::size_t axis, bounds mode, Arguments on,
                                           Make make) {
  plan::operation operation;
  operation.name = name;
  operation.indices = indices;
  operation.first_axis = axis;
  operation.bounds = mode;
  make(operation.move, input, indices, output, axis);
  if (operation.move.tuples != 0) execute(policy, operation, nullptr, on);
}

/// A gather by single indices. The operator's `check(input, indices, output)` checks the shape rule and says the axis,
/// its `make(plan, input, indices, output, axis)` makes the plan, whose tuples may name single `Elements`.
template <bool Elements, class Policy, class Input, class Indices, class Output, class T, class Check, class Make>
[[gnu::always_inline]] constexpr void gather_along_axis(Policy& policy, char const* name, Input const& input_view,
                                                        Indices const& indices_view, Output const& output_view,
                                                        bounds mode, T const& fill, Check const& check,
                                                        Make const& make) {
  argument const input = measured(name, "input", input_view);
  argument const indices = measured(name, "indices", indices_view);
  argument const output = measured(name, "output", output_view);
  std::size_t const axis = check(input.layout, indices.layout, output.layout);
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  check_apart(name, output, indices);
  auto on = arguments_of<T, typename Indices::value_type>(output_view.data_handle(), input_view.data_handle(),
                                                          indices_view.data_handle(), nothing_like(input_view), &fill);
  if constexpr (Elements && requires(plan::indexed_copy & move) { policy.move_few(move, mode, on); }) {
    plan::indexed_copy move;
    make(move, input.layout, indices.layout, output.layout, axis);
    if (policy.move_few(move, mode, on)) return;
  }
  gather_along_axis_at_length(policy, name, input.layout, indices.layout, output.layout, axis, mode, on, make);
}

/// The end of the operators that take a window: one element of it for each of the output. The window has been checked.
template <class Policy, class Input, class Output>
constexpr void copy_window(Policy& policy, char const* name, argument const& input, Input const& input_view,
                           plan::window_axis const* window, argument const& output, Output const& output_view) {
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  plan::operation operation;
  operation.name = name;
  plan::make_slice(operation.move, input.layout, window, output.layout);
  if (operation.move.moves_nothing()) return;
  using handle = typename Output::data_handle_type;
  execute(policy, operation, nullptr,
          arguments_of<typename Output::value_type, std::int32_t>(output_view.data_handle(), input_view.data_handle(),
                                                                  rebound<handle, std::int32_t>{},
                                                                  nothing_like(input_view), nullptr));
}

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

  /// All of it. The operator's `check(input, indices, updates, output)` checks the shape rule and says the first axis
  /// that is indexed; `names_elements(indices)` whether each tuple leads to one element; `make(plan, output, indices,
  /// updates, axis, named)` makes the plan, for the output's dimensions that are the input's, `named` being a constant
  /// that is true only where tuples are known to lead to elements.
  template <class Options, class Check, class Elements, class Make>
  [[gnu::always_inline]] constexpr void run(char const* name, Options const& options, bool last_is_coordinate,
                                            Check const& check, Elements const& names_elements,
                                            Make const& make) const {
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
    if constexpr (requires(plan::indexed_copy & move) { policy.move_few(move, options.bounds, on); }) {
      if (names_elements(indices.layout) && in_place && options.reduction == reduction::none) {
        plan::indexed_copy move;
        make(move, to, indices.layout, updates.layout, axis, std::true_type{});
        if (policy.move_few(move, options.bounds, on)) return;
      }
    }
    plan::operation operation;
    operation.name = name;
    operation.first_axis = axis;
    operation.last_is_coordinate = last_is_coordinate;
    operation.bounds = options.bounds;
    operation.reduction = options.reduction;
    operation.duplicates = options.duplicates;
    at_length(operation, input.layout, indices.layout, updates.layout, output.layout, in_place, options.include_self,
              on, make);
  }

private:
  /// From the plan on. Not inlined: GCC 12 at -O3 would warn of dimensions beyond the ranks that it sees.
  template <class Arguments, class Make>
  [[gnu::noinline]] constexpr void at_length(plan::operation& operation, plan::layout input, plan::layout indices,
                                             plan::layout updates, plan::layout output, bool in_place,
                                             bool include_self, Arguments on, Make make) const {
    using value_type = typename Output::value_type;
    operation.indices = indices;
    make(operation.move, without_padding(output, input.rank), indices, updates, operation.first_axis,
         std::false_type{});
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

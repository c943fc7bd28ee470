// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_CALL_HPP
#define NDX_OPS_CALL_HPP

#include <ndx/concepts.hpp>
#include <ndx/execution.hpp>
#include <ndx/plan/combine.hpp>
#include <ndx/plan/normalize.hpp>
#include <ndx/plan/overlap.hpp>
#include <ndx/plan/shape.hpp>

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

template <class View>
constexpr argument measured(char const* operator_name, char const* name, View const& view) {
  plan::layout const layout = plan::layout_of(view);
  place const data = place_of(view.data_handle());
  return {name, layout,
          plan::check_layout(operator_name, name, layout, sizeof(typename View::value_type), has_data(data)), data};
}

constexpr bool same_place(argument const& a, argument const& b) noexcept {
  return a.data.space == b.data.space && a.data.address == b.data.address && plan::same_layout(a.layout, b.layout);
}

constexpr void check_apart(char const* operator_name, argument const& output, argument const& other) {
  // Addresses of different objects cannot be compared in constant expressions.
  if (std::is_constant_evaluated()) return;
  if (output.data.space == other.data.space &&
      plan::overlap(plan::range_of(output.data.address, output.bytes), plan::range_of(other.data.address, other.bytes)))
    plan::fail_overlap(operator_name, other.name);
}

constexpr void check_no_self_overlap(char const* operator_name, argument const& output) {
  if (plan::overlaps_itself(output.layout)) plan::fail_self_overlap(operator_name, output.layout);
}

template <class T>
constexpr void check_reduction(char const* operator_name, reduction chosen) {
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

/// Hands a call over to its policy. In one place, so that a policy which cannot reach a tensor is told so.
template <class T, class Index, class Policy, class Destination, class Source, class Indices, class Input>
constexpr void execute(Policy& policy, plan::operation const& operation, Destination destination, Source source,
                       Indices indices, Input input, T const* fill) {
  using arguments = plan::arguments<T, Index, Destination, rebound<Source, T const>, rebound<Indices, Index const>,
                                    rebound<Input, T const>>;
  constexpr bool reaches_all = requires(arguments const& on) { policy.execute(operation, on); };
  static_assert(
      reaches_all,
      "ndx: this policy cannot reach a tensor of this call: the CPU policies take host tensors only; a device "
      "tensor needs a device, a batch or a recorder as its policy");
  if constexpr (reaches_all) policy.execute(operation, arguments{destination, source, indices, input, fill});
}

/// gather_nd and gather_nd1.
template <class Policy, class Input, class Indices, class Output, class T>
constexpr void gather(Policy& policy, char const* name, Input const& input_view, Indices const& indices_view,
                      Output const& output_view, index_t batch_dims, bounds mode, T const& fill) {
  argument const input = measured(name, "input", input_view);
  argument const indices = measured(name, "indices", indices_view);
  argument const output = measured(name, "output", output_view);
  plan::check_gather(name, input.layout, indices.layout, output.layout, batch_dims);
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  check_apart(name, output, indices);

  plan::operation operation{.name = name,
                            .move = plan::make_tuple_copy(input.layout, indices.layout, output.layout,
                                                          static_cast<std::size_t>(batch_dims), plan::side::source),
                            .indices = indices.layout,
                            .first_axis = static_cast<std::size_t>(batch_dims),
                            .last_is_coordinate = true,
                            .bounds = mode};
  if (operation.move.tuples == 0) return;
  plan::normalize(operation.move);
  execute<T, typename Indices::value_type>(policy, operation, output_view.data_handle(), input_view.data_handle(),
                                           indices_view.data_handle(), nothing_like(input_view), &fill);
}

/// The pointers of a scatter, and what it needs beside its plan.
template <class Policy, class Input, class Indices, class Updates, class Output>
struct scatter_call {
  Policy& policy;
  Input const& input_view;
  Indices const& indices_view;
  Updates const& updates_view;
  Output const& output_view;

  /// Everything but the shape rule, which the operator's `make(input, indices, updates, output)` checks before it
  /// returns the plan.
  template <class Make>
  constexpr void run(plan::operation operation, Make const& make) const {
    using value_type = typename Output::value_type;
    char const* const name = operation.name;
    argument const input = measured(name, "input", input_view);
    argument const indices = measured(name, "indices", indices_view);
    argument const updates = measured(name, "updates", updates_view);
    argument const output = measured(name, "output", output_view);
    check_reduction<value_type>(name, operation.reduction);
    make(operation, input.layout, indices.layout, updates.layout, output.layout);
    check_no_self_overlap(name, output);
    bool const in_place = same_place(input, output);
    if (!in_place) check_apart(name, output, input);
    check_apart(name, output, indices);
    check_apart(name, output, updates);

    operation.indices = indices.layout;
    plan::normalize(operation.move);
    plan::indexed_copy copy;
    if (!in_place) {
      copy = plan::make_copy(input.layout, output.layout);
      plan::normalize(copy);
      operation.copy = &copy;
    }
    execute<value_type, typename Indices::value_type>(policy, operation, output_view.data_handle(),
                                                      updates_view.data_handle(), indices_view.data_handle(),
                                                      input_view.data_handle(), nullptr);
  }
};

template <class Policy, class Input, class Indices, class Updates, class Output>
scatter_call(Policy&, Input const&, Indices const&, Updates const&, Output const&)
    -> scatter_call<Policy, Input, Indices, Updates, Output>;

/// The dimensions of `output` that are the input's, without the leading ones.
constexpr plan::layout without_padding(plan::layout const& output, std::size_t rank) noexcept {
  std::size_t const padding = output.rank - rank;
  return {rank, output.extents + padding, output.strides + padding};
}

}  // namespace ndx::detail

#endif

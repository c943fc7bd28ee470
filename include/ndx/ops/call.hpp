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

template <class View>
[[gnu::always_inline]] constexpr place place_of_view(View const& view) noexcept {
  return place_of(view.data_handle());
}

// Always inline for the constants that the rank and the size of the elements are.
template <class View>
[[gnu::always_inline]] constexpr argument measured(char const* operator_name, char const* name, View const& view) {
  return {name, plan::layout_of(view),
          plan::check_layout(operator_name, name, plan::layout_of(view), sizeof(typename View::value_type),
                             has_data(place_of_view(view))),
          place_of_view(view)};
}

/// Do tensors at these places share no memory?
[[gnu::always_inline]] constexpr bool are_apart(place const& a, plan::footprint const& bytes_of_a, place const& b,
                                                plan::footprint const& bytes_of_b) noexcept {
  // Addresses of different objects cannot be compared in constant expressions.
  if (std::is_constant_evaluated()) return true;
  return a.space != b.space ||
         !plan::overlap(plan::range_of(a.address, bytes_of_a), plan::range_of(b.address, bytes_of_b));
}

/// Are they the same tensor?
[[gnu::always_inline]] constexpr bool same_place(place const& a, plan::layout const& layout_of_a, place const& b,
                                                 plan::layout const& layout_of_b) noexcept {
  return a.space == b.space && a.address == b.address && plan::same_layout(layout_of_a, layout_of_b);
}

constexpr bool same_place(argument const& a, argument const& b) noexcept {
  return same_place(a.data, a.layout, b.data, b.layout);
}

[[gnu::always_inline]] constexpr void check_apart(char const* operator_name, argument const& output,
                                                  argument const& other) {
  if (!are_apart(output.data, output.bytes, other.data, other.bytes)) plan::fail_overlap(operator_name, other.name);
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
template <class Policy, class Operation, class Arguments>
constexpr void execute(Policy& policy, Operation& operation, plan::indexed_copy* copy, Arguments const& on,
                       plan::indexed_copy* reset = nullptr) {
  constexpr bool reaches_all = requires(Operation const& planned) { policy.execute(planned, on); };
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

struct never_listed {
  template <class Policy>
  constexpr bool operator()(Policy&) const noexcept {
    return false;
  }
};

/// A policy with a member `move_few` is asked first, in place, where the compiler knows how many loops the plan has:
/// next to nothing of the plan ever exists then. `way(few)` returns `few(mode, on, make)` where all that the operator
/// has to check is in order, else false. False: more to do, or an error to be found, by the long way, which checks
/// again and can say what is wrong; to have its texts in the way cost a gather of four elements a third of its time.
/// Not without optimization, where it gains nothing and is half of what a call takes to compile. `listed(policy)` is
/// called before, where a member `takes_listed` says so of the plan.
template <class Policy, class Way, class Listed = never_listed>
[[gnu::always_inline]] constexpr bool move_few([[maybe_unused]] Policy& policy, [[maybe_unused]] Way const& way,
                                               [[maybe_unused]] Listed const& listed = {}) {
#if defined(__OPTIMIZE__) || !defined(__GNUC__)
  if constexpr (requires(plan::indexed_copy & move, plan::arguments<float, std::int32_t> const& on) {
                  policy.move_few(move, bounds::check, on);
                }) {
    // A constant expression takes the long way: it cannot compare addresses.
    if (!std::is_constant_evaluated())
      return way([&](bounds mode, auto const& on, auto const& make) __attribute__((always_inline)) {
        if constexpr (requires(plan::indexed_copy & move) { policy.move_few(move, mode, on); }) {
          // Only as many loops are written, and then read, as there are; GCC 12 at -O3 follows that in part.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
          plan::indexed_copy move;
          make(move);
          if constexpr (requires { policy.takes_listed(move, mode); })
            if (policy.takes_listed(move, mode) && listed(policy)) return true;
          return policy.move_few(move, mode, on);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
        } else {
          return false;
        }
      });
  }
#endif
  return false;
}

/// Measures a tensor; false where an error may come of it, which the long way has to find.
template <class View>
[[gnu::always_inline]] constexpr bool is_usual(View const& view, plan::footprint& bytes) noexcept {
  return has_data(place_of_view(view)) &&
         plan::detail::measure_usual(plan::layout_of(view), sizeof(typename View::value_type), bytes);
}

template <class Input, class Output>
constexpr auto arguments_of_window(Input const& input_view, Output const& output_view) {
  using handle = typename Output::data_handle_type;
  return arguments_of<typename Output::value_type, std::int32_t>(output_view.data_handle(), input_view.data_handle(),
                                                                 rebound<handle, std::int32_t>{},
                                                                 nothing_like(input_view), nullptr);
}

/// For each dimension of the input.
template <class Input>
using window_of = std::array<plan::window_axis, Input::rank()>;

/// The long way of `copy_window`.
template <class Policy, class Input, class Output, class Find, class Explain>
[[gnu::noinline]] constexpr void copy_window_at_length(Policy& policy, char const* name, Input const& input_view,
                                                       Output const& output_view, Find const& find,
                                                       Explain const& explain) {
  argument const input = measured(name, "input", input_view);
  argument const output = measured(name, "output", output_view);
  window_of<Input> window{};
  if (!find(window)) explain(input.layout, window, output.layout);
  check_no_self_overlap(name, output);
  check_apart(name, output, input);
  plan::operation_on<plan::side::none> operation;
  operation.name = name;
  plan::make_slice(operation.move, input.layout, window.data(), output.layout);
  if (!operation.move.moves_nothing())
    execute(policy, operation, nullptr, arguments_of_window(input_view, output_view));
}

/// All of an operator that takes a window: one element of it for each of the output. `find(window)` fills in a
/// `window_of` the input and returns whether the shape rule is kept; where it is not, `explain(input, window, output)`
/// throws.
template <class Policy, class Input, class Output, class Find, class Explain>
[[gnu::always_inline]] constexpr void copy_window(Policy& policy, char const* name, Input const& input_view,
                                                  Output const& output_view, Find const& find, Explain const& explain) {
  bool const done = move_few(
      policy, [&](auto const& few) __attribute__((always_inline)) {
        plan::footprint input;
        plan::footprint output;
        window_of<Input> window{};
        return is_usual(input_view, input) && is_usual(output_view, output) && output.distinct &&
               are_apart(place_of_view(output_view), output, place_of_view(input_view), input) && find(window) &&
               few(
                   bounds::check, arguments_of_window(input_view, output_view),
                   [&](plan::indexed_copy & move) __attribute__((always_inline)) {
                     plan::make_slice(move, plan::layout_of(input_view), window.data(), plan::layout_of(output_view));
                   });
      });
  if (!done) copy_window_at_length(policy, name, input_view, output_view, find, explain);
}

}  // namespace ndx::detail

#endif

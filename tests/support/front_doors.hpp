// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_FRONT_DOORS_HPP
#define NDX_TESTS_SUPPORT_FRONT_DOORS_HPP

// From a problem, whose types and ranks are values, to the operators, whose types and ranks are template arguments.
// Each function runs the problem through every policy and compares with the oracle.

#include "catch.hpp"
#include "harness.hpp"
#include "ways.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace test {

ndx::bounds to_ndx(oracle::bounds mode);
ndx::reduction to_ndx(oracle::reduction op);
ndx::duplicates to_ndx(oracle::duplicates d);

template <class T>
T fill_of(problem const& p) {
  T result{};
  std::memcpy(static_cast<void*>(&result), p.fill.data(), sizeof(T));
  return result;
}

template <class T, class I>
problem problem_of(operation op) {
  problem p;
  p.op = op;
  p.type = &type_of<T>();
  p.kind = kind_of<I>;
  p.input.size = p.updates.size = sizeof(T);
  p.fill.resize(sizeof(T));
  return p;
}

/// A problem with the input 0, 1, 2, ... and these indices; its updates are -1, -2, -3, ... if it is a scatter.
template <class T, class I>
problem small_problem(operation op, oracle::shape input, oracle::shape indices, std::vector<I> const& values,
                      oracle::bounds mode = oracle::bounds::check) {
  problem p = problem_of<T, I>(op);
  p.input = counting<T>(std::move(input));
  p.indices = {std::move(indices), {values.begin(), values.end()}};
  p.mode = mode;
  T const fill = static_cast<T>(77);
  std::memcpy(p.fill.data(), &fill, sizeof(T));
  if (op == operation::scatter_nd) p.updates.extents = oracle::slices(p.input.extents, p.indices.extents, 0).value();
  if (op == operation::scatter_elements) p.updates.extents = p.indices.extents;
  if (is_scatter(op)) {
    std::vector<T> updates;
    for (oracle::integer i = 1; i <= oracle::product(p.updates.extents); ++i) updates.push_back(static_cast<T>(-i));
    p.updates = elements_of(p.updates.extents, updates);
  }
  return p;
}

/// The output of a gather or a scatter has the extents due, unless the test says otherwise.
problem completed(problem p);

/// Compiles one call for all CPU policies, or one for each: the same call, up to where its plan goes to the policy.
template <class T, bool EachPolicy = false, class Invoke>
void run_everywhere(problem const& given, std::string const& note, std::vector<arrangement> const& arrangements,
                    Invoke invoke) {
  problem const p = completed(given);
  trials all(p, arrangements, note);
  auto const run = [&](std::string const& name, auto const& way) {
    all.run(name,
            [&](operands const& o) { way(o, [&](auto& policy, auto const& view) { invoke(policy, view, p, o); }); });
  };
  if constexpr (EachPolicy) for_each_way<T>(run);
  else for_each_way_of_one_type<T>(run);
}

/// Elements for which calls of the five operators are compiled with each policy.
template <class T>
inline constexpr bool with_each_policy = std::is_same_v<T, float>;

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Output>
void verify_gather_nd(problem const& given, std::string const& note = {},
                      std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T, with_each_policy<T>>(
      given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
        ndx::gather_nd(policy, view(as<T const, Input>{}, o.input), view(as<I const, Indices>{}, o.indices),
                       view(as<T, Output>{}, o.output), {.bounds = to_ndx(p.mode), .fill = fill_of<T>(p)});
      });
}

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Output>
void verify_gather_nd1(problem const& given, std::string const& note = {},
                       std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T, with_each_policy<T>>(
      given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
        ndx::gather_nd1(policy, view(as<T const, Input>{}, o.input), view(as<I const, Indices>{}, o.indices),
                        view(as<T, Output>{}, o.output),
                        {.batch_dims = p.batch_dims, .bounds = to_ndx(p.mode), .fill = fill_of<T>(p)});
      });
}

template <class T, std::size_t Input, std::size_t Output>
void verify_slice1(problem const& given, std::string const& note = {},
                   std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T, with_each_policy<T>>(
      given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
        ndx::slice1(policy, view(as<T const, Input>{}, o.input), view(as<T, Output>{}, o.output),
                    {.offsets = to_array<Input>(p.window.offsets),
                     .sizes = to_array<Input>(p.window.sizes),
                     .strides = to_array<Input>(p.window.strides)});
      });
}

/// In place the call sees one view twice, and no second tensor with the same elements.
template <std::size_t Input, std::size_t Output>
operand const& input_of(operands const& o) {
  return Input == Output && o.in_place ? o.output : o.input;
}

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Updates, std::size_t Output = Input>
void verify_scatter_nd(problem const& given, std::string const& note = {},
                       std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T, with_each_policy<T>>(
      given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
        ndx::scatter_nd(policy, view(as<T const, Input>{}, input_of<Input, Output>(o)),
                        view(as<I const, Indices>{}, o.indices), view(as<T const, Updates>{}, o.updates),
                        view(as<T, Output>{}, o.output),
                        {.bounds = to_ndx(p.mode),
                         .reduction = to_ndx(p.reduction),
                         .duplicates = to_ndx(p.duplicates),
                         .batch_dims = p.batch_dims,
                         .include_self = p.include_self});
      });
}

template <class T, class I, std::size_t Rank, std::size_t Updates = Rank, std::size_t Output = Rank,
          bool EachPolicy = with_each_policy<T>>
void verify_scatter_elements(problem const& given, std::string const& note = {},
                             std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T, EachPolicy>(
      given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
        ndx::scatter_elements(policy, view(as<T const, Rank>{}, input_of<Rank, Output>(o)),
                              view(as<I const, Rank>{}, o.indices), view(as<T const, Updates>{}, o.updates),
                              view(as<T, Output>{}, o.output),
                              {.axis = p.axis,
                               .bounds = to_ndx(p.mode),
                               .reduction = to_ndx(p.reduction),
                               .duplicates = to_ndx(p.duplicates),
                               .include_self = p.include_self});
      });
}

// The operators below go the ways of those above from the plan on.

template <class T, class I, std::size_t Rank, std::size_t Output = Rank>
void verify_gather_elements(problem const& given, std::string const& note = {},
                            std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T>(given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
    ndx::gather_elements(policy, view(as<T const, Rank>{}, o.input), view(as<I const, Rank>{}, o.indices),
                         view(as<T, Output>{}, o.output),
                         {.axis = p.axis, .bounds = to_ndx(p.mode), .fill = fill_of<T>(p)});
  });
}

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Output>
void verify_take(problem const& given, std::string const& note = {},
                 std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T>(given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
    ndx::take(policy, view(as<T const, Input>{}, o.input), view(as<I const, Indices>{}, o.indices),
              view(as<T, Output>{}, o.output), {.axis = p.axis, .bounds = to_ndx(p.mode), .fill = fill_of<T>(p)});
  });
}

template <class T, std::size_t Input, std::size_t Output>
void verify_slice(problem const& given, std::string const& note = {},
                  std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T>(given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
    ndx::slice(policy, view(as<T const, Input>{}, o.input), view(as<T, Output>{}, o.output),
               {.starts = to_array<Input>(p.slice.starts),
                .ends = to_array<Input>(p.slice.ends),
                .steps = to_array<Input>(p.slice.steps)});
  });
}

template <class T, std::size_t Input, std::size_t Output>
void verify_flip(problem const& given, std::string const& note = {},
                 std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T>(given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
    ndx::flip_options const options{.axes = p.axes ? ndx::axis_list(*p.axes) : ndx::axis_list()};
    ndx::flip(policy, view(as<T const, Input>{}, o.input), view(as<T, Output>{}, o.output), options);
  });
}

template <class T, std::size_t Input, std::size_t Output>
void verify_slice_grad(problem const& given, std::string const& note = {},
                       std::vector<arrangement> const& arrangements = every_arrangement()) {
  run_everywhere<T>(given, note, arrangements, [](auto& policy, auto const& view, problem const& p, operands const& o) {
    ndx::slice_grad(policy, view(as<T const, Input>{}, o.input), view(as<T, Output>{}, o.output),
                    {.offsets = to_array<Output>(p.window.offsets),
                     .sizes = to_array<Output>(p.window.sizes),
                     .strides = to_array<Output>(p.window.strides)});
  });
}

}  // namespace test

#endif

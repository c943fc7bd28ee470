// SPDX-License-Identifier: MIT
// slice, flip and slice_grad: the operators beside slice1 whose plan is a window.
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace test;

namespace {

constexpr auto lowest = std::numeric_limits<oracle::integer>::min();
constexpr auto highest = std::numeric_limits<oracle::integer>::max();

template <class T, std::size_t Input, std::size_t Output>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    verify_slice<T, Input, Output>(
        random_python_slice(problem_of<T, std::int32_t>(operation::slice), random, Input, Output), seed);
    verify_flip<T, Input, Output>(random_flip(problem_of<T, std::int32_t>(operation::flip), random, Input, Output),
                                  seed);
    verify_slice_grad<T, Output, Input>(
        random_slice_grad(problem_of<T, std::int32_t>(operation::slice_grad), random, Output, Input), seed);
  });
}

/// Of a line of elements; the output as long as it is given.
problem sliced(oracle::integer extent, std::optional<oracle::integer> start, std::optional<oracle::integer> end,
               std::optional<oracle::integer> step, oracle::integer output) {
  problem p = problem_of<float, std::int32_t>(operation::slice);
  p.input = counting<float>({extent});
  p.slice = {{start}, {end}, {step}};
  p.output = {output};
  return p;
}

problem flipped(oracle::shape const& input, std::optional<oracle::shape> axes, oracle::shape const& output) {
  problem p = problem_of<float, std::int32_t>(operation::flip);
  p.input = counting<float>(input);
  p.axes = std::move(axes);
  p.output = output;
  return p;
}

problem gradient(oracle::shape const& input, oracle::window window, oracle::shape const& output) {
  problem p = problem_of<float, std::int32_t>(operation::slice_grad);
  p.input = counting<float>(input);
  p.window = std::move(window);
  p.output = output;
  return p;
}

}  // namespace

TEST_CASE("slice, flip and slice_grad move random elements of every size") {
  verify_random<std::uint8_t, 2, 2>(80);
  verify_random<pixel, 2, 2>(80);
  verify_random<double, 2, 2>(80);
  verify_random<record, 2, 2>(80);
}

TEST_CASE("slice, flip and slice_grad hold for every rank") {
  verify_random<float, 0, 0>(3);
  verify_random<float, 1, 1>(100);
  verify_random<float, 3, 5>(60);
  verify_random<std::uint16_t, 8, 8>(60);
}

TEST_CASE("slice brings what lies beyond an end to that end") {
  for (oracle::integer step : {1, -1, 2, -2})
    for (oracle::integer output : {0, 1, 2, 3, 4, 5}) {
      verify_slice<float, 1, 1>(sliced(5, std::nullopt, std::nullopt, step, output));
      verify_slice<float, 1, 1>(sliced(5, lowest, highest, step, output));
      verify_slice<float, 1, 1>(sliced(5, highest, lowest, step, output));
      verify_slice<float, 1, 1>(sliced(5, 100, -2, step, output));
      verify_slice<float, 1, 1>(sliced(5, -3, 100, step, output));
    }
}

TEST_CASE("slice takes steps as large as they come, and refuses a step of 0") {
  for (oracle::integer step : {highest, lowest, -highest, oracle::integer{1} << 32, oracle::integer{0}})
    for (oracle::integer output : {0, 1, 2}) verify_slice<float, 1, 1>(sliced(5, 2, std::nullopt, step, output));
}

TEST_CASE("slice of nothing is nothing") {
  for (oracle::integer step : {1, -1}) {
    verify_slice<float, 1, 1>(sliced(0, std::nullopt, std::nullopt, step, 0));
    verify_slice<float, 1, 1>(sliced(0, -1, 1, step, 0));
    verify_slice<float, 1, 1>(sliced(5, 3, 3, step, 0));
  }
}

TEST_CASE("slice refuses an output that is not of the slice's extents") {
  problem p = problem_of<float, std::int32_t>(operation::slice);
  p.input = counting<float>({3, 4});
  p.slice = {{1, std::nullopt}, {std::nullopt, -1}, {std::nullopt, std::nullopt}};
  for (oracle::shape const& output : {oracle::shape{1, 2, 3}, {2, 2, 3}, {1, 3, 2}, {1, 1, 3}, {1, 2, 4}, {0, 2, 3}}) {
    p.output = output;
    verify_slice<float, 2, 3>(p);
  }
}

TEST_CASE("flip takes negative axes, every axis or none, and each once") {
  for (std::optional<oracle::shape> const& axes :
       {std::optional<oracle::shape>(), std::optional<oracle::shape>(oracle::shape{}), std::optional(oracle::shape{-1}),
        std::optional(oracle::shape{1, 0}), std::optional(oracle::shape{1, -1}), std::optional(oracle::shape{2}),
        std::optional(oracle::shape{-3}), std::optional(oracle::shape{lowest}), std::optional(oracle::shape{highest})})
    verify_flip<float, 2, 2>(flipped({3, 4}, axes, {3, 4}));
}

TEST_CASE("flip refuses an output that is not of the input's extents") {
  for (oracle::shape const& output : {oracle::shape{1, 3, 4}, {3, 1, 4}, {1, 4, 3}, {1, 3, 3}, {0, 3, 4}})
    verify_flip<float, 2, 3>(flipped({3, 4}, std::nullopt, output));
  verify_flip<float, 2, 2>(flipped({0, 4}, std::nullopt, {0, 4}));
}

TEST_CASE("slice_grad is zero but for the window") {
  verify_slice_grad<float, 1, 1>(gradient({5}, {{2}, {5}, {-1}}, {10}));
  verify_slice_grad<float, 1, 1>(gradient({3}, {{2}, {5}, {-2}}, {10}));
  verify_slice_grad<float, 1, 1>(gradient({2}, {{2}, {5}, {2}}, {10}));  // not all steps
  verify_slice_grad<float, 2, 2>(gradient({2, 2}, {{0, 1}, {4, 3}, {-2, 2}}, {4, 4}));
}

TEST_CASE("slice_grad refuses a stride of 0, a window that is empty or outside, and an input too large or empty") {
  for (oracle::integer input : {0, 1, 2, 3, 4}) {
    verify_slice_grad<float, 1, 1>(gradient({input}, {{1}, {3}, {1}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{1}, {3}, {0}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{1}, {0}, {1}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{3}, {3}, {1}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{highest}, {3}, {1}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{-1}, {3}, {lowest}}, {5}));
    verify_slice_grad<float, 1, 1>(gradient({input}, {{0}, {1}, {1}}, {0}));
  }
}

TEST_CASE("slice_grad fills around windows of long and short rows, wide and narrow, in one block or in many") {
  struct {
    char const* note;
    oracle::shape input;
    oracle::window window;
    oracle::shape output;
  } const cases[] = {
      {"rows that are streamed", {120, 300}, {{1, 3}, {120, 300}, {1, 1}}, {125, 310}},
      {"rows longer than a block", {3, 20000}, {{1, 7}, {3, 20000}, {1, 1}}, {6, 20011}},
      {"a narrow window", {18, 3}, {{2, 1900}, {18, 3}, {1, 1}}, {60, 6000}},
      {"every third row and second column", {600, 21}, {{1, 2}, {1798, 41}, {3, 2}}, {1803, 44}},
      {"the other way round", {600, 21}, {{1, 2}, {1798, 41}, {-3, -2}}, {1803, 44}},
      {"every second column of long rows", {30, 700}, {{0, 3}, {30, 1399}, {1, 2}}, {31, 1403}},
      {"every third column of long rows", {30, 700}, {{0, 3}, {30, 2098}, {1, 3}}, {31, 2101}},
      {"all of it", {2112, 129}, {{0, 0}, {2112, 129}, {1, 1}}, {2112, 129}},
      {"one element", {1, 1}, {{1000, 100}, {1, 1}, {1, 1}}, {2112, 129}},
  };
  for (auto const& each : cases) {
    auto const of = [&]<class T>(T) {
      problem p = problem_of<T, std::int32_t>(operation::slice_grad);
      random_source random(first_seed());
      p.input = random_bits(each.input, sizeof(T), random);
      p.window = each.window;
      p.output = each.output;
      verify_slice_grad<T, 2, 2>(p, each.note, few_arrangements());
    };
    of(std::uint8_t{});
    of(pixel{});
    of(double{});
  }
}

TEST_CASE("slice, flip and slice_grad move large tensors as they move small ones") {
  random_source random(first_seed());
  problem p = problem_of<float, std::int32_t>(operation::slice);
  p.input = random_bits({701, 903}, sizeof(float), random);
  p.slice = {{std::nullopt, -2}, {3, std::nullopt}, {-1, -2}};
  std::vector<oracle::shape> const taken = *oracle::python_positions(p.input.extents, p.slice);
  p.output = {static_cast<oracle::integer>(taken[0].size()), static_cast<oracle::integer>(taken[1].size())};
  verify_slice<float, 2, 2>(p, "1.2 MiB", few_arrangements());
  p.op = operation::flip;
  p.output = p.input.extents;
  verify_flip<float, 2, 2>(p, "2.4 MiB", few_arrangements());
  p.op = operation::slice_grad;
  p.window = {{3, 1}, {p.input.extents[0], p.input.extents[1]}, {-1, 1}};
  p.output = {710, 905};
  verify_slice_grad<float, 2, 2>(p, "2.4 MiB", few_arrangements());
}

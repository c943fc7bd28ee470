// SPDX-License-Identifier: MIT
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <string>

using namespace test;
using oracle::bounds;

namespace {

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Output>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    auto const p = random_take(problem_of<T, I>(operation::take), random, Input, Indices, Output);
    verify_take<T, I, Input, Indices, Output>(p, seed);
  });
}

problem cube(oracle::shape input, oracle::shape indices, std::vector<std::int64_t> const& values, oracle::integer axis,
             bounds mode = bounds::check) {
  auto p = small_problem<float, std::int64_t>(operation::take, std::move(input), std::move(indices), values, mode);
  p.axis = axis;
  return p;
}

/// Input of rank 3, indices of rank 2.
void verify_cube(problem const& p) { verify_take<float, std::int64_t, 3, 2, 4>(p); }

constexpr bounds all_but_trust[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("take moves random slices of elements of every size by every type of index") {
  verify_random<std::uint8_t, std::uint64_t, 3, 1, 3>(60);
  verify_random<std::uint16_t, std::int32_t, 3, 1, 3>(60);
  verify_random<pixel, std::uint32_t, 3, 1, 3>(60);
  verify_random<std::complex<double>, std::int32_t, 3, 1, 3>(60);
  verify_random<record, std::int64_t, 3, 1, 3>(60);
}

TEST_CASE("take holds for every rank") {
  verify_random<float, std::int64_t, 1, 0, 0>(40);
  verify_random<float, std::int64_t, 1, 8, 8>(40);
  verify_random<float, std::int64_t, 3, 2, 4>(80);
  verify_random<float, std::int64_t, 4, 0, 3>(80);
  verify_random<float, std::int64_t, 8, 1, 8>(60);
}

TEST_CASE("take by one index of rank 0 leaves the axis out") {
  for (bounds mode : all_but_trust)
    for (std::int64_t index : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{3}, lowest})
      for (oracle::integer axis : {0, 1, 2, 3})
        verify_take<float, std::int64_t, 4, 0, 3>(cube({3, 3, 3, 3}, {}, {index}, axis, mode));
}

TEST_CASE("take: an axis counts from either end, and one outside the ranks is refused") {
  for (oracle::integer axis :
       {oracle::integer{-1}, oracle::integer{-3}, oracle::integer{3}, oracle::integer{-4}, lowest, highest}) {
    problem p = cube({2, 2, 2}, {2, 2}, {1, 0, 0, 1}, axis);
    p.output = {2, 2, 2, 2};
    verify_cube(p);
  }
}

TEST_CASE("take: each mode has its answer to a bad index") {
  for (bounds mode : all_but_trust)
    for (oracle::integer axis : {0, 1, 2})
      verify_cube(cube({3, 4, 5}, {2, 3}, {0, -1, lowest, highest, 7, -9}, axis, mode));
  verify_cube(cube({3, 4, 5}, {1, 4}, {-1, 2, -3, 0}, 1, bounds::trust));
}

TEST_CASE("take: bounds::check names the first bad index, at its place in the indices") {
  for (oracle::integer axis : {0, 1, 2})
    for (std::size_t first : {std::size_t{0}, std::size_t{31}, std::size_t{256}, std::size_t{599}}) {
      std::vector<std::int64_t> indices(600, 1);
      for (std::size_t i = first; i < indices.size(); i += 11) indices[i] = static_cast<std::int64_t>(100 + i);
      verify_cube(cube({3, 4, 2}, {30, 20}, indices, axis));
    }
}

TEST_CASE("take: a bad index is found where indices are repeated by stride 0") {
  // The harness broadcasts what is the same all along a dimension.
  for (oracle::integer axis : {0, 1, 2})
    for (std::vector<std::int64_t> const& indices :
         {std::vector<std::int64_t>{1, 1, 7, 7, 0, 0}, {1, 9, 1, 9, 1, 9}, {8, 8, 8, 8, 8, 8}})
      verify_cube(cube({3, 4, 5}, {3, 2}, indices, axis));
}

TEST_CASE("take: without indices there is nothing to do") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap, bounds::trust})
    for (oracle::integer axis : {0, 1, 2}) {
      verify_cube(cube({3, 4, 2}, {0, 4}, {}, axis, mode));
      verify_cube(cube({0, 0, 0}, {4, 0}, {}, axis, mode));
    }
}

TEST_CASE("take: every index into an extent of 0 is out of range") {
  for (bounds mode : all_but_trust)
    for (oracle::integer axis : {0, 1, 2}) {
      problem p = cube({3, 3, 3}, {1, 2}, {0, -1}, axis, mode);
      oracle::shape extents{3, 3, 3};
      extents[static_cast<std::size_t>(axis)] = 0;
      p.input = counting<float>(extents);
      verify_cube(p);
    }
}

TEST_CASE("take: where slices are empty, before the axis or behind it, indices are still checked") {
  for (bounds mode : all_but_trust)
    for (std::int64_t index : {2, 4}) {
      verify_cube(cube({0, 4, 2}, {1, 2}, {0, index}, 1, mode));
      verify_cube(cube({3, 4, 0}, {1, 2}, {0, index}, 1, mode));
      verify_cube(cube({0, 3, 4}, {1, 2}, {0, index}, -1, mode));
    }
}

TEST_CASE("take: where nothing moves the indices are looked at once, however many slices there are before the axis") {
  constexpr ndx::index_t many = ndx::index_t{1} << 62;
  float const element = 0;
  float output = 0;
  std::int32_t const index = 9;
  auto const call = [&](auto const& policy, std::int32_t const& each) {
    ndx::take(policy, ndx::tensor_view<float const, 3>(&element, {many, 10, 0}),
              ndx::tensor_view<std::int32_t const, 1>(&each, {4}, {0}),
              ndx::tensor_view<float, 3>(&output, {many, 4, 0}), {.axis = 1});
  };
  std::int32_t const bad = 10;
  for_each_policy([&](std::string const& name, auto const& policy) {
    INFO(name);
    CHECK_NOTHROW(call(policy, index));
    try {
      call(policy, bad);
      FAIL("no index_error");
    } catch (ndx::index_error const& error) {
      CHECK(error.position() == std::vector<ndx::index_t>{0});
      CHECK(error.extent() == 10);
    }
  });
}

TEST_CASE("take refuses an output whose extents are not those of the slices") {
  problem p = cube({3, 4, 5}, {2, 6}, std::vector<std::int64_t>(12), 1);
  for (oracle::shape const& output :
       {oracle::shape{3, 2, 6, 5}, {3, 6, 2, 5}, {2, 6, 3, 5}, {3, 4, 6, 5}, {3, 2, 6, 4}, {4, 2, 6, 5}}) {
    p.output = output;
    verify_cube(p);
  }
  p.output = {3, 2, 30};
  verify_take<float, std::int64_t, 3, 2, 3>(p);
}

TEST_CASE("take takes an output with leading ones, and no other padding") {
  problem p = cube({3, 4, 5}, {2}, {1, 3}, 1);
  for (oracle::shape const& output : {oracle::shape{1, 3, 2, 5}, {3, 1, 2, 5}, {2, 3, 2, 5}, {3, 2, 5, 1}}) {
    p.output = output;
    verify_take<float, std::int64_t, 3, 1, 4>(p);
  }
}

TEST_CASE("take: few indices, the same ones in many slices") {
  std::vector<std::int64_t> const orders[] = {{2, 1, 0}, {0, 2, -1}, {1, 1, 1}, {3, 0, 2, 1, 0}, {-4, -1}};
  for (std::vector<std::int64_t> const& order : orders)
    for (oracle::integer width : {1, 2, 4, 7, 16, 40})
      verify_cube(cube({70, 4, width}, {1, static_cast<oracle::integer>(order.size())}, order, 1));
  for (bounds mode : all_but_trust)
    for (std::int64_t bad : {4, -5})
      for (oracle::integer width : {1, 3}) verify_cube(cube({70, 4, width}, {1, 3}, {1, bad, 0}, 1, mode));
  for (oracle::integer count : {1, 3, 5, 17, 63, 64, 65}) {
    auto p = problem_of<std::uint8_t, std::uint64_t>(operation::take);
    random_source random(first_seed());
    p.input = random_bits({90, 6, 1}, 1, random);
    p.axis = 1;
    p.indices = good_tuples({count, 1}, p.input.extents, 1, p.kind, random);
    p.indices.extents = {count};
    p.output = {90, count, 1};
    verify_take<std::uint8_t, std::uint64_t, 3, 1, 3>(p);
  }
}

TEST_CASE("take moves large outputs as it moves small ones") {
  random_source random(first_seed());
  for (oracle::integer axis : {0, 1, 2}) {
    problem p = problem_of<float, std::int64_t>(operation::take);
    p.axis = axis;
    p.input = random_bits({40, 90, 70}, sizeof(float), random);
    p.indices = good_tuples({9, 13, 1}, p.input.extents, static_cast<std::size_t>(axis), p.kind, random);
    p.indices.extents = {9, 13};
    verify_take<float, std::int64_t, 3, 2, 4>(p, "a few MiB", few_arrangements());
  }
}

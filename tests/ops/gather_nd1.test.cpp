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
    auto const p = random_gather(problem_of<T, I>(operation::gather_nd1), random, Input, Indices, Output);
    verify_gather_nd1<T, I, Input, Indices, Output>(p, seed);
  });
}

problem batched(oracle::shape input, oracle::shape indices, std::vector<std::int32_t> const& values,
                oracle::integer batch_dims, bounds mode = bounds::check) {
  auto p =
      small_problem<float, std::int32_t>(operation::gather_nd1, std::move(input), std::move(indices), values, mode);
  p.batch_dims = batch_dims;
  return p;
}

constexpr bounds all_but_trust[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};

}  // namespace

TEST_CASE("gather_nd1 moves random elements of every size by every type of index") {
  verify_random<std::uint8_t, std::int32_t, 4, 3, 4>(60);
  verify_random<std::uint16_t, std::uint32_t, 4, 3, 4>(60);
  verify_random<pixel, std::int64_t, 4, 3, 4>(60);
  verify_random<float, std::uint64_t, 4, 3, 4>(60);
  verify_random<double, std::int64_t, 4, 3, 4>(60);
  verify_random<point, std::int32_t, 4, 3, 4>(60);
  verify_random<std::complex<double>, std::uint32_t, 4, 3, 4>(60);
  verify_random<record, std::uint64_t, 4, 3, 4>(60);
}

TEST_CASE("gather_nd1 holds for every rank") {
  verify_random<float, std::int32_t, 1, 1, 0>(20);
  verify_random<float, std::int32_t, 2, 2, 1>(60);
  verify_random<float, std::int32_t, 2, 3, 3>(60);
  verify_random<float, std::int32_t, 3, 3, 3>(60);
  verify_random<float, std::int32_t, 5, 6, 6>(40);
  verify_random<float, std::int32_t, 8, 8, 8>(60);
  verify_random<float, std::int32_t, 8, 2, 8>(30);
}

TEST_CASE("gather_nd1 without batch dimensions is gather_nd") {
  verify_gather_nd1<float, std::int32_t, 2, 2, 2>(batched({3, 4}, {2, 1}, {2, 0}, 0));
}

TEST_CASE("gather_nd1 gathers within its own batch") {
  verify_gather_nd1<float, std::int32_t, 2, 2, 1>(batched({3, 4}, {3, 1}, {3, 0, -1}, 1));
  verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({2, 3, 4}, {2, 5, 1}, {0, 1, 2, -1, -3, 2, 2, 1, 0, 0}, 1));
  verify_gather_nd1<float, std::int32_t, 3, 3, 2>(batched({2, 3, 4}, {2, 3, 1}, {0, 1, 2, -1, -3, 2}, 2));
}

TEST_CASE("gather_nd1: one bad coordinate makes the whole tuple bad, and the error names the axis of the input") {
  for (bounds mode : all_but_trust) {
    verify_gather_nd1<float, std::int32_t, 3, 3, 2>(batched({2, 3, 4}, {2, 2, 2}, {0, 0, 2, 3, 1, 1, 0, 4}, 1, mode));
    verify_gather_nd1<float, std::int32_t, 3, 3, 2>(batched({2, 3, 4}, {2, 2, 2}, {0, 0, 2, 3, 3, 4, 0, 4}, 1, mode));
    verify_gather_nd1<float, std::int32_t, 3, 3, 2>(batched({2, 3, 4}, {2, 3, 1}, {0, 1, 2, -5, -3, 2}, 2, mode));
  }
}

TEST_CASE("gather_nd1: without tuples, or with batches of extent 0, there is nothing to do") {
  for (bounds mode : all_but_trust) {
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({0, 3, 4}, {0, 5, 1}, {}, 1, mode));
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({2, 3, 4}, {2, 0, 1}, {}, 1, mode));
  }
}

TEST_CASE("gather_nd1: every index into an extent of 0 is out of range") {
  for (bounds mode : all_but_trust)
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({2, 0, 4}, {2, 1, 1}, {0, -1}, 1, mode));
}

TEST_CASE("gather_nd1: with a tail of extent 0 nothing moves and indices are still checked") {
  for (bounds mode : all_but_trust) {
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({2, 3, 0}, {2, 1, 1}, {0, 2}, 1, mode));
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(batched({2, 3, 0}, {2, 1, 1}, {0, 3}, 1, mode));
  }
}

TEST_CASE("gather_nd1 takes an output with leading ones, and no other padding") {
  auto p = batched({2, 3}, {2, 1}, {2, 0}, 1);
  for (oracle::shape const& output : {oracle::shape{1, 1, 2}, {2, 1, 1}, {1, 2, 1}, {1, 2, 2}, {0, 1, 2}}) {
    p.output = output;
    verify_gather_nd1<float, std::int32_t, 2, 2, 3>(p);
  }
}

TEST_CASE("gather_nd1 refuses batch dimensions that are negative, too many or not equal") {
  auto const with = [](oracle::shape const& input, oracle::shape const& indices, oracle::integer batch_dims) {
    problem p = problem_of<float, std::int32_t>(operation::gather_nd1);
    p.input = counting<float>(input);
    p.indices = {indices, std::vector<oracle::number>(static_cast<std::size_t>(oracle::product(indices)))};
    p.batch_dims = batch_dims;
    p.output = {2, 5, 4};
    verify_gather_nd1<float, std::int32_t, 3, 3, 3>(p);
  };
  with({2, 3, 4}, {2, 5, 1}, 1);  // right
  with({2, 3, 4}, {2, 5, 1}, -1);
  with({2, 3, 4}, {2, 5, 1}, 2);
  with({2, 3, 4}, {2, 5, 1}, 3);
  with({2, 3, 4}, {2, 5, 1}, std::numeric_limits<oracle::integer>::min());
  with({2, 3, 4}, {2, 5, 1}, std::numeric_limits<oracle::integer>::max());
  with({3, 3, 4}, {2, 5, 1}, 1);
  with({2, 3, 4}, {2, 5, 3}, 1);  // more coordinates than axes are left
}

TEST_CASE("gather_nd1 moves large batches as it moves small ones") {
  random_source random(first_seed());
  problem p = problem_of<float, std::int64_t>(operation::gather_nd1);
  p.batch_dims = 1;
  p.input = random_bits({7, 50, 65}, sizeof(float), random);
  p.indices = good_tuples({7, 2100, 1}, p.input.extents, 1, p.kind, random);
  verify_gather_nd1<float, std::int64_t, 3, 3, 3>(p, "3.6 MiB", few_arrangements());
}

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

template <class T, class I, std::size_t Rank, std::size_t Output = Rank>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    auto const p = random_gather_elements(problem_of<T, I>(operation::gather_elements), random, Rank, Output);
    verify_gather_elements<T, I, Rank, Output>(p, seed);
  });
}

problem matrix(oracle::shape input, oracle::shape indices, std::vector<std::int64_t> const& values,
               oracle::integer axis, bounds mode = bounds::check) {
  auto p = small_problem<float, std::int64_t>(operation::gather_elements, std::move(input), std::move(indices), values,
                                              mode);
  p.axis = axis;
  return p;
}

void verify_matrix(problem const& p) { verify_gather_elements<float, std::int64_t, 2>(p); }

constexpr bounds all_but_trust[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("gather_elements moves random elements of every size by every type of index") {
  verify_random<std::uint8_t, std::uint64_t, 2>(80);
  verify_random<std::uint16_t, std::int32_t, 2>(80);
  verify_random<pixel, std::uint32_t, 2>(80);
  verify_random<float, std::int64_t, 2>(80);
  verify_random<std::complex<double>, std::int32_t, 2>(80);
  verify_random<record, std::uint64_t, 2>(80);
}

TEST_CASE("gather_elements holds for every rank") {
  verify_random<float, std::int64_t, 1>(80);
  verify_random<float, std::int64_t, 3, 5>(80);
  verify_random<float, std::int64_t, 8>(60);
}

TEST_CASE("gather_elements: a negative index of a signed type counts from the end, once") {
  for (bounds mode : all_but_trust) {
    verify_matrix(matrix({3, 4}, {2, 4}, {-1, -3, 0, 2, 1, 1, -2, 0}, 0, mode));
    verify_matrix(matrix({3, 4}, {2, 4}, {-1, -3, 0, 2, 1, -4, -2, 0}, 0, mode));
    verify_matrix(matrix({3, 4}, {3, 2}, {0, 1, -5, 2, 3, -4}, 1, mode));
  }
}

TEST_CASE("gather_elements: an axis counts from either end, and one outside the ranks is refused") {
  for (oracle::integer axis :
       {oracle::integer{-2}, oracle::integer{-1}, oracle::integer{2}, oracle::integer{-3}, lowest, highest}) {
    problem p = matrix({3, 4}, {3, 4}, {1, 2, 0, 1, 0, 0, 2, 2, 2, 0, 1, 1}, axis);
    p.output = {3, 4};
    verify_matrix(p);
  }
}

TEST_CASE("gather_elements: indices are compared in 64 bit before anything is added or narrowed") {
  for (bounds mode : all_but_trust)
    for (std::int64_t index : {lowest, lowest + 1, highest, std::int64_t{1} << 32, -(std::int64_t{1} << 32)})
      verify_matrix(matrix({3, 4}, {1, 3}, {0, index, 1}, 0, mode));
}

TEST_CASE("gather_elements: bounds::check names the first bad index") {
  for (oracle::integer axis : {0, 1})
    for (std::size_t first : {std::size_t{0}, std::size_t{31}, std::size_t{256}, std::size_t{599}}) {
      std::vector<std::int64_t> indices(600, 1);
      for (std::size_t i = first; i < indices.size(); i += 11) indices[i] = static_cast<std::int64_t>(100 + i);
      verify_matrix(matrix({30, 20}, {30, 20}, indices, axis));
    }
}

TEST_CASE("gather_elements: each mode has its answer to a bad index") {
  for (bounds mode : all_but_trust) {
    verify_matrix(matrix({3, 4}, {1, 4}, {-100, 100, 3, -4}, 0, mode));
    verify_matrix(matrix({3, 4}, {2, 2}, {lowest, highest, 7, -9}, 1, mode));
  }
  verify_matrix(matrix({3, 4}, {1, 4}, {-1, 2, -3, 0}, 0, bounds::trust));
}

TEST_CASE("gather_elements: without indices there is nothing to do") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap, bounds::trust}) {
    verify_matrix(matrix({3, 4}, {0, 4}, {}, 0, mode));
    verify_matrix(matrix({3, 4}, {0, 4}, {}, 1, mode));
    verify_matrix(matrix({0, 4}, {0, 4}, {}, 0, mode));
  }
}

TEST_CASE("gather_elements: every index into an extent of 0 is out of range") {
  for (bounds mode : all_but_trust) verify_matrix(matrix({0, 4}, {2, 4}, {0, 0, 0, 0, -1, 0, 0, 0}, 0, mode));
}

TEST_CASE("gather_elements: extents of indices may be smaller than the input's, and larger along the axis alone") {
  auto const with = [](oracle::shape const& indices, oracle::integer axis) {
    verify_matrix(
        matrix({3, 4}, indices, std::vector<std::int64_t>(static_cast<std::size_t>(oracle::product(indices))), axis));
  };
  with({2, 3}, 0);
  with({9, 3}, 0);
  with({2, 9}, 1);
  with({9, 4}, 1);  // too many rows
  with({3, 5}, 0);  // too many columns
}

TEST_CASE("gather_elements takes an output with leading ones, and no other padding") {
  auto p = small_problem<float, std::int64_t>(operation::gather_elements, {3, 2, 2}, {1, 2, 2}, {2, 1, 0, 2});
  for (oracle::shape const& output :
       {oracle::shape{1, 1, 1, 2, 2}, {1, 2, 1, 2, 2}, {1, 1, 2, 2, 2}, {1, 1, 1, 2, 1}, {1, 1, 2, 2, 1}}) {
    p.output = output;
    verify_gather_elements<float, std::int64_t, 3, 5>(p);
  }
}

TEST_CASE("gather_elements refuses an output that is not of the indices' extents") {
  problem p = matrix({3, 4}, {2, 4}, std::vector<std::int64_t>(8), 0);
  for (oracle::shape const& output : {oracle::shape{2, 4}, {3, 4}, {4, 2}, {2, 3}, {0, 4}}) {
    p.output = output;
    verify_matrix(p);
  }
}

TEST_CASE("gather_elements moves large outputs as it moves small ones") {
  random_source random(first_seed());
  for (oracle::integer axis : {0, 1}) {
    problem p = problem_of<float, std::int64_t>(operation::gather_elements);
    p.axis = axis;
    p.input = random_bits({601, 503}, sizeof(float), random);
    p.indices = good_tuples({599, 503, 1}, p.input.extents, static_cast<std::size_t>(axis), p.kind, random);
    p.indices.extents = {599, 503};
    verify_gather_elements<float, std::int64_t, 2>(p, "1.1 MiB", few_arrangements());
  }
}

// SPDX-License-Identifier: MIT
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <string>

using namespace test;
using oracle::bounds;
using oracle::duplicates;
using oracle::reduction;

namespace {

template <class T, class I, std::size_t Rank, std::size_t Updates = Rank, std::size_t Output = Rank>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    auto const p =
        random_scatter_elements(problem_of<T, I>(operation::scatter_elements), random, Rank, Updates, Output);
    verify_scatter_elements<T, I, Rank, Updates, Output>(p, seed);
  });
}

problem matrix(oracle::shape input, oracle::shape indices, std::vector<std::int64_t> const& values,
               oracle::integer axis, bounds mode = bounds::check) {
  auto p = small_problem<float, std::int64_t>(operation::scatter_elements, std::move(input), std::move(indices), values,
                                              mode);
  p.axis = axis;
  return p;
}

void verify_matrix(problem p) {
  for (duplicates which : {duplicates::any, duplicates::last}) {
    p.duplicates = which;
    verify_scatter_elements<float, std::int64_t, 2>(p);
  }
}

constexpr reduction every_reduction[] = {reduction::none, reduction::add, reduction::mul, reduction::min,
                                         reduction::max,  reduction::sub, reduction::mean};
constexpr bounds all_but_trust[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("scatter_elements moves random elements of every size by every type of index") {
  verify_random<std::uint8_t, std::uint64_t, 2>(80);
  verify_random<std::uint16_t, std::int32_t, 2>(80);
  verify_random<pixel, std::uint32_t, 2>(80);
  verify_random<point, std::int64_t, 2>(80);
  verify_random<std::complex<double>, std::uint64_t, 2>(80);
  verify_random<record, std::int32_t, 2>(80);
}

TEST_CASE("scatter_elements reduces integers of every width, which wrap around") {
  verify_random<std::int8_t, std::int64_t, 2>(80);
  verify_random<std::int16_t, std::int32_t, 2>(80);
  verify_random<std::int32_t, std::uint32_t, 2>(80);
  verify_random<std::int64_t, std::int32_t, 2>(80);
  verify_random<std::uint8_t, std::int64_t, 2>(80);
  verify_random<std::uint16_t, std::int64_t, 2>(80);
  verify_random<std::uint32_t, std::uint64_t, 2>(80);
  verify_random<std::uint64_t, std::uint32_t, 2>(80);
}

TEST_CASE("scatter_elements reduces floating-point numbers of every format with NaN, zeros of both signs, infinities") {
  verify_random<ndx::float16, std::int64_t, 2>(150);
  verify_random<ndx::bfloat16, std::int64_t, 2>(150);
  verify_random<float, std::int64_t, 2>(150);
  verify_random<double, std::int64_t, 2>(150);
}

TEST_CASE("scatter_elements holds for every rank") {
  verify_random<float, std::int64_t, 1>(80);
  verify_random<float, std::int64_t, 3>(100);
  verify_random<float, std::int64_t, 3, 5, 4>(60);
  verify_random<float, std::int64_t, 5>(60);
  verify_random<float, std::int64_t, 8>(60);
}

TEST_CASE("scatter_elements: a negative index of a signed type counts from the end, once") {
  for (bounds mode : all_but_trust) {
    verify_matrix(matrix({3, 4}, {2, 4}, {-1, -3, 0, 2, 1, 1, -2, 0}, 0, mode));
    verify_matrix(matrix({3, 4}, {2, 4}, {-1, -3, 0, 2, 1, -4, -2, 0}, 0, mode));
    verify_matrix(matrix({3, 4}, {3, 2}, {0, 1, -5, 2, 3, -4}, 1, mode));
  }
}

TEST_CASE("scatter_elements: a negative axis counts from the end") {
  verify_matrix(matrix({3, 4}, {3, 2}, {0, 1, 3, 2, 3, -4}, -1));
  verify_matrix(matrix({3, 4}, {2, 4}, {-1, -3, 0, 2, 1, 1, -2, 0}, -2));
}

TEST_CASE("scatter_elements: an axis outside the ranks is refused") {
  for (oracle::integer axis : {oracle::integer{2}, oracle::integer{-3}, lowest, highest})
    verify_matrix(matrix({3, 4}, {2, 4}, std::vector<std::int64_t>(8, 0), axis));
}

TEST_CASE("scatter_elements: indices are compared in 64 bit before anything is added or narrowed") {
  for (bounds mode : all_but_trust)
    for (std::int64_t index : {lowest, lowest + 1, highest, std::int64_t{1} << 32, -(std::int64_t{1} << 32)})
      verify_matrix(matrix({3, 4}, {1, 3}, {0, index, 1}, 0, mode));
}

TEST_CASE("scatter_elements: bounds::check names the first bad index, and nothing has been written") {
  for (oracle::integer axis : {0, 1})
    for (std::size_t first : {std::size_t{0}, std::size_t{31}, std::size_t{256}, std::size_t{599}}) {
      std::vector<std::int64_t> indices(600, 1);
      for (std::size_t i = first; i < indices.size(); i += 11) indices[i] = static_cast<std::int64_t>(100 + i);
      verify_matrix(matrix({30, 20}, {30, 20}, indices, axis));
    }
}

TEST_CASE("scatter_elements: bounds::clamp takes the nearest index of the axis") {
  verify_matrix(matrix({3, 4}, {1, 4}, {-100, 100, 3, -4}, 0, bounds::clamp));
}

TEST_CASE("scatter_elements: bounds::wrap is modulo with the sign of the extent") {
  verify_matrix(matrix({3, 4}, {1, 4}, {-100, 100, 3, -4}, 0, bounds::wrap));
  verify_matrix(matrix({3, 4}, {2, 2}, {lowest, highest, 7, -9}, 1, bounds::wrap));
}

TEST_CASE("scatter_elements: bounds::ignore skips the update of a bad index") {
  verify_matrix(matrix({3, 4}, {1, 4}, {-100, 100, 2, 3}, 0, bounds::ignore));
}

TEST_CASE("scatter_elements: bounds::trust still counts negative indices from the end") {
  verify_matrix(matrix({3, 4}, {1, 4}, {-1, 2, -3, 0}, 0, bounds::trust));
}

TEST_CASE("scatter_elements: without indices the output is the input") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap, bounds::trust}) {
    verify_matrix(matrix({3, 4}, {0, 4}, {}, 0, mode));
    verify_matrix(matrix({3, 4}, {0, 4}, {}, 1, mode));
    verify_matrix(matrix({3, 0}, {3, 0}, {}, 0, mode));
    verify_matrix(matrix({0, 4}, {0, 4}, {}, 0, mode));
  }
}

TEST_CASE("scatter_elements: every index into an extent of 0 is out of range") {
  for (bounds mode : all_but_trust) verify_matrix(matrix({0, 4}, {2, 4}, {0, 0, 0, 0, -1, 0, 0, 0}, 0, mode));
}

TEST_CASE("scatter_elements: of duplicates one whole update wins, or the last in row-major order") {
  verify_matrix(matrix({3, 4}, {4, 4}, std::vector<std::int64_t>(16, 1), 0));
  verify_matrix(matrix({3, 4}, {3, 700}, std::vector<std::int64_t>(2100, -2), 1));
}

TEST_CASE("scatter_elements: a reduction applies every duplicate") {
  for (reduction op : every_reduction)
    for (oracle::integer axis : {0, 1})
      for (duplicates which : {duplicates::any, duplicates::last}) {
        auto p = small_problem<std::uint8_t, std::int64_t>(operation::scatter_elements, {20, 20}, {20, 20},
                                                           std::vector<std::int64_t>(400, 7));
        p.axis = axis;
        p.reduction = op;
        p.duplicates = which;
        for (bool include_self : {true, false}) {
          p.include_self = include_self;
          verify_scatter_elements<std::uint8_t, std::int64_t, 2>(p);
        }
      }
}

TEST_CASE("scatter_elements: means of int64 are rounded towards minus infinity, of their wrapped sums") {
  for (oracle::integer axis : {0, 1})
    for (bool include_self : {true, false}) {
      ndx::release_scratch();  // the counts among it
      auto p = small_problem<std::int64_t, std::int32_t>(operation::scatter_elements, {2, 8}, {2, 8},
                                                         {0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0});
      p.input = elements_of<std::int64_t>(
          {2, 8}, {lowest, highest, -1, 1, 0, -7, 7, lowest, highest, lowest, -5, 5, 6, -6, 1, -1});
      p.updates = elements_of<std::int64_t>(
          {2, 8}, {-1, 1, lowest, highest, -1, -2, -3, -4, 1, 2, 3, 4, lowest, lowest, highest, highest});
      p.axis = axis;
      p.reduction = reduction::mean;
      p.include_self = include_self;
      verify_scatter_elements<std::int64_t, std::int32_t, 2>(p);
    }
}

TEST_CASE("scatter_elements: extents of indices may be smaller than the input's, and larger along the axis alone") {
  auto const with = [](oracle::shape const& indices, oracle::integer axis) {
    verify_matrix(
        matrix({3, 4}, indices, std::vector<std::int64_t>(static_cast<std::size_t>(oracle::product(indices))), axis));
  };
  with({2, 3}, 0);
  with({9, 3}, 0);
  with({9, 4}, 0);
  with({2, 9}, 1);
  with({9, 4}, 1);
  with({3, 5}, 0);
}

TEST_CASE("scatter_elements takes updates and an output with leading ones, and no other padding") {
  auto p = small_problem<float, std::int64_t>(operation::scatter_elements, {3, 2, 2}, {1, 2, 2}, {2, 1, 0, 2});
  auto const verify = [&](oracle::shape const& updates, oracle::shape const& output) {
    p.updates = counting<float>(updates);
    p.output = output;
    verify_scatter_elements<float, std::int64_t, 3, 5, 4>(p);
  };
  verify({1, 1, 1, 2, 2}, {1, 3, 2, 2});
  verify({1, 2, 1, 2, 2}, {1, 3, 2, 2});
  verify({1, 1, 1, 2, 1}, {1, 3, 2, 2});
  verify({1, 1, 1, 2, 2}, {2, 3, 2, 2});
  verify({1, 1, 1, 2, 2}, {1, 3, 2, 3});
  verify({1, 1, 2, 2, 1}, {1, 3, 2, 2});
}

TEST_CASE("scatter_elements refuses updates that are not of the indices' extents, and an output not of the input's") {
  auto const with = [](oracle::shape const& updates, oracle::shape const& output) {
    auto p = matrix({3, 4}, {2, 4}, std::vector<std::int64_t>(8), 0);
    p.updates = counting<float>(updates);
    p.output = output;
    verify_matrix(p);
  };
  with({2, 4}, {3, 4});  // right
  with({3, 4}, {3, 4});
  with({2, 3}, {3, 4});
  with({4, 2}, {3, 4});
  with({2, 4}, {4, 3});
  with({2, 4}, {2, 4});
}

TEST_CASE("scatter_elements moves large updates as it moves small ones") {
  random_source random(first_seed());
  auto const large = [&]<class T>(oracle::integer axis, T) {
    problem p = problem_of<T, std::int64_t>(operation::scatter_elements);
    p.axis = axis;
    p.input = random_bits({601, 503}, sizeof(T), random);
    oracle::shape const extents{599, 503};
    p.indices = good_tuples({599, 503, 1}, p.input.extents, static_cast<std::size_t>(axis), p.kind, random);
    p.indices.extents = extents;
    p.updates = random_bits(extents, sizeof(T), random);
    return p;
  };
  for (oracle::integer axis : {0, 1}) {
    auto moved = large(axis, record{});
    auto sum = large(axis, std::uint8_t{});
    sum.reduction = reduction::add;
    for (duplicates which : {duplicates::any, duplicates::last}) {
      moved.duplicates = sum.duplicates = which;
      verify_scatter_elements<record, std::int64_t, 2>(moved, "6.9 MiB", few_arrangements());
      verify_scatter_elements<std::uint8_t, std::int64_t, 2>(sum, "0.3 MiB", few_arrangements());
    }
  }
}

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
    auto const p = random_gather(problem_of<T, I>(operation::gather_nd), random, Input, Indices, Output);
    verify_gather_nd<T, I, Input, Indices, Output>(p, seed);
  });
}

/// Rows of a matrix, by one index each.
template <class I>
void verify_rows(oracle::integer rows, std::vector<I> const& indices, bounds mode = bounds::check) {
  auto const count = static_cast<oracle::integer>(indices.size());
  verify_gather_nd<float, I, 2, 2, 2>(
      small_problem<float, I>(operation::gather_nd, {rows, 5}, {count, 1}, indices, mode));
}

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto highest_unsigned = std::numeric_limits<std::uint64_t>::max();
constexpr auto half_of_unsigned = std::uint64_t{1} << 63U;

}  // namespace

TEST_CASE("gather_nd moves random elements of every size by every type of index") {
  verify_random<std::uint8_t, std::uint64_t, 3, 2, 3>(50);
  verify_random<std::uint16_t, std::int64_t, 3, 2, 3>(50);
  verify_random<pixel, std::uint32_t, 3, 2, 3>(50);
  verify_random<float, std::int32_t, 3, 2, 3>(50);
  verify_random<float, std::int64_t, 3, 2, 3>(50);
  verify_random<float, std::uint32_t, 3, 2, 3>(50);
  verify_random<float, std::uint64_t, 3, 2, 3>(50);
  verify_random<double, std::int32_t, 3, 2, 3>(50);
  verify_random<point, std::int64_t, 3, 2, 3>(50);
  verify_random<std::complex<double>, std::uint64_t, 3, 2, 3>(50);
  verify_random<record, std::int32_t, 3, 2, 3>(50);
}

TEST_CASE("gather_nd holds for every rank") {
  verify_random<float, std::int64_t, 1, 1, 0>(20);
  verify_random<float, std::int64_t, 1, 2, 1>(50);
  verify_random<float, std::int64_t, 2, 1, 1>(20);
  verify_random<float, std::int64_t, 2, 2, 2>(50);
  verify_random<float, std::int64_t, 3, 4, 5>(50);
  verify_random<float, std::int64_t, 5, 4, 4>(50);
  verify_random<float, std::int64_t, 8, 1, 8>(20);
  verify_random<float, std::int64_t, 8, 8, 8>(50);
  verify_random<float, std::int64_t, 1, 8, 8>(20);
}

TEST_CASE("gather_nd: a negative index of a signed type counts from the end") {
  verify_rows<std::int32_t>(4, {-1, -4, 0, 3, -2});
  verify_rows<std::int64_t>(4, {-1, -4, 0, 3, -2});
}

TEST_CASE("gather_nd: a negative index counts from the end once and no more") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    verify_rows<std::int32_t>(4, {0, -5, 1}, mode);
    verify_rows<std::int64_t>(4, {0, -5, 1}, mode);
    verify_rows<std::int64_t>(4, {0, -8, 1}, mode);
  }
}

TEST_CASE("gather_nd: an unsigned index is never negative") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    verify_rows<std::uint32_t>(4, {0, 0xffffffffU, 1}, mode);
    verify_rows<std::uint32_t>(4, {0, 0x80000000U, 1}, mode);
    verify_rows<std::uint64_t>(4, {0, highest_unsigned, 1}, mode);
  }
}

TEST_CASE("gather_nd: a uint64 index of 2^63 or more is out of range") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    verify_rows<std::uint64_t>(4, {0, half_of_unsigned, 1}, mode);
    verify_rows<std::uint64_t>(4, {0, half_of_unsigned + 2, 1}, mode);
    verify_rows<std::uint64_t>(3, {0, highest_unsigned - 1, 1}, mode);
  }
}

TEST_CASE("gather_nd: indices are compared in 64 bit before anything is added or narrowed") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    for (std::int64_t const index :
         {lowest, lowest + 1, highest, highest - 1, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 2,
          -(std::int64_t{1} << 32), -(std::int64_t{1} << 32) + 2})
      verify_rows<std::int64_t>(4, {0, index, 1}, mode);
    for (std::int32_t const index :
         {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()})
      verify_rows<std::int32_t>(4, {0, index, 1}, mode);
    verify_rows<std::uint64_t>(4, {0, (std::uint64_t{1} << 32U) + 1, 1}, mode);
  }
}

TEST_CASE("gather_nd: one bad coordinate makes the whole tuple bad") {
  for (std::vector<std::int64_t> const& tuple : {std::vector<std::int64_t>{9, 1}, {1, 9}, {-4, 0}, {2, -5}, {9, -9}}) {
    std::vector<std::int64_t> indices{0, 1};
    indices.insert(indices.end(), tuple.begin(), tuple.end());
    for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap})
      verify_gather_nd<float, std::int64_t, 2, 2, 1>(
          small_problem<float, std::int64_t>(operation::gather_nd, {3, 4}, {2, 2}, indices, mode));
  }
}

TEST_CASE("gather_nd: bounds::check names the first of several bad indices") {
  std::vector<std::int64_t> indices(700, 1);
  for (std::size_t first : {std::size_t{0}, std::size_t{15}, std::size_t{16}, std::size_t{255}, std::size_t{256},
                            std::size_t{511}, std::size_t{699}}) {
    std::vector<std::int64_t> bad = indices;
    for (std::size_t i = first; i < bad.size(); i += 3) bad[i] = static_cast<std::int64_t>(100 + i);
    verify_rows<std::int64_t>(4, bad);
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(
        small_problem<float, std::int64_t>(operation::gather_nd, {4, 4}, {350, 2}, bad));
  }
}

TEST_CASE("gather_nd: bounds::clamp takes the nearest index of the axis") {
  verify_rows<std::int32_t>(4, {-5, -4, -1, 0, 3, 4, 100, -100}, bounds::clamp);
  verify_rows<std::uint64_t>(4, {0, 3, 4, highest_unsigned}, bounds::clamp);
}

TEST_CASE("gather_nd: bounds::wrap is modulo with the sign of the extent") {
  verify_rows<std::int32_t>(7, {-15, -14, -8, -7, -1, 0, 6, 7, 13, 14, 100, -100}, bounds::wrap);
  verify_rows<std::int64_t>(1, {lowest, highest, 0}, bounds::wrap);
  verify_rows<std::int64_t>(8, {lowest, highest, 0}, bounds::wrap);
  verify_rows<std::uint64_t>(7, {7, 13, highest_unsigned, half_of_unsigned}, bounds::wrap);
}

TEST_CASE("gather_nd: bounds::ignore fills the slice of a bad tuple") {
  verify_rows<std::int32_t>(4, {0, 4, -5, 3, 1000}, bounds::ignore);
}

TEST_CASE("gather_nd: bounds::trust still counts negative indices from the end") {
  verify_rows<std::int32_t>(4, {0, -4, -1, 3}, bounds::trust);
  verify_rows<std::int64_t>(4, {0, -4, -1, 3}, bounds::trust);
  verify_rows<std::uint32_t>(4, {0, 3}, bounds::trust);
}

TEST_CASE("gather_nd: without tuples there is nothing to do") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap, bounds::trust}) {
    verify_rows<std::int64_t>(4, {}, mode);
    verify_rows<std::int64_t>(0, {}, mode);
  }
}

TEST_CASE("gather_nd: every index into an extent of 0 is out of range") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    verify_rows<std::int64_t>(0, {0, 1}, mode);
    verify_rows<std::uint32_t>(0, {0, 1}, mode);
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(
        small_problem<float, std::int64_t>(operation::gather_nd, {3, 0}, {2, 2}, {0, 0, 1, -1}, mode));
  }
}

TEST_CASE("gather_nd: with a tail of extent 0 nothing moves and indices are still checked") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap}) {
    verify_gather_nd<float, std::int64_t, 2, 2, 2>(
        small_problem<float, std::int64_t>(operation::gather_nd, {3, 0}, {2, 1}, {0, 2}, mode));
    verify_gather_nd<float, std::int64_t, 2, 2, 2>(
        small_problem<float, std::int64_t>(operation::gather_nd, {3, 0}, {2, 1}, {0, 3}, mode));
  }
}

TEST_CASE("gather_nd takes an output with leading ones, and no other padding") {
  auto p = small_problem<float, std::int64_t>(operation::gather_nd, {3, 5}, {2, 1}, {2, 0});
  p.output = {1, 1, 2, 5};
  verify_gather_nd<float, std::int64_t, 2, 2, 4>(p);
  for (oracle::shape const& wrong :
       {oracle::shape{1, 2, 2, 5}, {2, 1, 2, 5}, {2, 5, 1, 1}, {0, 1, 2, 5}, {1, 1, 5, 2}}) {
    p.output = wrong;
    verify_gather_nd<float, std::int64_t, 2, 2, 4>(p);
  }
}

TEST_CASE("gather_nd refuses extents that do not fit") {
  auto const with = [](oracle::shape const& input, oracle::shape const& indices, oracle::shape const& output) {
    problem p = problem_of<float, std::int64_t>(operation::gather_nd);
    p.input = counting<float>(input);
    p.indices = {indices, std::vector<oracle::number>(static_cast<std::size_t>(oracle::product(indices)))};
    p.output = output;
    verify_gather_nd<float, std::int64_t, 2, 2, 2>(p);
  };
  with({3, 5}, {2, 1}, {2, 5});  // right
  with({3, 5}, {2, 1}, {2, 4});
  with({3, 5}, {2, 1}, {3, 5});
  with({3, 5}, {2, 1}, {5, 2});
  with({3, 5}, {2, 0}, {2, 5});  // tuples of no coordinates
  with({3, 5}, {2, 3}, {2, 5});  // of more than there are axes
  with({3, 5}, {2, 2}, {2, 1});
  with({3, 5}, {2, 2}, {1, 2});  // right: a leading one
}

TEST_CASE("gather_nd moves large outputs as it moves small ones") {
  random_source random(first_seed());
  SECTION("blocks of rows") {
    problem p = problem_of<double, std::int32_t>(operation::gather_nd);
    p.input = random_bits({300, 64}, sizeof(double), random);
    p.indices = good_tuples({9000, 1}, {300}, 0, p.kind, random);
    verify_gather_nd<double, std::int32_t, 2, 2, 2>(p, "4.4 MiB", few_arrangements());
  }
  SECTION("single elements") {
    problem p = problem_of<float, std::int64_t>(operation::gather_nd);
    p.input = random_bits({1000, 70}, sizeof(float), random);
    p.indices = good_tuples({300001, 2}, p.input.extents, 0, p.kind, random);
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(p, "1.1 MiB", few_arrangements());
  }
  SECTION("single elements of a large table") {
    problem p = problem_of<float, std::int32_t>(operation::gather_nd);
    p.input = random_bits({600, 500}, sizeof(float), random);
    p.indices = good_tuples({20001, 2}, p.input.extents, 0, p.kind, random);
    verify_gather_nd<float, std::int32_t, 2, 2, 1>(p, "a table of 1.1 MiB", few_arrangements());
  }
  SECTION("single elements of 16 bytes of a large table") {
    problem p = problem_of<std::complex<double>, std::int64_t>(operation::gather_nd);
    p.input = random_bits({70000}, sizeof(std::complex<double>), random);
    p.indices = good_tuples({9003, 1}, p.input.extents, 0, p.kind, random);
    verify_gather_nd<std::complex<double>, std::int64_t, 1, 2, 1>(p, "a table of 1.1 MiB", few_arrangements());
  }
}

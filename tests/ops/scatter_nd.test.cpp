// SPDX-License-Identifier: MIT
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

using namespace test;
using oracle::bounds;
using oracle::duplicates;
using oracle::reduction;

namespace {

template <class T, class I, std::size_t Input, std::size_t Indices, std::size_t Updates, std::size_t Output = Input>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    auto const p = random_scatter_nd(problem_of<T, I>(operation::scatter_nd), random, Input, Indices, Updates, Output);
    verify_scatter_nd<T, I, Input, Indices, Updates, Output>(p, seed);
  });
}

/// Updates of the rows of a matrix, by one index each.
template <class I>
problem rows(oracle::integer extent, std::vector<I> const& indices, bounds mode = bounds::check) {
  auto const count = static_cast<oracle::integer>(indices.size());
  return small_problem<float, I>(operation::scatter_nd, {extent, 5}, {count, 1}, indices, mode);
}

template <class I>
void verify_rows(problem p) {
  for (duplicates which : {duplicates::any, duplicates::last}) {
    p.duplicates = which;
    verify_scatter_nd<float, I, 2, 2, 2>(p);
  }
}

constexpr reduction every_reduction[] = {reduction::none, reduction::add, reduction::mul, reduction::min,
                                         reduction::max,  reduction::sub, reduction::mean};
constexpr bounds all_but_trust[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto highest_unsigned = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("scatter_nd moves random elements of every size by every type of index") {
  verify_random<std::uint8_t, std::int32_t, 3, 2, 3>(60);
  verify_random<std::uint16_t, std::int64_t, 3, 2, 3>(60);
  verify_random<pixel, std::uint64_t, 3, 2, 3>(60);
  verify_random<point, std::uint32_t, 3, 2, 3>(60);
  verify_random<std::complex<double>, std::int32_t, 3, 2, 3>(60);
  verify_random<record, std::int64_t, 3, 2, 3>(60);
}

TEST_CASE("scatter_nd reduces integers of every width, which wrap around") {
  verify_random<std::int8_t, std::int32_t, 3, 2, 3>(60);
  verify_random<std::int16_t, std::uint32_t, 3, 2, 3>(60);
  verify_random<std::int32_t, std::int64_t, 3, 2, 3>(60);
  verify_random<std::int64_t, std::uint64_t, 3, 2, 3>(60);
  verify_random<std::uint8_t, std::int32_t, 3, 2, 3>(60);
  verify_random<std::uint16_t, std::int64_t, 3, 2, 3>(60);
  verify_random<std::uint32_t, std::int32_t, 3, 2, 3>(60);
  verify_random<std::uint64_t, std::int32_t, 3, 2, 3>(60);
}

TEST_CASE("scatter_nd reduces floating-point numbers of every format with NaN, zeros of both signs and infinities") {
  verify_random<ndx::float16, std::int32_t, 3, 2, 3>(150);
  verify_random<ndx::bfloat16, std::int32_t, 3, 2, 3>(150);
  verify_random<float, std::int32_t, 3, 2, 3>(150);
  verify_random<double, std::int32_t, 3, 2, 3>(150);
}

TEST_CASE("scatter_nd holds for every rank") {
  verify_random<float, std::int64_t, 1, 1, 0>(30);
  verify_random<float, std::int64_t, 1, 2, 1>(60);
  verify_random<float, std::int64_t, 2, 2, 2>(60);
  verify_random<float, std::int64_t, 2, 2, 4, 3>(60);
  verify_random<float, std::int64_t, 5, 4, 6>(60);
  verify_random<float, std::int64_t, 8, 8, 8>(40);
}

TEST_CASE("scatter_nd: a negative index of a signed type counts from the end, once") {
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {-1, -4, 1}));
  for (bounds mode : all_but_trust) verify_rows<std::int64_t>(rows<std::int64_t>(4, {0, -5, 1}, mode));
}

TEST_CASE("scatter_nd: an unsigned index is never negative, and one of 2^63 or more is out of range") {
  for (bounds mode : all_but_trust)
    for (std::uint64_t index :
         {highest_unsigned, highest_unsigned - 3, std::uint64_t{1} << 63U, std::uint64_t{1} << 32U})
      verify_rows<std::uint64_t>(rows<std::uint64_t>(4, {0, index, 1}, mode));
}

TEST_CASE("scatter_nd: indices are compared in 64 bit before anything is added or narrowed") {
  for (bounds mode : all_but_trust)
    for (std::int64_t index : {lowest, lowest + 1, highest, std::int64_t{1} << 32, -(std::int64_t{1} << 32)})
      verify_rows<std::int64_t>(rows<std::int64_t>(4, {0, index, 1}, mode));
}

TEST_CASE("scatter_nd: one bad coordinate makes the whole tuple bad") {
  for (bounds mode : all_but_trust)
    verify_scatter_nd<float, std::int64_t, 2, 2, 1>(
        small_problem<float, std::int64_t>(operation::scatter_nd, {3, 4}, {4, 2}, {0, 1, 1, 4, -4, 0, 2, 2}, mode));
}

TEST_CASE("scatter_nd: bounds::check names the first bad index, and nothing has been written") {
  for (std::size_t first : {std::size_t{0}, std::size_t{15}, std::size_t{255}, std::size_t{256}, std::size_t{699}}) {
    std::vector<std::int64_t> indices(700, 1);
    for (std::size_t i = first; i < indices.size(); i += 7) indices[i] = static_cast<std::int64_t>(100 + i);
    verify_rows<std::int64_t>(rows<std::int64_t>(4, indices));
  }
}

TEST_CASE("scatter_nd: bounds::clamp takes the nearest index of the axis") {
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {1, 100}, bounds::clamp));
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {1, -100}, bounds::clamp));
}

TEST_CASE("scatter_nd: bounds::wrap is modulo with the sign of the extent") {
  verify_rows<std::int64_t>(rows<std::int64_t>(7, {-15, 13, 7, -13}, bounds::wrap));
  verify_rows<std::int64_t>(rows<std::int64_t>(8, {lowest, highest}, bounds::wrap));
}

TEST_CASE("scatter_nd: bounds::ignore skips the update of a bad tuple") {
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {0, 4, -5, 3}, bounds::ignore));
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {4, 5, 6}, bounds::ignore));
}

TEST_CASE("scatter_nd: bounds::trust still counts negative indices from the end") {
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {0, -4, -1, 2}, bounds::trust));
}

TEST_CASE("scatter_nd: without tuples the output is the input") {
  for (bounds mode : {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap, bounds::trust}) {
    verify_rows<std::int64_t>(rows<std::int64_t>(4, {}, mode));
    verify_rows<std::int64_t>(rows<std::int64_t>(0, {}, mode));
  }
}

TEST_CASE("scatter_nd: every index into an extent of 0 is out of range") {
  for (bounds mode : all_but_trust) verify_rows<std::int64_t>(rows<std::int64_t>(0, {0, -1}, mode));
}

TEST_CASE("scatter_nd: with a tail of extent 0 nothing moves and indices are still checked") {
  for (bounds mode : all_but_trust) {
    verify_scatter_nd<float, std::int64_t, 2, 2, 2>(
        small_problem<float, std::int64_t>(operation::scatter_nd, {3, 0}, {2, 1}, {0, 2}, mode));
    verify_scatter_nd<float, std::int64_t, 2, 2, 2>(
        small_problem<float, std::int64_t>(operation::scatter_nd, {3, 0}, {2, 1}, {0, 3}, mode));
  }
}

TEST_CASE("scatter_nd: of duplicates one whole update wins, or the last in row-major order") {
  verify_rows<std::int64_t>(rows<std::int64_t>(4, {1, 3, 1, 1, -1, 3}));
  verify_rows<std::int64_t>(rows<std::int64_t>(4, std::vector<std::int64_t>(1000, 2)));
}

TEST_CASE("scatter_nd: a reduction applies every duplicate") {
  for (reduction op : every_reduction)
    for (duplicates which : {duplicates::any, duplicates::last}) {
      problem p = small_problem<std::int32_t, std::int32_t>(operation::scatter_nd, {4, 5}, {600, 1},
                                                            std::vector<std::int32_t>(600, -2));
      p.reduction = op;
      p.duplicates = which;
      for (bool include_self : {true, false}) {
        p.include_self = include_self;
        verify_scatter_nd<std::int32_t, std::int32_t, 2, 2, 2>(p);
      }
    }
}

TEST_CASE("scatter_nd: float16 and bfloat16 round after every update") {
  // 2048 + 1 is no float16, 256 + 1 no bfloat16: rounding once at the end would give another sum.
  auto const verify = []<class T>(T large, T one) {
    problem p = problem_of<T, std::int32_t>(operation::scatter_nd);
    p.input = elements_of<T>({1, 1}, {large});
    p.indices = {{50, 1}, std::vector<oracle::number>(50)};
    p.updates = elements_of<T>({50, 1}, std::vector<T>(50, one));
    p.reduction = reduction::add;
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify_scatter_nd<T, std::int32_t, 2, 2, 2>(p);
    }
  };
  verify(ndx::float16(2048.0F), ndx::float16(1.0F));
  verify(ndx::bfloat16(256.0F), ndx::bfloat16(1.0F));
}

TEST_CASE("scatter_nd: minimum and maximum are those of IEEE 754-2019") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  std::vector<float> const values{0.0F, -0.0F, 1.0F, -1.0F, nan, infinity, -infinity};
  std::vector<float> inputs;
  std::vector<float> updates;
  std::vector<std::int32_t> indices;
  for (float a : values)
    for (float b : values) {
      indices.push_back(static_cast<std::int32_t>(inputs.size()));
      inputs.push_back(a);
      updates.push_back(b);
    }
  auto p = small_problem<float, std::int32_t>(operation::scatter_nd, {49}, {49, 1}, indices);
  p.input = elements_of<float>({49}, inputs);
  p.updates = elements_of<float>({49}, updates);
  for (reduction op : {reduction::min, reduction::max}) {
    p.reduction = op;
    verify_scatter_nd<float, std::int32_t, 1, 2, 1>(p);
  }
}

TEST_CASE("scatter_nd: every reduction of every pair of extreme numbers, with the element itself and without") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const infinity = std::numeric_limits<float>::infinity();
  float const least = std::numeric_limits<float>::denorm_min();
  float const largest = std::numeric_limits<float>::max();
  auto const verify = []<class T>(std::vector<T> const& values) {
    // Each pair meets in an element of its own; the element's own value is the third of them.
    auto const count = static_cast<oracle::integer>(values.size() * values.size());
    std::vector<T> updates;
    std::vector<std::int32_t> places;
    std::vector<T> elements;
    for (T a : values)
      for (T b : values) {
        updates.insert(updates.end(), {a, b});
        places.insert(places.end(), 2, static_cast<std::int32_t>(elements.size()));
        elements.push_back(values[elements.size() % values.size()]);
      }
    auto p = small_problem<T, std::int32_t>(operation::scatter_nd, {count + 1, 1}, {2 * count, 1}, places);
    elements.push_back(values.front());  // no update goes there
    p.input = elements_of<T>({count + 1, 1}, elements);
    p.updates = elements_of<T>({2 * count, 1}, updates);
    p.duplicates = duplicates::last;
    for (reduction op : every_reduction)
      for (bool include_self : {true, false}) {
        p.reduction = op;
        p.include_self = include_self;
        verify_scatter_nd<T, std::int32_t, 2, 2, 2>(p, "", few_arrangements());
      }
  };
  verify(std::vector<float>{0.0F, -0.0F, 1.0F, -1.0F, nan, infinity, -infinity, least, -least, largest, -largest});
  verify(std::vector<std::int32_t>{0, 1, -1, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()});
}

TEST_CASE("scatter_nd: a mean is the sum divided by the count, rounded as its type is") {
  random_source random(first_seed());
  auto const bits = [&](oracle::shape const& extents, std::size_t size) {
    return oracle::elements{extents, size, random.bytes(oracle::product(extents) * static_cast<oracle::integer>(size))};
  };
  auto const verify = [&]<class T>(T) {
    // Place i gets one number of random bits, and i more that do not change its sum. Numbers with no bits in their last
    // byte are tiny or subnormal.
    constexpr oracle::integer places = 120;
    constexpr oracle::integer tuples = places * (places + 1) / 2;
    auto p = problem_of<T, std::int32_t>(operation::scatter_nd);
    p.input = bits({places, 1, 1}, sizeof(T));
    p.updates = bits({tuples, 1, 1}, sizeof(T));
    p.indices.extents = {tuples, 1};
    for (oracle::integer place = 0, update = 0; place < places; ++place)
      for (oracle::integer i = 0; i <= place; ++i, ++update) {
        p.indices.values.emplace_back(static_cast<std::int32_t>(place));
        if (i == 0) {
          if (place % 3 == 0) p.updates.at(update)[sizeof(T) - 1] &= std::byte{0x80};
          if (place % 6 == 0) p.input.at(place)[sizeof(T) - 1] &= std::byte{0x80};
        } else if (p.type->from_double != nullptr) {
          p.type->from_double(-0.0, p.updates.at(update));
        } else {
          std::memset(p.updates.at(update), 0, sizeof(T));
        }
      }
    p.reduction = reduction::mean;
    for (bool include_self : {false, true}) {
      p.include_self = include_self;
      verify_scatter_nd<T, std::int32_t, 3, 2, 3>(p, "", few_arrangements());
    }
  };
  for (int round = 0; round < 5; ++round) {
    verify(float{});
    verify(double{});
    verify(ndx::float16{});
    verify(ndx::bfloat16{});
    verify(std::int8_t{});
    verify(std::uint8_t{});
    verify(std::uint32_t{});
    verify(std::uint64_t{});
  }
}

TEST_CASE("scatter_nd without the elements themselves: bad updates leave nothing behind, under every bounds mode") {
  for (bounds mode : all_but_trust)
    for (reduction op : every_reduction) {
      auto p = rows<std::int64_t>(4, {1, 3, -5, 1, 7, -1}, mode);
      p.reduction = op;
      p.include_self = false;
      verify_rows<std::int64_t>(p);
    }
}

TEST_CASE("scatter_nd takes updates and an output with leading ones, and no other padding") {
  auto p = rows<std::int64_t>(3, {2, 0});
  auto const verify = [&](oracle::shape const& updates, oracle::shape const& output) {
    p.updates = counting<float>(updates);
    p.output = output;
    verify_scatter_nd<float, std::int64_t, 2, 2, 4, 3>(p);
  };
  verify({1, 1, 2, 5}, {1, 3, 5});
  verify({1, 2, 1, 5}, {1, 3, 5});
  verify({2, 1, 2, 5}, {1, 3, 5});
  verify({1, 1, 2, 5}, {3, 1, 5});
  verify({1, 1, 2, 5}, {2, 3, 5});
  verify({1, 1, 2, 5}, {0, 3, 5});
  verify({1, 0, 2, 5}, {1, 3, 5});
}

TEST_CASE("scatter_nd refuses extents that do not fit") {
  auto const with = [](oracle::shape const& input, oracle::shape const& indices, oracle::shape const& updates,
                       oracle::shape const& output) {
    problem p = problem_of<float, std::int64_t>(operation::scatter_nd);
    p.input = counting<float>(input);
    p.indices = {indices, std::vector<oracle::number>(static_cast<std::size_t>(oracle::product(indices)))};
    p.updates = counting<float>(updates);
    p.output = output;
    verify_scatter_nd<float, std::int64_t, 2, 2, 2>(p);
  };
  with({3, 5}, {2, 1}, {2, 5}, {3, 5});  // right
  with({3, 5}, {2, 1}, {2, 4}, {3, 5});
  with({3, 5}, {2, 1}, {3, 5}, {3, 5});
  with({3, 5}, {2, 1}, {2, 5}, {3, 4});
  with({3, 5}, {2, 1}, {2, 5}, {5, 3});
  with({3, 5}, {2, 0}, {2, 5}, {3, 5});
  with({3, 5}, {2, 3}, {2, 5}, {3, 5});
  with({3, 5}, {2, 2}, {1, 2}, {3, 5});  // right
  with({3, 5}, {2, 2}, {2, 1}, {3, 5});
}

TEST_CASE("scatter_nd with batch_dims writes each update within its own batch, and refuses batches that do not fit") {
  problem p = small_problem<float, std::int64_t>(operation::scatter_nd, {3, 4}, {3, 2}, {0, 1, 1, -1, 2, 3});
  p.indices = {{3, 1}, {3, -1, 0}};
  p.updates = elements_of<float>({3}, {-1, -2, -3});
  for (oracle::integer batch_dims : {oracle::integer{1}, oracle::integer{0}, oracle::integer{2}, oracle::integer{-1},
                                     std::numeric_limits<oracle::integer>::max()}) {
    p.batch_dims = batch_dims;
    verify_scatter_nd<float, std::int64_t, 2, 2, 1>(p);
  }
  p.batch_dims = 1;
  p.indices.values[1] = 4;  // the axis of an error is the one behind the batch
  verify_scatter_nd<float, std::int64_t, 2, 2, 1>(p);
  p.input = counting<float>({2, 4});
  p.output = {2, 4};
  verify_scatter_nd<float, std::int64_t, 2, 2, 1>(p);
}

TEST_CASE("scatter_nd moves large updates as it moves small ones") {
  random_source random(first_seed());
  SECTION("rows, with duplicates") {
    problem p = problem_of<double, std::int32_t>(operation::scatter_nd);
    p.input = random_bits({6000, 40}, sizeof(double), random);
    p.indices = good_tuples({5000, 1}, p.input.extents, 0, p.kind, random);
    p.updates = random_bits({5000, 40}, sizeof(double), random);
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify_scatter_nd<double, std::int32_t, 2, 2, 2>(p, "1.9 MiB", few_arrangements());
    }
  }
  SECTION("single elements of 24 bytes, none of them torn") {
    problem p = problem_of<record, std::int64_t>(operation::scatter_nd);
    p.input = random_bits({400, 30, 4}, sizeof(record), random);
    p.indices = good_tuples({60000, 3}, p.input.extents, 0, p.kind, random);
    p.updates = random_bits({1, 1, 60000}, sizeof(record), random);
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify_scatter_nd<record, std::int64_t, 3, 2, 3>(p, "1.1 MiB", few_arrangements());
    }
  }
  SECTION("sums") {
    problem p = problem_of<std::int32_t, std::int64_t>(operation::scatter_nd);
    p.reduction = reduction::add;
    p.input = random_bits({700, 30, 10}, sizeof(std::int32_t), random);
    p.indices = good_tuples({20000, 2}, p.input.extents, 0, p.kind, random);
    p.updates = random_bits({1, 20000, 10}, sizeof(std::int32_t), random);
    verify_scatter_nd<std::int32_t, std::int64_t, 3, 2, 3>(p, "0.8 MiB", few_arrangements());
  }
}

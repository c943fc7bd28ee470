// SPDX-License-Identifier: MIT
// Scatters of many updates into little: their indices are looked at while they are written, and what was there is put
// back if one of them is bad.
#include "../support/count_allocations.hpp"
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <ndx/ndx.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace test;
using oracle::bounds;
using oracle::reduction;

namespace {

/// In place and not, where that is the way, and what is next to it.
std::vector<arrangement> const& kept_arrangements() {
  using enum layout;
  static std::vector<arrangement> const list{
      {packed, packed, packed, packed},     {packed, packed, packed, packed, true},
      {reversed, packed, packed, reversed}, {reversed, padded, padded, reversed, true},
      {packed, packed, packed, padded},     {padded, packed, packed, padded, true},
      {permuted, packed, reversed, packed}, {strided, misaligned, misaligned, strided, true}};
  return list;
}

template <class T, class I>
problem updates_for(oracle::shape const& input, oracle::shape const& tuples, random_source& random) {
  return scatter_by_good_tuples(problem_of<T, I>(operation::scatter_nd), input, tuples, random);
}

/// With good indices, and then with a bad one in the first step, at the end, and between them.
template <class T, class I, std::size_t Input, std::size_t Updates>
void verify(problem p) {
  verify_scatter_nd<T, I, Input, 2, Updates>(p, {}, kept_arrangements());
  std::size_t const last = p.indices.values.size() - 1;
  for (std::size_t const bad : {std::size_t{3}, last / 2, last}) {
    auto const good = p.indices.values[bad];
    p.indices.values[bad] = 1000;
    verify_scatter_nd<T, I, Input, 2, Updates>(p, {}, few_arrangements());
    p.indices.values[bad] = good;
  }
}

}  // namespace

TEST_CASE("Kept destinations: elements by pairs and triples, by every kind of index") {
  random_source random(first_seed());
  verify<double, std::int64_t, 2, 1>(updates_for<double, std::int64_t>({16, 17}, {4500, 2}, random));
  verify<float, std::uint32_t, 2, 1>(updates_for<float, std::uint32_t>({33, 9}, {9000, 2}, random));
  verify<std::uint8_t, std::int32_t, 3, 1>(updates_for<std::uint8_t, std::int32_t>({3, 50, 20}, {6000, 3}, random));
  verify<record, std::uint64_t, 2, 1>(updates_for<record, std::uint64_t>({5, 6}, {5000, 2}, random));
}

TEST_CASE("Kept destinations: rows by single indices and by pairs") {
  random_source random(first_seed());
  verify<float, std::int64_t, 2, 2>(updates_for<float, std::int64_t>({30, 2}, {9000, 1}, random));
  verify<double, std::int32_t, 3, 2>(updates_for<double, std::int32_t>({7, 5, 40}, {12000, 2}, random));
}

TEST_CASE("Kept destinations: reductions, with what was there and without") {
  random_source random(first_seed());
  auto p = updates_for<std::int32_t, std::int64_t>({16, 17}, {4500, 2}, random);
  for (reduction op : {reduction::add, reduction::max, reduction::mean})
    for (bool include_self : {true, false}) {
      p.reduction = op;
      p.include_self = include_self;
      verify<std::int32_t, std::int64_t, 2, 1>(p);
    }
}

TEST_CASE("Kept destinations: in the other modes nothing is kept") {
  random_source random(first_seed());
  auto p = updates_for<float, std::int64_t>({16, 17}, {4500, 2}, random);
  for (bounds mode : {bounds::trust, bounds::ignore, bounds::clamp, bounds::wrap}) {
    p.mode = mode;
    if (mode != bounds::trust) p.indices.values[100] = 1000;
    verify_scatter_nd<float, std::int64_t, 2, 2, 1>(p, {}, few_arrangements());
  }
}

TEST_CASE("Kept destinations: which scatters go that way") {
  struct scatter_of_pairs {
    ndx::index_t side = 32;
    ndx::index_t pitch = side;
    ndx::index_t count = 4096;
    ndx::bounds mode = ndx::bounds::check;

    bool takes_scratch() const {
      ndx::tensor<float, 2> memory({side, pitch});
      ndx::tensor_view<float, 2> const output(memory.data(), {side, side}, {pitch, 1});
      ndx::tensor<float, 1> const updates({count});
      ndx::tensor<std::int64_t, 2> indices({count, 2});
      return test::takes_scratch(
          [&] { ndx::scatter_nd(ndx::simd, output, indices, updates, output, {.bounds = mode}); });
    }
  };
  CHECK(scatter_of_pairs{}.takes_scratch());
  CHECK_FALSE(scatter_of_pairs{.mode = ndx::bounds::trust}.takes_scratch());
  CHECK_FALSE(scatter_of_pairs{.count = 4095}.takes_scratch());
  CHECK(scatter_of_pairs{.side = 45}.takes_scratch());
  CHECK_FALSE(scatter_of_pairs{.side = 46}.takes_scratch());               // more than an eighth of the indices
  CHECK_FALSE(scatter_of_pairs{.side = 32, .pitch = 33}.takes_scratch());  // what lies between is another's
}

// SPDX-License-Identifier: MIT
// Scatters of long rows into a copy of their input, which are written row by row from the input or from the updates.
#include "../support/count_allocations.hpp"
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <ndx/ndx.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace test;
using oracle::bounds;

namespace {

/// Where rows are merged, and what is next to it.
std::vector<arrangement> const& merged_arrangements() {
  using enum layout;
  static std::vector<arrangement> const list{
      {packed, packed, packed, packed},       {packed, packed, packed, packed, true},
      {misaligned, packed, packed, packed},   {packed, misaligned, misaligned, misaligned},
      {packed, packed, padded, packed},       {packed, padded, reversed, packed},
      {reversed, packed, packed, packed},     {packed, packed, packed, padded},
      {packed, reversed, permuted, reversed}, {padded, broadcast, packed, packed}};
  return list;
}

/// Updates for the rows that `tuples` name, anywhere in a tensor.
template <class T, class I>
problem rows_for(oracle::shape const& input, oracle::shape const& tuples, random_source& random) {
  return scatter_by_good_tuples(problem_of<T, I>(operation::scatter_nd), input, tuples, random);
}

}  // namespace

TEST_CASE("Merged rows: of every length and kind of elements, by every kind of index") {
  random_source random(first_seed());
  // Whole lines, and rows that begin anywhere in one; some for an eighth of all rows, some for most or all.
  verify_scatter_nd<float, std::int32_t, 2, 2, 2>(rows_for<float, std::int32_t>({300, 1024}, {40, 1}, random), {},
                                                  merged_arrangements());
  verify_scatter_nd<double, std::int64_t, 2, 2, 2>(rows_for<double, std::int64_t>({301, 513}, {39, 1}, random), {},
                                                   merged_arrangements());
  verify_scatter_nd<std::uint8_t, std::uint32_t, 2, 2, 2>(
      rows_for<std::uint8_t, std::uint32_t>({1200, 1025}, {700, 1}, random), {}, merged_arrangements());
  verify_scatter_nd<std::uint16_t, std::uint64_t, 2, 2, 2>(
      rows_for<std::uint16_t, std::uint64_t>({5000, 261}, {5000, 1}, random), {}, few_arrangements());
  verify_scatter_nd<record, std::int64_t, 2, 2, 2>(rows_for<record, std::int64_t>({700, 200}, {2000, 1}, random), {},
                                                   merged_arrangements());
}

TEST_CASE("Merged rows: by tuples of several indices, and updates in several dimensions") {
  random_source random(first_seed());
  verify_scatter_nd<float, std::int32_t, 3, 2, 2>(rows_for<float, std::int32_t>({20, 31, 300}, {400, 2}, random), {},
                                                  merged_arrangements());
  verify_scatter_nd<float, std::int64_t, 3, 3, 4>(rows_for<float, std::int64_t>({160, 20, 60}, {9, 10, 1}, random), {},
                                                  merged_arrangements());
  verify_scatter_nd<double, std::uint32_t, 3, 1, 1>(rows_for<double, std::uint32_t>({2, 4, 20000}, {2}, random), {},
                                                    merged_arrangements());
}

TEST_CASE("Merged rows: bad indices are treated as the options say") {
  random_source random(first_seed());
  for (bounds mode : {bounds::check, bounds::trust, bounds::ignore, bounds::clamp, bounds::wrap}) {
    auto p = rows_for<double, std::int64_t>({301, 513}, {200, 1}, random);
    p.mode = mode;
    verify_scatter_nd<double, std::int64_t, 2, 2, 2>(p, {}, few_arrangements());
    if (mode == bounds::trust) continue;
    p.indices.values[7] = p.indices.values[150] = 301;
    p.indices.values[8] = -302;
    verify_scatter_nd<double, std::int64_t, 2, 2, 2>(p, {}, few_arrangements());
  }
}

TEST_CASE("Merged rows: the last of several updates counts") {
  random_source random(first_seed());
  auto p = rows_for<float, std::int32_t>({300, 1024}, {900, 1}, random);
  for (std::size_t i = 0; i < p.indices.values.size(); ++i)
    p.indices.values[i] = i % 7 == 0 ? -1 : static_cast<std::int64_t>(150 + i / 300);
  verify_scatter_nd<float, std::int32_t, 2, 2, 2>(p, {}, merged_arrangements());
}

TEST_CASE("Merged rows: outputs larger than the caches") {
  random_source random(first_seed());
  verify_scatter_nd<double, std::int32_t, 2, 2, 2>(rows_for<double, std::int32_t>({17000, 513}, {9000, 1}, random),
                                                   "67 MiB", {arrangement{}});
}

namespace {

/// A scatter into a tensor of so many rows, in place or not: does it allocate?
struct scatter_of_rows {
  ndx::index_t rows = 400;
  ndx::index_t width = 1024;
  ndx::index_t count = 50;
  bool in_place = false;
  ndx::reduction reduction = ndx::reduction::none;

  template <class Policy>
  bool takes_scratch(Policy const& policy) const {
    ndx::tensor<float, 2> input({rows, width});
    ndx::tensor<float, 2> output({rows, width});
    ndx::tensor<float, 2> const updates({count, width});
    ndx::tensor<std::int32_t, 2> indices({count, 1});
    for (ndx::index_t i = 0; i < count; ++i) indices(i, 0) = static_cast<std::int32_t>(i * 7 % rows);
    return test::takes_scratch([&] {
      ndx::scatter_nd(policy, in_place ? output : input, indices, updates, output, {.reduction = reduction});
    });
  }
};

}  // namespace

TEST_CASE("Merged rows: which scatters go that way") {
  auto const one = ndx::simd.stores(ndx::stores::streaming);
  auto const several = ndx::par_simd.threads(3).stores(ndx::stores::streaming);
  CHECK(scatter_of_rows{}.takes_scratch(one));
  CHECK(scatter_of_rows{}.takes_scratch(several));
  CHECK_FALSE(scatter_of_rows{}.takes_scratch(ndx::simd));  // the caches hold the output
  CHECK_FALSE(scatter_of_rows{.in_place = true}.takes_scratch(one));
  CHECK_FALSE(scatter_of_rows{.reduction = ndx::reduction::add}.takes_scratch(one));
  CHECK_FALSE(scatter_of_rows{.count = 49}.takes_scratch(one));
  CHECK_FALSE(scatter_of_rows{.width = 1023}.takes_scratch(one));
  CHECK(scatter_of_rows{.width = 256, .count = 200}.takes_scratch(one));
  CHECK_FALSE(scatter_of_rows{.width = 256, .count = 199}.takes_scratch(one));
  CHECK(scatter_of_rows{.rows = 4000, .width = 256, .count = 500}.takes_scratch(several));
  CHECK_FALSE(scatter_of_rows{.rows = 4000, .width = 255, .count = 500}.takes_scratch(several));
  CHECK(scatter_of_rows{.rows = 4000, .width = 128, .count = 2000}.takes_scratch(several));
  CHECK_FALSE(scatter_of_rows{.rows = 4000, .width = 127, .count = 2000}.takes_scratch(several));
}

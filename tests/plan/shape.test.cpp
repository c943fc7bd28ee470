// SPDX-License-Identifier: MIT
#include "../support/catch.hpp"
#include "../support/oracle.hpp"
#include "../support/random.hpp"

#include <ndx/plan/shape.hpp>
#include <ndx/plan/window.hpp>

#include <string>
#include <vector>

using ndx::index_t;
using ndx::plan::layout;
using test::random_source;

namespace {

struct tensor_layout {
  oracle::shape extents;
  std::vector<index_t> strides = std::vector<index_t>(extents.size(), 1);
  layout view() const { return {extents.size(), extents.data(), strides.data()}; }
};

/// Small extents, so that they fit each other now and then.
tensor_layout random_layout(random_source& random, oracle::integer lowest_rank, oracle::integer highest_rank) {
  tensor_layout result{oracle::shape(static_cast<std::size_t>(random.between(lowest_rank, highest_rank)))};
  for (index_t& extent : result.extents) extent = random.between(1, 3);
  return result;
}

template <class Check>
bool accepts(Check check) {
  try {
    check();
    return true;
  } catch (ndx::shape_error const&) {
    return false;
  }
}

}  // namespace

TEST_CASE("The rule of gather_nd1 takes what the formula gives, and nothing else") {
  int accepted = 0;
  test::for_each_seed(20000, [&](random_source& random, std::string const& seed) {
    auto const input = random_layout(random, 0, 4);
    auto const indices = random_layout(random, 0, 4);
    auto const b = random.between(-1, 3);
    auto output = random_layout(random, 0, 4);
    auto const due = oracle::slices(input.extents, indices.extents, b);
    if (due && due->size() <= 8 && random.chance(50))
      output = {oracle::joined(oracle::shape(static_cast<std::size_t>(random.between(0, 1)), 1), *due)};
    bool const expected = due && oracle::accepts(output.extents, *due);
    if (expected) ++accepted;
    INFO(seed);
    CAPTURE(input.extents, indices.extents, output.extents, b);
    CHECK(accepts([&] { ndx::plan::check_gather("test", input.view(), indices.view(), output.view(), b); }) ==
          expected);
  });
  if (test::case_count(20000) == 20000) CHECK(accepted > 1000);
}

TEST_CASE("The rule of scatter_nd takes what the formula gives, and nothing else") {
  int accepted = 0;
  test::for_each_seed(20000, [&](random_source& random, std::string const& seed) {
    auto const input = random_layout(random, 0, 4);
    auto const indices = random_layout(random, 0, 4);
    auto const b = random.chance(50) ? 0 : random.between(-1, 3);
    auto updates = random_layout(random, 0, 4);
    auto const due = oracle::slices(input.extents, indices.extents, b);
    if (due && random.chance(50)) updates = {*due};
    bool const expected = due && oracle::accepts(updates.extents, *due);
    if (expected) ++accepted;
    INFO(seed);
    CAPTURE(input.extents, indices.extents, updates.extents, b);
    CHECK(accepts([&] { ndx::plan::check_scatter("test", input.view(), indices.view(), updates.view(), b); }) ==
          expected);
  });
  if (test::case_count(20000) == 20000) CHECK(accepted > 1000);
}

TEST_CASE("A window is refused exactly where it leaves the input, even at the ends of 64 bit") {
  constexpr index_t interesting[] = {INT64_MIN, INT64_MIN + 1, -2, -1, 0, 1, 2, 3, 4, 5, INT64_MAX - 1, INT64_MAX};
  for (index_t offset : interesting)
    for (index_t size : interesting)
      for (index_t stride : interesting) {
        CAPTURE(offset, size, stride);
        bool const expected = oracle::largest_window({4}, {{offset}, {size}, {stride}}).has_value();
        CHECK(accepts([&] { ndx::plan::check_window("test", 0, {offset, size, stride}, 4); }) == expected);
      }
}

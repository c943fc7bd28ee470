// SPDX-License-Identifier: MIT
#include "../support/catch.hpp"
#include "../support/random.hpp"

#include <ndx/plan/overlap.hpp>

#include <array>
#include <set>
#include <string>

using ndx::index_t;
using ndx::plan::overlaps_itself;
using test::random_source;

namespace {

/// By trying all coordinates.
bool meets_itself(std::array<index_t, 4> const& extents, std::array<index_t, 4> const& strides) {
  std::set<index_t> seen;
  std::array<index_t, 4> at{};
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3]) {
          index_t offset = 0;
          for (std::size_t d = 0; d < 4; ++d) offset += at[d] * strides[d];
          if (!seen.insert(offset).second) return true;
        }
  return false;
}

}  // namespace

TEST_CASE("A layout overlaps itself exactly where two coordinates share an element") {
  int overlapping = 0;
  int apart = 0;
  test::for_each_seed(6000, [&](random_source& random, std::string const& seed) {
    std::array<index_t, 4> extents{};
    std::array<index_t, 4> strides{};
    for (std::size_t d = 0; d < 4; ++d) {
      extents[d] = random.chance(3) ? 0 : random.chance(20) ? 1 : random.between(1, 5);
      strides[d] = random.between(random.chance(30) ? -40 : 0, random.chance(50) ? 60 : 9);
    }
    bool const expected = meets_itself(extents, strides);
    (expected ? overlapping : apart) += 1;
    INFO(seed);
    CAPTURE(extents, strides);
    CHECK(overlaps_itself({4, extents.data(), strides.data()}) == expected);
  });
  if (test::case_count(6000) == 6000) {  // neither answer is a matter of course
    CHECK(overlapping > 500);
    CHECK(apart > 500);
  }
}

TEST_CASE("Two ranges of addresses overlap where they share a byte") {
  using ndx::plan::overlap;
  CHECK(overlap({10, 20}, {19, 30}));
  CHECK(overlap({19, 30}, {10, 20}));
  CHECK(overlap({10, 20}, {12, 13}));
  CHECK_FALSE(overlap({10, 20}, {20, 30}));
  CHECK_FALSE(overlap({20, 30}, {10, 20}));
  CHECK_FALSE(overlap({10, 20}, {15, 15}));
}

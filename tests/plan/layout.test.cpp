// SPDX-License-Identifier: MIT
// What measures a tensor has a short cut for the usual one: whatever that takes, the long way must take too, with the
// same result.
#include "../support/catch.hpp"
#include "../support/random.hpp"

#include <ndx/plan/layout.hpp>
#include <ndx/plan/overlap.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

using ndx::index_t;
using ndx::plan::footprint;
using ndx::plan::layout;
using ndx::plan::detail::defect;
using test::random_source;

namespace {

/// Small numbers, numbers at the edges of what the short cut takes, and numbers at the edges of what there is.
index_t extreme(random_source& random, bool negative) {
  auto const bits = static_cast<unsigned>(random.between(0, 63));
  index_t const power = bits == 63 ? std::numeric_limits<index_t>::max() : index_t{1} << bits;
  index_t const value = random.chance(50) ? random.between(0, 5) : power - random.between(0, 1);
  return negative && random.chance(15) ? -value : value;
}

template <std::size_t Rank>
void compare(int& taken, int& apart) {
  test::for_each_seed(4000, [&](random_source& random, std::string const& seed) {
    std::array<index_t, Rank + 1> extents{};  // of rank 0 too
    std::array<index_t, Rank + 1> strides{};
    bool const tame = random.chance(60);
    for (std::size_t d = 0; d < Rank; ++d) {
      extents[d] = tame ? random.between(random.chance(10) ? -1 : 1, 6) : extreme(random, true);
      strides[d] = tame ? random.between(0, random.chance(30) ? 7 : 300) : extreme(random, true);
    }
    layout const tensor{Rank, extents.data(), strides.data()};
    for (std::size_t element : {1U, 2U, 3U, 4U, 8U, 12U, 16U, 4096U, 1U << 20U, 1U << 21U}) {
      footprint quick;
      if (!ndx::plan::detail::measure_usual(tensor, element, quick)) continue;
      ++taken;
      footprint exact;
      INFO(seed);
      CAPTURE(extents, strides, element);
      REQUIRE(ndx::plan::detail::measure(tensor, element, exact) == defect::none);
      CHECK(quick.before == exact.before);
      CHECK(quick.after == exact.after);
      if (!quick.distinct) continue;
      ++apart;
      if (tame) CHECK_FALSE(ndx::plan::overlaps_itself(tensor));
    }
  });
}

}  // namespace

TEST_CASE("The short cut takes no tensor that cannot be addressed, measures alike, and knows elements apart") {
  int taken = 0;
  int apart = 0;
  compare<0>(taken, apart);
  compare<1>(taken, apart);
  compare<2>(taken, apart);
  compare<3>(taken, apart);
  compare<5>(taken, apart);
  compare<8>(taken, apart);
  if (test::case_count(4000) == 4000) {  // neither is rare
    CHECK(taken > 50000);
    CHECK(apart > 10000);
    CHECK(taken - apart > 10000);
  }
}

TEST_CASE("The short cut takes the largest extents and strides that it promises, and none beyond") {
  auto const takes = [](index_t extent, index_t stride) {
    footprint bytes;
    std::array<index_t, 2> const extents{extent, 1};
    std::array<index_t, 2> const strides{stride, 1};
    return ndx::plan::detail::measure_usual({2, extents.data(), strides.data()}, 4, bytes);
  };
  CHECK(takes(index_t{1} << 29, (index_t{1} << 28) - 1));
  CHECK_FALSE(takes((index_t{1} << 29) + 1, 1));
  CHECK_FALSE(takes(2, index_t{1} << 28));
  CHECK_FALSE(takes(2, -1));
  CHECK_FALSE(takes(0, 1));
  CHECK_FALSE(takes(-1, 1));
  CHECK_FALSE(takes(std::numeric_limits<index_t>::min(), 1));
}

TEST_CASE("Packed tensors are known to have their elements apart, repeated and interleaved ones are not") {
  auto const apart = [](std::array<index_t, 3> const& extents, std::array<index_t, 3> const& strides) {
    footprint bytes;
    return ndx::plan::detail::measure_usual({3, extents.data(), strides.data()}, 4, bytes) && bytes.distinct;
  };
  CHECK(apart({2, 3, 4}, {12, 4, 1}));
  CHECK(apart({2, 3, 4}, {13, 4, 1}));
  CHECK(apart({1, 3, 4}, {0, 4, 1}));
  CHECK(apart({2, 1, 4}, {4, 0, 1}));
  CHECK_FALSE(apart({2, 3, 4}, {11, 4, 1}));
  CHECK_FALSE(apart({2, 3, 4}, {12, 3, 1}));
  CHECK_FALSE(apart({2, 3, 4}, {12, 4, 0}));
  CHECK_FALSE(apart({2, 3, 4}, {0, 4, 1}));
}

TEST_CASE("Strides of packed tensors are the products of the extents behind, or before where the first runs fastest") {
  using ndx::plan::column_major_strides;
  using ndx::plan::packed_strides;
  STATIC_REQUIRE(packed_strides(std::array<index_t, 3>{2, 3, 4}) == std::array<index_t, 3>{12, 4, 1});
  STATIC_REQUIRE(column_major_strides(std::array<index_t, 3>{2, 3, 4}) == std::array<index_t, 3>{1, 2, 6});
  STATIC_REQUIRE(column_major_strides(std::array<index_t, 3>{2, 0, 4}) == std::array<index_t, 3>{1, 2, 0});
  STATIC_REQUIRE(column_major_strides(std::array<index_t, 0>{}).empty());
  // Extents that no tensor can have are refused later on: until then they only must not overflow.
  constexpr index_t most = std::numeric_limits<index_t>::max();
  STATIC_REQUIRE(column_major_strides(std::array<index_t, 3>{most, most, 2}) == std::array<index_t, 3>{1, most, 1});
}

// SPDX-License-Identifier: MIT
#include "../support/catch.hpp"
#include "../support/random.hpp"

#include <ndx/plan/resolve.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

using ndx::bounds;
using ndx::index_t;
using ndx::plan::resolve_index;

namespace {

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto highest_unsigned = std::numeric_limits<std::uint64_t>::max();

static_assert(resolve_index<std::int64_t>(-1, 4, bounds::check) == 3);
static_assert(resolve_index<std::int64_t>(-4, 4, bounds::check) == 0);
static_assert(resolve_index<std::int64_t>(-5, 4, bounds::check) < 0);
static_assert(resolve_index<std::int64_t>(3, 4, bounds::check) == 3);
static_assert(resolve_index<std::int64_t>(4, 4, bounds::check) < 0);
static_assert(resolve_index<std::int64_t>(lowest, 4, bounds::check) < 0);
static_assert(resolve_index<std::int64_t>(lowest, highest, bounds::check) < 0);
static_assert(resolve_index<std::int64_t>(-highest, highest, bounds::check) == 0);
static_assert(resolve_index<std::uint64_t>(highest_unsigned, highest, bounds::check) < 0);
static_assert(resolve_index<std::uint32_t>(0xffffffffU, index_t{1} << 32, bounds::check) == 0xffffffff);
static_assert(resolve_index<std::int32_t>(-1, index_t{1} << 40, bounds::check) == (index_t{1} << 40) - 1);
static_assert(resolve_index<std::int64_t>(lowest, 4, bounds::clamp) == 0);
static_assert(resolve_index<std::int64_t>(highest, 4, bounds::clamp) == 3);
static_assert(resolve_index<std::uint64_t>(highest_unsigned, 4, bounds::clamp) == 3);
static_assert(resolve_index<std::int64_t>(lowest, 7, bounds::wrap) == 6);
static_assert(resolve_index<std::int64_t>(lowest, highest, bounds::wrap) == highest - 1);
static_assert(resolve_index<std::uint64_t>(highest_unsigned, highest, bounds::wrap) == 1);
static_assert(resolve_index<std::int64_t>(-8, 4, bounds::wrap) == 0);
static_assert(resolve_index<std::int64_t>(-9, 4, bounds::wrap) == 3);
static_assert(resolve_index<std::int64_t>(0, 0, bounds::clamp) < 0);
static_assert(resolve_index<std::int64_t>(0, 0, bounds::wrap) < 0);
static_assert(resolve_index<std::int64_t>(0, 0, bounds::ignore) < 0);
static_assert(resolve_index<std::int32_t>(-2, 5, bounds::trust) == 3);

}  // namespace

TEMPLATE_TEST_CASE("An index is resolved as plain arithmetic on small numbers has it", "", std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t) {
  for (int extent = 1; extent <= 9; ++extent)
    for (int value = std::is_signed_v<TestType> ? -40 : 0; value <= 40; ++value) {
      CAPTURE(extent, value);
      auto const index = static_cast<TestType>(value);
      bool const good = value >= -extent && value < extent;
      int const from_front = value < 0 ? value + extent : value;
      if (good) {
        CHECK(resolve_index(index, extent, bounds::trust) == from_front);
        CHECK(resolve_index(index, extent, bounds::check) == from_front);
        CHECK(resolve_index(index, extent, bounds::ignore) == from_front);
      } else {
        CHECK(resolve_index(index, extent, bounds::check) < 0);
        CHECK(resolve_index(index, extent, bounds::ignore) < 0);
      }
      CHECK(resolve_index(index, extent, bounds::clamp) == (from_front < 0 ? 0 : std::min(from_front, extent - 1)));
      CHECK(resolve_index(index, extent, bounds::wrap) == ((value % extent) + extent) % extent);
    }
}

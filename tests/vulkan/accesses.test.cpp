// SPDX-License-Identifier: MIT
// Which operations have to wait for which: the set of bytes that a recording keeps, beside a plain list of them.
#include "../support/catch.hpp"
#include "../support/random.hpp"

#include <ndx/vulkan.hpp>

#include <array>
#include <cstdint>
#include <vector>

using namespace test;
using ndx::vulkan::byte_range;
using ndx::vulkan::byte_set;

namespace {

VkBuffer buffer(std::uintptr_t number) { return reinterpret_cast<VkBuffer>(number * 16); }

}  // namespace

TEST_CASE("Vulkan: a set of bytes meets what holds one of them") {
  byte_set set;
  CHECK_FALSE(set.meets({buffer(1), 0, 100}));
  set.add({buffer(1), 10, 20});
  set.add({buffer(1), 30, 40});
  set.add({buffer(2), 0, 5});
  CHECK(set.meets({buffer(1), 19, 25}));
  CHECK_FALSE(set.meets({buffer(1), 20, 30}));
  CHECK_FALSE(set.meets({buffer(2), 10, 20}));
  CHECK_FALSE(set.meets({buffer(1), 15, 15}));  // nothing
  set.add({buffer(1), 15, 35});
  CHECK(set.size() == 2);
  CHECK(set.meets({buffer(1), 20, 30}));
}

TEST_CASE("Vulkan: random sets of bytes are what a list of their bytes is") {
  random_source random(first_seed());
  for (int round = 0; round < 50; ++round) {
    byte_set set;
    std::array<std::array<bool, 64>, 3> due{};
    for (int step = 0; step < 40; ++step) {
      auto const which = static_cast<std::size_t>(random.between(0, 2));
      auto const begin = static_cast<std::uint64_t>(random.between(0, 63));
      auto const end = static_cast<std::uint64_t>(random.between(static_cast<oracle::integer>(begin), 64));
      byte_range const range{buffer(which + 1), begin, end};
      bool meets = false;
      for (std::uint64_t b = begin; b < end; ++b) meets = meets || due[which][b];
      CAPTURE(round, step, which, begin, end);
      REQUIRE(set.meets(range) == meets);
      if (random.between(0, 3) == 0) continue;
      set.add(range);
      for (std::uint64_t b = begin; b < end; ++b) due[which][b] = true;
    }
  }
}

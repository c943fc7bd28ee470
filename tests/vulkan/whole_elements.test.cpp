// SPDX-License-Identifier: MIT
// Many updates of few elements at the same time: each element is one of its updates, all of it. On a device that takes
// the stores of vectors apart, as software ones do, these would else be the halves of two.
#include "../support/catch.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <array>
#include <cstdint>

namespace {

using ndx::index_t;

/// Words that are all the number of the update.
template <std::size_t Words>
struct element {
  std::array<std::uint32_t, Words> words;

  static element of(index_t number) {
    element result;
    result.words.fill(static_cast<std::uint32_t>(number));
    return result;
  }
  friend bool operator==(element const&, element const&) = default;
};

/// Each row of the output gets two rows of updates, `apart` tuples from each other: workgroups that run at the same
/// time write the same rows, and no other one does so later.
template <std::size_t Words>
void check_whole(ndx::vulkan::device const& gpu, index_t apart, index_t width) {
  constexpr index_t updates = 32768;
  auto const place_of = [&](index_t i) { return i / (2 * apart) * apart + i % apart; };
  ndx::tensor<element<Words>, 2> output({updates / 2, width});
  ndx::tensor<std::int32_t, 2> indices({updates, 1});
  ndx::tensor<element<Words>, 2> values({updates, width});
  for (index_t i = 0; i < updates; ++i) {
    indices(i, 0) = static_cast<std::int32_t>(place_of(i));
    for (index_t column = 0; column < width; ++column) values(i, column) = element<Words>::of(i);
  }
  ndx::scatter_nd(gpu, output, indices, values, output);
  index_t torn = 0;
  index_t strange = 0;
  for (index_t place = 0; place < output.extent(0); ++place)
    for (index_t column = 0; column < width; ++column) {
      element<Words> const found = output(place, column);
      torn += found == element<Words>::of(found.words[0]) ? 0 : 1;
      strange += place_of(found.words[0]) == place ? 0 : 1;
    }
  INFO(Words << " words, " << apart << " tuples apart, rows of " << width);
  CHECK(torn == 0);
  CHECK(strange == 0);
}

}  // namespace

TEST_CASE("Vulkan: of several updates of an element one stands, whole") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::device const gpu(test::checked());
  for (index_t apart = 32; apart <= 1024; apart *= 2)
    for (index_t const width : {1, 2, 5}) {
      check_whole<1>(gpu, apart, width);
      check_whole<2>(gpu, apart, width);
      check_whole<4>(gpu, apart, width);
    }
}

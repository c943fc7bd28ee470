// SPDX-License-Identifier: MIT
// Two updates of each element at the same time: one of them stands, all of it. On a device that takes the stores of
// vectors apart, as software ones do, it would else be some words of one and some of the other.
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

/// Each row of the output gets two rows of updates, from either half of them: a device that gives each of its threads a
/// part of the workgroups may write both at the same time.
template <std::size_t Words>
void check_whole(ndx::vulkan::device const& gpu, index_t updates, index_t width) {
  auto const place_of = [&](index_t i) { return i % (updates / 2); };
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
  INFO(Words << " words, " << updates << " updates, rows of " << width);
  CHECK(torn == 0);
  CHECK(strange == 0);
}

}  // namespace

TEST_CASE("Vulkan: of several updates of an element one stands, whole") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::device const gpu(test::checked());
  // Often, as whether threads meet at an element depends on when each begins.
  for (int again = 0; again < 60; ++again)
    for (index_t const updates : {1024, 8192})
      for (index_t const width : {1, 2}) {
        check_whole<1>(gpu, updates, width);
        check_whole<2>(gpu, updates, width);
        check_whole<4>(gpu, updates, width);
      }
}

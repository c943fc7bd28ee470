// SPDX-License-Identifier: MIT
// Tuples of two indices, which kernels read at once where they lie side by side and in place: every kind of index, in
// every arrangement, some of which have them apart or begin in the middle of a pair, with bad ones among the good.
#include "../support/front_doors.hpp"
#include "../support/vulkan_device.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using namespace test;
using oracle::bounds;
using oracle::duplicates;

namespace {

template <class Index, class Verify>
void for_each_problem(operation op, Verify const& verify) {
  auto const last = static_cast<Index>(std::is_signed_v<Index> ? -1 : 26);
  std::vector<Index> const good{3, 0, 24, last, 0, 26, 3, 0, 1, 15, 14, 2};
  for (bounds mode : {bounds::check, bounds::ignore, bounds::wrap}) {
    verify(small_problem<float, Index>(op, {25, 27}, {6, 2}, good, mode));
    for (std::size_t at : {std::size_t{4}, std::size_t{9}}) {
      std::vector<Index> bad = good;
      bad[at] = std::numeric_limits<Index>::max();
      verify(small_problem<float, Index>(op, {25, 27}, {6, 2}, bad, mode));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Vulkan: elements are gathered by pairs of indices, wherever these lie", "", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  for_each_problem<TestType>(operation::gather_nd,
                             [](problem const& p) { verify_gather_nd<float, TestType, 2, 2, 1>(p, {}); });
}

TEMPLATE_TEST_CASE("Vulkan: elements are scattered by pairs of indices, wherever these lie", "", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  for_each_problem<TestType>(operation::scatter_nd, [](problem p) {
    p.duplicates = duplicates::last;
    verify_scatter_nd<float, TestType, 2, 2, 1>(p, {});
  });
}

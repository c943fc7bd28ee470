// SPDX-License-Identifier: MIT
// Rows that tuples lead to, of lengths around those that a kernel of their own moves by pairs of units of 16 bytes: in
// every mode, with bad indices among the good ones, and with duplicates.
#include "../support/front_doors.hpp"
#include "../support/vulkan_device.hpp"

#include <cstdint>
#include <vector>

using namespace test;
using oracle::bounds;
using oracle::duplicates;

namespace {

constexpr bounds modes[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};

/// So many units of 16 bytes, as floats.
constexpr oracle::integer widths[] = {6 * 4, 7 * 4, 8 * 4, 9 * 4, 10 * 4, 16 * 4, 18 * 4, 17 * 4 + 2};

template <class Verify>
void for_each_problem(operation op, Verify const& verify) {
  std::vector<std::int64_t> const good{3, 0, 8, -1, 3, 5, -9, 8, 2, 7, 3};
  std::vector<std::int64_t> bad = good;
  bad[4] = 9;
  bad[9] = -10;
  for (oracle::integer width : widths)
    for (bounds mode : modes)
      for (std::vector<std::int64_t> const& indices : {good, bad})
        verify(small_problem<float, std::int64_t>(op, {9, width}, {11, 1}, indices, mode));
}

}  // namespace

TEST_CASE("Vulkan: gathered rows of every length around the shortest that are moved by pairs of units") {
  for_each_problem(operation::gather_nd,
                   [](problem const& p) { verify_gather_nd<float, std::int64_t, 2, 2, 2>(p, {}, few_arrangements()); });
}

TEST_CASE("Vulkan: scattered rows of every length around the shortest that are moved by pairs of units") {
  for_each_problem(operation::scatter_nd, [](problem p) {
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify_scatter_nd<float, std::int64_t, 2, 2, 2>(p, {}, few_arrangements());
    }
  });
}

// SPDX-License-Identifier: MIT
// Rows that tuples lead to, of lengths around those that the invocations of a workgroup find together, by units of 4, 8
// and 16 bytes, and around those from which on the ends of scattered rows are read: in every mode, with bad indices
// among the good ones, and with duplicates. Eleven of the longest are more than a workgroup moves.
#include "../support/front_doors.hpp"
#include "../support/vulkan_device.hpp"

#include <cstdint>
#include <vector>

using namespace test;
using oracle::bounds;
using oracle::duplicates;

namespace {

constexpr bounds modes[] = {bounds::check, bounds::ignore, bounds::clamp, bounds::wrap};

/// In floats: units of 16 bytes where that divides them, else of 4 or 8.
constexpr oracle::integer widths[] = {3, 5, 6, 8, 9, 10, 11, 12, 14, 25, 92, 94, 95, 96, 132};

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

TEST_CASE("Vulkan: gathered rows of every length around the shortest that are found together") {
  for_each_problem(operation::gather_nd,
                   [](problem const& p) { verify_gather_nd<float, std::int64_t, 2, 2, 2>(p, {}, few_arrangements()); });
}

TEST_CASE("Vulkan: scattered rows of every length around the shortest that are found together") {
  for_each_problem(operation::scatter_nd, [](problem p) {
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify_scatter_nd<float, std::int64_t, 2, 2, 2>(p, {}, few_arrangements());
    }
  });
}

TEST_CASE("Vulkan: added and compared rows of every length around the shortest that are found together") {
  for_each_problem(operation::scatter_nd, [](problem p) {
    // Sums of whole numbers, which no order can change.
    for (oracle::reduction which : {oracle::reduction::add, oracle::reduction::max}) {
      p.reduction = which;
      verify_scatter_nd<float, std::int64_t, 2, 2, 2>(p, {}, few_arrangements());
    }
  });
}

// SPDX-License-Identifier: MIT
// A recorder writes among an application's own commands, which bind pipelines of their own between its operators.
#include "../support/catch.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

TEST_CASE("A recorder binds its pipeline again where something else was bound since its last operator") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silent;
  ndx::vulkan::device const gpu(test::checked());

  ndx::tensor<float, 2> table({10, 4});
  std::iota(table.begin(), table.end(), 1.0f);
  ndx::tensor<std::int32_t, 2> const rows({3, 1}, {9, 0, 9});
  auto const table_there = gpu.upload(table);
  auto const rows_there = gpu.upload(rows);
  auto const updates = gpu.upload(ndx::tensor<float, 2>({3, 4}));
  auto sums = gpu.upload(table);
  auto before = gpu.upload(ndx::tensor<float, 2>({3, 4}));
  auto after = gpu.upload(ndx::tensor<float, 2>({3, 4}));

  {
    // What is bound in between is another recorder's, of which this one knows as little as of an application.
    auto const& state = gpu.state();
    ndx::vulkan::submission commands(*state->context, state->submissions);
    ndx::vulkan::recorder one(gpu, commands.buffer());
    ndx::vulkan::recorder other(gpu, commands.buffer());
    ndx::gather_nd(one, table_there, rows_there, before, {.bounds = ndx::bounds::trust});
    ndx::scatter_nd(other, sums, rows_there, updates, sums,
                    {.bounds = ndx::bounds::trust, .reduction = ndx::reduction::add});
    ndx::gather_nd(one, table_there, rows_there, after, {.bounds = ndx::bounds::trust});
    one.finish();
    commands.submit();
    commands.wait();
  }

  ndx::tensor<float, 2> due({3, 4});
  ndx::gather_nd(ndx::seq, table, rows, due);
  ndx::tensor<float, 2> seen({3, 4});
  gpu.download(before, seen);
  CHECK(std::equal(seen.begin(), seen.end(), due.begin(), due.end()));
  gpu.download(after, seen);
  CHECK(std::equal(seen.begin(), seen.end(), due.begin(), due.end()));
}

// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

/// As many rows of each table of a batch.
struct batched_rows {
  index_t batch, table, width, count;
  std::vector<std::int64_t> indices;
};

void compare_batched_rows(std::string const& name, index_t batch, index_t table, index_t width, index_t count) {
  auto const rows = static_cast<std::size_t>(batch * count);
  auto const bytes = rows * static_cast<std::size_t>(width) * sizeof(float);
  comparison<batched_rows> ways(name, {rows * sizeof(std::int64_t), bytes, bytes}, bytes, [=] {
    return batched_rows{batch, table, width, count, random_indices<std::int64_t>(rows, table)};
  });
  ways.memcpy();
  ways.plain([](batched_rows const& r) {
    for (index_t b = 0; b < r.batch; ++b)
      plain::gather_rows(source().as<float const>() + b * r.table * r.width, r.table, r.width,
                         r.indices.data() + b * r.count, r.count, destination().as<float>() + b * r.count * r.width);
  });
#ifdef NDX_BENCH_TORCH
  ways.torch([](batched_rows const& r) {
    return libtorch::gather_rows_of_batch(libtorch::make_array(source().as<float>(), {r.batch, r.table, r.width}),
                                          libtorch::make_array(r.indices.data(), {r.batch, r.count}),
                                          libtorch::make_array(destination().as<float>(), {r.batch, r.count, r.width}));
  });
#endif
  ways.policies([](auto const& policy, batched_rows const& r) {
    ndx::tensor_view<float const, 3> const input(source().as<float const>(), {r.batch, r.table, r.width});
    ndx::tensor_view<std::int64_t const, 3> const indices(r.indices.data(), {r.batch, r.count, 1});
    ndx::tensor_view<float, 3> const output(destination().as<float>(), {r.batch, r.count, r.width});
    ndx::gather_nd1(policy, input, indices, output, {.batch_dims = 1});
  });
}

/// A map of coordinates for each picture of a batch: a warp.
struct warp {
  index_t batch, edge, channels;
  std::vector<std::int32_t> indices;
};

warp make_warp(index_t batch, index_t edge, index_t channels) {
  warp w{batch, edge, channels, {}};
  random_numbers numbers(1);
  for (index_t b = 0; b < batch; ++b)
    for (index_t y = 0; y < edge; ++y)
      for (index_t x = 0; x < edge; ++x) {
        auto const near = [&](index_t position) {
          auto const moved = position + static_cast<index_t>(numbers.below(16)) - 8;
          return static_cast<std::int32_t>(moved < 0 ? 0 : moved >= edge ? edge - 1 : moved);
        };
        w.indices.push_back(near(y));
        w.indices.push_back(near(x));
      }
  return w;
}

template <class T>
void compare_warp(std::string const& name) {
  constexpr std::size_t batch = 8;
  constexpr std::size_t edge = 512;
  constexpr std::size_t channels = 3;
  constexpr std::size_t pixels = batch * edge * edge;
  constexpr std::size_t bytes = pixels * channels * sizeof(T);
  comparison<warp> ways(name, {2 * pixels * sizeof(std::int32_t), bytes, bytes}, bytes,
                        [] { return make_warp(batch, edge, channels); });
  ways.memcpy();
  ways.plain([](warp const& w) {
    auto const area = w.edge * w.edge;
    for (index_t b = 0; b < w.batch; ++b)
      plain::gather_pixels(source().as<T const>() + b * area * w.channels, w.edge, w.edge, w.channels,
                           w.indices.data() + 2 * b * area, area, destination().as<T>() + b * area * w.channels);
  });
  ways.policies([](auto const& policy, warp const& w) {
    std::array<index_t, 4> const extents{w.batch, w.edge, w.edge, w.channels};
    ndx::tensor_view<T const, 4> const input(source().as<T const>(), extents);
    ndx::tensor_view<std::int32_t const, 4> const indices(w.indices.data(), {w.batch, w.edge, w.edge, 2});
    ndx::tensor_view<T, 4> const output(destination().as<T>(), extents);
    ndx::gather_nd1(policy, input, indices, output, {.batch_dims = 1});
  });
}

[[maybe_unused]] bool const registered = [] {
  compare_batched_rows("64 tables, rows of 512 B", 64, 1024, 128, 256);
  compare_batched_rows("2 tables, two rows of 16 B each", 2, 8, 4, 2);
  compare_warp<std::uint8_t>("8 pictures, pixels of 3 B, int32");
  compare_warp<float>("8 pictures, pixels of 12 B, int32");
  return true;
}();

}  // namespace

// SPDX-License-Identifier: MIT
// What other values of the thresholds of include/ndx/cpu/tuning.hpp would do on this machine:
//
//   cmake --preset bench && cmake --build --preset bench --target ndx_bench_tuning
//   build/bench/bench/tuning > bench/results/tuning/2026-11-22-amd-epyc.md
//
// Each line is a threshold and a workload that it has a part in, the time with the value that it has, and what a
// quarter, half, double and four times of it take in comparison: below 1 is faster. The values take turns, round after
// round, and medians count. A name, or a part of one, as the argument leaves the others out. Thresholds that are seen
// as a crossover of two ways are calibrate.cpp's.
#define NDX_CPU_TUNABLE inline
#include <ndx/ndx.hpp>

#include "support/arena.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;
namespace tuning = ndx::cpu::tuning;

constexpr int rounds = 11;
constexpr std::size_t kibibyte = std::size_t{1} << 10U;
constexpr index_t million = 1000000;
constexpr std::array<double, 5> factors{0.25, 0.5, 1, 2, 4};

/// Where a result goes.
template <class T, std::size_t Rank>
ndx::tensor_view<T, Rank> to(std::array<index_t, Rank> const& extents) {
  return {destination().as<T>(), extents};
}
template <class T, std::size_t Rank>
ndx::tensor_view<T const, Rank> from(std::array<index_t, Rank> const& extents) {
  return {source().as<T const>(), extents};
}

template <class Index, std::size_t Rank>
ndx::tensor_view<Index const, Rank> of(std::vector<Index> const& indices, std::array<index_t, Rank> const& extents) {
  return {indices.data(), extents};
}

using workload = std::function<void()>;

/// `count` rows of `width` elements of a table of so many bytes.
template <class T>
workload lookup(std::size_t table_bytes, index_t width, index_t count, bool parallel = false) {
  auto const rows = static_cast<index_t>(table_bytes / sizeof(T)) / width;
  return [=, indices = random_indices<std::int64_t>(static_cast<std::size_t>(count), rows)] {
    auto const run = [&](auto const& policy) {
      ndx::gather_nd(policy, from<T, 2>({rows, width}), of<std::int64_t, 2>(indices, {count, 1}),
                     to<T, 2>({count, width}));
    };
    if (parallel) run(ndx::par_simd);
    else run(ndx::simd);
  };
}

/// Elements of a square matrix, by pairs.
template <class Index>
workload pairs(index_t side, index_t count) {
  return [=, indices = random_indices<Index>(static_cast<std::size_t>(2 * count), side)] {
    ndx::gather_nd(ndx::simd, from<float, 2>({side, side}), of<Index, 2>(indices, {count, 2}), to<float, 1>({count}));
  };
}

/// `count` of `rows` rows of floats, in each of some batches, with indices of its own.
workload batches(index_t batch, index_t rows, index_t width, index_t count) {
  return [=, indices = random_indices<std::int64_t>(static_cast<std::size_t>(batch * count), rows)] {
    ndx::gather_nd1(ndx::simd, from<float, 3>({batch, rows, width}), of<std::int64_t, 3>(indices, {batch, count, 1}),
                    to<float, 3>({batch, count, width}), {.batch_dims = 1});
  };
}

/// The same `count` of `extent` floats, in each of many slices.
workload channels(index_t slices, index_t extent, index_t count) {
  return [=, indices = random_indices<std::int64_t>(static_cast<std::size_t>(count), extent)] {
    ndx::take(ndx::simd, from<float, 2>({slices, extent}), of<std::int64_t, 1>(indices, {count}),
              to<float, 2>({slices, count}), {.axis = 1});
  };
}

/// Windows of a tensor of rank 3: where they begin is 0.
workload window(std::array<index_t, 3> sizes, std::array<index_t, 3> strides, std::array<index_t, 3> tensor) {
  std::array<index_t, 3> steps;
  for (std::size_t d = 0; d < 3; ++d) steps[d] = (sizes[d] - 1) / (strides[d] < 0 ? -strides[d] : strides[d]) + 1;
  return [=] {
    ndx::slice1(ndx::simd, from<float, 3>(tensor), to<float, 3>(steps),
                {.offsets = {0, 0, 0}, .sizes = sizes, .strides = strides});
  };
}

template <class T>
workload transposition(index_t rows, index_t columns) {
  return [=] {
    ndx::slice1(ndx::simd, from<T, 2>({rows, columns}).permuted({1, 0}), to<T, 2>({columns, rows}),
                {.offsets = {0, 0}, .sizes = {columns, rows}, .strides = {1, 1}});
  };
}

/// The same small work many times over.
workload often(index_t times, workload const& once) {
  return [=] {
    for (index_t i = 0; i < times; ++i) once();
  };
}

/// `count` rows of 64 bytes of a table that a first-level cache holds.
workload few_rows(index_t count) { return often(million / 10, lookup<float>(16 * kibibyte, 16, count)); }

enum class place { in_place, with_a_copy };

/// Updates along an axis of a matrix of floats, one for every `share` elements.
workload along(index_t axis, index_t rows, index_t columns, index_t share, place where) {
  std::array<index_t, 2> const matrix{rows, columns};
  std::array<index_t, 2> const update{axis == 0 ? rows / share : rows, axis == 0 ? columns : columns / share};
  auto const count = static_cast<std::size_t>(update[0] * update[1]);
  return [=, indices = random_indices<std::int64_t>(count, matrix[static_cast<std::size_t>(axis)])] {
    ndx::tensor_view<float const, 2> const values(updates().as<float const>(), update);
    auto const run = [&](auto const& input) {
      ndx::scatter_elements(ndx::simd, input, of<std::int64_t, 2>(indices, update), values, to<float, 2>(matrix),
                            {.axis = axis});
    };
    if (where == place::in_place) run(to<float, 2>(matrix));
    else run(from<float, 2>(matrix));
  };
}

/// Updates of single elements, or of rows of a matrix where `width` is more than 0.
workload anywhere(index_t side, index_t count, index_t width, place where, bool parallel = false) {
  auto const coordinates = width > 0 ? index_t{1} : index_t{2};
  return [=, indices = random_indices<std::int64_t>(static_cast<std::size_t>(coordinates * count), side)] {
    auto const run_on = [&](auto const& policy, auto const& input) {
      std::array<index_t, 2> const matrix{side, width > 0 ? width : side};
      if (width > 0)
        ndx::scatter_nd(policy, input(matrix), of<std::int64_t, 2>(indices, {count, 1}),
                        ndx::tensor_view<float const, 2>(updates().as<float const>(), {count, width}),
                        to<float, 2>(matrix));
      else
        ndx::scatter_nd(policy, input(matrix), of<std::int64_t, 2>(indices, {count, 2}),
                        ndx::tensor_view<float const, 1>(updates().as<float const>(), {count}), to<float, 2>(matrix));
    };
    auto const run = [&](auto const& input) {
      if (parallel) run_on(ndx::par_simd, input);
      else run_on(ndx::simd, input);
    };
    if (where == place::in_place) run([](auto const& extents) { return to<float, 2>(extents); });
    else run([](auto const& extents) { return from<float, 2>(extents); });
  };
}

struct trial {
  char const* name;
  index_t* threshold;
  char const* what;
  std::function<workload()> make;  // only for trials that are asked for
};

double milliseconds(workload const& work) {
  using clock = std::chrono::steady_clock;
  work();  // each value finds the caches as itself leaves them
  auto const start = clock::now();
  work();
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + rounds / 2, values.end());
  return values[rounds / 2];
}

void measure(trial const& t) {
  workload const work = t.make();
  index_t const value = *t.threshold;
  std::array<std::vector<double>, factors.size()> times;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < factors.size(); ++i) {
      *t.threshold = static_cast<index_t>(static_cast<double>(value) * factors[i]);
      times[i].push_back(milliseconds(work));
    }
  *t.threshold = value;
  double const due = median(times[2]);
  std::printf("| `%s` | %lld | %s | %.3g |", t.name, static_cast<long long>(value), t.what, due);
  for (std::size_t i : {0U, 1U, 3U, 4U}) std::printf(" %.2f |", median(times[i]) / due);
  std::printf("\n");
  std::fflush(stdout);
}

constexpr std::size_t far = 256 * mebibyte;

/// The one that counts here.
index_t* streamed_call_bytes_of(int threads) {
  if (!ndx::cpu::is_amd()) return &tuning::streamed_call_bytes;
  if (threads == 1) return &tuning::streamed_call_bytes_amd;
  bool const is_zen_3 = ndx::cpu::this_processor() == ndx::cpu::processor::zen_3;
  return is_zen_3 ? &tuning::streamed_call_bytes_zen_3_threads : &tuning::streamed_call_bytes_amd_threads;
}

std::vector<trial> const trials{
    {"streamed_call_bytes", streamed_call_bytes_of(1), "rows of 256 B, 8 MiB of them",
     [] { return lookup<float>(far, 64, 32768); }},
    {"streamed_call_bytes", streamed_call_bytes_of(2), "rows of 256 B, 8 MiB of them, all threads",
     [] { return lookup<float>(far, 64, 32768, true); }},
    {"streamed_copy_bytes", &tuning::streamed_copy_bytes, "rows of 256 B into 64 MiB, with a copy",
     [] { return anywhere(262144, 50000, 64, place::with_a_copy); }},
    {"kept_share", &tuning::kept_share, "4 M floats scattered over 256 KiB",
     [] { return anywhere(256, 4 * million, 0, place::in_place); }},
    {"kept_indices_bytes", &tuning::kept_indices_bytes, "4 Ki floats scattered over 4 KiB",
     [] { return anywhere(32, 4096, 0, place::in_place); }},
    {"merged_row_bytes", &tuning::merged_row_bytes, "rows of 4 KiB, a fifth of 256 MiB of them, with a copy",
     [] { return anywhere(65536, 13108, 1024, place::with_a_copy); }},
    {"merged_fetched_row_bytes", &tuning::merged_fetched_row_bytes,
     "rows of 512 B, a fifth of 256 MiB of them, with a copy",
     [] { return anywhere(524288, 104857, 128, place::with_a_copy); }},
    {"merged_share", &tuning::merged_share, "rows of 4 KiB, an eighth of 256 MiB of them, with a copy",
     [] { return anywhere(65536, 8192, 1024, place::with_a_copy); }},
    {"streamed_scatter_bytes", &tuning::streamed_scatter_bytes, "rows of 128 B, 3 MiB of them, scattered over 64 MiB",
     [] { return anywhere(524288, 24576, 32, place::in_place); }},
    {"streamed_scatter_reach", &tuning::streamed_scatter_reach, "rows of 128 B, 3 MiB of them, scattered over 24 MiB",
     [] { return anywhere(196608, 24576, 32, place::in_place); }},
    {"streamed_scatter_reach_zen_4", &tuning::streamed_scatter_reach_zen_4,
     "rows of 128 B, 3 MiB of them, scattered over 96 MiB",
     [] { return anywhere(786432, 24576, 32, place::in_place); }},
    {"streamed_row_bytes", &tuning::streamed_row_bytes, "rows of 64 B", [] { return lookup<float>(far, 16, 800000); }},
    {"streamed_rest_bytes", &tuning::streamed_rest_bytes, "rows of 100 B scattered over 256 MiB",
     [] { return anywhere(2600000, 400000, 25, place::in_place); }},
    {"streamed_rest_bytes", &tuning::streamed_rest_bytes, "rows of 160 B scattered over 256 MiB",
     [] { return anywhere(1600000, 400000, 40, place::in_place); }},
    {"scattered_bytes_ahead", &tuning::scattered_bytes_ahead, "rows of 256 B scattered over 256 MiB",
     [] { return anywhere(1000000, 200000, 64, place::in_place); }},
    {"sought_row_bytes", &tuning::sought_row_bytes, "rows of 128 B scattered over 256 MiB, all threads",
     [] { return anywhere(2000000, 400000, 32, place::in_place, true); }},
    {"fetched_gather_bytes", &tuning::fetched_gather_bytes, "rows of 256 B, 3 MiB of them",
     [] { return lookup<float>(far, 64, 12288); }},
    {"fetched_copy_bytes", &tuning::fetched_copy_bytes, "columns reversed, 8 MiB of them",
     [] {
       return window({1, 2048, 1024}, {1, 1, -1}, {1, 2048, 1024});
     }},
    {"output_bytes_ahead", &tuning::output_bytes_ahead, "rows of 256 B", [] { return lookup<float>(far, 64, 200000); }},
    {"output_bytes_ahead", &tuning::output_bytes_ahead, "columns reversed",
     [] {
       return window({1, 4096, 4096}, {1, 1, -1}, {1, 4096, 4096});
     }},
    {"fetched_kept_row_bytes", &tuning::fetched_kept_row_bytes, "rows of 1 KiB of 24 MiB, 4 MiB of them",
     [] { return lookup<float>(24 * mebibyte, 256, 4096); }},
    {"fetched_far_row_bytes", &tuning::fetched_far_row_bytes, "rows of 2 KiB, 4 MiB of them",
     [] { return lookup<float>(far, 512, 2048); }},
    {"fetched_kept_bytes", &tuning::fetched_kept_bytes, "rows of 128 B of 14 MiB, 4 MiB of them",
     [] { return lookup<float>(14 * mebibyte, 32, 32768); }},
    {"least_line_of_rows", &tuning::least_line_of_rows, "32 of 256 rows of 256 B, 64 times",
     [] { return batches(64, 256, 64, 32); }},
    {"least_line_of_rows", &tuning::least_line_of_rows, "96 of 256 rows of 256 B, 64 times",
     [] { return batches(64, 256, 64, 96); }},
    {"least_listed", &tuning::least_listed, "2 rows of 64 B, 100000 times", [] { return few_rows(2); }},
    {"least_listed", &tuning::least_listed, "5 rows of 64 B, 100000 times", [] { return few_rows(5); }},
    {"least_listed", &tuning::least_listed, "12 rows of 64 B, 100000 times", [] { return few_rows(12); }},
    {"listed_bytes", &tuning::listed_bytes, "rows of 64 B of 16 MiB, 3 MiB of them",
     [] { return lookup<float>(16 * mebibyte, 16, 44000); }},
    {"listed_bytes", &tuning::listed_bytes, "rows of 256 B of 16 MiB, 6 MiB of them",
     [] { return lookup<float>(16 * mebibyte, 64, 23000); }},
    {"listed_far_bytes", &tuning::listed_far_bytes, "rows of 64 B, 1.5 MiB of them",
     [] { return lookup<float>(far, 16, 22000); }},
    {"listed_lines_ahead", &tuning::listed_lines_ahead, "rows of 100 B, 100 KiB of them",
     [] { return lookup<float>(far, 25, 1024); }},
    {"listed_fetched_row_bytes", &tuning::listed_fetched_row_bytes, "rows of 256 B, 256 KiB of them",
     [] { return lookup<float>(far, 64, 1024); }},
    {"listed_fetched_early_row_bytes", &tuning::listed_fetched_early_row_bytes,
     "rows of 512 B of 16 MiB, 1 MiB of them", [] { return lookup<float>(16 * mebibyte, 128, 2048); }},
    {"least_lines_fetched_early", &tuning::least_lines_fetched_early,
     "512 rows of 64 B of 16 MiB, the same again and again",
     [] { return often(million / 1000, lookup<float>(16 * mebibyte, 16, 512)); }},
    {"least_fetched_lines", &tuning::least_fetched_lines, "64 rows of 64 B, the same again and again",
     [] { return often(million / 100, lookup<float>(far, 16, 64)); }},
    {"least_gathered", &tuning::least_gathered, "2048 pairs of 32 bits into 64 x 64 floats, again and again",
     [] { return often(million / 1000, pairs<std::int32_t>(64, 2048)); }},
    {"copied_row_bytes", &tuning::copied_row_bytes, "rows of 1 KiB of 8 MiB, 5 MiB of them",
     [] { return lookup<float>(8 * mebibyte, 256, 5120); }},
    {"prefetched_bytes", &tuning::prefetched_bytes, "pairs into 512 x 512 floats",
     [] { return pairs<std::int64_t>(512, 4 * million); }},
    {"prefetched_short_rows_bytes_zen_3", &tuning::prefetched_short_rows_bytes_zen_3, "floats out of 4 MiB",
     [] { return lookup<float>(4 * mebibyte, 1, million); }},
    {"prefetched_short_rows_bytes_zen_5", &tuning::prefetched_short_rows_bytes_zen_5, "floats out of 8 MiB",
     [] { return lookup<float>(8 * mebibyte, 1, million); }},
    {"prefetched_elements_bytes_intel", &tuning::prefetched_elements_bytes_intel, "floats out of 24 MiB, streamed",
     [] { return lookup<float>(24 * mebibyte, 1, 4 * million); }},
    {"prefetched_lines", &tuning::prefetched_lines, "rows of 64 B", [] { return lookup<float>(far, 16, 800000); }},
    {"prefetched_lines", &tuning::prefetched_lines, "rows of 256 B", [] { return lookup<float>(far, 64, 200000); }},
    {"followed_pages", &tuning::followed_pages, "rows of 512 B", [] { return lookup<float>(far, 128, 100000); }},
    {"paced_bytes", &tuning::paced_bytes, "floats out of 32 MiB",
     [] { return lookup<float>(32 * mebibyte, 1, 4 * million); }},
    {"paced_bytes", &tuning::paced_bytes, "floats out of 128 MiB",
     [] { return lookup<float>(128 * mebibyte, 1, 4 * million); }},
    {"paced_multiplications", &tuning::paced_multiplications, "floats",
     [] { return lookup<float>(far, 1, 4 * million); }},
    {"paced_row_bytes", &tuning::paced_row_bytes, "rows of 256 B", [] { return lookup<float>(far, 64, 200000); }},
    {"group_bytes", &tuning::group_bytes, "16 of 64 floats, 256 Ki times", [] { return channels(1 << 18, 64, 16); }},
    {"group_bytes", &tuning::group_bytes, "64 of 256 floats, 32 Ki times", [] { return channels(1 << 15, 256, 64); }},
    {"least_groups", &tuning::least_groups, "64 of 256 floats, 4 times", [] { return channels(4, 256, 64); }},
    {"indices_ahead_bytes", &tuning::indices_ahead_bytes, "pairs into 256 x 256 floats",
     [] { return pairs<std::int64_t>(256, 4 * million); }},
    {"indices_near_bytes", &tuning::indices_near_bytes, "pairs into 256 x 256 floats",
     [] { return pairs<std::int64_t>(256, 4 * million); }},
    {"grouped_row_bytes", &tuning::grouped_row_bytes, "rows of 4 KiB", [] { return lookup<float>(far, 1024, 12500); }},
    {"paced_copy_multiplications", &tuning::paced_copy_multiplications, "columns reversed",
     [] {
       return window({1, 4096, 4096}, {1, 1, -1}, {1, 4096, 4096});
     }},
    {"staged_row_bytes", &tuning::staged_row_bytes, "rows of 100 B", [] { return lookup<float>(far, 25, 480000); }},
    {"staged_row_bytes", &tuning::staged_row_bytes, "rows of 204 B", [] { return lookup<float>(far, 51, 240000); }},
    {"staged_row_bytes", &tuning::staged_row_bytes, "rows of 404 B", [] { return lookup<float>(far, 101, 120000); }},
    {"copied_bytes_ahead", &tuning::copied_bytes_ahead, "every second row of 64 B",
     [] {
       return window({255, 512, 16}, {1, 2, 1}, {512, 512, 16});
     }},
    {"line_ahead_bytes", &tuning::line_ahead_bytes, "a crop of 16 KiB rows",
     [] {
       return window({4000, 4, 1024}, {1, 1, 1}, {4096, 4, 4096});
     }},
    {"long_row_bytes_ahead", &tuning::long_row_bytes_ahead, "all of 256 MiB",
     [] {
       return window({1, 1, 1 << 26}, {1, 1, 1}, {1, 1, 1 << 26});
     }},
    {"grouped_copy_bytes", &tuning::grouped_copy_bytes, "a crop of 8 KiB rows",
     [] {
       return window({16384, 1, 2048}, {1, 1, 1}, {16384, 2, 2048});
     }},
    {"transposed_strip_lines", &tuning::transposed_strip_lines, "a transposed matrix of floats",
     [] { return transposition<float>(4096, 4096); }},
    {"tile", &tuning::tile, "a transposed matrix of 3-byte pixels",
     [] { return transposition<std::array<std::uint8_t, 3>>(4096, 4096); }},
    {"tile_bytes", &tuning::tile_bytes, "a transposed matrix of 12-byte elements",
     [] { return transposition<std::array<float, 3>>(2048, 2048); }},
    {"most_tile", &tuning::most_tile, "a transposed matrix of 3-byte pixels, 1000 x 1000",
     [] { return transposition<std::array<std::uint8_t, 3>>(1000, 1000); }},
    {"places_at_once", &tuning::places_at_once, "rows of 64 B scattered over 16 MiB",
     [] { return anywhere(262144, 400000, 16, place::in_place); }},
    {"places_at_once", &tuning::places_at_once, "updates along axis 1",
     [] { return along(1, 4096, 4096, 4, place::in_place); }},
    {"tuples_ahead", &tuning::tuples_ahead, "updates along axis 1 of 64 x 1 Mi",
     [] { return along(1, 32, 1048576, 8, place::in_place); }},
    {"fetched_row_bytes", &tuning::fetched_row_bytes, "updates along axis 1, rows of 64 KiB",
     [] { return along(1, 1024, 16384, 4, place::in_place); }},
    {"later_row_bytes", &tuning::later_row_bytes, "updates along axis 1, rows of 16 KiB",
     [] { return along(1, 4096, 4096, 4, place::in_place); }},
    {"later_row_bytes", &tuning::later_row_bytes, "updates along axis 1, rows of 8 KiB",
     [] { return along(1, 8192, 2048, 4, place::in_place); }},
    {"checked_ahead_bytes", &tuning::checked_ahead_bytes, "updates along axis 1",
     [] { return along(1, 4096, 4096, 4, place::in_place); }},
    {"checked_in_parts_bytes", &tuning::checked_in_parts_bytes, "updates along axis 1",
     [] { return along(1, 4096, 4096, 4, place::in_place); }},
    {"least_copied_row_bytes", &tuning::least_copied_row_bytes, "updates along axis 1, rows of 256 B, with a copy",
     [] { return along(1, 262144, 64, 4, place::with_a_copy); }},
    {"least_copied_row_bytes", &tuning::least_copied_row_bytes, "updates along axis 1, rows of 512 B, with a copy",
     [] { return along(1, 131072, 128, 4, place::with_a_copy); }},
    {"stripe_row_bytes", &tuning::stripe_row_bytes, "updates along axis 0",
     [] { return along(0, 4096, 4096, 4, place::in_place); }},
    {"stripe_bytes", &tuning::stripe_bytes, "updates along axis 0 of 1024",
     [] { return along(0, 1024, 16384, 4, place::in_place); }},
    {"least_striped_rows", &tuning::least_striped_rows, "updates along axis 0 of 64",
     [] { return along(0, 64, 262144, 4, place::in_place); }},
    {"striped_bytes", &tuning::striped_bytes, "updates along axis 0 of 768 x 768",
     [] { return along(0, 768, 768, 2, place::in_place); }},
    {"striped_lines", &tuning::striped_lines, "updates along axis 0 of 1024 x 1024",
     [] { return along(0, 1024, 1024, 4, place::in_place); }},
    {"striped_lines_copied", &tuning::striped_lines_copied, "updates along axis 0 of 1024 x 1024, with a copy",
     [] { return along(0, 1024, 1024, 4, place::with_a_copy); }},
    {"striped_far_bytes", &tuning::striped_far_bytes, "updates along axis 0 of 2048 x 2048",
     [] { return along(0, 2048, 2048, 8, place::in_place); }},
    {"striped_far_lines", &tuning::striped_far_lines, "updates along axis 0 of 4096 x 4096",
     [] { return along(0, 4096, 4096, 8, place::in_place); }},
    {"striped_lines_factor_intel", &tuning::striped_lines_factor_intel, "updates along axis 0 of 2048 x 2048",
     [] { return along(0, 2048, 2048, 4, place::in_place); }},
    {"copied_rows_bytes", &tuning::copied_rows_bytes, "updates along axis 1 of 1024 x 1024, with a copy",
     [] { return along(1, 1024, 1024, 4, place::with_a_copy); }},
    {"copied_rows_bytes_intel", &tuning::copied_rows_bytes_intel, "updates along axis 1 of 2048 x 2048, with a copy",
     [] { return along(1, 2048, 2048, 4, place::with_a_copy); }},
    {"striped_share", &tuning::striped_share, "an update for 8 elements, along axis 0",
     [] { return along(0, 4096, 4096, 8, place::in_place); }},
    {"striped_share", &tuning::striped_share, "an update for 8 elements, along axis 0, with a copy",
     [] { return along(0, 4096, 4096, 8, place::with_a_copy); }},
    {"stripe_rows_ahead", &tuning::stripe_rows_ahead, "updates along axis 0",
     [] { return along(0, 4096, 4096, 4, place::in_place); }},
    {"bucketed_reach_bytes", &tuning::bucketed_reach_bytes, "floats scattered over 32 MiB",
     [] { return anywhere(2897, 2 * million, 0, place::in_place); }},
    {"bucketed_updates", &tuning::bucketed_updates, "64 Ki floats scattered over 64 MiB, with a copy",
     [] { return anywhere(4096, 65536, 0, place::with_a_copy); }},
    {"reach_of_update_bytes", &tuning::reach_of_update_bytes, "1 Mi floats scattered over 64 MiB",
     [] { return anywhere(4096, 1048576, 0, place::in_place); }},
    {"bucket_bytes", &tuning::bucket_bytes, "floats scattered over 64 MiB",
     [] { return anywhere(4096, 4 * million, 0, place::in_place); }},
    {"most_buckets", &tuning::most_buckets, "floats scattered over 256 MiB",
     [] { return anywhere(8192, 4 * million, 0, place::in_place); }},
    {"updates_in_chunk", &tuning::updates_in_chunk, "floats scattered over 64 MiB",
     [] { return anywhere(4096, 4 * million, 0, place::in_place); }},
    {"scratch_bytes", &tuning::scratch_bytes, "8 Mi floats scattered over 64 MiB",
     [] { return anywhere(4096, 8388608, 0, place::in_place); }},
    {"gathered_reach_bytes_zen_3", &tuning::gathered_reach_bytes_zen_3, "pairs into 4096 x 4096 floats",
     [] { return pairs<std::int64_t>(4096, 4 * million); }},
    {"gathered_reach_bytes_zen_5", &tuning::gathered_reach_bytes_zen_5, "pairs into 4096 x 4096 floats",
     [] { return pairs<std::int64_t>(4096, 4 * million); }},
    {"reach_of_gathered_bytes", &tuning::reach_of_gathered_bytes, "1.5 M pairs into 4096 x 4096 floats",
     [] { return pairs<std::int64_t>(4096, 3 * million / 2); }},
    {"far_reach_of_gathered_bytes", &tuning::far_reach_of_gathered_bytes, "3 M pairs into 8192 x 8192 floats",
     [] { return pairs<std::int64_t>(8192, 3 * million); }},
    {"most_gathered_buckets", &tuning::most_gathered_buckets, "single floats out of 256 MiB",
     [] { return lookup<float>(far, 1, 10 * million); }},
    {"gathered_scratch_bytes", &tuning::gathered_scratch_bytes, "single floats out of 256 MiB",
     [] { return lookup<float>(far, 1, 10 * million); }},
    {"bytes_in_part", &tuning::bytes_in_part, "rows of 64 B, all threads",
     [] { return lookup<float>(far, 16, 800000, true); }},
    {"parallel_bytes", &tuning::parallel_bytes, "rows of 256 B, 1 MiB of them, all threads",
     [] { return lookup<float>(far, 64, 4096, true); }},
};

std::string processor() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "processor of an unknown kind";
}

}  // namespace

int main(int count, char** arguments) {
  std::time_t const now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%F", std::gmtime(&now));
  std::printf(
      "%s, %s, %d threads, %s, compiler %s. Milliseconds, medians of %d; then what other values take in "
      "comparison.\n\n",
      date, processor().c_str(), ndx::cpu::processor_count(), ndx::cpu::name_of(ndx::cpu::default_instruction_set()),
      __VERSION__, rounds);
  std::printf("| threshold | value | workload | ms | a quarter | half | double | four times |\n");
  std::printf("|---|--:|---|--:|--:|--:|--:|--:|\n");
  for (trial const& t : trials)
    if (count < 2 || std::strstr(t.name, arguments[1]) != nullptr) measure(t);
}

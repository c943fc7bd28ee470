// SPDX-License-Identifier: MIT
#include "expectation.hpp"

#include <array>
#include <string>

namespace ndx_bench {
namespace {

/// A packed window of `from`, a view of the table.
template <class T, std::size_t Rank>
void slice(session& run, std::string const& key, std::array<index_t, Rank> const& extents,
           std::array<index_t, Rank> const& pitches, std::array<index_t, Rank> const& offsets,
           std::array<index_t, Rank> const& sizes, std::array<index_t, Rank> const& strides) {
  std::array<index_t, Rank> output{};
  std::array<index_t, Rank> steps{};
  index_t first = 0;
  index_t count = 1;
  for (std::size_t d = 0; d < Rank; ++d) {
    output[d] = 1 + (sizes[d] - 1) / (strides[d] < 0 ? -strides[d] : strides[d]);
    steps[d] = strides[d] * pitches[d];
    first += (strides[d] < 0 ? offsets[d] + sizes[d] - 1 : offsets[d]) * pitches[d];
    count *= output[d];
  }
  constexpr auto size = static_cast<index_t>(sizeof(T));
  run.group({key}, run.table_bytes() + count * size, [&] {
    words& table = run.table();
    words copy = run.allocate_blank((count * size + 3) / 4);
    auto const from = seen_as<T const, Rank>(table, extents, pitches);
    auto const to = seen_as<T, Rank>(copy, output);
    run.measure(
        key, 2 * count * size,
        [&](auto& policy) { ndx::slice1(policy, from, to, {.offsets = offsets, .sizes = sizes, .strides = strides}); },
        [&] {
          return mistake_in_copy(run, copy, count * size / 4, [&](index_t byte) {
            index_t position = byte / size;
            index_t source = first;
            for (std::size_t d = Rank; d-- > 0;) {
              source += position % output[d] * steps[d];
              position /= output[d];
            }
            return source * size + byte % size;
          });
        });
  });
}

void slice_matrix(session& run, std::string const& key, std::array<index_t, 2> const& offsets,
                  std::array<index_t, 2> const& sizes, std::array<index_t, 2> const& strides) {
  index_t const edge = run.scaled_edge(32768);
  slice<float, 2>(run, key, {edge, edge}, {edge, 1}, offsets, sizes, strides);
}

}  // namespace

void measure_copy(session& run) {
  index_t const edge = run.scaled_edge(32768);
  slice_matrix(run, "copy/4GiB", {0, 0}, {edge, edge}, {1, 1});
  // As much as rows move that are gathered or scattered: a copy of less takes a larger part of its time to begin.
  slice_matrix(run, "copy/1GiB", {0, 0}, {edge / 4, edge}, {1, 1});
}

void measure_slices(session& run) {
  index_t const edge = run.scaled_edge(32768);
  slice_matrix(run, "slice/rows_step2", {0, 0}, {edge, edge}, {2, 1});
  slice_matrix(run, "slice/cols_step2", {0, 0}, {edge, edge}, {1, 2});
  slice_matrix(run, "slice/crop", {1, 3}, {edge - 2, edge - 8}, {1, 1});
  slice<float, 2>(run, "slice/transposed", {edge, edge}, {1, edge}, {0, 0}, {edge, edge}, {1, 1});
  slice_matrix(run, "slice/flip_last", {0, 0}, {edge, edge}, {1, -1});
  slice_matrix(run, "slice/flip_first", {0, 0}, {edge, edge}, {-1, 1});
  slice<std::uint8_t, 2>(run, "slice/flip_last_u8_1GiB", {edge, edge}, {4 * edge, 1}, {0, 0}, {edge, edge}, {1, -1});
  slice<std::uint8_t, 2>(run, "slice/transposed_u8_1GiB", {edge, edge}, {1, edge}, {0, 0}, {edge, edge}, {1, 1});
  slice<std::uint16_t, 2>(run, "slice/transposed_u16_2GiB", {edge, edge}, {1, edge}, {0, 0}, {edge, edge}, {1, 1});

  // What does not divide the number of pictures divides their edges.
  index_t const pictures = run.scaled(64);
  index_t const size = 2048 / (run.chosen.scale > 64 ? run.root / 8 : 1);
  slice<std::uint8_t, 4>(run, "slice/flip_width_u8_rgb", {pictures, size, size, 3}, {size * size * 3, size * 3, 3, 1},
                         {0, 0, 0, 0}, {pictures, size, size, 3}, {1, 1, -1, 1});
  slice<std::uint8_t, 4>(run, "slice/crop_u8_rgb", {pictures, size, size, 3}, {size * size * 3, size * 3, 3, 1},
                         {0, 1, 3, 0}, {pictures, size - 2, size - 8, 3}, {1, 1, 1, 1});

  index_t const batch = run.scaled(16);
  index_t const last = 64 / (run.chosen.scale > 16 ? run.chosen.scale / 16 : 1);
  slice<float, 5>(run, "slice/rank5_window", {batch, 64, 64, 64, last},
                  {64 * 64 * 64 * last, 64 * 64 * last, 64 * last, last, 1}, {0, 1, 0, 3, 0}, {batch, 62, 64, 58, last},
                  {1, 1, 2, 1, 1});
}

}  // namespace ndx_bench

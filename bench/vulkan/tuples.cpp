// SPDX-License-Identifier: MIT
#include "expectation.hpp"

namespace ndx_bench {
namespace {

void pairs_into_a_matrix(session& run) {
  index_t const edge = run.scaled_edge(16384);
  index_t const count = run.scaled(index_t{1} << 26);
  index_t const bytes = count * 24;
  run.group({"gather_tuples2/f32/i64", "scatter_tuples2/f32/i64", "scatter_add_tuples2/f32/i64"},
            run.table_bytes() + count * 24, [&] {
              auto const indices = random_numbers_below(edge, 2 * count, 5);
              auto const tuples = run.gpu.upload(ndx::tensor_view<index_t const, 2>(indices.data(), {count, 2}));
              auto const place_of = [&](index_t tuple) {
                auto const first = static_cast<std::size_t>(2 * tuple);
                return indices[first] * edge + indices[first + 1];
              };
              {
                words& table = run.table();
                words output = run.allocate_blank(count);
                auto const from = seen_as<float const, 2>(table, {edge, edge});
                auto const to = seen_as<float, 1>(output, {count});
                run.measure(
                    "gather_tuples2/f32/i64", bytes, [&](auto& policy) { ndx::gather_nd(policy, from, tuples, to); },
                    [&] {
                      return mistake_in_copy(run, output, count,
                                             [&](index_t byte) { return place_of(byte / 4) * 4 + byte % 4; });
                    });
              }
              words updates = run.allocate_filled(count, update_pattern);
              auto const from = seen_as<float const, 1>(updates, {count});
              auto const into = [&](words& table) { return seen_as<float, 2>(table, {edge, edge}); };
              words& table = run.table();
              run.measure(
                  "scatter_tuples2/f32/i64", bytes,
                  [&](auto& policy) { ndx::scatter_nd(policy, into(table), tuples, from, into(table)); },
                  [&] { return mistake_in_scatter(run, table, edge * edge, 1, count, scatter::replaces, place_of); });
              run.table();
              run.measure(
                  "scatter_add_tuples2/f32/i64", bytes + count * 4,
                  [&](auto& policy) {
                    ndx::scatter_nd(policy, into(table), tuples, from, into(table), {.reduction = ndx::reduction::add});
                  },
                  [&] { return mistake_in_scatter(run, table, edge * edge, 1, count, scatter::adds, place_of); });
            });
}

void rows_of_each_of_a_batch(session& run) {
  index_t const batch = run.scaled(64);
  index_t const less = run.chosen.scale > 64 ? run.chosen.scale / 64 : 1;
  index_t const rows = 16384 / less;
  index_t const width = 256;
  index_t const count = 8192 / less;
  index_t const all = batch * count;
  run.group({"gather_batched/1KiB"}, run.table_bytes() + all * (width * 4 + 8), [&] {
    words& table = run.table();
    words output = run.allocate_blank(all * width);
    auto const indices = random_numbers_below(rows, all, 6);
    auto const uploaded = run.gpu.upload(ndx::tensor_view<index_t const, 3>(indices.data(), {batch, count, 1}));
    auto const from = seen_as<float const, 3>(table, {batch, rows, width});
    auto const to = seen_as<float, 3>(output, {batch, count, width});
    run.measure(
        "gather_batched/1KiB", all * (width * 8 + 8),
        [&](auto& policy) { ndx::gather_nd1(policy, from, uploaded, to, {.batch_dims = 1}); },
        [&] {
          return mistake_in_copy(run, output, all * width, [&](index_t byte) {
            index_t const tuple = byte / (4 * width);
            index_t const row = tuple / count * rows + indices[static_cast<std::size_t>(tuple)];
            return row * 4 * width + byte % (4 * width);
          });
        });
  });
}

}  // namespace

void measure_tuples(session& run) {
  pairs_into_a_matrix(run);
  rows_of_each_of_a_batch(run);
}

}  // namespace ndx_bench

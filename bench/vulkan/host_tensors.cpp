// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace ndx_bench {
namespace {

/// Floats as the pattern has them.
struct host_words {
  std::unique_ptr<float[]> data;
  index_t count;

  explicit host_words(index_t size)
      : data(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(size))), count(size) {}
  void fill(pattern const& with) {
    in_parallel(count, [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) data[static_cast<std::size_t>(i)] = with.value(i);
    });
  }
  template <std::size_t Rank>
  [[nodiscard]] ndx::tensor_view<float, Rank> view(std::array<index_t, Rank> const& extents) const {
    return {data.get(), extents};
  }
};

}  // namespace

/// A GiB on the host: what crosses the link is counted in bytes, and all is timed by the host's clock.
void measure_host_tensors(session& run) {
  std::vector<std::string> const names{"host/upload",
                                       "host/download",
                                       "host/gather_few_rows_to_host",
                                       "host/gather_few_rows_to_device",
                                       "host/gather_few_rows_after_upload",
                                       "host/reverse_rows_to_device",
                                       "host/columns_to_device",
                                       "host/columns_to_host"};
  index_t const count = run.scaled(index_t{1} << 28);
  constexpr index_t width = 256;
  constexpr index_t columns = 192;
  index_t const rows = count / width;
  index_t const lines = std::max<index_t>(1, rows / 256);
  run.group(names, 3 * 4 * count, [&] {
    host_words table(count);
    table.fill(table_pattern);
    host_words found(count);
    found.fill(update_pattern);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(lines));
    for (index_t i = 0; i < lines; ++i)
      indices[static_cast<std::size_t>(i)] =
          static_cast<std::int64_t>(random_below(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(i), 11));
    ndx::tensor_view<std::int64_t const, 2> const places(indices.data(), {lines, 1});
    auto whole = run.gpu.allocate<float, 2>({rows, width});
    auto few = run.gpu.allocate<float, 2>({lines, width});
    std::array<index_t, 2> const shape{rows, width};

    auto const measure = [&](std::string const& name, index_t bytes, auto const& call, auto const& fetch,
                             auto const& due) {
      if (!run.wanted(name)) return;
      std::vector<double> seconds;
      for (int round = 0; round < 8; ++round) {
        auto const start = std::chrono::steady_clock::now();
        call();
        double const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (round > 0) seconds.push_back(taken);  // the first one takes memory
      }
      fetch();
      for (index_t i = 0; i < found.count; i += 4099) {
        if (found.data[static_cast<std::size_t>(i)] == due(i)) continue;
        run.wrong.emplace_back(run.name(name), ndx::detail::text("element ", i, " is wrong"));
        return;
      }
      run.add(name, seconds, static_cast<double>(bytes));
    };
    auto const same = [&](index_t i) { return table_pattern.value(i); };
    auto const gathered = [&](index_t i) {
      index_t const row = i / width;
      return row < lines ? table_pattern.value(indices[static_cast<std::size_t>(row)] * width + i % width)
                         : table_pattern.value(i);
    };
    auto const nothing = [] {};
    auto const fetch_whole = [&] { run.gpu.download(whole, found.view<2>(shape)); };
    auto const fetch_few = [&] { run.gpu.download(few, found.view<2>({lines, width})); };
    measure(
        "host/upload", 4 * count, [&] { run.gpu.upload(table.view(shape), whole); }, fetch_whole, same);
    measure("host/download", 4 * count, fetch_whole, nothing, same);
    measure(
        "host/gather_few_rows_to_host", lines * (8 + 4 * width),
        [&] {
          ndx::gather_nd(run.gpu, table.view(shape), places, found.view<2>({lines, width}));
        },
        nothing, gathered);
    measure(
        "host/gather_few_rows_to_device", lines * (8 + 4 * width),
        [&] { ndx::gather_nd(run.gpu, table.view(shape), places, few); }, fetch_few, gathered);
    measure(
        "host/gather_few_rows_after_upload", 4 * count,
        [&] {
          run.gpu.upload(table.view(shape), whole);
          ndx::gather_nd(run.gpu, whole, places, few);
        },
        fetch_few, gathered);
    // Through an operator: the input is staged, what it makes stays on the device.
    measure(
        "host/reverse_rows_to_device", 4 * count,
        [&] {
          ndx::slice1(run.gpu, table.view(shape), whole,
                      {.offsets = {0, 0}, .sizes = {rows, width}, .strides = {-1, 1}});
        },
        fetch_whole, [&](index_t i) { return table_pattern.value((rows - 1 - i / width) * width + i % width); });
    // The first columns of each row: what lies behind them must neither cross the link nor be touched.
    std::array<index_t, 2> const part{rows, columns};
    auto const first_columns = [&](host_words const& of) {
      return ndx::tensor_view<float, 2>(of.data.get(), part, {width, 1});
    };
    auto of_columns = run.gpu.allocate<float, 2>(part);
    measure(
        "host/columns_to_device", 4 * rows * columns, [&] { run.gpu.upload(first_columns(table), of_columns); },
        [&] { run.gpu.download(of_columns, found.view<2>(part)); },
        [&](index_t i) {
          return i < rows * columns ? table_pattern.value(i / columns * width + i % columns)
                                    : found.data[static_cast<std::size_t>(i)];
        });
    found.fill(update_pattern);
    measure(
        "host/columns_to_host", 4 * rows * columns, [&] { run.gpu.download(of_columns, first_columns(found)); },
        nothing, [&](index_t i) { return i % width < columns ? table_pattern.value(i) : update_pattern.value(i); });
  });
}

}  // namespace ndx_bench

// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace ndx_bench {
namespace {

using host_clock = std::chrono::steady_clock;

/// Seconds of one of the `count` calls that `body` makes, several times over, by the host's clock.
template <class Body>
std::vector<double> seconds_of_one(index_t count, Body const& body) {
  body();
  std::vector<double> seconds;
  for (int round = 0; round < 9; ++round) {
    auto const start = host_clock::now();
    body();
    seconds.push_back(std::chrono::duration<double>(host_clock::now() - start).count() / static_cast<double>(count));
  }
  return seconds;
}

}  // namespace

/// Four rows of 32 bytes out of eight, or into them: what is measured is the call.
void measure_small_calls(session& run) {
  constexpr index_t rows = 8;
  constexpr index_t count = 4;
  constexpr double bytes = count * (rows * 8 + 8);
  std::vector<float> numbers(rows * rows);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = table_pattern.value(static_cast<index_t>(i));
  std::vector<index_t> const lines{5, 0, 7, 2};
  ndx::tensor_view<float const, 2> const host_table(numbers.data(), {rows, rows});
  ndx::tensor_view<index_t const, 2> const host_lines(lines.data(), {count, 1});
  auto const table = run.gpu.upload(host_table);
  auto const indices = run.gpu.upload(host_lines);
  auto output = run.gpu.allocate<float, 2>({count, rows});
  std::vector<float> found(count * rows);
  ndx::tensor_view<float, 2> const host_output(found.data(), {count, rows});
  auto const call = [&](auto& policy) { ndx::gather_nd(policy, table, indices, output); };
  auto const mistake = [&]() -> std::string {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != numbers[static_cast<std::size_t>(lines[i / rows]) * rows + i % rows])
        return ndx::detail::text("element ", i, " is ", std::to_string(found[i]));
    return {};
  };
  auto const on_host = [&](std::string const& workload, index_t calls, auto const& body) {
    if (!run.wanted(workload)) return;
    std::vector<double> const seconds = seconds_of_one(calls, body);
    if (std::string const text = mistake(); !text.empty()) run.wrong.emplace_back(run.name(workload), text);
    else run.add(workload, seconds, bytes);
  };
  auto const download_blank = [&](auto const& body) {
    std::fill(found.begin(), found.end(), 100.0f);
    run.gpu.upload(host_output, output);
    body();
    run.gpu.download(output, host_output);
  };

  download_blank([&] { call(run.gpu); });
  constexpr index_t calls = 1000;
  auto const in_batch = [&](index_t operators) {
    ndx::vulkan::batch batch = run.gpu.begin();
    for (index_t i = 0; i < operators; ++i) call(batch);
    batch.submit().wait();
  };
  // As most operators of a batch, each has an output of its own; then each has to wait for the one before.
  std::vector<decltype(run.gpu.allocate<float, 2>({count, rows}))> outputs;
  for (index_t i = 1; i < calls; ++i) outputs.push_back(run.gpu.allocate<float, 2>({count, rows}));
  on_host("small/queued", calls, [&] {
    ndx::vulkan::batch batch = run.gpu.begin();
    for (auto& each : outputs) ndx::gather_nd(batch, table, indices, each);
    call(batch);
    batch.submit().wait();
  });
  on_host("small/queued_one_after_another", calls, [&] { in_batch(calls); });
  on_host("small/synchronous", calls, [&] {
    for (index_t i = 0; i < calls; ++i) call(run.gpu);
  });
  on_host("small/host_tensors", calls, [&] {
    for (index_t i = 0; i < calls; ++i) ndx::gather_nd(run.gpu, host_table, host_lines, host_output);
  });
  for (index_t operators : {1, 10, 100})
    on_host(ndx::detail::text("small/batch_of_", operators), calls, [&] {
      for (index_t i = 0; i < calls; i += operators) in_batch(operators);
    });
  // The rows found go back to where they are from, into a tensor that has nothing else.
  std::vector<decltype(run.gpu.allocate<float, 2>({rows, rows}))> scattered;
  for (index_t i = 0; i < calls; ++i) scattered.push_back(run.gpu.allocate<float, 2>({rows, rows}));
  ndx::tensor<float, 2> const blank({rows, rows});
  auto const measure_scatters = [&](std::string const& name, auto const& scatter) {
    auto const scatter_all = [&] {
      ndx::vulkan::batch batch = run.gpu.begin();
      for (auto& each : scattered) scatter(batch, each);
      batch.submit().wait();
    };
    run.gpu.upload(blank, scattered.back());
    scatter_all();
    download_blank([&] { ndx::gather_nd(run.gpu, scattered.back(), indices, output); });
    on_host(name, calls, scatter_all);
  };
  for (auto const& [name, which] : {std::pair{"small/queued_scatter", ndx::duplicates::any},
                                    std::pair{"small/queued_scatter_of_the_last", ndx::duplicates::last}})
    measure_scatters(name, [&, which = which](auto& batch, auto& each) {
      ndx::scatter_nd(batch, each, indices, output, each, {.duplicates = which});
    });
  // Into a copy of the table.
  measure_scatters("small/queued_scatter_with_copy",
                   [&](auto& batch, auto& each) { ndx::scatter_nd(batch, table, indices, output, each); });
  download_blank([&] { in_batch(1); });
  run.measure("small/on_device", static_cast<index_t>(bytes), call, [&] {
    download_blank([&] { run.clock.seconds(1, call); });
    return mistake();
  });
}

}  // namespace ndx_bench

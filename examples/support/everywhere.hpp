// SPDX-License-Identifier: MIT
#pragma once

#include <ndx/ndx.hpp>

#include "gpu.hpp"
#include "report.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// One job on every policy, timed, its results compared byte by byte.
namespace examples {

/// The policies for tensors in host memory, in one place. The first one defines what is right.
template <class Visit>
void for_each_policy(Visit const& visit) {
  visit("seq", "plain loops on one thread: says what is right", ndx::seq);
  visit("simd", "one thread, the best instructions of this processor", ndx::simd);
  visit("par_simd", "the same on every core", ndx::par_simd);
  with_gpu([&](auto const& gpu) { visit("vulkan", gpu.info().name + ", copied there and back", gpu); });
}

/// Every row that a job has: the policies, and what `run_everywhere` adds to them.
inline std::vector<policy_note> rows_of_a_job() {
  std::vector<policy_note> rows;
  for_each_policy([&](char const* name, std::string const& note, auto const&) { rows.push_back({name, note}); });
  if (has_gpu()) rows.push_back({"on device", "the same, on tensors in the memory of the device"});
  return rows;
}

/// Where two tensors first differ, in words; empty if they do not.
template <class T, std::size_t Rank>
std::string difference(ndx::tensor<T, Rank> const& seen, ndx::tensor<T, Rank> const& due) {
  auto const differs = std::mismatch(seen.begin(), seen.end(), due.begin());
  if (differs.first == seen.end()) return {};
  ndx::index_t rest = differs.first - seen.begin();
  std::string where;
  for (std::size_t d = Rank; d-- > 0; rest /= seen.extent(d)) {
    where = std::to_string(rest % seen.extent(d)) + (where.empty() ? "" : ", ") + where;
  }
  return "differs at {" + where + "}: " + std::to_string(*differs.first) + ", due " + std::to_string(*differs.second);
}

/// Runs `call(policy, output, inputs..)` on every policy; on a device also with the output and the inputs in its
/// memory. `output` then holds what is right.
template <class Call, class T, std::size_t Rank, class... Inputs>
void run_everywhere(result& job, Call const& call, ndx::tensor<T, Rank>& output, Inputs const&... inputs) {
  ndx::tensor<T, Rank> due;
  // Nothing of what the policy before wrote may pass for this one's work.
  auto const spoil = [&] { std::memset(output.data(), 0xA5, static_cast<std::size_t>(output.size()) * sizeof(T)); };
  auto const measure = [&](timing& row, auto const& run, auto const& fetch) {
    run();  // not timed: it starts threads, and makes a device's pipelines
    fetch();
    if (job.timings.empty()) due = output;
    row.difference = difference(output, due);
    row.seconds = median_seconds(run);
  };
  auto const add_row = [&](char const* name, auto const& fill) {
    timing row{name, 0, {}};
    try {
      spoil();
      fill(row);
    } catch (ndx::error const& problem) {  // as where a device has too little memory
      row.difference = problem.what();
    }
    job.timings.push_back(row);
  };
  for_each_policy([&](char const* name, std::string const&, auto const& policy) {
    add_row(name, [&](timing& row) {
      measure(
          row, [&] { call(policy, output, inputs...); }, [] {});
    });
  });
  with_gpu([&](auto const& gpu) {
    add_row("on device", [&](timing& row) {
      auto there = gpu.upload(output);
      std::tuple const copies(gpu.upload(inputs)...);
      auto const run = [&] { std::apply([&](auto const&... each) { call(gpu, there, each...); }, copies); };
      measure(row, run, [&] { gpu.download(there, output); });
    });
  });
  output = std::move(due);
}

/// The elements of a tensor, on the host or on a device, in another arrangement.
template <class Tensor, std::size_t Rank>
auto arranged(Tensor&& tensor, std::array<ndx::index_t, Rank> const& extents,
              std::array<ndx::index_t, Rank> const& strides) {
  auto const view = ndx::view(tensor);
  using flat = std::remove_const_t<decltype(view)>;
  return ndx::tensor_view<typename flat::element_type, Rank, typename flat::data_handle_type>(view.data_handle(),
                                                                                              extents, strides);
}

}  // namespace examples

// SPDX-License-Identifier: MIT
#include "suite.hpp"

#include "../support/kept_memory.hpp"
#include "../support/message_of.hpp"
#include "../support/random.hpp"

#include <array>
#include <map>
#include <mutex>
#include <tuple>

namespace test {
namespace {

using ndx::index_t;

/// Numbers that are drawn once for all executors, by whichever thread asks for them first.
template <class T, class Draw>
std::vector<T> const& drawn(index_t count, index_t below, std::uint64_t seed, Draw const& draw) {
  static std::mutex mutex;
  static std::map<std::tuple<index_t, index_t, std::uint64_t>, std::vector<T>> all;
  std::lock_guard const lock(mutex);
  auto const [place, is_new] = all.try_emplace({count, below, seed}, static_cast<std::size_t>(count));
  if (is_new) {
    random_source random(seed);
    for (T& number : place->second) number = draw(random.between(-below, below - 1));
  }
  return place->second;
}

std::vector<float> const& floats(index_t count, std::uint64_t seed) {
  return drawn<float>(count, 1000000, seed, [](index_t number) { return static_cast<float>(number) / 1024.0F; });
}

std::vector<std::int32_t> const& integers(index_t count, index_t below, std::uint64_t seed) {
  return drawn<std::int32_t>(count, below, seed, [](index_t number) { return static_cast<std::int32_t>(number); });
}

/// What `call(policy, output)` leaves in an output of so many elements.
template <class Policy, class Call>
kept_array<float> output_of(Policy const& policy, index_t size, Call const& call) {
  kept_array<float> output(static_cast<std::size_t>(size), -1.0F);
  call(policy, output.data());
  return output;
}

template <class Call>
bool agrees(ndx::par_simd_policy const& policy, index_t size, Call const& call) {
  return same_as_watched(output_of(policy, size, call), output_of(ndx::seq, size, call));
}

template <class T, std::size_t Rank>
ndx::tensor_view<T const, Rank> tensor(std::vector<T> const& elements, std::array<index_t, Rank> extents) {
  return {elements.data(), extents};
}

/// Many tuples that lead to few of many rows: threads own parts of the output.
struct rows_problem {
  static constexpr index_t rows = 17000;  // more than a MiB
  static constexpr index_t columns = 16;
  static constexpr index_t tuples = 40000;

  std::vector<float> input = floats(rows * columns, 1);
  std::vector<std::int32_t> indices = integers(tuples, rows, 2);
  std::vector<float> updates = floats(tuples * columns, 3);

  rows_problem() {
    for (std::size_t i = 0; i < indices.size(); i += 3) indices[i] %= 10;  // thousands of updates each
  }

  template <class Policy>
  void scatter(Policy const& policy, float* output, ndx::reduction op) const {
    ndx::scatter_nd(policy, tensor<float, 2>(input, {rows, columns}), tensor<std::int32_t, 2>(indices, {tuples, 1}),
                    tensor<float, 2>(updates, {tuples, columns}), ndx::tensor_view{output, {rows, columns}},
                    {.reduction = op, .duplicates = ndx::duplicates::last});
  }
  auto scattered(ndx::reduction op) const {
    return [this, op](auto const& policy, float* output) { scatter(policy, output, op); };
  }
  template <class Policy>
  void gather(Policy const& policy, float* output) const {
    ndx::gather_nd(policy, tensor<float, 2>(input, {rows, columns}), tensor<std::int32_t, 2>(indices, {tuples, 1}),
                   ndx::tensor_view{output, {tuples, columns}});
  }

  static rows_problem const& usual() {
    static rows_problem const problem;
    return problem;
  }
};

/// Single elements that go anywhere in more memory than caches have: sorted into buckets, in scratch memory.
struct elements_problem {
  static constexpr index_t size = (ndx::cpu::tuning::bucketed_reach_bytes + (index_t{1} << 20)) / 4;
  static constexpr index_t tuples = size * 4 / ndx::cpu::tuning::reach_of_update_bytes + 1000;

  std::vector<float> input = floats(size, 4);
  std::vector<std::int32_t> indices = integers(tuples, size, 5);
  std::vector<float> updates = floats(tuples, 6);

  elements_problem() {
    for (std::size_t i = 0; i < indices.size(); i += 5) indices[i] %= 1000;
  }

  template <class Policy>
  void scatter(Policy const& policy, float* output, ndx::reduction op) const {
    ndx::scatter_nd(policy, tensor<float, 1>(input, {size}), tensor<std::int32_t, 2>(indices, {tuples, 1}),
                    tensor<float, 1>(updates, {tuples}), ndx::tensor_view{output, {size}},
                    {.reduction = op, .duplicates = ndx::duplicates::last});
  }
  auto scattered(ndx::reduction op) const {
    return [this, op](auto const& policy, float* output) { scatter(policy, output, op); };
  }

  static elements_problem const& usual() {
    static elements_problem const problem;
    return problem;
  }
};

void check_slice1(ndx::par_simd_policy const& policy) {
  std::vector<float> const& input = floats(900 * 701, 7);
  CHECK(agrees(policy, 900 * 350, [&](auto const& run, float* output) {
    ndx::slice1(run, tensor<float, 2>(input, {900, 701}), ndx::tensor_view{output, {900, 350}},
                {.offsets = {0, 1}, .sizes = {900, 699}, .strides = {-1, 2}});
  }));
}

void check_gathers(ndx::par_simd_policy const& policy) {
  auto const& rows = rows_problem::usual();
  CHECK(agrees(policy, rows.tuples * rows.columns, [&](auto const& run, float* output) { rows.gather(run, output); }));

  constexpr index_t batch = 40;
  constexpr index_t extent = 500;
  constexpr index_t taken = 9000;
  std::vector<float> const& input = floats(batch * extent, 8);
  std::vector<std::int32_t> const& indices = integers(batch * taken, extent, 9);
  CHECK(agrees(policy, batch * taken, [&](auto const& run, float* output) {
    ndx::gather_nd1(run, tensor<float, 2>(input, {batch, extent}), tensor<std::int32_t, 3>(indices, {batch, taken, 1}),
                    ndx::tensor_view{output, {batch, taken}}, {.batch_dims = 1});
  }));
}

void check_scatters(ndx::par_simd_policy const& policy) {
  for (ndx::reduction op : {ndx::reduction::none, ndx::reduction::add, ndx::reduction::max}) {
    if (thread_sanitizer && op != ndx::reduction::add) continue;
    CHECK(agrees(policy, rows_problem::rows * rows_problem::columns, rows_problem::usual().scattered(op)));
    if (op != ndx::reduction::max)
      CHECK(agrees(policy, elements_problem::size, elements_problem::usual().scattered(op)));
  }
}

}  // namespace

/// Along the last axis and along another one, with few updates and with many.
void check_scatter_elements(ndx::par_simd_policy const& policy) {
  auto const check = [&](std::array<index_t, 2> const& extents, index_t axis, index_t along) {
    std::array<index_t, 2> of_updates = extents;
    of_updates[static_cast<std::size_t>(axis)] = along;
    std::vector<float> const& input = floats(extents[0] * extents[1], 10);
    std::vector<std::int32_t> const& indices =
        integers(of_updates[0] * of_updates[1], extents[static_cast<std::size_t>(axis)], 11);
    std::vector<float> const& updates = floats(of_updates[0] * of_updates[1], 12);
    CAPTURE(extents[0], axis, along);
    CHECK(agrees(policy, extents[0] * extents[1], [&](auto const& run, float* output) {
      ndx::scatter_elements(run, tensor<float, 2>(input, extents), tensor<std::int32_t, 2>(indices, of_updates),
                            tensor<float, 2>(updates, of_updates), ndx::tensor_view{output, extents},
                            {.axis = axis, .reduction = ndx::reduction::add, .duplicates = ndx::duplicates::last});
    }));
  };
  for (index_t axis : {0, 1})
    for (index_t along : {10, 300}) check({600, 1100}, axis, along);
  check({9000, 32}, 0, 4500);  // one stripe, which cannot be shared
}

void check_operators(ndx::par_simd_policy const& policy) {
  check_slice1(policy);
  check_gathers(policy);
  check_scatters(policy);
  check_scatter_elements(policy);
}

void check_errors(ndx::par_simd_policy const& policy) {
  rows_problem rows = rows_problem::usual();
  rows.indices[30000] = rows_problem::rows;
  rows.indices[39000] = -rows_problem::rows - 1;
  std::vector<float> gathered(static_cast<std::size_t>(rows_problem::tuples * rows_problem::columns));
  CHECK(position_of([&] { rows.gather(policy, gathered.data()); }) == std::vector<index_t>{30000, 0});
  std::vector<float> output(rows.input.size(), -1.0F);
  CHECK(position_of([&] { rows.scatter(policy, output.data(), ndx::reduction::add); }) ==
        std::vector<index_t>{30000, 0});
  CHECK(std::count(output.begin(), output.end(), -1.0F) == static_cast<std::ptrdiff_t>(output.size()));

  elements_problem elements = elements_problem::usual();
  elements.indices[elements.indices.size() - 2] = elements_problem::size;
  output.assign(elements.input.size(), -1.0F);
  CHECK(position_of([&] { elements.scatter(policy, output.data(), ndx::reduction::none); }) ==
        std::vector<index_t>{elements_problem::tuples - 2, 0});
  CHECK(std::count(output.begin(), output.end(), -1.0F) == static_cast<std::ptrdiff_t>(output.size()));
}

bool sums_rows(ndx::par_simd_policy const& policy) {
  static auto const sum = rows_problem::usual().scattered(ndx::reduction::add);
  static kept_array<float> const due = output_of(ndx::seq, rows_problem::rows * rows_problem::columns, sum);
  return same_as_watched(output_of(policy, rows_problem::rows * rows_problem::columns, sum), due);
}

bool sums_elements(ndx::par_simd_policy const& policy) {
  static auto const sum = elements_problem::usual().scattered(ndx::reduction::add);
  static kept_array<float> const due = output_of(ndx::seq, elements_problem::size, sum);
  return same_as_watched(output_of(policy, elements_problem::size, sum), due);
}

}  // namespace test

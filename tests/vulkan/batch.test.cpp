// SPDX-License-Identifier: MIT
// Batches: the operators of one depend on each other or do not, fail or do not, and each does what it would do alone.
#include "../support/catch.hpp"
#include "../support/harness.hpp"
#include "../support/vulkan_ways.hpp"

#include <ndx/vulkan.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using ndx::index_t;
using test::vulkan_device;
using numbers = ndx::vulkan::tensor<float, 1>;
using tuples = ndx::vulkan::tensor<std::int64_t, 2>;

numbers on_device(std::vector<float> const& values) {
  return vulkan_device().upload(ndx::tensor_view{values.data(), {static_cast<index_t>(values.size())}});
}
tuples indices_on_device(std::vector<std::int64_t> const& values) {
  return vulkan_device().upload(ndx::tensor_view{values.data(), {static_cast<index_t>(values.size()), 1}});
}
std::vector<float> on_host(numbers const& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.size()));
  vulkan_device().download(tensor, ndx::tensor_view{values.data(), tensor.extents()});
  return values;
}

/// Counts the barriers that are recorded while it lives.
class barrier_count {
public:
  barrier_count() : call_(vulkan_device().state()->context->call.vkCmdPipelineBarrier), real_(call_) {
    count = 0;
    real = real_;
    call_ = [](VkCommandBuffer buffer, VkPipelineStageFlags before, auto... others) {
      ++count;
      last_waits_for = before;
      real(buffer, before, others...);
    };
  }
  ~barrier_count() { call_ = real_; }
  barrier_count(barrier_count const&) = delete;
  barrier_count& operator=(barrier_count const&) = delete;

  static inline int count = 0;
  static inline VkPipelineStageFlags last_waits_for = 0;

private:
  static inline PFN_vkCmdPipelineBarrier real = nullptr;
  PFN_vkCmdPipelineBarrier& call_;
  PFN_vkCmdPipelineBarrier real_;
};

/// The error that `wait` is to throw.
template <class Wait>
void expect_index_error(Wait const& wait, std::string const& name, std::vector<index_t> const& position, index_t value,
                        index_t extent) {
  try {
    wait();
    FAIL_CHECK("there was no error");
  } catch (ndx::index_error const& error) {
    INFO("text: " << error.what());
    CHECK(error.position() == position);
    CHECK(error.axis() == 0);
    CHECK(error.value() == value);
    CHECK(error.extent() == extent);
    CHECK(test::mentions(error.what(), name));
  }
}

}  // namespace

TEST_CASE("A tensor that one operator writes is read by the next") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  // Each step moves every element by one place: a missing barrier shows as an element that is a step behind.
  constexpr index_t size = 40000;
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.0F);
  std::vector<std::int64_t> next(size);
  for (std::size_t i = 0; i < next.size(); ++i) next[i] = static_cast<std::int64_t>((i + 1) % next.size());
  numbers front = on_device(values);
  numbers back = vulkan_device().allocate<float, 1>({size});
  tuples const rows = indices_on_device(next);
  ndx::vulkan::batch batch = vulkan_device().begin();
  constexpr int steps = 9;
  for (int step = 0; step < steps; ++step) {
    if (step % 2 == 0) ndx::gather_nd(batch, front, rows, back);
    else ndx::slice1(batch, back, front, {.sizes = {size}});
    if (step % 3 == 2) ndx::scatter_nd(batch, front, rows, back, front);  // reads and writes what was just written
  }
  std::vector<float> due = values;
  std::vector<float> spare(size);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (step % 2 == 0) spare[i] = due[static_cast<std::size_t>(next[i])];
      else due[i] = spare[i];
    }
    if (step % 3 == 2)
      for (std::size_t i = 0; i < due.size(); ++i) due[static_cast<std::size_t>(next[i])] = spare[i];
  }
  batch.submit().wait();
  CHECK(on_host(front) == due);
  CHECK(on_host(back) == spare);
}

TEST_CASE("What an operator reads is not overwritten by a later one before it has been read") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t size = 100000;
  numbers const ones = on_device(std::vector<float>(size, 1.0F));
  numbers table = on_device(std::vector<float>(size, 7.0F));
  numbers taken = vulkan_device().allocate<float, 1>({size});
  ndx::vulkan::batch batch = vulkan_device().begin();
  ndx::slice1(batch, table, taken, {.sizes = {size}});
  ndx::slice1(batch, ones, table, {.sizes = {size}});
  batch.submit().wait();
  CHECK(on_host(taken) == std::vector<float>(size, 7.0F));
  CHECK(on_host(table) == std::vector<float>(size, 1.0F));
}

TEST_CASE("Operators on neighbouring parts of one tensor need not wait for each other") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  std::vector<std::uint8_t> due(60);
  std::iota(due.begin(), due.end(), std::uint8_t{1});
  auto const source = vulkan_device().upload(ndx::tensor_view{due.data(), {60}});
  auto target = vulkan_device().allocate<std::uint8_t, 1>({60});
  barrier_count const barriers;
  ndx::vulkan::batch batch = vulkan_device().begin();
  // Parts that end inside of a word, as bytes that share one must not be lost.
  for (auto [offset, size] : {std::pair<index_t, index_t>{0, 7}, {7, 1}, {8, 21}, {29, 30}, {59, 1}})
    ndx::slice1(batch, source, target.view().window({.offsets = {offset}, .sizes = {size}}),
                {.offsets = {offset}, .sizes = {size}});
  CHECK(barriers.count == 0);
  batch.submit().wait();
  std::vector<std::uint8_t> seen(60);
  vulkan_device().download(target, ndx::tensor_view{seen.data(), {60}});
  CHECK(seen == due);
}

TEST_CASE("A barrier for transfers alone lets later kernels wait still for what came before it") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  std::shared_ptr<ndx::vulkan::device_state> const state = vulkan_device().state();
  ndx::vulkan::submission recorded(*state->context, state->submissions);  // is never submitted
  ndx::vulkan::commands commands(state, recorded.buffer(), false);
  ndx::vulkan::scoped_region const memory(*state, 64, ndx::vulkan::memory_use::device);
  auto const part = [&](VkDeviceSize at) {
    return ndx::vulkan::byte_range{memory->buffer, memory->offset + at, memory->offset + at + 16};
  };
  barrier_count const barriers;
  commands.begin({{}, {part(0)}});
  commands.begin({{}, {part(48)}});
  commands.copy(part(16), part(32));
  CHECK(barriers.count == 0);
  commands.barrier_to_transfers();
  CHECK(barriers.count == 1);
  commands.begin({{part(0)}, {}});
  CHECK(barriers.count == 2);
  CHECK(barriers.last_waits_for == (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT));
  commands.begin({{part(0)}, {}});
  CHECK(barriers.count == 2);
}

TEST_CASE("wait throws the error of the first operator that failed, and the others have done their work") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  numbers const table = on_device({1, 2, 3, 4});
  numbers const updates = on_device({10, 20, 30});
  tuples const good = indices_on_device({3, 0, 1});
  tuples const bad_gather = indices_on_device({0, -5, 9});
  tuples const bad_scatter = indices_on_device({2, 1, 4});
  numbers before = on_device({0, 0, 0});
  numbers copied = on_device({-1, -1, -1, -1});
  numbers in_place = on_device({5, 6, 7, 8});
  numbers unspecified = on_device({0, 0, 0});
  numbers after = on_device({0, 0, 0, 0});
  ndx::vulkan::batch batch = vulkan_device().begin();
  ndx::gather_nd(batch, table, good, before);
  ndx::scatter_nd(batch, table, bad_scatter, updates, copied);
  for (auto which : {ndx::duplicates::any, ndx::duplicates::last}) {
    ndx::scatter_nd(batch, in_place, bad_scatter, updates, in_place, {.duplicates = which});
    ndx::scatter_nd(batch, in_place, bad_scatter, updates, in_place,
                    {.reduction = ndx::reduction::add, .duplicates = which});
  }
  ndx::gather_nd(batch, table, bad_gather, unspecified);
  ndx::scatter_nd(batch, table, good, updates, after);
  ndx::vulkan::pending const pending = batch.submit();
  for (int again = 0; again < 2; ++again) expect_index_error([&] { pending.wait(); }, "scatter_nd", {2, 0}, 4, 4);
  CHECK(pending.done());
  CHECK(on_host(before) == std::vector<float>{4, 1, 2});
  CHECK(on_host(copied) == std::vector<float>{-1, -1, -1, -1});  // not even the input
  CHECK(on_host(in_place) == std::vector<float>{5, 6, 7, 8});
  CHECK(on_host(after) == std::vector<float>{20, 30, 3, 10});
}

TEST_CASE("The first operator that fails need not be a scatter, and its first bad index is told") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  numbers const table = on_device({1, 2, 3, 4});
  tuples const bad = indices_on_device({0, -5, 9});
  tuples const worse = indices_on_device({44, 55, 66});
  numbers taken = vulkan_device().allocate<float, 1>({3});
  numbers summed = on_device({1, 1, 1, 1});
  numbers const updates = on_device({10, 20, 30});
  ndx::vulkan::batch batch = vulkan_device().begin();
  ndx::gather_nd(batch, table, worse, taken, {.bounds = ndx::bounds::clamp});
  ndx::gather_nd1(batch, table, bad, taken);
  ndx::scatter_nd(batch, summed, worse, updates, summed);
  expect_index_error([&] { batch.submit().wait(); }, "gather_nd1", {1, 0}, -5, 4);
  CHECK(on_host(summed) == std::vector<float>{1, 1, 1, 1});
}

TEST_CASE("An empty batch can be submitted, and one that is never submitted does nothing") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::pending const pending = vulkan_device().begin().submit();
  pending.wait();
  pending.wait();
  CHECK(pending.done());
  numbers const table = on_device({1, 2, 3, 4});
  numbers taken = on_device({0, 0, 0, 0});
  {
    ndx::vulkan::batch batch = vulkan_device().begin();
    ndx::slice1(batch, table, taken, {.sizes = {4}});
  }
  CHECK(on_host(taken) == std::vector<float>{0, 0, 0, 0});
}

TEST_CASE("A batch that has been submitted takes nothing more, and says so") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  numbers const table = on_device({1, 2, 3, 4});
  numbers taken = on_device({0, 0, 0, 0});
  ndx::vulkan::batch batch = vulkan_device().begin();
  ndx::slice1(batch, table, taken, {.sizes = {4}});
  ndx::vulkan::pending const pending = batch.submit();
  CHECK_THROWS_AS(ndx::slice1(batch, table, taken, {.sizes = {4}}), ndx::unsupported_error);
  CHECK_THROWS_AS(batch.submit(), ndx::unsupported_error);
  pending.wait();
  CHECK(on_host(taken) == std::vector<float>{1, 2, 3, 4});
  // Another one in its place is like new.
  numbers again = vulkan_device().allocate<float, 1>({4});
  batch = vulkan_device().begin();
  ndx::slice1(batch, taken, again, {.offsets = {0}, .sizes = {4}, .strides = {-1}});
  batch.submit().wait();
  CHECK(on_host(again) == std::vector<float>{4, 3, 2, 1});
}

TEST_CASE("A call that is refused before it is recorded leaves the batch as it was") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  numbers table = on_device({1, 2, 3, 4});
  numbers taken = on_device({0, 0, 0, 0});
  numbers wrong = on_device({0, 0});
  tuples const rows = indices_on_device({3, 2, 1, 0});
  ndx::vulkan::batch batch = vulkan_device().begin();
  ndx::gather_nd(batch, table, rows, taken);
  CHECK_THROWS_AS(ndx::gather_nd(batch, table, rows, wrong), ndx::shape_error);
  CHECK_THROWS_AS(ndx::gather_nd(batch, table, rows, table), ndx::overlap_error);
  ndx::scatter_nd(batch, taken, rows, table, taken, {.reduction = ndx::reduction::add});
  batch.submit().wait();
  CHECK(on_host(taken) == std::vector<float>{8, 6, 4, 2});
}

TEST_CASE("A batch takes more operators than there is room for in any one of its parts") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  // Reports, descriptor sets, parameters and remembered accesses are all taken in blocks of fewer than these.
  constexpr std::size_t many = 300;
  numbers const table = on_device({1, 2, 3, 4});
  numbers sums = on_device({0, 0, 0, 0});
  std::vector<numbers> taken;
  std::vector<tuples> rows;
  std::size_t const bad = 171;
  for (std::size_t i = 0; i < many; ++i) {
    taken.push_back(vulkan_device().allocate<float, 1>({1}));
    auto const row = static_cast<std::int64_t>(i % 4);
    rows.push_back(indices_on_device({i == bad ? 5 : i == bad + 100 ? 6 : row}));
  }
  ndx::vulkan::batch batch = vulkan_device().begin();
  for (std::size_t i = 0; i < many; ++i) {
    ndx::gather_nd(batch, table, rows[i], taken[i]);
    if (i != bad) ndx::scatter_nd(batch, sums, rows[i], taken[i], sums, {.reduction = ndx::reduction::add});
  }
  expect_index_error([&] { batch.submit().wait(); }, "gather_nd", {0, 0}, 5, 4);
  std::vector<float> due(4);
  for (std::size_t i = 0; i < many; ++i) {
    if (i == bad || i == bad + 100) continue;
    due[i % 4] += static_cast<float>(i % 4 + 1);
    CHECK(on_host(taken[i]) == std::vector<float>{static_cast<float>(i % 4 + 1)});
  }
  CHECK(on_host(sums) == due);
}

TEST_CASE("Tensors may go before a batch that uses them is done, and it before it has been waited for") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t size = 1 << 20;
  numbers taken = vulkan_device().allocate<float, 1>({size});
  {
    ndx::vulkan::batch batch = vulkan_device().begin();
    {
      numbers const table = on_device(std::vector<float>(size, 3.0F));
      ndx::slice1(batch, table, taken, {.sizes = {size}});
    }
    // Takes the table's memory, if that had been given back.
    numbers const other = on_device(std::vector<float>(size, 4.0F));
    static_cast<void>(batch.submit());
  }
  CHECK(on_host(taken) == std::vector<float>(size, 3.0F));
}

TEST_CASE("A pending batch can be waited for when the batch is gone, from another thread too") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  numbers const table = on_device({1, 2, 3, 4});
  tuples const bad = indices_on_device({7});
  numbers taken = vulkan_device().allocate<float, 1>({1});
  auto const pending = [&] {
    ndx::vulkan::batch batch = vulkan_device().begin();
    ndx::gather_nd(batch, table, bad, taken);
    return batch.submit();
  }();
  std::thread([&] { expect_index_error([&] { pending.wait(); }, "gather_nd", {0, 0}, 7, 4); }).join();
}

TEST_CASE("Threads record and submit batches of one device at the same time") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  std::vector<std::thread> threads;
  std::vector<int> wrong(3);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&wrong, t] {
      auto const first = static_cast<float>(100 * t);
      numbers const table = on_device({first, first + 1, first + 2});
      tuples const rows = indices_on_device({2, 0});
      tuples const bad = indices_on_device({2, 3});
      for (int round = 0; round < 10; ++round) {
        numbers taken = vulkan_device().allocate<float, 1>({2});
        ndx::vulkan::batch batch = vulkan_device().begin();
        ndx::gather_nd(batch, table, round % 3 == 2 ? bad : rows, taken);
        bool failed = false;
        try {
          batch.submit().wait();
        } catch (ndx::index_error const&) {
          failed = true;
        }
        if (failed != (round % 3 == 2)) ++wrong[t];
        if (!failed && on_host(taken) != std::vector<float>{first + 2, first}) ++wrong[t];
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(3));
}

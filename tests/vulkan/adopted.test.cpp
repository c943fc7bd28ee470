// SPDX-License-Identifier: MIT
// An application that owns its instance, device, queue, buffers and command buffers, and lets ndx use them.
#include "../support/catch.hpp"
#include "../support/vulkan_application.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using test::application_buffer;
using test::application_commands;
using test::vulkan_application;

ndx::vulkan::adopted_handles handles_of(vulkan_application& of) {
  return {.instance = of.instance,
          .physical_device = of.physical,
          .device = of.device,
          .queue = of.queue,
          .queue_family = of.family,
          .get_instance_proc_addr = of.get_instance_proc_addr,
          .queue_mutex = &of.queue_mutex};
}

/// Rows of a table by number: buffers of the application's, and what ndx is to do with them.
struct rows_of_a_table {
  static constexpr ndx::index_t rows = 6, columns = 5, count = 3;

  explicit rows_of_a_table(vulkan_application& of, float first = 0)
      : table(of, rows * columns * sizeof(float)),
        numbers(of, count * sizeof(std::int32_t)),
        taken(of, (count * columns + 2) * sizeof(float)) {
    auto const elements = table.as<float>();
    std::iota(elements.begin(), elements.end(), first);
    choose({4, 0, -1});
  }

  void choose(std::array<std::int32_t, count> const& which) {
    std::copy(which.begin(), which.end(), numbers.as<std::int32_t>().begin());
    std::fill(taken.as<float>().begin(), taken.as<float>().end(), -1.0F);
  }

  template <class Policy>
  void gather(ndx::vulkan::device const& gpu, Policy& policy) const {
    auto const input = gpu.wrap<float, 2>(table.handle, 0, {rows, columns});
    auto const indices = gpu.wrap<std::int32_t, 2>(numbers.handle, 0, {count, 1});
    auto output = gpu.wrap<float, 2>(taken.handle, sizeof(float), {count, columns});
    ndx::gather_nd(policy, input, indices, output);
  }

  /// Are these rows there, and the elements before and behind them untouched?
  [[nodiscard]] bool has(std::array<ndx::index_t, count> const& which) const {
    auto const elements = taken.as<float>();
    bool right = elements.front() == -1 && elements.back() == -1;
    for (std::size_t i = 0; i < count * columns; ++i)
      right = right && elements[1 + i] ==
                           table.as<float>()[static_cast<std::size_t>(which[i / columns]) * columns + i % columns];
    return right;
  }

  application_buffer table, numbers, taken;
};

}  // namespace

TEST_CASE("Commands that are recorded once and submitted again see what the buffers hold then") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  rows_of_a_table work(application);
  application_commands commands(application);
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  ndx::vulkan::recorder recorder(gpu, commands.handle);
  commands.record([&](VkCommandBuffer) {
    work.gather(gpu, recorder);
    recorder.finish();
  });
  application.run(commands.handle);
  CHECK_NOTHROW(recorder.check());
  CHECK(work.has({4, 0, 5}));
  work.choose({1, 1, 2});
  application.run(commands.handle);
  CHECK_NOTHROW(recorder.check());
  CHECK(work.has({1, 1, 2}));
  // What one run reports is forgotten by the next.
  work.choose({1, 6, -7});
  application.run(commands.handle);
  for (int again = 0; again < 2; ++again) {
    try {
      recorder.check();
      FAIL_CHECK("there was no error");
    } catch (ndx::index_error const& error) {
      CHECK(error.position() == std::vector<ndx::index_t>{1, 0});
      CHECK(error.value() == 6);
      CHECK(error.extent() == 6);
    }
  }
  work.choose({3, 3, 3});
  application.run(commands.handle);
  CHECK_NOTHROW(recorder.check());
  CHECK(work.has({3, 3, 3}));
}

TEST_CASE("A command buffer is recorded again by another recorder") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  rows_of_a_table first(application, 100);
  rows_of_a_table second(application, 200);
  application_commands commands(application);
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  for (rows_of_a_table* work : {&first, &second, &first}) {
    work->choose({4, 0, -1});
    ndx::vulkan::recorder recorder(gpu, commands.handle);
    commands.record([&](VkCommandBuffer) {
      work->gather(gpu, recorder);
      recorder.finish();
    });
    application.run(commands.handle);
    recorder.check();
    CHECK(work->has({4, 0, 5}));
  }
}

TEST_CASE("Two recorders record into two command buffers, one of which runs again after the other is gone") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  rows_of_a_table work(application);
  application_commands kept(application);
  application_commands other(application);
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  ndx::vulkan::recorder recorder(gpu, kept.handle);
  kept.record([&](VkCommandBuffer) {
    work.gather(gpu, recorder);
    recorder.finish();
  });
  {
    ndx::vulkan::recorder once(gpu, other.handle);
    other.record([&](VkCommandBuffer) {
      work.gather(gpu, once);
      once.finish();
    });
    application.run(other.handle);
    CHECK(work.has({4, 0, 5}));
  }
  work.choose({0, 1, 2});
  application.run(kept.handle);
  CHECK(work.has({0, 1, 2}));
}

TEST_CASE("A recorder records into a secondary command buffer") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  rows_of_a_table work(application);
  application_commands secondary(application, true);
  application_commands primary(application);
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  ndx::vulkan::recorder recorder(gpu, secondary.handle);
  secondary.record([&](VkCommandBuffer) {
    work.gather(gpu, recorder);
    recorder.finish();
  });
  primary.record([&](VkCommandBuffer into) { application.CmdExecuteCommands(into, 1, &secondary.handle); });
  application.run(primary.handle);
  CHECK(work.has({4, 0, 5}));
  work.choose({5, 4, 6});
  application.run(primary.handle);
  CHECK_THROWS_AS(recorder.check(), ndx::index_error);
}

TEST_CASE("Operators of a recorder stand between the application's own commands, and depend on each other") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  application_buffer counts(application, 8 * sizeof(std::uint32_t));
  application_buffer bins(application, 6 * sizeof(std::uint32_t));
  application_buffer copy(application, 8 * sizeof(std::uint32_t));
  std::array<std::uint32_t, 6> const which{1, 7, 1, 0, 1, 7};
  std::copy(which.begin(), which.end(), bins.as<std::uint32_t>().begin());
  application_commands commands(application);
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  auto state = gpu.wrap<std::uint32_t, 1>(counts.handle, 0, {8});
  auto last = gpu.wrap<std::uint32_t, 1>(copy.handle, 0, {8});
  auto const indices = gpu.wrap<std::uint32_t, 2>(bins.handle, 0, {6, 1});
  auto ones = gpu.allocate<std::uint32_t, 1>({6});
  gpu.upload(ndx::tensor_view{std::array<std::uint32_t, 6>{1, 1, 1, 1, 1, 1}.data(), {6}}, ones);
  ndx::vulkan::recorder recorder(gpu, commands.handle);
  commands.record([&](VkCommandBuffer into) {
    application.CmdFillBuffer(into, counts.handle, 0, VK_WHOLE_SIZE, 10);
    VkMemoryBarrier const filled{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    application.CmdPipelineBarrier(into, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                                   &filled, 0, nullptr, 0, nullptr);
    ndx::scatter_nd(recorder, state, indices, ones, state, {.reduction = ndx::reduction::add});
    ndx::slice1(recorder, state, last, {.sizes = {8}, .strides = {-1}});
    recorder.finish();
  });
  for (int run = 0; run < 2; ++run) {
    application.run(commands.handle);
    recorder.check();
    auto const seen = copy.as<std::uint32_t>();
    CHECK(std::vector<std::uint32_t>(seen.begin(), seen.end()) ==
          std::vector<std::uint32_t>{12, 10, 10, 10, 10, 10, 13, 11});
  }
}

TEST_CASE("Two threads record with a recorder each, submit and check at the same time") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  std::array<int, 2> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      rows_of_a_table work(application, static_cast<float>(1000 * t));
      application_commands commands(application);
      for (int round = 0; round < 8; ++round) {
        ndx::vulkan::recorder recorder(gpu, commands.handle);
        work.choose({round % 6, 5, static_cast<std::int32_t>(t)});
        commands.record([&](VkCommandBuffer) {
          work.gather(gpu, recorder);
          recorder.finish();
        });
        application.run(commands.handle);
        recorder.check();
        if (!work.has({round % 6, 5, static_cast<ndx::index_t>(t)})) ++wrong[t];
        // Calls that submit by themselves use the same queue.
        std::array<float, 2> taken{};
        ndx::slice1(gpu, ndx::tensor_view{work.table.as<float>().data(), {30}}, ndx::tensor_view{taken.data(), {2}},
                    {.offsets = {7}, .sizes = {2}});
        if (taken[1] != work.table.as<float>()[8]) ++wrong[t];
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::array<int, 2>{});
}

TEST_CASE("wrap takes an offset and strides, and refuses what would leave the buffer or split an element") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  application_buffer buffer(application, 24 * sizeof(std::uint16_t));
  auto const all = buffer.as<std::uint16_t>();
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
  // Columns backwards, of a matrix that begins in the middle of a word.
  auto const input = gpu.wrap<std::uint16_t, 2>(buffer.handle, 7 * sizeof(std::uint16_t), {4, 3}, {-1, 4});
  std::array<std::uint16_t, 12> seen{};
  gpu.download(input, ndx::tensor_view{seen.data(), {4, 3}});
  CHECK(seen == std::array<std::uint16_t, 12>{7, 11, 15, 6, 10, 14, 5, 9, 13, 4, 8, 12});
  auto output = gpu.wrap<std::uint16_t, 1>(buffer.handle, 17 * sizeof(std::uint16_t), {3}, {2});
  std::array<std::uint16_t, 3> const values{100, 101, 102};
  gpu.upload(ndx::tensor_view{values.data(), {3}}, output);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i] == (i == 17 || i == 19 || i == 21 ? 100 + (i - 17) / 2 : i));
  using short_vector = ndx::vulkan::tensor<std::uint16_t, 1>;
  auto const wrapped = [&](VkBuffer of, VkDeviceSize offset, ndx::index_t extent, ndx::index_t stride) -> short_vector {
    return gpu.wrap<std::uint16_t, 1>(of, offset, {extent}, {stride});
  };
  CHECK_THROWS_AS(wrapped(buffer.handle, 3, 2, 1), ndx::shape_error);
  CHECK_THROWS_AS(wrapped(buffer.handle, 4, 4, -1), ndx::shape_error);
  CHECK_THROWS_AS(wrapped(buffer.handle, 0, -1, 1), ndx::shape_error);
  CHECK_THROWS_AS(wrapped(VK_NULL_HANDLE, 0, 4, 1), ndx::shape_error);
  CHECK_THROWS_AS(wrapped(buffer.handle, ~VkDeviceSize{0} - 1, 1, 1), ndx::shape_error);
  CHECK_THROWS_AS(wrapped(buffer.handle, (VkDeviceSize{1} << 63) - 2, 2, 1), ndx::shape_error);
  CHECK_NOTHROW(wrapped(buffer.handle, 6, 4, -1));
  // Two views of one buffer are known to overlap.
  auto const from = wrapped(buffer.handle, 0, 10, 1);
  auto to = wrapped(buffer.handle, 18, 10, 1);
  CHECK_THROWS_AS(ndx::slice1(gpu, from, to, {.sizes = {10}}), ndx::overlap_error);
}

TEST_CASE("A buffer of the application's that has no address, and more bytes than a binding, is seen by windows") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {};
  addresses.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
  addresses.bufferDeviceAddress = VK_TRUE;
  VkPhysicalDeviceFeatures2 features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &addresses;
  vulkan_application application(&features);
  constexpr ndx::index_t size = 5000;
  application_buffer buffer(application, size * sizeof(float));
  std::iota(buffer.as<float>().begin(), buffer.as<float>().end(), 0.0F);
  auto handles = handles_of(application);
  handles.enabled_features = &features;
  handles.limits.storage_range = 4096;
  auto const gpu = ndx::vulkan::device::adopt(handles);
  REQUIRE(gpu.capabilities().device_address);
  auto const table = gpu.wrap<float, 1>(buffer.handle, 0, {size});
  std::array<std::int64_t, 4> const rows{4999, 0, 1023, 1024};
  std::array<float, 4> taken{};
  ndx::gather_nd(gpu, table, ndx::tensor_view{rows.data(), {4, 1}}, ndx::tensor_view{taken.data(), {4}});
  CHECK(taken == std::array<float, 4>{4999, 0, 1023, 1024});
  auto backwards = gpu.allocate<float, 1>({size});
  ndx::slice1(gpu, table, backwards, {.sizes = {size}, .strides = {-1}});
  std::vector<float> seen(size);
  gpu.download(backwards, ndx::tensor_view{seen.data(), {size}});
  CHECK(std::is_sorted(seen.rbegin(), seen.rend()));
  CHECK(seen.front() == 4999);
}

TEST_CASE("What the application owns outlives the device that used it") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  vulkan_application application;
  rows_of_a_table work(application);
  application_commands commands(application);
  for (int round = 0; round < 2; ++round) {
    auto const gpu = ndx::vulkan::device::adopt(handles_of(application));
    work.choose({4, 0, -1});
    work.gather(gpu, gpu);
    CHECK(work.has({4, 0, 5}));
  }
  commands.record(
      [&](VkCommandBuffer into) { application.CmdFillBuffer(into, work.taken.handle, 0, VK_WHOLE_SIZE, 0x3f800000); });
  application.run(commands.handle);
  CHECK(work.taken.as<float>()[3] == 1);
}

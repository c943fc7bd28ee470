// SPDX-License-Identifier: MIT
// Scatters of few tuples, of which each workgroup looks at all: as many as it can and one more, rows of several
// workgroups, units of every size, with duplicates, bad indices, and in a batch. The tests of the operators run so too,
// see CMakeLists.txt.
#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/random.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_limits.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;

device device_with(ndx::vulkan::capability_limits const& limits) {
  device made(test::checked({.limits = limits}));
  test::hold_to_limits(*made.state()->context);
  return made;
}

constexpr index_t lines = 40;

/// Indices of lines, many of them several times; some lead nowhere.
ndx::tensor<std::int32_t, 2> indices_of(index_t count, bool some_are_bad) {
  test::random_source random(test::first_seed());
  ndx::tensor<std::int32_t, 2> result({count, 1});
  for (index_t i = 0; i < count; ++i)
    result(i, 0) =
        static_cast<std::int32_t>(some_are_bad && i % 5 == 3 ? lines + i : random.between(-lines, lines - 1));
  return result;
}

/// Scatters rows by a device, into a copy and in place, and by a plain loop. Of each tensor of lines one lies before
/// and one behind what the calls are about, so that this begins anywhere.
template <class T>
void verify(device const& gpu, index_t count, index_t width, ndx::scatter_nd_options const& options) {
  INFO(count << " rows of " << width << " elements of " << sizeof(T) << " bytes");
  ndx::tensor<std::int32_t, 2> const indices = indices_of(count, options.bounds == ndx::bounds::ignore);
  ndx::tensor<T, 2> values({count, width});
  for (index_t i = 0; i < count * width; ++i) values.data()[i] = static_cast<T>(i % 101);
  ndx::tensor<T, 2> input({lines + 2, width});
  for (index_t i = 0; i < input.size(); ++i) input.data()[i] = static_cast<T>(i % 89);
  ndx::tensor<T, 2> output({lines + 2, width});
  std::fill(output.begin(), output.end(), T{7});
  ndx::tensor<T, 2> due = output;
  std::copy(input.begin() + width, input.end() - width, due.begin() + width);
  ndx::tensor<T, 2> due_in_place = input;
  for (auto* const lines_due : {&due, &due_in_place}) {
    for (index_t i = 0; i < count; ++i) {
      index_t const line = indices(i, 0) < 0 ? indices(i, 0) + lines : indices(i, 0);
      if (line >= lines) continue;
      for (index_t c = 0; c < width; ++c) {
        T& element = (*lines_due)(1 + line, c);
        element = options.reduction == ndx::reduction::none ? values(i, c) : static_cast<T>(element + values(i, c));
      }
    }
  }
  auto const inner = [&](auto const& view) {
    return view.window({.offsets = {1, 0}, .sizes = {lines, width}, .strides = {1, 1}});
  };
  auto copied = gpu.upload(output);
  auto changed = gpu.upload(input);
  auto const places = gpu.upload(indices);
  auto const updates = gpu.upload(values);
  ndx::scatter_nd(gpu, inner(changed.view()), places, updates, inner(copied.view()), options);
  gpu.download(copied, output);
  CHECK(std::equal(output.begin(), output.end(), due.begin()));
  ndx::scatter_nd(gpu, inner(changed.view()), places, updates, inner(changed.view()), options);
  gpu.download(changed, input);
  CHECK(std::equal(input.begin(), input.end(), due_in_place.begin()));
}

}  // namespace

TEST_CASE("Vulkan: few scattered rows are found by each workgroup") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::capability_limits const all[] = {
      {}, {.storage_range = 1024}, {.workgroups_x = 3, .workgroups_y = 2, .workgroup_size = 32}};
  for (auto const& limits : all) {
    device const gpu = device_with(limits);
    for (ndx::bounds bounds : {ndx::bounds::check, ndx::bounds::ignore}) {
      ndx::scatter_nd_options const last{.bounds = bounds, .duplicates = ndx::duplicates::last};
      ndx::scatter_nd_options const sum{.bounds = bounds, .reduction = ndx::reduction::add};
      for (index_t count : {1, 63, 64, 65, 127, 128, 129, 256, 257}) verify<std::int32_t>(gpu, count, 3, last);
      for (index_t count : {511, 512, 513}) verify<std::int32_t>(gpu, count, 1, last);
      verify<std::uint8_t>(gpu, 200, 5, last);
      verify<std::int16_t>(gpu, 100, 301, last);
      verify<std::int64_t>(gpu, 130, 25, last);
      verify<std::int32_t>(gpu, 77, 400, last);
      verify<std::int32_t>(gpu, 255, 7, sum);
      verify<std::int64_t>(gpu, 30, 50, sum);
      verify<float>(gpu, 60, 9, sum);
    }
  }
}

TEST_CASE("Vulkan: a bad index among few leaves everything as it was") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu = device_with({});
  constexpr index_t count = 100;
  constexpr index_t width = 1000;  // several workgroups, of which any might write before the bad one is met
  auto indices = indices_of(count, false);
  indices(97, 0) = lines;
  indices(42, 0) = -lines - 1;
  ndx::tensor<float, 2> const values({count, width});
  ndx::tensor<float, 2> const input({lines, width});
  ndx::tensor<float, 2> output({lines, width});
  for (ndx::reduction reduction : {ndx::reduction::none, ndx::reduction::add})
    for (ndx::duplicates which : {ndx::duplicates::any, ndx::duplicates::last}) {
      if (reduction == ndx::reduction::add && which == ndx::duplicates::last) continue;  // goes in order
      std::fill(output.begin(), output.end(), -1.0F);
      std::string const message = test::message_of<ndx::index_error>([&] {
        ndx::scatter_nd(gpu, output, indices, values, output, {.reduction = reduction, .duplicates = which});
      });
      CHECK(message.find("-41") != std::string::npos);
      CHECK(std::all_of(output.begin(), output.end(), [](float each) { return each == -1.0F; }));
      auto copied = gpu.upload(output);
      std::string const of_copy = test::message_of<ndx::index_error>([&] {
        ndx::scatter_nd(gpu, gpu.upload(input), gpu.upload(indices), gpu.upload(values), copied,
                        {.reduction = reduction, .duplicates = which});
      });
      CHECK(of_copy == message);
      gpu.download(copied, output);
      CHECK(std::all_of(output.begin(), output.end(), [](float each) { return each == -1.0F; }));
    }
}

TEST_CASE("Vulkan: which scatters take one dispatch") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto const pipelines_of = [](auto element, index_t count, index_t width, ndx::scatter_nd_options const& options = {},
                               ndx::vulkan::capability_limits const& limits = {}) {
    using T = decltype(element);
    device const gpu = device_with(limits);
    ndx::tensor<std::int32_t, 2> const indices({count, 1});
    ndx::tensor<T, 2> const values({count, width});
    ndx::tensor<T, 2> output({lines, width});
    ndx::scatter_nd(gpu, output, indices, values, output, options);
    return gpu.state()->pipelines.count();
  };
  ndx::scatter_nd_options const last{.duplicates = ndx::duplicates::last};
  std::size_t const looked_at = 2;  // a pass that looks at the indices, and one that moves
  auto const size = static_cast<index_t>(device_with({}).state()->context->can.workgroup_size);
  CHECK(pipelines_of(float{}, 4 * size, 1) == 1);
  CHECK(pipelines_of(float{}, 4 * size + 1, 1) == looked_at);
  CHECK(pipelines_of(double{}, 4 * size, 1, last) == 1);
  CHECK(pipelines_of(double{}, 4 * size + 1, 1, last) > looked_at);
  CHECK(pipelines_of(double{}, 2 * size, 2, last) == 1);  // by units of 16 bytes
  CHECK(pipelines_of(double{}, 2 * size + 1, 2, last) > looked_at);
  CHECK(pipelines_of(std::int32_t{}, 2 * size, 3, {.reduction = ndx::reduction::max}) == 1);
  CHECK(pipelines_of(std::int32_t{}, 2 * size + 1, 3, {.reduction = ndx::reduction::max}) == looked_at);
  CHECK(pipelines_of(float{}, 4, 4, {.reduction = ndx::reduction::mean}) > looked_at);
  CHECK(pipelines_of(float{}, 4, 4, {}, {.few = 64}) == 1);
  CHECK(pipelines_of(float{}, 4, 4, {}, {.few = 63}) == looked_at);
}

TEST_CASE("Vulkan: which scatters with a copy take one dispatch") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto const takes_one = [](auto element, index_t height, index_t width, index_t count,
                            ndx::vulkan::capability_limits const& limits = {}) {
    using T = decltype(element);
    device const gpu = device_with(limits);
    auto const input = gpu.allocate<T, 2>({height, width});
    auto const indices = gpu.upload(ndx::tensor<std::int32_t, 2>({count, 1}));
    auto const values = gpu.allocate<T, 2>({count, width});
    auto output = gpu.allocate<T, 2>({height, width});
    std::size_t const before = gpu.state()->pipelines.count();
    ndx::scatter_nd(gpu, input, indices, values, output);
    return gpu.state()->pipelines.count() - before == 1;
  };
  index_t const most = static_cast<index_t>(ndx::vulkan::tuning::few_copied_bytes);
  CHECK(takes_one(std::uint8_t{}, most / 64, 64, 1));
  CHECK_FALSE(takes_one(std::uint8_t{}, most / 64 + 1, 64, 1));
  CHECK_FALSE(takes_one(std::uint8_t{}, 7, 7, 1));  // not a whole number of words
  CHECK(takes_one(std::int16_t{}, 6, 7, 1));
  CHECK(takes_one(float{}, 4, 4, 4, {.few = 64}));
  CHECK_FALSE(takes_one(float{}, 4, 4, 4, {.few = 63}));
  CHECK(takes_one(float{}, 8, 4 * 32 * 2, 4, {.workgroup_size = 32}));  // four steps of twice 32 units
  CHECK_FALSE(takes_one(float{}, 8, 4 * 32 * 2, 5, {.workgroup_size = 32}));
  CHECK(takes_one(float{}, 400, 4, 4, {.storage_range = 1024}));  // by addresses
  CHECK_FALSE(takes_one(float{}, 400, 4, 4, {.storage_range = 1024, .device_address = false}));
}

TEST_CASE("Vulkan: few scattered rows in a batch, each after the one before") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu = device_with({});
  ndx::tensor<float, 2> host({4, 16});
  auto cache = gpu.upload(host);
  ndx::vulkan::batch batch = gpu.begin();
  for (index_t step = 0; step < 12; ++step) {
    ndx::tensor<index_t, 2> line({1, 1});
    line(0, 0) = step % 4;
    ndx::tensor<float, 2> row({1, 16});
    std::fill(row.begin(), row.end(), static_cast<float>(step));
    auto const indices = gpu.upload(line);
    auto const updates = gpu.upload(row);
    ndx::scatter_nd(batch, cache, indices, updates, cache);
  }
  batch.submit().wait();
  gpu.download(cache, host);
  for (index_t line = 0; line < 4; ++line)
    for (index_t c = 0; c < 16; ++c) CHECK(host(line, c) == static_cast<float>(8 + line));
}

// SPDX-License-Identifier: MIT
// Scatters whose updates are brought into buckets of the destination first, on a device that does so from a few KiB on:
// with tiles that are not full, in several rounds, by addresses, and next to what may not go that way; scatters that
// get less scratch than they ask for; and those that make claims in the rows that they will write. The tests of the
// operators run so too, see CMakeLists.txt.
#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/random.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_limits.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;

constexpr index_t rows = 300;
constexpr index_t columns = 257;
constexpr index_t updates = 20011;  // about twenty tiles

device device_with(ndx::vulkan::capability_limits limits) {
  limits.bucketed = 4096;
  limits.few = 0;  // those have a way of their own
  device made(test::checked({.limits = limits}));
  test::hold_to_limits(*made.state()->context);
  return made;
}

template <class Check>
void with_buckets(Check const& check) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::capability_limits const all[] = {
      {}, {.storage_range = 32768}, {.workgroups_x = 3, .workgroups_y = 2, .workgroup_size = 32}};
  for (auto const& limits : all) {
    INFO((limits.storage_range ? "in rounds, by addresses" : limits.workgroup_size ? "few invocations" : "at once"));
    check(device_with(limits));
  }
}

/// Numbers of different places, in an order that is none.
std::vector<index_t> different_places(index_t count) {
  std::vector<index_t> all(static_cast<std::size_t>(rows * columns));
  std::iota(all.begin(), all.end(), index_t{0});
  test::random_source random(test::first_seed());
  for (std::size_t i = all.size() - 1; i > 0; --i)
    std::swap(all[i], all[static_cast<std::size_t>(random.between(0, static_cast<index_t>(i)))]);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

}  // namespace

TEST_CASE("Vulkan: pairs of indices by buckets, into places of any strides") {
  with_buckets([](device const& gpu) {
    auto const places = different_places(updates);
    ndx::tensor<std::int32_t, 2> indices({updates, 2});
    ndx::tensor<float, 1> values({updates});
    for (index_t i = 0; i < updates; ++i) {
      index_t const place = places[static_cast<std::size_t>(i)];
      indices(i, 0) = static_cast<std::int32_t>(place / columns - (i % 3 == 0 ? rows : 0));  // some from the end
      indices(i, 1) = static_cast<std::int32_t>(place % columns);
      values(i) = static_cast<float>(i + 1);
    }
    auto const device_indices = gpu.upload(indices.view());
    auto const device_values = gpu.upload(values.view());
    ndx::slice1_options<2> const packed{.sizes = {rows, columns}};
    ndx::slice1_options<2> const backwards{.offsets = {0, 1}, .sizes = {rows, 2 * columns - 1}, .strides = {-1, -2}};
    for (auto const& window : {packed, backwards}) {
      ndx::tensor<float, 2> memory({rows, 2 * columns});
      std::fill(memory.begin(), memory.end(), -1.0F);
      auto on_device = gpu.upload(memory.view());
      auto const due = memory.view().window(window);
      for (index_t i = 0; i < updates; ++i) {
        index_t const place = places[static_cast<std::size_t>(i)];
        due(place / columns, place % columns) = values(i);
      }
      auto const output = on_device.view().window(window);
      ndx::scatter_nd(gpu, output, device_indices, device_values, output);
      ndx::tensor<float, 2> seen({rows, 2 * columns});
      gpu.download(on_device.view(), seen.view());
      CHECK(std::equal(seen.begin(), seen.end(), memory.begin()));
    }
  });
}

TEST_CASE("Vulkan: updates of the same places are all added by buckets") {
  with_buckets([](device const& gpu) {
    test::random_source random(test::first_seed());
    ndx::tensor<std::int64_t, 2> indices({updates, 1});
    ndx::tensor<std::int32_t, 1> numbers({updates});
    ndx::tensor<float, 1> floats({updates});
    std::vector<std::int32_t> due(static_cast<std::size_t>(rows * columns), 7);
    for (index_t i = 0; i < updates; ++i) {
      // Half of them into few places, which are all in one bucket.
      indices(i, 0) = random.between(0, i % 2 == 0 ? 9 : rows * columns - 1);
      numbers(i) = static_cast<std::int32_t>(random.between(-9, 9));
      floats(i) = static_cast<float>(numbers(i));
      due[static_cast<std::size_t>(indices(i, 0))] += numbers(i);
    }
    auto const check = [&](auto const& values, ndx::reduction op, auto sign) {
      using T = decltype(sign);
      ndx::tensor<T, 1> before({rows * columns});
      std::fill(before.begin(), before.end(), T{7} * sign);
      ndx::tensor<T, 1> after({rows * columns});
      ndx::scatter_nd(gpu, before, indices, values, after, {.reduction = op});
      CHECK(std::equal(after.begin(), after.end(), due.begin(),
                       [&](T seen, std::int32_t sum) { return seen == static_cast<T>(sum) * sign; }));
    };
    check(numbers, ndx::reduction::add, std::int32_t{1});
    check(numbers, ndx::reduction::sub, std::int32_t{-1});
    check(floats, ndx::reduction::add, 1.0F);
    check(floats, ndx::reduction::sub, -1.0F);
  });
}

TEST_CASE("Vulkan: the last of several updates stands by buckets") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  // Less than a claim of 4 bytes for each place, and more than is needed for a part of the updates.
  ndx::vulkan::capability_limits const all[] = {
      {.scratch = 300000},  // for all of them
      {.scratch = 100000},
      {.storage_range = 32768, .scratch = 300000},  // by addresses
      {.workgroups_x = 3, .workgroups_y = 2, .workgroup_size = 32, .scratch = 300000}};
  for (auto const& limits : all) {
    device const gpu = device_with(limits);
    for (ndx::bounds const bounds : {ndx::bounds::check, ndx::bounds::ignore}) {
      INFO(*limits.scratch << " bytes of scratch, " << (limits.storage_range ? "by addresses, " : "")
                           << (bounds == ndx::bounds::check ? "check" : "ignore"));
      test::random_source random(test::first_seed());
      ndx::tensor<std::int32_t, 2> indices({updates, 2});
      ndx::tensor<std::int32_t, 1> values({updates});
      ndx::tensor<std::int32_t, 2> output({rows, columns});
      // What is there before looks like the numbers of tuples.
      for (std::int32_t& each : output) each = static_cast<std::int32_t>(random.between(0, updates + 1));
      ndx::tensor<std::int32_t, 2> due = output;
      for (index_t i = 0; i < updates; ++i) {
        // A third of them into one place, many into few, every tenth nowhere.
        bool const is_bad = bounds == ndx::bounds::ignore && i % 10 == 0;
        index_t const row = i % 3 == 0 ? 7 : random.between(0, i % 3 == 1 ? 9 : rows - 1);
        index_t const column = i % 3 == 0 ? 9 : random.between(0, columns - 1);
        indices(i, 0) = static_cast<std::int32_t>(is_bad ? rows + i : row);
        indices(i, 1) = static_cast<std::int32_t>(column);
        values(i) = static_cast<std::int32_t>(random.between(0, updates + 1));
        if (!is_bad) due(row, column) = values(i);
      }
      ndx::scatter_nd(gpu, output, indices, values, output, {.bounds = bounds, .duplicates = ndx::duplicates::last});
      CHECK(std::equal(output.begin(), output.end(), due.begin()));
    }
  }
}

TEST_CASE("Vulkan: a bad index among those that go by buckets is named, and nothing has been written") {
  with_buckets([](device const& gpu) {
    auto const places = different_places(updates);
    ndx::tensor<std::uint32_t, 2> indices({updates, 1});
    ndx::tensor<float, 1> values({updates});
    for (index_t i = 0; i < updates; ++i) {
      indices(i, 0) = static_cast<std::uint32_t>(places[static_cast<std::size_t>(i)]);
      values(i) = static_cast<float>(i);
    }
    for (index_t const bad : {index_t{12000}, updates - 1}) indices(bad, 0) = 0xfffffff0U;
    ndx::tensor<float, 1> output({rows * columns});
    std::fill(output.begin(), output.end(), -1.0F);
    CHECK(test::message_of<ndx::index_error>([&] {
            ndx::scatter_nd(gpu, output, indices, values, output);
          }).find("12000") != std::string::npos);
    CHECK(std::all_of(output.begin(), output.end(), [](float each) { return each == -1.0F; }));

    std::vector<float> due(output.begin(), output.end());
    for (index_t i = 0; i < updates; ++i)
      if (indices(i, 0) < 0xfffffff0U) due[indices(i, 0)] = values(i);
    ndx::scatter_nd(gpu, output, indices, values, output, {.bounds = ndx::bounds::ignore});
    CHECK(std::equal(output.begin(), output.end(), due.begin()));
  });
}

TEST_CASE("Vulkan: without memory for buckets a scatter writes as it comes") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t places = 16000;
  constexpr index_t count = 12000;
  // Room for each tensor, and not for the pairs of 8 bytes.
  device const gpu = device_with({.allocation = 66000});
  ndx::tensor<std::int32_t, 2> indices({count, 1});
  ndx::tensor<float, 1> values({count});
  for (index_t i = 0; i < count; ++i) {
    indices(i, 0) = static_cast<std::int32_t>(7 * i % places);
    values(i) = static_cast<float>(i);
  }
  ndx::tensor<float, 1> output({places});
  std::vector<float> due(static_cast<std::size_t>(places), 0.0F);
  for (index_t i = 0; i < count; ++i) due[static_cast<std::size_t>(indices(i, 0))] = values(i);
  ndx::scatter_nd(gpu, output, indices, values, output);
  CHECK(std::equal(output.begin(), output.end(), due.begin()));
  CHECK(gpu.state()->pipelines.count() == 2);  // for the pass that looks at the indices, and the one that writes
}

TEST_CASE("Vulkan: without memory for all claims at once they are made in rounds") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t places = 70000;
  constexpr index_t count = 20000;
  // Room for each tensor, and for a quarter of the claims, 4 bytes for each place.
  device const gpu = device_with({.allocation = 90000});
  ndx::tensor<std::uint32_t, 2> indices({count, 1});
  ndx::tensor<std::uint8_t, 1> values({count});
  ndx::tensor<std::uint8_t, 1> output({places});
  std::vector<std::uint8_t> due(static_cast<std::size_t>(places), 0);
  test::random_source random(test::first_seed());
  for (index_t i = 0; i < count; ++i) {
    indices(i, 0) = static_cast<std::uint32_t>(random.between(0, 9999) * 7);
    values(i) = static_cast<std::uint8_t>(i % 251);
    due[indices(i, 0)] = values(i);
  }
  ndx::scatter_nd(gpu, output, indices, values, output, {.duplicates = ndx::duplicates::last});
  CHECK(std::equal(output.begin(), output.end(), due.begin()));
}

TEST_CASE("Vulkan: the last of many rows stands where claims are made in the rows themselves") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::capability_limits const all[] = {
      {.scratch = 4096},                                                  // bits for all tuples at once
      {.scratch = 64},                                                    // for 512 of them
      {.storage_range = 16384, .scratch = 64},                            // by addresses
      {.workgroups_x = 3, .workgroup_size = 32, .scratch = 32},           // for 256
      {.storage_range = 16384, .scratch = 4096, .device_address = false}  // in windows: claims beside the rows
  };
  auto const check = [&](device const& gpu, auto element, index_t width, ndx::bounds bounds) {
    using T = decltype(element);
    constexpr index_t lines = 60;
    constexpr index_t count = 3003;
    test::random_source random(test::first_seed());
    ndx::tensor<std::int32_t, 2> indices({count, 2});
    ndx::tensor<T, 2> values({count, width});
    ndx::tensor<T, 3> output({2 * lines, width, lines});
    ndx::tensor<T, 3> due({2 * lines, width, lines});
    for (T& each : values) each = static_cast<T>(random.between(0, 127));
    for (index_t i = 0; i < count; ++i) {
      // A third of them into one row, every tenth nowhere.
      indices(i, 0) = static_cast<std::int32_t>(i % 3 == 0 ? 7 : random.between(0, lines - 1));
      indices(i, 1) = static_cast<std::int32_t>(i % 3 == 0 ? 9 : random.between(0, lines - 1));
      if (bounds == ndx::bounds::ignore && i % 10 == 0) indices(i, 1) = static_cast<std::int32_t>(lines + i);
    }
    // Packed rows, and rows whose elements lie apart, of every second line from the last on.
    ndx::slice1_options<3> const lines_backwards{
        .offsets = {1, 0, 0}, .sizes = {2 * lines - 1, width, lines}, .strides = {-2, 1, 1}};
    auto const rows_of = [&](ndx::tensor<T, 3>& memory, bool packed) {
      if (packed) return ndx::tensor_view<T, 3>(memory.data(), {lines, lines, width});
      return memory.view().window(lines_backwards).permuted({0, 2, 1});
    };
    for (bool const packed : {true, false}) {
      // What is no whole words takes many rounds of claims beside them.
      if (sizeof(T) < 4 && !(packed && width % 4 == 0) && gpu.state()->context->can.scratch < 4096) continue;
      std::fill(output.begin(), output.end(), T{1});
      std::fill(due.begin(), due.end(), T{1});
      auto const at = rows_of(due, packed);
      for (index_t i = 0; i < count; ++i)
        for (index_t c = 0; c < width && indices(i, 1) < lines; ++c) at(indices(i, 0), indices(i, 1), c) = values(i, c);
      auto const to = rows_of(output, packed);
      ndx::scatter_nd(gpu, to, indices, values, to, {.bounds = bounds, .duplicates = ndx::duplicates::last});
      CHECK(std::equal(output.begin(), output.end(), due.begin()));
    }
  };
  for (auto const& limits : all) {
    INFO(*limits.scratch << " bytes of scratch");
    device const gpu = device_with(limits);
    for (ndx::bounds bounds : {ndx::bounds::check, ndx::bounds::ignore}) {
      check(gpu, float{}, 1, bounds);
      check(gpu, std::int32_t{}, 3, bounds);
      check(gpu, std::int64_t{}, 2, bounds);
      check(gpu, std::uint8_t{}, 16, bounds);
      check(gpu, std::uint8_t{}, 5, bounds);
    }
  }
}

TEST_CASE("Vulkan: a bad index leaves the rows alone that claims would be made in") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t count = 3000;
  device const gpu = device_with({.scratch = 64});
  ndx::tensor<index_t, 2> indices({count, 1});
  ndx::tensor<float, 1> values({count});
  ndx::tensor<float, 1> output({500});
  for (index_t i = 0; i < count; ++i) indices(i, 0) = i == 2900 ? 500 : i % 500;
  std::fill(output.begin(), output.end(), -1.0F);
  ndx::scatter_nd_options const last{.duplicates = ndx::duplicates::last};
  CHECK(test::message_of<ndx::index_error>([&] {
          ndx::scatter_nd(gpu, output, indices, values, output, last);
        }).find("2900") != std::string::npos);
  CHECK(std::all_of(output.begin(), output.end(), [](float each) { return each == -1.0F; }));
}

TEST_CASE("Vulkan: which scatters make claims in their rows") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto const pipelines_of = [&](auto element, index_t width, ndx::vulkan::capability_limits const& limits,
                                index_t count = 62) {
    using T = decltype(element);
    device const gpu = device_with(limits);
    ndx::tensor<T, 2> output({4000, width});
    ndx::tensor<std::int32_t, 2> indices({count, 1});
    ndx::tensor<T, 2> values({count, width});
    ndx::scatter_nd(gpu, output, indices, values, output, {.duplicates = ndx::duplicates::last});
    return gpu.state()->pipelines.count();
  };
  std::size_t const beside = 3;  // for the pass that looks at the indices, for claims, and for what is moved
  std::size_t const in_rows = 4;
  CHECK(pipelines_of(float{}, 1, {}) == beside);
  CHECK(pipelines_of(float{}, 1, {}, 61) == in_rows);  // few for so many places
  CHECK(pipelines_of(std::uint8_t{}, 1, {}, 61) == beside);
  CHECK(pipelines_of(float{}, 1, {.scratch = 16000}) == beside);
  CHECK(pipelines_of(float{}, 1, {.scratch = 15999}) == in_rows);
  CHECK(pipelines_of(double{}, 3, {.scratch = 15999}) == in_rows);
  CHECK(pipelines_of(std::uint16_t{}, 2, {.scratch = 15999}) == in_rows);
  CHECK(pipelines_of(std::uint16_t{}, 1, {.scratch = 15999}) == beside);
  CHECK(pipelines_of(float{}, 1, {.storage_range = 8192, .scratch = 15999}) == in_rows);
  CHECK(pipelines_of(float{}, 1, {.storage_range = 8192, .scratch = 15999, .device_address = false}) == beside);
}

TEST_CASE("Vulkan: which scatters go by buckets") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto const pipelines_on = [&](device const& gpu, auto element, index_t width, index_t count,
                                ndx::scatter_nd_options const& options) {
    using T = decltype(element);
    ndx::tensor<T, 3> output({64, 64, width});
    ndx::tensor<std::int32_t, 2> indices({count, 2});
    ndx::tensor<T, 2> values({count, width});
    ndx::scatter_nd(gpu, output, indices, values, output, options);
    return gpu.state()->pipelines.count();
  };
  auto const pipelines_of = [&](auto element, index_t width, index_t count, ndx::scatter_nd_options const& options,
                                ndx::vulkan::capability_limits const& limits = {}) {
    return pipelines_on(device_with(limits), element, width, count, options);
  };
  std::size_t const directly = 2;  // for the pass that looks at the indices, and the one that writes
  std::size_t const by_buckets = 3;
  CHECK(pipelines_of(float{}, 1, 500, {}) == by_buckets);
  CHECK(pipelines_of(std::int32_t{}, 1, 500, {.reduction = ndx::reduction::add}) == by_buckets);
  CHECK(pipelines_of(float{}, 1, 100, {}) == directly);                                     // few updates
  CHECK(pipelines_of(float{}, 1, 500, {}, {.scratch = 2048 + 8 * 128}) == by_buckets + 1);  // in rounds: counted apart
  CHECK(pipelines_of(float{}, 1, 500, {}, {.scratch = 2048 + 8 * 127}) == directly);        // few in a round
  CHECK(pipelines_of(float{}, 4, 500, {}) == directly);                                     // rows
  CHECK(pipelines_of(std::uint16_t{}, 1, 500, {}) == directly);                             // shorter elements
  CHECK(pipelines_of(float{}, 1, 500, {.reduction = ndx::reduction::max}) == directly);
  ndx::scatter_nd_options const last{.duplicates = ndx::duplicates::last};
  CHECK(pipelines_of(float{}, 1, 500, last) == directly + 1);  // claims beside the places
  // Longer ones, which a device that is a processor might tear: there each place has one writer.
  for (bool const is_processor : {false, true}) {
    device const gpu = device_with({});
    gpu.state()->context->can.is_processor = is_processor;
    CHECK(pipelines_on(gpu, double{}, 1, 500, {}) == (is_processor ? directly + 1 : directly));
  }
  std::size_t const signed_by_buckets = 5;  // bucket_count, bucket_numbered, sign, contest, exchange
  CHECK(pipelines_of(float{}, 1, 500, last, {.scratch = 16383}) == signed_by_buckets);
  CHECK(pipelines_of(float{}, 1, 500, last, {.scratch = 2060 + 97 * 16}) == signed_by_buckets + 1);  // in rounds
  CHECK(pipelines_of(float{}, 1, 500, last, {.scratch = 2059 + 97 * 16}) == 4);  // few in a round: not by buckets
  CHECK(pipelines_of(float{}, 4, 500, last, {.scratch = 16383}) == 4);           // rows

  // Along the last axis updates that follow one another go to the same row.
  device const gpu = device_with({});
  ndx::tensor<float, 2> output({64, 64});
  ndx::tensor<std::int32_t, 2> indices({64, 64});
  ndx::tensor<float, 2> values({64, 64});
  ndx::scatter_elements(gpu, output, indices, values, output, {.axis = 1});
  CHECK(gpu.state()->pipelines.count() == directly);
  ndx::scatter_elements(gpu, output, indices, values, output, {.axis = 0});
  CHECK(gpu.state()->pipelines.count() == directly + by_buckets);
}

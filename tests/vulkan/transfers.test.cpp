// SPDX-License-Identifier: MIT
// Host tensors so large that they go to the device and back in pieces, and tables so large that they stay on the host.
#include "../support/catch.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_driver.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;
namespace tuning = ndx::vulkan::tuning;

/// Several rounds of all pieces, and one that is not full.
constexpr index_t many = static_cast<index_t>(tuning::transfer_piece_bytes * (2 * tuning::transfer_pieces + 1)) + 12345;
constexpr auto piece = static_cast<index_t>(tuning::transfer_piece_bytes);

std::uint8_t number(index_t i) { return static_cast<std::uint8_t>((i * 2654435761) >> 16); }

std::vector<std::uint8_t> numbers(index_t count) {
  std::vector<std::uint8_t> result(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) result[static_cast<std::size_t>(i)] = number(i);
  return result;
}

}  // namespace

TEST_CASE("Vulkan: blocks of every size around that of a piece arrive on the device, and come back, as they were") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  std::vector<std::uint8_t> const from = numbers(many);
  for (index_t size : {static_cast<index_t>(tuning::transferred_in_pieces) - 1,
                       static_cast<index_t>(tuning::transferred_in_pieces), piece - 1, piece, piece + 1, many}) {
    INFO(size << " bytes");
    index_t const first = many - size;  // at any address
    auto const there = gpu.upload(ndx::tensor_view{from.data() + first, {size}});
    std::vector<std::uint8_t> back(static_cast<std::size_t>(size) + 2, 7);
    gpu.download(there, ndx::tensor_view{back.data() + 1, {size}});
    bool const same = std::equal(back.begin() + 1, back.end() - 1, from.begin() + first, from.end());
    CHECK(same);
    CHECK(back.front() == 7);
    CHECK(back.back() == 7);
  }
}

TEST_CASE("Vulkan: what a kernel has written is downloaded, and what was uploaded is read by the next kernel") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  std::vector<std::uint8_t> from = numbers(many);
  auto there = gpu.upload(ndx::tensor_view{from.data(), {many}});
  auto reversed = gpu.allocate<std::uint8_t, 1>({many});
  ndx::slice1(gpu, there, reversed, {.offsets = {0}, .sizes = {many}, .strides = {-1}});
  std::vector<std::uint8_t> back(from.size());
  gpu.download(reversed, ndx::tensor_view{back.data(), {many}});
  std::reverse(from.begin(), from.end());
  bool const same = back == from;
  CHECK(same);
  // Into a tensor that there is, from a part of it on.
  gpu.upload(ndx::tensor_view{from.data(), {many - 5}},
             there.view().window({.offsets = {5}, .sizes = {many - 5}, .strides = {1}}));
  gpu.download(there, ndx::tensor_view{back.data(), {many}});
  bool const begins = std::equal(back.begin() + 5, back.end(), from.begin());
  CHECK(begins);
  for (index_t i = 0; i < 5; ++i) CHECK(back[static_cast<std::size_t>(i)] == number(i));
}

TEST_CASE("Vulkan: operators on large host tensors stage them in pieces, and touch nothing beside them") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  constexpr index_t rows = 300;
  constexpr index_t width = 40000;
  std::vector<float> input(static_cast<std::size_t>(rows * width));
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
  std::vector<float> output(input.size() + 2, -1);
  // Row r comes from row (r * 7) % rows: as many as there are, so the device does it.
  std::vector<std::int64_t> indices;
  for (index_t r = 0; r < rows; ++r) indices.push_back(r * 7 % rows);
  ndx::gather_nd(gpu, ndx::tensor_view{input.data(), {rows, width}}, ndx::tensor_view{indices.data(), {rows, 1}},
                 ndx::tensor_view{output.data() + 1, {rows, width}});
  bool same = true;
  for (index_t r = 0; r < rows; ++r)
    for (index_t c = 0; c < width; ++c)
      same =
          same && output[static_cast<std::size_t>(1 + r * width + c)] == static_cast<float>(r * 7 % rows * width + c);
  CHECK(same);
  CHECK(output.front() == -1);
  CHECK(output.back() == -1);
}

TEST_CASE("Vulkan: large host tensors with gaps go in pieces, and take no more of the device than their elements") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  test::driver injected(*gpu.state()->context);
  struct {
    index_t planes, rows, width;     // of what is read and written
    index_t row_pitch, plane_pitch;  // in elements
  } const shapes[] = {
      {5, 300, 3000, 7000, 300 * 7000 + 11},      // several rows a piece, and all of a plane
      {3, 2, 3000001, 3000002, 2 * 3000002 + 5},  // a row is longer than a piece
      {2, 1500000, 2, 3, 4500000},                // rows of a few bytes
  };
  for (auto const& shape : shapes) {
    INFO(shape.planes << " * " << shape.rows << " * " << shape.width);
    auto const span = static_cast<std::size_t>(shape.planes * shape.plane_pitch);
    std::vector<std::int32_t> input(span);
    for (std::size_t i = 0; i < span; ++i) input[i] = static_cast<std::int32_t>(i);
    std::vector<std::int32_t> output(span, -1);
    std::array<index_t, 3> const extents{shape.planes, shape.rows, shape.width};
    // Planes and columns from last to first.
    std::int32_t const* const last = input.data() + (shape.planes - 1) * shape.plane_pitch + shape.width - 1;
    auto const elements = static_cast<std::uint64_t>(shape.planes * shape.rows * shape.width);
    injected.most_bytes = injected.bytes + 2 * 4 * elements + tuning::transfer_pieces * tuning::transfer_piece_bytes +
                          (std::uint64_t{1} << 20);
    ndx::slice1(gpu, ndx::tensor_view<std::int32_t const, 3>(last, extents, {-shape.plane_pitch, shape.row_pitch, -1}),
                ndx::tensor_view<std::int32_t, 3>(output.data(), extents, {shape.plane_pitch, shape.row_pitch, 1}),
                {.offsets = {0, 0, 0}, .sizes = extents, .strides = {1, 1, 1}});
    bool same = true;
    for (index_t p = 0; p < shape.planes; ++p)
      for (index_t r = 0; r < shape.rows; ++r)
        for (index_t c = 0; c < shape.row_pitch; ++c) {
          index_t const at = p * shape.plane_pitch + r * shape.row_pitch + c;
          index_t const from = (shape.planes - 1 - p) * shape.plane_pitch + r * shape.row_pitch + shape.width - 1 - c;
          same = same && output[static_cast<std::size_t>(at)] == (c < shape.width ? from : -1);
        }
    CHECK(same);
  }
}

TEST_CASE("Vulkan: a host tensor of any layout goes to a device tensor of any layout, and back") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::device_options options;
  options.limits.in_pieces = 1;
  options.limits.piece = 100;
  device const gpu(test::checked(options));
  constexpr std::array<index_t, 3> extents{5, 6, 7};
  constexpr index_t count = 5 * 6 * 7;
  // Every second element of each row from last to first, with gaps between rows; each order of the axes on both sides.
  std::array<std::size_t, 3> host_order{0, 1, 2};
  do {
    std::array<std::size_t, 3> device_order{0, 1, 2};
    do {
      INFO("host " << host_order[0] << host_order[1] << host_order[2] << ", device " << device_order[0]
                   << device_order[1] << device_order[2]);
      std::array<index_t, 3> host_strides{};
      std::array<index_t, 3> packed{};
      index_t pitch = -2;
      for (std::size_t d = 3; d-- > 0;) {
        host_strides[host_order[d]] = pitch;
        pitch = (pitch < 0 ? -pitch : pitch) * extents[host_order[d]] + 3;
        packed[d] = extents[device_order[d]];
      }
      std::vector<std::int32_t> from(2000);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::int32_t>(i);
      constexpr index_t first = 100;
      std::vector<std::int32_t> to(from.size(), -1);
      auto there = gpu.allocate<std::int32_t, 3>(packed);
      std::array<std::size_t, 3> back_to{};
      for (std::size_t d = 0; d < 3; ++d) back_to[device_order[d]] = d;
      auto const on_device = there.view().permuted(back_to);
      gpu.upload(ndx::tensor_view<std::int32_t const, 3>(from.data() + first, extents, host_strides), on_device);
      gpu.download(on_device, ndx::tensor_view<std::int32_t, 3>(to.data() + first, extents, host_strides));
      index_t moved = 0;
      for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i] == -1) continue;
        CHECK(to[i] == from[i]);
        ++moved;
      }
      CHECK(moved == count);
      ndx::tensor<std::int32_t, 3> plain(extents);
      gpu.download(on_device, plain);
      bool same = true;
      for (index_t i = 0; i < extents[0]; ++i)
        for (index_t j = 0; j < extents[1]; ++j)
          for (index_t k = 0; k < extents[2]; ++k)
            same = same && plain(i, j, k) == first + i * host_strides[0] + j * host_strides[1] + k * host_strides[2];
      CHECK(same);
    } while (std::next_permutation(device_order.begin(), device_order.end()));
  } while (std::next_permutation(host_order.begin(), host_order.end()));
}

TEST_CASE("Vulkan: threads that transfer at once do not get in each other's way") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  std::array<bool, 3> same{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < same.size(); ++t)
    threads.emplace_back([&, t] {
      std::vector<std::uint8_t> const from = numbers(3 * piece + static_cast<index_t>(t));
      auto const size = static_cast<index_t>(from.size());
      auto const there = gpu.upload(ndx::tensor_view{from.data(), {size}});
      std::vector<std::uint8_t> back(from.size());
      gpu.download(there, ndx::tensor_view{back.data(), {size}});
      same[t] = back == from;
    });
  for (std::thread& thread : threads) thread.join();
  for (bool each : same) CHECK(each);
}

TEST_CASE("Vulkan: cores begin the next piece of a transfer while another is still at work on the last") {
  if (!test::vulkan_or_skip()) return;
  if (ndx::cpu::processor_count() == 1) return;
  device const gpu(test::checked());
  constexpr index_t pieces = 5;
  constexpr index_t shares = 2;
  ndx::vulkan::piece_schedule<2> schedule(*gpu.state()->context, pieces, shares);
  std::array<std::array<std::atomic<bool>, shares>, pieces> begun{};
  std::array<std::atomic<int>, pieces> opened{};
  std::array<std::atomic<int>, pieces> handed{};
  std::atomic<bool> in_order{true};
  auto const at = [](index_t i) { return static_cast<std::size_t>(i); };
  schedule.run(
      [&](index_t piece) {
        ++opened[at(piece)];
        if (piece >= 2 && handed[at(piece - 2)] == 0) in_order = false;
      },
      [&](index_t piece, index_t share) {
        begun[at(piece)][at(share)] = true;
        begun[at(piece)][at(share)].notify_all();
        if (opened[at(piece)] == 0 || handed[at(piece)] != 0) in_order = false;
        // The last share of the first piece does not end before the next piece is begun.
        if (piece == 0 && share == shares - 1) begun[1][0].wait(false);
      },
      [&](index_t piece) { ++handed[at(piece)]; });
  CHECK(in_order);
  for (index_t piece = 0; piece < pieces; ++piece) {
    CHECK(opened[at(piece)] == 1);
    CHECK(handed[at(piece)] == 1);
    for (auto const& each : begun[at(piece)]) CHECK(each);
  }
}

TEST_CASE("Vulkan: a device that grants no allocation of a piece's size transfers in smaller ones") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  ndx::vulkan::device_options options;
  options.limits.allocation = std::uint64_t{5} << 20;
  device const gpu(test::checked(options));
  std::vector<std::uint8_t> const from = numbers(static_cast<index_t>(tuning::transferred_in_pieces) + 7);
  auto const size = static_cast<index_t>(from.size());
  auto const there = gpu.upload(ndx::tensor_view{from.data(), {size}});
  std::vector<std::uint8_t> back(from.size());
  gpu.download(there, ndx::tensor_view{back.data(), {size}});
  bool const same = back == from;
  CHECK(same);
}

TEST_CASE("Vulkan: whichever call of a transfer fails, its error names it, and the next transfer works") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t size = (static_cast<index_t>(tuning::transfer_pieces) + 1) * piece;
  std::vector<std::uint8_t> const from = numbers(size);
  std::vector<std::uint8_t> back(from.size());
  int failures = 0;
  for (int call = 0;; call += call < 12 ? 1 : 5) {
    INFO("call " << call);
    std::optional<device> gpu(test::checked());
    auto const context = gpu->state()->context;
    test::driver injected(*context);
    std::optional<ndx::vulkan::tensor<std::uint8_t, 1>> there;
    there.emplace(gpu->allocate<std::uint8_t, 1>({size}));
    injected.calls = 0;
    injected.failure = VK_ERROR_OUT_OF_HOST_MEMORY;
    injected.fail_at = call;
    bool failed = false;
    try {
      gpu->upload(ndx::tensor_view{from.data(), {size}}, *there);
      gpu->download(*there, ndx::tensor_view{back.data(), {size}});
    } catch (ndx::vulkan::error const& error) {
      failed = true;
      CHECK(std::string(error.what()).starts_with(injected.failed + ": "));
    }
    injected.fail_at = -1;
    std::fill(back.begin(), back.end(), std::uint8_t{0});
    gpu->upload(ndx::tensor_view{from.data(), {size}}, *there);
    gpu->download(*there, ndx::tensor_view{back.data(), {size}});
    bool const same = back == from;
    REQUIRE(same);
    there.reset();
    gpu.reset();
    CHECK(injected.has_nothing());
    if (!failed) break;
    ++failures;
  }
  CHECK(failures > 15);
}

namespace {

constexpr index_t rows = 5000;
constexpr index_t width = 64;

/// A table on the host, and rows of it that are far fewer than all.
struct lookup {
  std::vector<float> table;
  std::vector<std::int32_t> indices{4999, 0, 17, -1, 3000, 17};

  lookup() : table(static_cast<std::size_t>(rows * width)) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  }
  [[nodiscard]] auto table_view() const { return ndx::tensor_view{table.data(), {rows, width}}; }
  [[nodiscard]] auto indices_view() const { return ndx::tensor_view{indices.data(), {count(), 1}}; }
  [[nodiscard]] index_t count() const { return static_cast<index_t>(indices.size()); }
  [[nodiscard]] float due(index_t row, index_t column, float fill = 0) const {
    index_t const index = indices[static_cast<std::size_t>(row)];
    if (index < -rows || index >= rows) return fill;
    return static_cast<float>((index < 0 ? index + rows : index) * width + column);
  }
};

}  // namespace

TEST_CASE("Vulkan: few rows of a large host table are gathered without the table on the device") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  lookup const with;
  REQUIRE(with.table.size() * sizeof(float) > tuning::gathered_on_host);
  test::driver injected(*gpu.state()->context);
  injected.most_bytes = with.table.size() * sizeof(float);  // no room for the table beside anything else

  SECTION("an output on the host") {
    std::vector<float> output(static_cast<std::size_t>(with.count() * width));
    ndx::gather_nd(gpu, with.table_view(), with.indices_view(), ndx::tensor_view{output.data(), {with.count(), width}});
    for (index_t r = 0; r < with.count(); ++r)
      for (index_t c = 0; c < width; ++c) REQUIRE(output[static_cast<std::size_t>(r * width + c)] == with.due(r, c));
    CHECK(injected.bytes == 0);
  }
  SECTION("an output on the device, packed or not") {
    for (bool packed : {true, false}) {
      INFO((packed ? "packed" : "transposed"));
      auto output =
          packed ? gpu.allocate<float, 2>({with.count(), width}) : gpu.allocate<float, 2>({width, with.count()});
      auto const view = packed ? output.view() : output.view().permuted({1, 0});
      ndx::gather_nd(gpu, with.table_view(), with.indices_view(), view);
      ndx::tensor<float, 2> back({with.count(), width});
      gpu.download(view, back);
      for (index_t r = 0; r < with.count(); ++r)
        for (index_t c = 0; c < width; ++c) REQUIRE(back(r, c) == with.due(r, c));
    }
  }
}

TEST_CASE("Vulkan: bad indices into a large host table are told and filled as elsewhere") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  lookup with;
  with.indices[2] = rows;
  with.indices[4] = -rows - 1;
  auto output = gpu.allocate<float, 2>({with.count(), width});
  ndx::tensor<float, 2> host_output({with.count(), width});
  auto const due = [&](auto const& call) {
    try {
      call();
      FAIL("no index_error");
    } catch (ndx::index_error const& error) {
      CHECK(error.position() == std::vector<index_t>{2, 0});
      CHECK(error.value() == rows);
      CHECK(error.extent() == rows);
      CHECK(error.axis() == 0);
    }
  };
  due([&] { ndx::gather_nd(gpu, with.table_view(), with.indices_view(), output); });
  due([&] { ndx::gather_nd(gpu, with.table_view(), with.indices_view(), host_output); });

  ndx::gather_nd(gpu, with.table_view(), with.indices_view(), output, {.bounds = ndx::bounds::ignore, .fill = -3.0F});
  gpu.download(output, host_output);
  for (index_t r = 0; r < with.count(); ++r)
    for (index_t c = 0; c < width; ++c) REQUIRE(host_output(r, c) == with.due(r, c, -3));
}

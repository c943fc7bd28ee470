// SPDX-License-Identifier: MIT
// Slices that kernels of their own move: transposed tensors by tiles, rows read backwards by 16 bytes, and rows that
// are aligned only where they are written. The sides of tiles, and what does not fill them or is not aligned, on memory
// beside which nothing may change.
#include "../support/catch.hpp"
#include "../support/random.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_ways.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using ndx::index_t;
using extents = std::array<index_t, 3>;

/// Elements whose bytes all differ from those of their neighbours.
template <class T>
std::vector<T> numbered(index_t count) {
  std::vector<T> result(static_cast<std::size_t>(count));
  std::uint64_t number = 0x9e3779b97f4a7c15U;
  for (T& element : result) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    element = static_cast<T>(number >> 20U);
  }
  return result;
}

index_t product(extents const& e) { return e[0] * e[1] * e[2]; }

/// Slices all of a tensor whose axes stand in memory in the order that `order` tells and run backwards where `step` is
/// -1, `shift` elements into its memory and with `padding` between its lines, and compares with a loop over
/// coordinates.
template <class T>
void verify(extents const& of, std::array<std::size_t, 3> const& order, extents const& step, index_t shift,
            index_t output_shift, index_t padding = 0) {
  INFO(sizeof(T) << " bytes, extents " << of[0] << ", " << of[1] << ", " << of[2] << ", order " << order[0] << order[1]
                 << order[2] << ", steps " << step[0] << ", " << step[1] << ", " << step[2] << ", " << shift
                 << " elements into the input, " << output_shift << " into the output, lines padded by " << padding);
  extents strides{};
  index_t stride = 1;
  for (std::size_t d = 3; d-- > 0;) {
    strides[order[d]] = stride;
    stride *= of[order[d]] + (d == 2 ? padding : 0);
  }
  std::vector<T> const input = numbered<T>(stride + shift + 5);
  std::vector<T> due = numbered<T>(product(of) + output_shift + 40);
  std::vector<T> const before = due;
  index_t at = output_shift;
  for (index_t i = 0; i < of[0]; ++i)
    for (index_t j = 0; j < of[1]; ++j)
      for (index_t k = 0; k < of[2]; ++k, ++at) {
        extents const p{step[0] < 0 ? of[0] - 1 - i : i, step[1] < 0 ? of[1] - 1 - j : j,
                        step[2] < 0 ? of[2] - 1 - k : k};
        due[static_cast<std::size_t>(at)] =
            input[static_cast<std::size_t>(shift + p[0] * strides[0] + p[1] * strides[1] + p[2] * strides[2])];
      }

  ndx::vulkan::device const& gpu = test::vulkan_device();
  auto const in = gpu.upload(ndx::tensor_view<T const, 1>(input.data(), {static_cast<index_t>(input.size())}));
  auto out = gpu.upload(ndx::tensor_view<T const, 1>(before.data(), {static_cast<index_t>(before.size())}));
  extents const packed{of[1] * of[2], of[2], 1};
  ndx::slice1(gpu, ndx::vulkan::tensor_view<T const, 3>(in.view().data_handle() + shift, of, strides),
              ndx::vulkan::tensor_view<T, 3>(out.view().data_handle() + output_shift, of, packed),
              {.offsets = {0, 0, 0}, .sizes = of, .strides = step});
  std::vector<T> seen(due.size());
  gpu.download(out, ndx::tensor_view<T, 1>(seen.data(), {static_cast<index_t>(seen.size())}));
  CHECK(seen == due);
}

constexpr std::array<std::array<std::size_t, 3>, 4> orders{{{0, 2, 1}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}}};

}  // namespace

TEMPLATE_TEST_CASE("Transposed tensors of every extent around that of a tile", "", std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const none;
  for (auto const& order : orders)
    for (extents const& of : {extents{1, 32, 32}, extents{3, 33, 31}, extents{17, 16, 65}, extents{40, 2, 70},
                              extents{16, 100, 15}, extents{5, 64, 96}})
      verify<TestType>(of, order, {1, 1, 1}, 0, 0);
  verify<TestType>({2, 50, 40}, {0, 2, 1}, {1, -1, 1}, 3, 1);
  verify<TestType>({2, 50, 40}, {0, 2, 1}, {-1, 1, -1}, 1, 3);
}

TEMPLATE_TEST_CASE("Transposed tensors whose lines begin and end between units of 16 bytes", "", std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const none;
  for (auto const& order : orders)
    for (extents const& of : {extents{2, 80, 144}, extents{64, 3, 128}, extents{96, 64, 2}, extents{48, 48, 48}})
      for (index_t padding : {0, 16}) verify<TestType>(of, order, {1, 1, 1}, 16, 32, padding);
  for (extents const& step : {extents{-1, 1, -1}, extents{1, -1, 1}})
    verify<TestType>({2, 64, 112}, {0, 2, 1}, step, 0, 0);
  // Beside what is aligned: an input, an output, a line's beginning and a line's end.
  verify<TestType>({2, 64, 64}, {0, 2, 1}, {1, 1, 1}, 1, 0);
  verify<TestType>({2, 64, 64}, {0, 2, 1}, {1, 1, 1}, 0, 1);
  verify<TestType>({2, 64, 64}, {0, 2, 1}, {1, 1, 1}, 0, 0, 1);
  verify<TestType>({2, 63, 64}, {0, 2, 1}, {1, 1, 1}, 0, 0, 1);
  verify<TestType>({2, 64, 63}, {0, 2, 1}, {1, 1, 1}, 0, 0);
}

TEMPLATE_TEST_CASE("Rows that are aligned only where they are written", "", std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const none;
  constexpr std::array<std::size_t, 3> in_order{0, 1, 2};
  for (index_t width : {2, 4, 6, 12, 16, 20, 32, 48, 160})
    for (index_t padding : {1, 2, 3, 5, 8}) {
      verify<TestType>({2, 3, width}, in_order, {1, 1, 1}, padding % 4, 0, padding);
      verify<TestType>({1, 5, width}, in_order, {1, -1, 1}, 3, 4, padding);
      verify<TestType>({3, 1, width}, in_order, {-1, 1, 1}, 1, 16, padding);
    }
}

TEMPLATE_TEST_CASE("Rows backwards, by whole units of 16 bytes and beside them", "", std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const none;
  constexpr std::array<std::size_t, 3> in_order{0, 1, 2};
  for (index_t width : {1, 2, 3, 4, 15, 16, 17, 32, 64, 160})
    for (index_t shift : {0, 1, 16}) {
      verify<TestType>({2, 3, width}, in_order, {1, 1, -1}, shift, 0);
      verify<TestType>({2, 3, width}, in_order, {1, -1, -1}, 0, shift);
      verify<TestType>({2, 3, width}, in_order, {-1, 1, 1}, shift, shift);
    }
}

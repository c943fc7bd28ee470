// SPDX-License-Identifier: MIT
// Where the tensors of a call lie: on the host or on the device in every mix, on one device or on another.
#include "../support/catch.hpp"
#include "../support/harness.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;
using host = std::false_type;
using on_device = std::true_type;

template <class T, std::size_t Rank>
ndx::tensor<T, Rank> tensor_of(std::array<index_t, Rank> extents, std::vector<T> const& values) {
  ndx::tensor<T, Rank> result(extents);
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}
ndx::tensor<float, 2> counting(index_t rows, index_t columns, float first) {
  ndx::tensor<float, 2> result({rows, columns});
  std::iota(result.begin(), result.end(), first);
  return result;
}

template <class T, std::size_t Rank>
ndx::tensor<T, Rank> placed(device const&, host, ndx::tensor<T, Rank> const& tensor) {
  ndx::tensor<T, Rank> copy(tensor.extents());
  std::copy(tensor.begin(), tensor.end(), copy.begin());
  return copy;
}
template <class T, std::size_t Rank>
ndx::vulkan::tensor<T, Rank> placed(device const& gpu, on_device, ndx::tensor<T, Rank> const& tensor) {
  return gpu.upload(tensor);
}

std::vector<float> elements(device const&, ndx::tensor<float, 2> const& tensor) {
  return {tensor.begin(), tensor.end()};
}
std::vector<float> elements(device const& gpu, ndx::vulkan::tensor<float, 2> const& tensor) {
  ndx::tensor<float, 2> result(tensor.extents());
  gpu.download(tensor, result);
  return {result.begin(), result.end()};
}

/// Calls `call(where, ...)` with every choice of host and device for that many tensors.
template <std::size_t Count, class... Where, class Call>
void for_each_mix(Call const& call) {
  if constexpr (sizeof...(Where) == Count) {
    std::string mix;
    ((mix += Where::value ? "device " : "host "), ...);
    INFO("tensors on: " << mix);
    call(Where{}...);
  } else {
    for_each_mix<Count, Where..., host>(call);
    for_each_mix<Count, Where..., on_device>(call);
  }
}

ndx::tensor<float, 2> const& table() {
  static ndx::tensor<float, 2> const one = counting(6, 5, 0);
  return one;
}
ndx::tensor<std::int64_t, 2> const& rows() {
  static auto const one = tensor_of<std::int64_t, 2>({3, 1}, {4, -6, 2});
  return one;
}
ndx::tensor<float, 2> const& updates() {
  static ndx::tensor<float, 2> const one = counting(3, 5, 100);
  return one;
}
/// Not of the table's extents; for scatter_elements along axis 0.
ndx::tensor<std::uint32_t, 2> const& places() {
  static auto const one = tensor_of<std::uint32_t, 2>({3, 5}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2});
  return one;
}

/// The output of `call(policy, output)` by the definition.
template <class Call>
std::vector<float> due(ndx::tensor<float, 2> const& before, Call const& call) {
  ndx::tensor<float, 2> output({before.extent(0), before.extent(1)});
  std::copy(before.begin(), before.end(), output.begin());
  call(output);
  return {output.begin(), output.end()};
}

}  // namespace

TEST_CASE("Gathers take tensors on the host and on the device in every mix") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const nothing = counting(3, 5, -100);
  auto const by_rows = due(nothing, [](auto& output) { ndx::gather_nd(ndx::seq, table(), rows(), output); });
  ndx::tensor<float, 2> const few = counting(6, 1, -100);
  auto const columns = tensor_of<std::int32_t, 3>({6, 1, 1}, {0, 4, -1, 2, -5, 1});
  auto const in_batches =
      due(few, [&](auto& output) { ndx::gather_nd1(ndx::seq, table(), columns, output, {.batch_dims = 1}); });
  for_each_mix<3>([&](auto input, auto indices, auto output) {
    auto const from = placed(gpu, input, table());
    {
      auto const by = placed(gpu, indices, rows());
      auto to = placed(gpu, output, nothing);
      ndx::gather_nd(gpu, from, by, to);
      CHECK(elements(gpu, to) == by_rows);
      CHECK(elements(gpu, from) == elements(gpu, table()));
    }
    auto const by = placed(gpu, indices, columns);
    auto to = placed(gpu, output, few);
    ndx::gather_nd1(gpu, from, by, to, {.batch_dims = 1});
    CHECK(elements(gpu, to) == in_batches);
    auto const bad = placed(gpu, indices, tensor_of<std::int64_t, 2>({3, 1}, {4, 6, 7}));
    auto unspecified = placed(gpu, output, nothing);
    try {
      ndx::gather_nd(gpu, from, bad, unspecified);
      FAIL_CHECK("there was no error");
    } catch (ndx::index_error const& error) {
      CHECK(error.position() == std::vector<index_t>{1, 0});
      CHECK(error.value() == 6);
    }
  });
}

TEST_CASE("slice1 takes tensors on the host and on the device in every mix") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const nothing = counting(3, 3, -100);
  ndx::slice1_options<2> const window{.offsets = {1, 0}, .sizes = {5, 5}, .strides = {-2, 2}};
  auto const expected = due(nothing, [&](auto& output) { ndx::slice1(ndx::seq, table(), output, window); });
  for_each_mix<2>([&](auto input, auto output) {
    auto const from = placed(gpu, input, table());
    auto to = placed(gpu, output, nothing);
    ndx::slice1(gpu, from, to, window);
    CHECK(elements(gpu, to) == expected);
  });
}

TEST_CASE("Scatters take tensors on the host and on the device in every mix, in place or not") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const nothing = counting(6, 5, -100);
  for (auto reduction : {ndx::reduction::none, ndx::reduction::max, ndx::reduction::mean}) {
    auto const nd = [&](auto const& policy, auto const& input, auto const& indices, auto const& with, auto& output) {
      ndx::scatter_nd(policy, input, indices, with, output,
                      {.reduction = reduction, .duplicates = ndx::duplicates::last, .include_self = false});
    };
    auto const by_element = [&](auto const& policy, auto const& input, auto const& indices, auto const& with,
                                auto& output) {
      ndx::scatter_elements(
          policy, input, indices, with, output,
          {.axis = 0, .reduction = reduction, .duplicates = ndx::duplicates::last, .include_self = false});
    };
    auto const check = [&](auto const& scatter, auto const& indices) {
      auto const apart = due(nothing, [&](auto& output) { scatter(ndx::seq, table(), indices, updates(), output); });
      auto const in_place = due(table(), [&](auto& output) { scatter(ndx::seq, output, indices, updates(), output); });
      for_each_mix<4>([&](auto of_input, auto of_indices, auto of_updates, auto of_output) {
        auto const input = placed(gpu, of_input, table());
        auto const by = placed(gpu, of_indices, indices);
        auto const with = placed(gpu, of_updates, updates());
        auto output = placed(gpu, of_output, nothing);
        scatter(gpu, input, by, with, output);
        CHECK(elements(gpu, output) == apart);
        CHECK(elements(gpu, input) == elements(gpu, table()));
        CHECK(elements(gpu, with) == elements(gpu, updates()));
      });
      for_each_mix<3>([&](auto of_indices, auto of_updates, auto of_output) {
        auto const by = placed(gpu, of_indices, indices);
        auto const with = placed(gpu, of_updates, updates());
        auto output = placed(gpu, of_output, table());
        scatter(gpu, output, by, with, output);
        CHECK(elements(gpu, output) == in_place);
      });
    };
    check(nd, rows());
    check(by_element, places());
  }
}

TEST_CASE("A mean of more tuples than a word can count is an unsupported error that says how many may be") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  auto sums = gpu.upload(counting(6, 5, 0));
  auto const index = gpu.upload(tensor_of<std::int64_t, 2>({1, 1}, {4}));
  auto const update = gpu.upload(counting(1, 5, 0));
  ndx::index_t const count = (ndx::index_t{1} << 32) - 1;
  ndx::vulkan::tensor_view<std::int64_t const, 2> const indices(index.view().data_handle(), {count, 1}, {0, 1});
  ndx::vulkan::tensor_view<float const, 2> const updates(update.view().data_handle(), {count, 5}, {0, 1});
  try {
    ndx::scatter_nd(gpu, sums, indices, updates, sums, {.reduction = ndx::reduction::mean});
    FAIL_CHECK("there was no error");
  } catch (ndx::unsupported_error const& error) {
    CHECK(std::string(error.what()) ==
          "scatter_nd: reduction: a mean of 4294967295 tuples; due are at most 4294967294 on a device");
  }
  CHECK(elements(gpu, sums) == elements(gpu, counting(6, 5, 0)));
}

TEST_CASE("A scatter that meets a bad index leaves an output as it was wherever it lies") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const nothing = counting(6, 5, -100);
  auto const indices = tensor_of<std::int64_t, 2>({3, 1}, {4, -7, 2});
  for_each_mix<4>([&](auto of_input, auto of_indices, auto of_updates, auto of_output) {
    auto const input = placed(gpu, of_input, table());
    auto const by = placed(gpu, of_indices, indices);
    auto const with = placed(gpu, of_updates, updates());
    auto output = placed(gpu, of_output, nothing);
    CHECK_THROWS_AS(ndx::scatter_nd(gpu, input, by, with, output), ndx::index_error);
    CHECK(elements(gpu, output) == elements(gpu, nothing));
    CHECK_THROWS_AS(ndx::scatter_nd(gpu, output, by, with, output), ndx::index_error);
    CHECK(elements(gpu, output) == elements(gpu, nothing));
  });
}

TEST_CASE("Two devices work side by side, and a tensor belongs to one of them") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const first(test::checked());
  device const second(test::checked());
  device const same = first;  // another handle of it
  auto const input = first.upload(table());
  auto const other_input = second.upload(table());
  auto const indices = first.upload(rows());
  auto const other_indices = second.upload(rows());
  auto const with = first.upload(updates());
  auto const other_with = second.upload(updates());
  auto output = first.allocate<float, 2>({3, 5});
  auto other_output = second.allocate<float, 2>({3, 5});
  auto state = first.upload(table());
  auto other_state = second.upload(table());
  auto const expected = due(counting(3, 5, 0), [](auto& to) { ndx::gather_nd(ndx::seq, table(), rows(), to); });
  // Both at once.
  ndx::vulkan::batch batch = first.begin();
  ndx::vulkan::batch other_batch = second.begin();
  ndx::gather_nd(batch, input, indices, output);
  ndx::gather_nd(other_batch, other_input, other_indices, other_output);
  ndx::vulkan::pending const pending = batch.submit();
  other_batch.submit().wait();
  pending.wait();
  CHECK(elements(first, output) == expected);
  CHECK(elements(second, other_output) == expected);
  ndx::gather_nd(same, input, indices, output);
  CHECK(elements(same, output) == expected);

  auto const refuses = [&](std::string const& name, std::string const& argument, auto const& call) {
    try {
      call();
      FAIL_CHECK("there was no error");
    } catch (ndx::unsupported_error const& error) {
      INFO("text: " << error.what());
      CHECK(test::mentions(error.what(), name));
      CHECK(test::mentions(error.what(), argument));
      CHECK(test::mentions(error.what(), "another device"));
    }
  };
  refuses("gather_nd", "input", [&] { ndx::gather_nd(first, other_input, indices, output); });
  refuses("gather_nd", "indices", [&] { ndx::gather_nd(first, input, other_indices, output); });
  refuses("gather_nd", "output", [&] { ndx::gather_nd(first, input, indices, other_output); });
  refuses("slice1", "input", [&] { ndx::slice1(second, input, other_output, {.sizes = {3, 5}}); });
  refuses("slice1", "output", [&] { ndx::slice1(first, input, other_output, {.sizes = {3, 5}}); });
  refuses("scatter_nd", "input", [&] { ndx::scatter_nd(first, other_input, indices, with, state); });
  refuses("scatter_nd", "updates", [&] { ndx::scatter_nd(first, input, indices, other_with, state); });
  refuses("scatter_nd", "indices", [&] { ndx::scatter_nd(first, state, other_indices, with, state); });
  refuses("scatter_nd", "output", [&] { ndx::scatter_nd(first, input, indices, with, other_state); });
  refuses("download", "input", [&] {
    ndx::tensor<float, 2> to({3, 5});
    first.download(other_output, to);
  });
  refuses("upload", "output", [&] { first.upload(updates(), other_output); });
  ndx::vulkan::batch refusing = first.begin();
  refuses("gather_nd", "indices", [&] { ndx::gather_nd(refusing, input, other_indices, output); });
  refuses("scatter_nd", "updates", [&] {
    ndx::vulkan::batch another = first.begin();
    ndx::scatter_nd(another, input, indices, other_with, state);
  });
  CHECK(elements(first, output) == expected);
  CHECK(elements(first, state) == elements(first, table()));
}

TEST_CASE("Tensors keep their device, and go when it has gone") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto kept = [] {
    device const gpu(test::checked());
    return gpu.upload(table());
  }();
  CHECK(kept.extent(0) == 6);
  kept = {};
  CHECK(kept.empty());
}

TEST_CASE("A call that names no output returns a tensor where the input lies") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const table = counting(4, 3, 0.0F);
  ndx::tensor<std::int32_t, 1> const rows({2}, {3, -4});
  std::vector<float> const due{9, 10, 11, 0, 1, 2};
  ndx::tensor<float, 2> const on_the_host = ndx::take(gpu, table, rows);
  ndx::vulkan::tensor<float, 2> const there = ndx::take(gpu, gpu.upload(table), rows);
  ndx::vulkan::tensor<float, 2> const turned = ndx::flip(gpu, there, {.axes = {0}});
  CHECK(elements(gpu, on_the_host) == due);
  CHECK(elements(gpu, there) == due);
  CHECK(elements(gpu, turned) == std::vector<float>{0, 1, 2, 9, 10, 11});
}

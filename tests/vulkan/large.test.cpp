// SPDX-License-Identifier: MIT
// Tensors that no binding holds, by addresses and by windows, on a device whose limit is lowered; and, where there is
// memory for them, more points than one dispatch counts, and tensors of more than 2^32 bytes (hidden; run by the tag
// [huge]).
#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/random.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_limits.hpp"

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;

constexpr index_t range = 16384;  // bytes that a binding holds

template <class T>
ndx::tensor<T, 2> random_tensor(index_t rows, index_t columns, test::random_source& random) {
  ndx::tensor<T, 2> result({rows, columns});
  for (T& element : result) element = static_cast<T>(random.between(-100, 100));
  return result;
}

/// In the first of some columns: only dense ones fit a binding part by part.
template <class T>
ndx::tensor<T, 2> random_indices(index_t count, index_t extent, test::random_source& random, index_t columns = 1) {
  ndx::tensor<T, 2> result({count, columns});
  for (T& element : result) element = static_cast<T>(random.between(0, extent - 1));
  return result;
}

template <class T>
ndx::tensor_view<T const, 2> first_columns(ndx::tensor<T, 2> const& tensor, index_t columns) {
  return tensor.view().window({.sizes = {tensor.extent(0), columns}});
}

template <class T>
std::vector<T> elements(ndx::tensor<T, 2> const& tensor) {
  return {tensor.begin(), tensor.end()};
}

/// `call(policy, output)` leaves in `output` what it leaves there on the CPU.
template <class T, class Call>
void check_like_cpu(device const& gpu, ndx::tensor<T, 2> const& before, Call const& call) {
  ndx::tensor<T, 2> due(before.extents());
  std::copy(before.begin(), before.end(), due.begin());
  call(ndx::seq, due);
  ndx::tensor<T, 2> seen(before.extents());
  std::copy(before.begin(), before.end(), seen.begin());
  call(gpu, seen);
  CHECK((elements(seen) == elements(due)));
}

template <class Check>
void with_small_bindings(Check const& check) {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  for (bool const addresses : {true, false}) {
    for (bool const less : {false, true}) {
      INFO((addresses ? "by addresses" : "by windows") << (less ? ", without storage of bytes and atomics" : ""));
      ndx::vulkan::capability_limits limits;
      limits.storage_range = range;
      if (!addresses) limits.device_address = false;
      if (less) limits.storage_8 = limits.storage_16 = limits.int64_atomics = limits.float_atomic_add = false;
      device const gpu(test::checked({.limits = limits}));
      test::hold_to_limits(*gpu.state()->context);
      test::random_source random(test::first_seed());
      check(gpu, random);
    }
  }
}

}  // namespace

TEST_CASE("Copies of tensors that no binding holds") {
  with_small_bindings([](device const& gpu, test::random_source& random) {
    auto const bytes = random_tensor<std::uint8_t>(250, 201, random);
    check_like_cpu(gpu, random_tensor<std::uint8_t>(125, 199, random), [&](auto const& policy, auto& output) {
      ndx::slice1(policy, bytes, output, {.offsets = {0, 1}, .sizes = {250, 200}, .strides = {-2, 1}});
    });
    auto const numbers = random_tensor<double>(90, 70, random);
    check_like_cpu(gpu, random_tensor<double>(70, 90, random), [&](auto const& policy, auto& output) {
      ndx::slice1(policy, numbers.view().permuted({1, 0}), output, {.sizes = {70, 90}});
    });
  });
}

TEST_CASE("Gathers from, by and into tensors that no binding holds") {
  with_small_bindings([](device const& gpu, test::random_source& random) {
    auto const table = random_tensor<float>(15000, 1, random);
    auto indices = random_indices<std::int64_t>(9000, 15000, random);
    auto const before = random_tensor<float>(9000, 1, random);
    auto const gather = [&](auto const& policy, auto& output) { ndx::gather_nd(policy, table, indices, output); };
    check_like_cpu(gpu, before, gather);
    auto const rows = random_tensor<std::uint16_t>(300, 67, random);
    auto const few = random_indices<std::uint32_t>(400, 300, random);
    check_like_cpu(gpu, random_tensor<std::uint16_t>(400, 67, random),
                   [&](auto const& policy, auto& output) { ndx::gather_nd(policy, rows, few, output); });
    auto const sparse = random_indices<std::int64_t>(9000, 15000, random, 5);
    check_like_cpu(gpu, before, [&](auto const& policy, auto& output) {
      ndx::gather_nd(policy, table, first_columns(sparse, 1), output);
    });
    auto const pairs = random_indices<std::int32_t>(3000, 120, random, 9);
    auto const square = random_tensor<float>(120, 120, random);
    ndx::tensor<float, 1> due_pairs({3000});
    ndx::tensor<float, 1> seen_pairs({3000});
    ndx::gather_nd(ndx::seq, square, first_columns(pairs, 2), due_pairs);
    ndx::gather_nd(gpu, square, first_columns(pairs, 2), seen_pairs);
    CHECK(std::equal(due_pairs.begin(), due_pairs.end(), seen_pairs.begin()));
    // The first bad index is in a later part, and the parts after it have some too.
    for (index_t bad : {index_t{5003}, index_t{5004}, index_t{7777}, index_t{8999}}) indices(bad, 0) = 15000 + bad;
    auto output = random_tensor<float>(9000, 1, random);
    std::string const due = test::message_of<ndx::index_error>([&] { gather(ndx::seq, output); });
    CHECK(!due.empty());
    CHECK(test::message_of<ndx::index_error>([&] { gather(gpu, output); }) == due);
    check_like_cpu(gpu, before, [&](auto const& policy, auto& to) {
      ndx::gather_nd(policy, table, indices, to, {.bounds = ndx::bounds::ignore, .fill = 7});
    });
  });
}

TEST_CASE("Scatters into, by and of tensors that no binding holds") {
  with_small_bindings([](device const& gpu, test::random_source& random) {
    auto const table = random_tensor<std::int32_t>(15000, 1, random);
    auto indices = random_indices<std::int64_t>(9000, 15000, random);
    auto const updates = random_tensor<std::int32_t>(9000, 1, random);
    ndx::scatter_nd_options options{.duplicates = ndx::duplicates::last};
    auto const scatter = [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, table, indices, updates, output, options);
    };
    check_like_cpu(gpu, table, scatter);
    options = {.reduction = ndx::reduction::add};
    check_like_cpu(gpu, table, scatter);
    // More places than there are counts at a time.
    for (bool include_self : {true, false}) {
      options = {.reduction = ndx::reduction::mean, .include_self = include_self};
      check_like_cpu(gpu, table, scatter);
    }
    auto const sparse = random_indices<std::int64_t>(9000, 15000, random, 5);
    check_like_cpu(gpu, table, [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, output, first_columns(sparse, 1), updates, output,
                      {.reduction = ndx::reduction::mean, .include_self = false});
    });
    for (auto duplicates : {ndx::duplicates::any, ndx::duplicates::last})
      check_like_cpu(gpu, table, [&](auto const& policy, auto& output) {
        bool const any = duplicates == ndx::duplicates::any;
        ndx::scatter_nd(policy, table, first_columns(sparse, 1), updates, output,
                        {.reduction = any ? ndx::reduction::max : ndx::reduction::none, .duplicates = duplicates});
      });
    indices(8500, 0) = -15001;
    indices(8600, 0) = 15000;
    for (auto reduction : {ndx::reduction::none, ndx::reduction::max}) {
      for (auto duplicates : {ndx::duplicates::any, ndx::duplicates::last}) {
        options = {.reduction = reduction, .duplicates = duplicates};
        auto output = random_tensor<std::int32_t>(15000, 1, random);
        auto const before = elements(output);
        std::string const due = test::message_of<ndx::index_error>([&] { scatter(ndx::seq, output); });
        CHECK(!due.empty());
        CHECK(test::message_of<ndx::index_error>([&] { scatter(gpu, output); }) == due);
        CHECK((elements(output) == before));
      }
    }
    auto const rows = random_tensor<std::uint8_t>(300, 67, random);
    auto const columns = [&] {
      ndx::tensor<std::int32_t, 2> result({300, 60});
      for (auto& element : result) element = static_cast<std::int32_t>(random.between(-67, 66));
      return result;
    }();
    auto const with = random_tensor<std::uint8_t>(300, 60, random);
    check_like_cpu(gpu, rows, [&](auto const& policy, auto& output) {
      ndx::scatter_elements(policy, rows, columns, with, output, {.axis = 1, .duplicates = ndx::duplicates::last});
    });
    check_like_cpu(gpu, rows, [&](auto const& policy, auto& output) {
      ndx::scatter_elements(policy, rows, columns, with, output, {.axis = 1, .reduction = ndx::reduction::mul});
    });
    check_like_cpu(gpu, rows, [&](auto const& policy, auto& output) {
      ndx::scatter_elements(policy, rows, columns, with, output,
                            {.axis = 1, .reduction = ndx::reduction::mean, .include_self = false});
    });
  });
}

TEST_CASE("Ordered reductions of tensors that no binding holds") {
  with_small_bindings([](device const& gpu, test::random_source& random) {
    auto const state = random_tensor<float>(50, 90, random);
    auto const indices = random_indices<std::int64_t>(2100, 50, random);
    ndx::tensor<float, 2> const line = random_tensor<float>(2100, 90, random);
    check_like_cpu(gpu, state, [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, output, indices, line, output,
                      {.reduction = ndx::reduction::add, .duplicates = ndx::duplicates::last});
    });
    auto const sparse = random_indices<std::int64_t>(2100, 50, random, 5);
    auto wide = random_tensor<float>(2100, 200, random);
    for (float& element : wide) element *= 0.1F;  // sums round, each order to another number
    check_like_cpu(gpu, state, [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, output, first_columns(sparse, 1), first_columns(wide, 90), output,
                      {.reduction = ndx::reduction::add, .duplicates = ndx::duplicates::last});
    });
    auto const longs = random_tensor<std::int64_t>(50, 45, random);
    auto const more = random_tensor<std::int64_t>(2100, 45, random);
    check_like_cpu(gpu, longs, [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, output, indices, more, output, {.reduction = ndx::reduction::add});
    });
    check_like_cpu(gpu, longs, [&](auto const& policy, auto& output) {
      ndx::scatter_nd(policy, output, indices, more, output,
                      {.reduction = ndx::reduction::mean, .include_self = false});
    });
  });
}

TEST_CASE("A mean of more numbers than a float can count") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  float const part = 1e-5F;
  std::int32_t const index = 0;
  // The middle between two floats, of which the greater one is the even one.
  constexpr index_t count = (index_t{1} << 24) + 3;
  ndx::tensor_view<float const, 1> const updates(&part, {count}, {0});
  ndx::tensor_view<std::int32_t const, 2> const indices(&index, {count, 1}, {0, 0});
  auto const mean = [&](auto const& policy) {
    ndx::tensor<float, 1> output({1});
    ndx::scatter_nd(policy, output, indices, updates, output,
                    {.reduction = ndx::reduction::mean, .include_self = false});
    return output(0);
  };
  CHECK(mean(gpu) == mean(ndx::simd));
}

TEST_CASE("A transposition of more points than one dispatch counts", "[.][huge]") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t rows = 32784;
  constexpr index_t columns = 32768 + 48;
  static_assert(rows * columns > ndx::vulkan::tuning::points_in_part);
  device const gpu;
  if (gpu.info().memory < std::uint64_t{3} << 30) {
    WARN("the device has " << gpu.info().memory << " bytes of memory, and this needs 3 GiB: skipped");
    return;
  }
  std::vector<std::uint8_t> input(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>((i * 0x9e3779b1U) >> 13U);
  auto const stored = gpu.upload(ndx::tensor_view{input.data(), {columns, rows}});
  auto output = gpu.allocate<std::uint8_t, 2>({rows, columns});
  ndx::vulkan::tensor_view<std::uint8_t const, 2> const transposed(stored.view().data_handle(), {rows, columns},
                                                                   {1, rows});
  ndx::slice1(gpu, transposed, output, {.sizes = {rows, columns}});
  std::vector<std::uint8_t> seen(input.size());
  gpu.download(output, ndx::tensor_view{seen.data(), {rows, columns}});
  index_t wrong = 0;
  for (index_t row = 0; row < rows; ++row)
    for (index_t column = 0; column < columns; ++column)
      if (seen[static_cast<std::size_t>(row * columns + column)] !=
          input[static_cast<std::size_t>(column * rows + row)])
        ++wrong;
  CHECK(wrong == 0);
}

TEST_CASE("A tensor of more than 2^32 bytes, and elements", "[.][huge]") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  constexpr index_t size = (index_t{1} << 32) + 12345;
  bool const addresses = GENERATE(true, false);
  INFO((addresses ? "by addresses" : "by windows"));
  ndx::vulkan::capability_limits limits;
  if (!addresses) limits.device_address = false;
  device const gpu({.limits = limits});  // validation has nothing to add, and would take its time
  constexpr std::uint64_t needed = 2 * static_cast<std::uint64_t>(size) + (std::uint64_t{1} << 30);
  if (gpu.info().memory < needed) {
    WARN("the device has " << gpu.info().memory << " bytes of memory, and this needs " << needed << ": skipped");
    return;
  }
  using bytes = std::vector<std::uint8_t>;
  std::vector<std::int64_t> const places = {0,
                                            1,
                                            (index_t{1} << 31) - 1,
                                            index_t{1} << 31,
                                            (index_t{1} << 32) - 1,
                                            index_t{1} << 32,
                                            (index_t{1} << 32) + 7,
                                            -2,
                                            size - 1};
  auto const count = static_cast<index_t>(places.size());
  auto huge = gpu.allocate<std::uint8_t, 1>({size});
  std::uint8_t const one = 1;
  auto const element = gpu.upload(ndx::tensor_view{&one, {1}});
  // One element, repeated.
  ndx::vulkan::tensor_view<std::uint8_t const, 1> const everywhere(element.view().data_handle(), {size}, {0});
  ndx::slice1(gpu, everywhere, huge, {.sizes = {size}});
  auto const taken = [&](auto const& from, index_t beside) {
    std::vector<std::int64_t> indices = places;
    for (auto& index : indices) index = ((index + beside) % size + size) % size;
    bytes result(places.size());
    ndx::gather_nd(gpu, from, ndx::tensor_view{indices.data(), {count, 1}}, ndx::tensor_view{result.data(), {count}});
    return result;
  };
  ndx::tensor_view const indices{places.data(), {count, 1}};
  bytes const values = {10, 20, 30, 40, 50, 60, 70, 80, 90};
  ndx::tensor_view const updates{values.data(), {count}};
  ndx::scatter_nd(gpu, huge, indices, updates, huge);
  CHECK(taken(huge, 0) == values);
  CHECK(taken(huge, 2) == bytes{1, 1, 1, 1, 1, 1, 1, 10, 20});
  CHECK(taken(huge, -3) == bytes{1, 80, 1, 1, 1, 1, 1, 1, 1});
  // The first of two that go to one place, then the last.
  std::vector<std::int64_t> const same = {-1, 5, size - 1, (index_t{1} << 32) + 7, 5};
  bytes const more = {1, 2, 3, 4, 5};
  ndx::tensor_view const same_indices{same.data(), {5, 1}};
  ndx::tensor_view const more_updates{more.data(), {5}};
  ndx::scatter_nd(gpu, huge, same_indices, more_updates, huge, {.reduction = ndx::reduction::add});
  CHECK(taken(huge, 0) == bytes{10, 20, 30, 40, 50, 60, 74, 80, 94});
  ndx::scatter_nd(gpu, huge, same_indices, more_updates, huge, {.duplicates = ndx::duplicates::last});
  CHECK(taken(huge, 0) == bytes{10, 20, 30, 40, 50, 60, 4, 80, 3});
  // The whole of it backwards.
  auto backwards = gpu.allocate<std::uint8_t, 1>({size});
  ndx::slice1(gpu, huge, backwards, {.sizes = {size}, .strides = {-1}});
  CHECK(taken(backwards.view().reversed(0), 0) == bytes{10, 20, 30, 40, 50, 60, 4, 80, 3});
  CHECK(taken(backwards.view().reversed(0), 2) == bytes{1, 1, 1, 1, 1, 1, 1, 10, 20});
  std::int64_t const bad = size;
  try {
    ndx::scatter_nd(gpu, huge, ndx::tensor_view{&bad, {1, 1}}, ndx::tensor_view{&one, {1}}, huge);
    FAIL_CHECK("there was no error");
  } catch (ndx::index_error const& error) {
    CHECK(error.value() == size);
    CHECK(error.extent() == size);
  }
}

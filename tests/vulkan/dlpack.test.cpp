// SPDX-License-Identifier: MIT
// Tensors in buffers of a Vulkan device that come and go by DLPack.
#include <ndx/interop/dlpack_vulkan.hpp>

#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ndx::dlpack;
using ndx::index_t;
using ndx::vulkan::device;
using test::message_of;

static_assert(ndx::tensor_like<ndx::vulkan::dlpack_tensor<float, 2> const&>);
static_assert(ndx::writable_tensor<ndx::vulkan::dlpack_tensor<float, 2> const&>);
static_assert(!ndx::writable_tensor<ndx::vulkan::dlpack_tensor<float const, 2>&>);

}  // namespace

TEST_CASE("A device tensor goes by DLPack and comes back, in its buffer") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 2> const table({3, 2}, {0, 1, 2, 3, 4, 5});
  auto const before = gpu.allocate<float, 1>({100});  // so that the next one may begin within the buffer
  auto on_device = gpu.upload(table);
  auto const place = on_device.view().data_handle();
  auto const buffer = reinterpret_cast<void*>(place.owner()->bytes().buffer);
  auto const offset = place.owner()->bytes().offset;

  auto sent = ndx::vulkan::to_dlpack<DLManagedTensor>(std::move(on_device));
  CHECK(on_device.empty());
  CHECK(sent->dl_tensor.data == buffer);
  CHECK(sent->dl_tensor.byte_offset == offset);
  CHECK(sent->dl_tensor.device.device_type == kDLVulkan);
  CHECK(message_of([&] { static_cast<void>(ndx::from_dlpack<float, 2>(sent.get())); }) ==
        "from_dlpack: device is kDLVulkan (7), number 0; due is memory of the host: kDLCPU (1), kDLCUDAHost (3) or "
        "kDLROCMHost (11)");

  auto const taken = ndx::vulkan::from_dlpack<float, 2>(gpu, std::move(sent));
  CHECK(sent == nullptr);
  CHECK(taken.extents() == std::array<index_t, 2>{3, 2});
  ndx::tensor<std::int32_t, 2> const rows({2, 1}, {2, 0});
  ndx::tensor<float, 2> out({2, 2});
  ndx::gather_nd(gpu, taken, rows, out);
  CHECK(std::vector<float>(out.begin(), out.end()) == std::vector<float>{4, 5, 0, 1});
  ndx::scatter_nd(gpu, taken, rows, out, taken, {.reduction = ndx::reduction::add});
  ndx::tensor<float, 2> all({3, 2});
  gpu.download(taken, all);
  CHECK(std::vector<float>(all.begin(), all.end()) == std::vector<float>{0, 2, 2, 3, 8, 10});
}

TEST_CASE("A device view goes with its strides, its constness and its owner") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  auto const table = std::make_shared<ndx::vulkan::tensor<std::int32_t, 2>>(
      gpu.upload(ndx::tensor<std::int32_t, 2>({2, 3}, {0, 1, 2, 3, 4, 5})));
  {
    auto sent = ndx::vulkan::to_dlpack(table->view().permuted({1, 0}).reversed(0), table);
    CHECK(table.use_count() == 2);
    CHECK(sent->flags == 0);
    auto moved = ndx::vulkan::from_dlpack<std::int32_t const, 2>(gpu, sent.release());
    auto const taken = std::move(moved);
    ndx::tensor<std::int32_t, 2> seen({3, 2});
    gpu.download(taken, seen);
    CHECK(std::vector<std::int32_t>(seen.begin(), seen.end()) == std::vector<std::int32_t>{2, 5, 1, 4, 0, 3});
    CHECK(table.use_count() == 2);
  }
  CHECK(table.use_count() == 1);
  auto read_only = ndx::vulkan::to_dlpack(std::as_const(*table).view());
  CHECK(message_of([&] { static_cast<void>(ndx::vulkan::from_dlpack<std::int32_t, 2>(gpu, std::move(read_only))); }) ==
        "from_dlpack: the tensor is read-only; due is one that may be written, or elements that are const");
  CHECK(read_only != nullptr);
}

TEST_CASE("What is not in a buffer of a device, or not of the due type, is refused") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  ndx::tensor<float, 1> const host({2}, {1, 2});
  auto from_host = ndx::to_dlpack(host.view());
  CHECK(message_of([&] { static_cast<void>(ndx::vulkan::from_dlpack<float const, 1>(gpu, from_host.get())); }) ==
        "from_dlpack: device is kDLCPU (1), number 0; due is memory of a Vulkan device: kDLVulkan (7)");
  auto sent = ndx::vulkan::to_dlpack(gpu.upload(host));
  CHECK(message_of([&] { static_cast<void>(ndx::vulkan::from_dlpack<std::int32_t, 1>(gpu, sent.get())); }) ==
        "from_dlpack: dtype is float32; due is int32");
  CHECK(message_of([&] { static_cast<void>(ndx::vulkan::from_dlpack<float, 2>(gpu, sent.get())); }) ==
        "from_dlpack: ndim is 1; due is 2");
  auto const none = ndx::vulkan::from_dlpack<float, 2>(gpu, ndx::vulkan::to_dlpack(gpu.allocate<float, 2>({0, 3})));
  CHECK(none.extents() == std::array<index_t, 2>{0, 3});
}

// SPDX-License-Identifier: MIT
// Pipelines are made once, in any thread, and what a file keeps of them is only believed where it can be.
#include "../support/catch.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan/pipelines.hpp>

#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace ndx::vulkan;
using bytes = std::vector<unsigned char>;

/// Every module that the device can run, once.
std::vector<pipeline_key> every_module(capabilities const& can) {
  std::vector<pipeline_key> all;
  for (memory_model model : {memory_model::buffer, memory_model::address}) {
    if (model == memory_model::address && !can.device_address) continue;
    for (int i = 0; i <= static_cast<int>(kernel::divide); ++i) {
      auto const which = static_cast<kernel>(i);
      if ((which == kernel::move_1 || which == kernel::transpose_1) && !can.storage_8) continue;
      if ((which == kernel::move_2 || which == kernel::transpose_2) && !can.storage_16) continue;
      bool const adds_floats =
          which == kernel::reduce_float || which == kernel::reduce_float_rows || which == kernel::reduce_float_few;
      if (adds_floats && !can.float_atomic_add) continue;
      if (which == kernel::reduce64 && !can.int64_atomics) continue;
      all.push_back({.which = which,
                     .model = model,
                     .side = 1,
                     .element = static_cast<std::uint8_t>(which == kernel::reduce64 ? 6 : 4),
                     .reduction = 1});
    }
  }
  return all;
}

/// A file that is gone when this is.
class scratch_file {
public:
  scratch_file() {
    path = (std::filesystem::temp_directory_path() / "ndx-pipelines-XXXXXX").string();
    close(mkstemp(path.data()));
    std::remove(path.c_str());
  }
  ~scratch_file() { std::remove(path.c_str()); }
  scratch_file(scratch_file const&) = delete;
  scratch_file& operator=(scratch_file const&) = delete;

  [[nodiscard]] bytes read() const {
    bytes all;
    if (std::FILE* const file = std::fopen(path.c_str(), "rb")) {
      for (int c; (c = std::fgetc(file)) != EOF;) all.push_back(static_cast<unsigned char>(c));
      std::fclose(file);
    }
    return all;
  }
  void write(bytes const& all) const {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    if (!all.empty()) REQUIRE(std::fwrite(all.data(), 1, all.size(), file) == all.size());
    std::fclose(file);
  }

  std::string path;
};

/// What stands between ndx and the driver.
struct watched {
  functions real;
  std::size_t initial_bytes = 0;
  int modules = 0;
  VkResult module_result = VK_SUCCESS;
  VkResult pipeline_result = VK_SUCCESS;
  VkResult cache_result = VK_SUCCESS;
} watch;

void watch_calls(context& of) {
  watch = {};
  watch.real = of.call;
  of.call.vkCreatePipelineCache = [](VkDevice device, VkPipelineCacheCreateInfo const* info,
                                     VkAllocationCallbacks const* callbacks, VkPipelineCache* to) {
    watch.initial_bytes = info->initialDataSize;
    if (watch.cache_result < 0) return watch.cache_result;
    return watch.real.vkCreatePipelineCache(device, info, callbacks, to);
  };
  of.call.vkCreateShaderModule = [](VkDevice device, VkShaderModuleCreateInfo const* info,
                                    VkAllocationCallbacks const* callbacks, VkShaderModule* to) {
    if (watch.module_result < 0) return watch.module_result;
    ++watch.modules;
    return watch.real.vkCreateShaderModule(device, info, callbacks, to);
  };
  of.call.vkDestroyShaderModule = [](VkDevice device, VkShaderModule module, VkAllocationCallbacks const* callbacks) {
    --watch.modules;
    watch.real.vkDestroyShaderModule(device, module, callbacks);
  };
  of.call.vkCreateComputePipelines = [](VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                        VkComputePipelineCreateInfo const* info, VkAllocationCallbacks const* callbacks,
                                        VkPipeline* to) {
    if (watch.pipeline_result < 0) return watch.pipeline_result;
    return watch.real.vkCreateComputePipelines(device, cache, count, info, callbacks, to);
  };
}

/// The data of a cache of this device, as a driver would give it.
bytes data_of(VkPhysicalDeviceProperties const& device, std::size_t behind) {
  std::uint32_t const words[] = {32, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, device.vendorID, device.deviceID};
  bytes all(32 + behind, 7);
  std::memcpy(all.data(), words, sizeof words);
  std::memcpy(all.data() + sizeof words, device.pipelineCacheUUID, VK_UUID_SIZE);
  return all;
}

}  // namespace

TEST_CASE("Every module makes a pipeline, once") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  pipelines all(of, "");
  CHECK(all.layout() != VK_NULL_HANDLE);
  CHECK(all.set_layout() != VK_NULL_HANDLE);
  std::set<VkPipeline> made;
  auto const keys = every_module(of->can);
  for (pipeline_key const& key : keys) made.insert(all.get(key));
  CHECK(made.size() == keys.size());
  CHECK(made.count(VK_NULL_HANDLE) == 0);
  for (pipeline_key const& key : keys) CHECK(made.count(all.get(key)) == 1);
  CHECK(all.count() == keys.size());
}

TEST_CASE("Keys that differ make pipelines that differ, but where the module does not care") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  pipelines all(of, "");
  VkPipeline const move = all.get({.which = kernel::move_4});
  CHECK(all.get({.which = kernel::move_4, .side = 1}) != move);
  CHECK(all.get({.which = kernel::move_4, .wide = true}) != move);
  CHECK(all.get({.which = kernel::move_4, .element = 3, .reduction = 2, .native = true}) == move);
  VkPipeline const check = all.get({.which = kernel::check});
  CHECK(all.get({.which = kernel::check, .side = 2}) == check);
  VkPipeline const reduce = all.get({.which = kernel::reduce, .element = 4, .reduction = 1});
  CHECK(all.get({.which = kernel::reduce, .element = 5, .reduction = 1}) != reduce);
  CHECK(all.get({.which = kernel::reduce, .element = 4, .reduction = 2}) != reduce);
  CHECK(all.count() == 7);
  CHECK(detail::canonical({.which = kernel::move_4, .model = memory_model::address}).wide);
}

TEST_CASE("A device with the least there is makes its pipelines without the features that it lacks") {
  test::no_validation_messages const silence;
  device_options options;
  options.limits = {.workgroup_size = 32,
                    .storage_8 = false,
                    .storage_16 = false,
                    .device_address = false,
                    .float_atomic_add = false,
                    .int64_atomics = false};
  auto const of = test::vulkan_context(options);
  if (of == nullptr) return;
  pipelines all(of, "");
  auto const keys = every_module(of->can);
  CHECK(keys.size() == 35);
  for (pipeline_key const& key : keys) CHECK(all.get(key) != VK_NULL_HANDLE);
}

TEST_CASE("Threads that ask at the same time get the same pipeline") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  pipelines all(of, "");
  std::vector<std::vector<VkPipeline>> got(4);
  std::vector<std::thread> threads;
  for (auto& mine : got)
    threads.emplace_back([&all, &mine] {
      for (int round = 0; round < 50; ++round)
        for (std::uint8_t side = 0; side < 3; ++side)
          for (kernel which : {kernel::move_4, kernel::move_8, kernel::check})
            mine.push_back(all.get({.which = which, .side = side}));
    });
  for (auto& thread : threads) thread.join();
  for (auto const& one : got) CHECK(one == got[0]);
  CHECK(all.count() == 7);
}

TEST_CASE("A failure to make a pipeline names the call, and the next attempt works") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  watch_calls(*of);
  pipelines all(of, "");
  auto const call_of = [&] {
    try {
      all.get({.which = kernel::move_4});
    } catch (ndx::vulkan::error const& problem) {
      CHECK(problem.result() == VK_ERROR_OUT_OF_HOST_MEMORY);
      return std::string(problem.call());
    }
    return std::string();
  };
  watch.module_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  CHECK(call_of() == "vkCreateShaderModule");
  watch.module_result = VK_SUCCESS;
  watch.pipeline_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  CHECK(call_of() == "vkCreateComputePipelines");
  CHECK(watch.modules == 0);
  CHECK(all.count() == 0);
  watch.pipeline_result = VK_SUCCESS;
  CHECK(call_of().empty());
  CHECK(watch.modules == 0);
  CHECK(all.count() == 1);
  of->note(VK_ERROR_DEVICE_LOST);
  CHECK_THROWS_AS(all.get({.which = kernel::move_8}), ndx::vulkan::error);
}

TEST_CASE("A cache that cannot be made is done without") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  scratch_file const file;
  watch_calls(*of);
  watch.cache_result = VK_ERROR_OUT_OF_HOST_MEMORY;
  {
    pipelines all(of, file.path);
    CHECK(all.get({.which = kernel::move_4}) != VK_NULL_HANDLE);
  }
  CHECK(file.read().empty());
}

TEST_CASE("The cache file is written, read again, and not believed where it is damaged or foreign") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  scratch_file const file;
  watch_calls(*of);
  auto const given = [&] {  // what the driver is given of the file
    watch.initial_bytes = 0;
    pipelines const all(of, file.path);
    return watch.initial_bytes;
  };
  CHECK(given() == 0);
  CHECK(file.read().empty());  // nothing made, nothing written
  {
    pipelines all(of, file.path);
    all.get({.which = kernel::move_4});
  }
  bytes const good = file.read();
  REQUIRE(good.size() >= sizeof(detail::cache_file_header) + 32);
  CHECK(given() == good.size() - sizeof(detail::cache_file_header));
  CHECK(file.read() == good);
  {
    pipelines all(of, file.path);
    CHECK(all.get({.which = kernel::move_4}) != VK_NULL_HANDLE);
  }

  for (std::size_t i = 0; i < good.size(); i += i < 80 ? 1 : 97) {
    bytes damaged = good;
    damaged[i] ^= 0x40;
    file.write(damaged);
    CHECK(given() == 0);
  }
  for (std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(24), good.size() / 2, good.size() - 1}) {
    file.write(bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    CHECK(given() == 0);
  }
  file.write(bytes(100000, 0x5a));
  CHECK(given() == 0);
  {
    pipelines all(of, file.path);
    all.get({.which = kernel::move_4});
  }
  CHECK(given() == good.size() - sizeof(detail::cache_file_header));  // replaced by one that can be used
}

TEST_CASE("A cache file of another device or driver is not believed") {
  VkPhysicalDeviceProperties mine = {};
  mine.vendorID = 0x10005;
  mine.deviceID = 42;
  for (std::size_t i = 0; i < VK_UUID_SIZE; ++i) mine.pipelineCacheUUID[i] = static_cast<std::uint8_t>(i);
  scratch_file const file;
  bytes const data = data_of(mine, 1000);
  REQUIRE(detail::write_cache_file(file.path, data));
  CHECK(detail::read_cache_file(file.path, mine) == data);
  for (std::size_t i = 0; i < 32; ++i) {
    bytes other = data;
    other[i] ^= 0x80;
    REQUIRE(detail::write_cache_file(file.path, other));
    CHECK(detail::read_cache_file(file.path, mine).empty());
  }
  REQUIRE(detail::write_cache_file(file.path, bytes(data.begin(), data.begin() + 31)));
  CHECK(detail::read_cache_file(file.path, mine).empty());
  bytes const large = data_of(mine, 5 << 20);
  REQUIRE(detail::write_cache_file(file.path, large));
  CHECK(detail::read_cache_file(file.path, mine) == large);
}

TEST_CASE("A cache file that cannot be written fails nothing and leaves nothing behind") {
  test::no_validation_messages const silence;
  CHECK_FALSE(detail::write_cache_file("/no/such/folder/pipelines", bytes(10)));
  // A folder is not replaced.
  CHECK_FALSE(detail::write_cache_file(std::filesystem::temp_directory_path().string(), bytes(10)));
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  {
    pipelines all(of, "/no/such/folder/pipelines");
    CHECK(all.get({.which = kernel::move_4}) != VK_NULL_HANDLE);
  }
  scratch_file const file;
  {
    pipelines all(of, file.path);
    all.get({.which = kernel::move_4});
    of->note(VK_ERROR_DEVICE_LOST);
  }
  CHECK(file.read().empty());  // a lost device is not asked
}

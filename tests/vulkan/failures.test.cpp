// SPDX-License-Identifier: MIT
// Whole calls in which a Vulkan function fails: each in turn, out of memory, a lost device. The error says what failed,
// tensors are as they were, nothing leaks, and the next call works.
#include "../support/catch.hpp"
#include "../support/harness.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_driver.hpp"

#include <ndx/vulkan.hpp>

#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using ndx::vulkan::device;
using test::driver;

/// Rows of one element: enough for memory of their own, each tensor's and that of the claims on rows; or few.
constexpr index_t many = 270000;
constexpr index_t few = 100;

/// Tensors for one call, on the device and on the host.
struct setting {
  setting(device const& gpu, index_t rows)
      : host_table(static_cast<std::size_t>(rows)),
        host_indices(static_cast<std::size_t>(rows)),
        host_output(static_cast<std::size_t>(rows), -1.0F) {
    std::iota(host_table.begin(), host_table.end(), 0.0F);
    for (std::size_t i = 0; i < host_indices.size(); ++i) host_indices[i] = static_cast<std::int32_t>(i / 2);
    table = gpu.upload(table_view());
    indices = gpu.upload(indices_view());
    output = gpu.upload(output_view());
  }

  index_t size() const { return static_cast<index_t>(host_table.size()); }
  ndx::tensor_view<float const, 2> table_view() const { return {host_table.data(), {size(), 1}}; }
  ndx::tensor_view<std::int32_t const, 2> indices_view() const { return {host_indices.data(), {size(), 1}}; }
  ndx::tensor_view<float, 2> output_view() { return {host_output.data(), {size(), 1}}; }

  std::vector<float> host_table;
  std::vector<std::int32_t> host_indices;
  std::vector<float> host_output;
  ndx::vulkan::tensor<float, 2> table;
  ndx::vulkan::tensor<std::int32_t, 2> indices;
  ndx::vulkan::tensor<float, 2> output;
};

struct way {
  char const* name;
  void (*run)(device const&, setting&);
};

constexpr way every_way[] = {
    {"a gather of host tensors",
     [](device const& gpu, setting& with) {
       ndx::gather_nd(gpu, with.table_view(), with.indices_view(), with.output_view());
     }},
    {"a scatter of device tensors that claims",
     [](device const& gpu, setting& with) {
       ndx::scatter_nd(gpu, with.table, with.indices, with.table, with.output, {.duplicates = ndx::duplicates::last});
     }},
    {"a batch",
     [](device const& gpu, setting& with) {
       ndx::vulkan::batch const other = gpu.begin();  // has the command buffer that there was
       ndx::vulkan::batch batch = gpu.begin();
       ndx::gather_nd(batch, with.table, with.indices, with.output);
       ndx::scatter_nd(batch, with.output, with.indices, with.table, with.output, {.reduction = ndx::reduction::max});
       batch.submit().wait();
     }},
};

/// How a call comes to know that the device is done, and the function of the driver that tells it.
struct waiting {
  char const* name;
  char const* call;
  void (*set)(driver&);
};

constexpr waiting every_waiting[] = {
    {"asked", "vkGetFenceStatus", [](driver& injected) { injected.asks_first(); }},
    {"asked in vain, then slept", "vkWaitForFences",
     [](driver& injected) {
       injected.asks_first();
       injected.never_ready();
     }},
    {"slept at once", "vkWaitForFences", [](driver& injected) { injected.sleeps_at_once(); }},
};

/// What both outputs hold, the one on the device and the one on the host.
std::vector<float> outputs(device const& gpu, setting& with) {
  std::vector<float> result(with.host_output.size());
  gpu.download(with.output, ndx::tensor_view{result.data(), with.output.extents()});
  result.insert(result.end(), with.host_output.begin(), with.host_output.end());
  return result;
}

std::vector<float> due(way const& of, index_t rows) {
  device const gpu(test::checked());
  setting with(gpu, rows);
  of.run(gpu, with);
  return outputs(gpu, with);
}

/// Runs a call in which `fail` makes something fail, on a device of its own as pipelines and chunks of memory are made
/// on first use; then the same call again. The name of what failed, with the error's text behind it; empty: nothing
/// did.
std::string run_with_failure(way const& each, index_t rows, std::vector<float> const& expected,
                             std::function<void(driver&)> const& fail) {
  std::optional<device> gpu(test::checked());
  auto const context = gpu->state()->context;
  driver injected(*context);
  std::string found;
  {
    setting with(*gpu, rows);
    std::vector<float> const before = outputs(*gpu, with);
    // The descriptor sets that the uploads have left, so that those of the call are made.
    ndx::vulkan::descriptor_block const held = gpu->state()->descriptors.take();
    injected.calls = 0;
    fail(injected);
    try {
      each.run(*gpu, with);
    } catch (ndx::vulkan::error const& error) {
      found = error.what();
      INFO("text: " << found);
      CHECK(error.result() == injected.failure);
      CHECK(error.call() == injected.failed);
      CHECK(found.starts_with(injected.failed + ": "));
    }
    injected.fail_at = -1;
    gpu->state()->descriptors.give_back(held);
    CHECK_FALSE(context->lost());
    // What cannot be waited for has been started all the same.
    if (!found.empty() && injected.failed != "vkGetFenceStatus" && injected.failed != "vkWaitForFences")
      CHECK((outputs(*gpu, with) == before));
    each.run(*gpu, with);
    CHECK((outputs(*gpu, with) == expected));
  }
  gpu.reset();
  CHECK(injected.has_nothing());
  return found;
}

}  // namespace

TEST_CASE("Whichever call fails, its error names it, tensors are as they were, and the next call works") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  for (waiting const& by : every_waiting) {
    for (way const& each : every_way) {
      INFO(each.name << ", " << by.name);
      std::vector<float> const expected = due(each, few);
      std::set<std::string> failures;
      bool reached_the_end = false;
      for (int call = 0; !reached_the_end; ++call) {
        INFO("call " << call);
        std::string const found = run_with_failure(each, few, expected, [&](driver& injected) {
          injected.failure = VK_ERROR_OUT_OF_HOST_MEMORY;
          injected.fail_at = call;
          by.set(injected);
        });
        failures.insert(found.substr(0, found.find(':')));
        reached_the_end = found.starts_with(by.call);
        REQUIRE(call < 100);
      }
      std::set<std::string> due_failures = {"vkAllocateDescriptorSets",
                                            "vkBeginCommandBuffer",
                                            "vkCreateComputePipelines",
                                            "vkCreateDescriptorPool",
                                            "vkEndCommandBuffer",
                                            by.call,
                                            "vkQueueSubmit"};
      if (&each == &every_way[2])
        due_failures.insert({"vkAllocateCommandBuffers", "vkCreateCommandPool", "vkCreateFence"});
      for (std::string const& name : due_failures) {
        INFO(name);
        CHECK(failures.contains(name));
      }
    }
  }
}

TEST_CASE("Out of memory says how much was asked for, whichever allocation it is") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  for (way const& each : every_way) {
    INFO(each.name);
    std::vector<float> const expected = due(each, many);
    int failures = 0;
    bool failed = true;
    for (int call = 0; failed; ++call) {
      INFO("call " << call);
      std::string const found = run_with_failure(each, many, expected, [&](driver& injected) {
        injected.fail_every = "vkAllocateMemory";
        injected.fail_at = call;
      });
      failed = !found.empty();
      if (!failed) break;
      ++failures;
      CHECK(test::mentions(found, "VK_ERROR_OUT_OF_DEVICE_MEMORY"));
      CHECK(found.ends_with(" bytes were asked for"));
    }
    CHECK(failures != 0);
  }
}

TEST_CASE("Where there is no memory for claims beside the rows they are made in the rows") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  way const& claims = every_way[1];
  device const gpu(test::checked());
  driver injected(*gpu.state()->context);
  setting with(gpu, many);
  injected.most_bytes = (3 * 4 + 3) * many;  // the tensors, and three quarters of the claims
  claims.run(gpu, with);
  injected.most_bytes = UINT64_MAX;
  CHECK((outputs(gpu, with) == due(claims, many)));
  CHECK(gpu.state()->pipelines.count() == 5);  // for the copy, and four for the rows
}

TEST_CASE("A tensor that does not fit says how much was asked for, and the others are as they were") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  driver injected(*gpu.state()->context);
  injected.most_bytes = 40 << 20;
  std::vector<float> const values{1, 2, 3};
  auto const kept = gpu.upload(ndx::tensor_view{values.data(), {3}});
  try {
    static_cast<void>(gpu.allocate<double, 2>({4096, 4096}));
    FAIL_CHECK("there was no error");
  } catch (ndx::vulkan::error const& error) {
    CHECK(error.result() == VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(std::string(error.what()) ==
          "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2): 134217728 bytes were asked for");
  }
  std::vector<float> seen(3);
  gpu.download(kept, ndx::tensor_view{seen.data(), {3}});
  CHECK(seen == values);
}

TEST_CASE("A lost device is told by the call that finds out, then by all others, and another can be made") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  waiting const by_submission = {"submission", "vkQueueSubmit", [](driver&) {}};
  for (waiting const& by : {by_submission, every_waiting[0], every_waiting[1], every_waiting[2]}) {
    for (way const& each : every_way) {
      INFO(each.name << ", " << by.name);
      std::optional<device> gpu(test::checked());
      auto const context = gpu->state()->context;
      driver injected(*context);
      {
        setting with(*gpu, few);
        ndx::vulkan::batch recorded = gpu->begin();
        ndx::gather_nd(recorded, with.table, with.indices, with.output);
        ndx::vulkan::pending const submitted = gpu->begin().submit();
        injected.failure = VK_ERROR_DEVICE_LOST;
        injected.fail_every = by.call;
        injected.fail_at = 0;
        by.set(injected);
        auto const lost = [&](auto const& call) {
          try {
            call();
            FAIL_CHECK("there was no error");
          } catch (ndx::vulkan::error const& error) {
            CHECK(error.result() == VK_ERROR_DEVICE_LOST);
            return std::string(error.what());
          }
          return std::string();
        };
        CHECK(lost([&] { each.run(*gpu, with); }) == std::string(by.call) + ": VK_ERROR_DEVICE_LOST (-4)");
        CHECK(context->lost());
        // From here on the driver is not asked again.
        injected.failed.clear();
        for (way const& other : every_way) CHECK(test::mentions(lost([&] { other.run(*gpu, with); }), "lost before"));
        CHECK(test::mentions(lost([&] { recorded.submit(); }), "lost before"));
        CHECK(test::mentions(lost([&] { submitted.wait(); }), "lost before"));
        CHECK(test::mentions(lost([&] { static_cast<void>(submitted.done()); }), "lost before"));
        CHECK(test::mentions(lost([&] { gpu->begin().submit(); }), "lost before"));
        CHECK(test::mentions(lost([&] { static_cast<void>(gpu->allocate<float, 1>({3})); }), "lost before"));
        CHECK(test::mentions(lost([&] { static_cast<void>(outputs(*gpu, with)); }), "lost before"));
        CHECK(injected.failed.empty());
      }
      gpu.reset();
      CHECK(injected.has_nothing());
    }
  }
  // The process goes on.
  CHECK((due(every_way[0], few) == due(every_way[0], few)));
}

TEST_CASE("A batch whose submission failed cannot be submitted again, and says so") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  device const gpu(test::checked());
  driver injected(*gpu.state()->context);
  setting with(gpu, few);
  ndx::vulkan::batch batch = gpu.begin();
  ndx::gather_nd(batch, with.table, with.indices, with.output);
  injected.fail_every = "vkQueueSubmit";
  injected.fail_at = 0;
  CHECK_THROWS_AS(batch.submit(), ndx::vulkan::error);
  injected.fail_at = -1;
  CHECK_THROWS_AS(batch.submit(), ndx::unsupported_error);
  CHECK_THROWS_AS(ndx::gather_nd(batch, with.table, with.indices, with.output), ndx::unsupported_error);
}

TEST_CASE("Making a device fails with the name of the call, and leaves nothing") {
  if (!test::vulkan_or_skip()) return;
  test::no_validation_messages const silence;
  auto const context = ndx::vulkan::context::create(test::checked());
  driver injected(*context);
  for (auto fail : {+[](ndx::vulkan::functions& call) {
                      call.vkCreateDescriptorSetLayout = [](auto...) { return VK_ERROR_OUT_OF_HOST_MEMORY; };
                    },
                    +[](ndx::vulkan::functions& call) {
                      call.vkCreatePipelineLayout = [](auto...) { return VK_ERROR_OUT_OF_HOST_MEMORY; };
                    }}) {
    ndx::vulkan::functions const all = context->call;
    fail(context->call);
    CHECK_THROWS_AS(ndx::vulkan::device_state(context, {}), ndx::vulkan::error);
    context->call = all;
    CHECK(injected.has_nothing());
  }
}

// SPDX-License-Identifier: MIT
// From the loader to a device: what is missing and how that is told, which device is chosen, what is enabled on it, and
// what happens when it is lost. The cases tagged [environment] are run by CTest under an environment of their own.
#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/vulkan_device.hpp"

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/memory.hpp>

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace ndx::vulkan;

static_assert(std::is_base_of_v<ndx::error, ndx::vulkan::error>);
static_assert(std::is_base_of_v<ndx::error, unavailable>);

bool contains(std::string const& whole, std::string const& part) { return whole.find(part) != std::string::npos; }

/// An environment variable for as long as this lives.
class variable {
public:
  variable(char const* name, std::string const& value) : name_(name) {
    if (char const* const old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;

private:
  char const* name_;
  std::string old_;
};

/// How many bytes `call` writes to the standard error stream.
template <class Call>
long printed(Call call) {
  std::FILE* const file = std::tmpfile();
  std::fflush(stderr);
  int const before = dup(2);
  dup2(fileno(file), 2);
  call();
  std::fflush(stderr);
  dup2(before, 2);
  close(before);
  long const size = static_cast<long>(lseek(fileno(file), 0, SEEK_END));
  std::fclose(file);
  return size;
}

detail::candidate fake(char const* name, device_type type) {
  detail::candidate one;
  one.info.name = name;
  one.info.type = type;
  return one;
}

VKAPI_ATTR VkResult VKAPI_CALL lose_in_submit(VkQueue, std::uint32_t, VkSubmitInfo const*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}
VKAPI_ATTR VkResult VKAPI_CALL never_done(VkDevice, std::uint32_t, VkFence const*, VkBool32, std::uint64_t) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return VK_TIMEOUT;
}
VKAPI_ATTR VkResult VKAPI_CALL must_not_be_called(VkQueue, std::uint32_t, VkSubmitInfo const*, VkFence) {
  FAIL_CHECK("called with a lost device");
  return VK_SUCCESS;
}

}  // namespace

TEST_CASE("The error of a call names the call, the result and its number") {
  ndx::vulkan::error const problem(VK_ERROR_DEVICE_LOST, "vkQueueSubmit");
  CHECK(std::string(problem.what()) == "vkQueueSubmit: VK_ERROR_DEVICE_LOST (-4)");
  CHECK(problem.result() == VK_ERROR_DEVICE_LOST);
  CHECK(std::string(problem.call()) == "vkQueueSubmit");
  CHECK(result_name(VK_SUCCESS) == "VK_SUCCESS (0)");
  CHECK(result_name(VK_ERROR_OUT_OF_POOL_MEMORY) == "VK_ERROR_OUT_OF_POOL_MEMORY (-1000069000)");
  CHECK(result_name(static_cast<VkResult>(-77)) == "VkResult (-77)");
}

TEST_CASE("check fails on errors, not on other results") {
  CHECK_NOTHROW(check(VK_SUCCESS, "vkCall"));
  CHECK_NOTHROW(check(VK_INCOMPLETE, "vkCall"));
  CHECK_THROWS_AS(check(VK_ERROR_UNKNOWN, "vkCall"), ndx::vulkan::error);
}

TEST_CASE("The best device is discrete, then integrated, virtual, a processor, and the first among equals") {
  std::string why;
  std::vector<detail::candidate> const all = {
      fake("Other", device_type::other),         fake("Soft", device_type::cpu),
      fake("Virtual", device_type::virtual_gpu), fake("First", device_type::discrete),
      fake("Inside", device_type::integrated),   fake("Second", device_type::discrete)};
  variable const none("NDX_VULKAN_DEVICE", "");
  CHECK(detail::choose(all, -1, "", why)->info.name == "First");
  CHECK(detail::choose({all[0], all[1], all[2], all[4]}, -1, "", why)->info.name == "Inside");
  CHECK(detail::choose({all[0], all[1], all[2]}, -1, "", why)->info.name == "Virtual");
  CHECK(detail::choose({all[0], all[1]}, -1, "", why)->info.name == "Soft");

  CHECK(detail::choose(all, 2, "", why)->info.name == "Virtual");
  CHECK(detail::choose(all, -1, "sECon", why)->info.name == "Second");
  CHECK(detail::choose(all, -1, "s", why)->info.name == "First");  // the best of those that fit
  CHECK(why.empty());
  CHECK(detail::choose(all, 2, "soft", why) == nullptr);
  CHECK(contains(why, "index 2 with the name \"soft\""));
  CHECK(detail::choose(all, 6, "", why) == nullptr);
  CHECK(contains(why, "no fitting Vulkan device: asked for was index 6; there is 0: \"Other\", 1: \"Soft\""));
  CHECK(detail::choose(all, -1, "nobody", why) == nullptr);
  CHECK(contains(why, "asked for was the name \"nobody\""));

  variable const named("NDX_VULKAN_DEVICE", "inside");
  CHECK(detail::choose(all, -1, "", why)->info.name == "Inside");
  CHECK(detail::choose(all, 0, "", why)->info.name == "Other");  // options before the environment
  CHECK(detail::choose(all, -1, "Soft", why)->info.name == "Soft");
  variable const numbered("NDX_VULKAN_DEVICE", "5");
  CHECK(detail::choose(all, -1, "", why)->info.name == "Second");
}

TEST_CASE("NDX_VULKAN_DEVICE and the options choose the device") {
  test::no_validation_messages const silence;
  if (!test::vulkan_or_skip()) return;
  auto const all = devices();
  REQUIRE(!all.empty());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(!all[i].name.empty());
    CHECK(all[i].memory != 0);
    device_options options;
    options.index = static_cast<int>(i);
    CHECK(context::create(options)->info.name == all[i].name);
    options.index = -1;
    options.name = all[i].name.substr(1);
    CHECK(contains(context::create(options)->info.name, options.name));
    variable const chosen("NDX_VULKAN_DEVICE", std::to_string(i));
    CHECK(context::create({})->info.name == all[i].name);
  }
  variable const unfit("NDX_VULKAN_DEVICE", "no such device");
  CHECK_FALSE(available());
  std::string const why = test::message_of<unavailable>([] { context::create({}); });
  CHECK(contains(why, "NDX_VULKAN_DEVICE is \"no such device\""));
  CHECK(contains(why, all[0].name));
  CHECK(devices().size() == all.size());
  device_options beyond;
  beyond.index = static_cast<int>(all.size());
  CHECK(contains(test::message_of<unavailable>([&] { context::create(beyond); }), "asked for was index"));
}

TEST_CASE("available prints nothing") {
  bool found = false;
  CHECK(printed([&] { found = available(); }) == 0);
  if (!found) test::vulkan_or_skip();
}

TEST_CASE("Limits lower what the device says") {
  test::no_validation_messages const silence;
  auto const plain = test::vulkan_context();
  if (plain == nullptr) return;
  CHECK(plain->can.workgroup_size <= 128);
  CHECK(plain->can.storage_range >= VkDeviceSize(1) << 27);  // what Vulkan guarantees, as below
  CHECK(plain->can.workgroups_x >= 65535);
  CHECK(plain->can.allocation >= VkDeviceSize(1) << 30);

  device_options options;
  options.limits = {.storage_range = 4096,
                    .storage_alignment = 256,
                    .uniform_alignment = 512,
                    .allocation = 1 << 20,
                    .workgroups_x = 7,
                    .workgroups_y = 5,
                    .workgroup_size = 100,
                    .shared_memory = 1024,
                    .bucketed = 8192,
                    .fetched = 16384,
                    .few = 2048,
                    .in_pieces = 4096,
                    .piece = 512,
                    .storage_8 = false,
                    .storage_16 = false,
                    .device_address = false,
                    .float_atomic_add = false,
                    .int64_atomics = false};
  auto const lowered = test::vulkan_context(options);
  CHECK(lowered->can.storage_range == 4096);
  CHECK(lowered->can.storage_alignment == 256);
  CHECK(lowered->can.uniform_alignment == 512);
  CHECK(lowered->can.allocation == 1 << 20);
  CHECK(lowered->can.workgroups_x == 7);
  CHECK(lowered->can.workgroups_y == 5);
  CHECK(lowered->can.workgroup_size == 64);
  CHECK(lowered->can.shared_memory == 1024);
  CHECK(lowered->can.bucketed == 8192);
  CHECK(lowered->can.fetched == 16384);
  CHECK(lowered->can.few == 2048);
  CHECK(lowered->can.in_pieces == 4096);
  CHECK(lowered->can.piece == 512);
  CHECK_FALSE(lowered->can.storage_8);
  CHECK_FALSE(lowered->can.storage_16);
  CHECK_FALSE(lowered->can.device_address);
  CHECK_FALSE(lowered->can.float_atomic_add);
  CHECK_FALSE(lowered->can.int64_atomics);

  capabilities can = plain->can;
  detail::apply_limits(can, {.storage_range = UINT64_MAX, .storage_alignment = 1, .workgroups_x = UINT32_MAX});
  CHECK(can.storage_range == plain->can.storage_range);
  CHECK(can.storage_alignment == plain->can.storage_alignment);
  CHECK(can.workgroups_x == plain->can.workgroups_x);
  can.storage_8 = false;
  detail::apply_limits(can, {.storage_8 = true});
  CHECK_FALSE(can.storage_8);
}

TEST_CASE("Only what is used is enabled, by extensions where the device is too old for the core") {
  VkExtensionProperties known[4] = {};
  char const* const names[] = {"VK_KHR_8bit_storage", "VK_KHR_shader_float16_int8", "VK_EXT_shader_atomic_float",
                               "VK_KHR_portability_subset"};
  for (int i = 0; i < 4; ++i) std::strcpy(known[i].extensionName, names[i]);
  std::vector<VkExtensionProperties> const all(known, known + 4);
  auto const named = [](detail::feature_chain const& chain) {
    std::string list;
    for (char const* one : chain.extensions) list += std::string(one) + " ";
    return list;
  };
  CHECK(named(detail::feature_chain(VK_API_VERSION_1_1, all)) ==
        "VK_KHR_8bit_storage VK_KHR_shader_float16_int8 VK_EXT_shader_atomic_float VK_KHR_portability_subset ");
  CHECK(named(detail::feature_chain(VK_API_VERSION_1_2, all)) ==
        "VK_EXT_shader_atomic_float VK_KHR_portability_subset ");
  CHECK(named(detail::feature_chain(VK_API_VERSION_1_1, all, {})) == "VK_KHR_portability_subset ");
  CHECK(named(detail::feature_chain(VK_API_VERSION_1_1, {})).empty());

  // What is enabled reads back as what was wanted, one feature at a time.
  for (bool capabilities::*feature :
       {&capabilities::storage_8, &capabilities::storage_16, &capabilities::device_address,
        &capabilities::float_atomic_add, &capabilities::int64_atomics}) {
    capabilities wanted;
    wanted.*feature = true;
    detail::feature_chain chain(VK_API_VERSION_1_2, all, wanted);
    chain.enable(wanted);
    CHECK(chain.first.features.robustBufferAccess == VK_FALSE);
    capabilities read;
    detail::read_features(chain.first, read);
    for (bool capabilities::*other :
         {&capabilities::storage_8, &capabilities::storage_16, &capabilities::device_address,
          &capabilities::float_atomic_add, &capabilities::int64_atomics})
      CHECK(read.*other == wanted.*other);
  }
}

TEST_CASE("The features of an application are read from the structs of a version as well") {
  VkPhysicalDeviceVulkan12Features late = {};
  late.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceVulkan11Features early = {};
  early.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  early.pNext = &late;
  VkPhysicalDeviceFeatures2 all = {};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &early;
  capabilities can;
  late.storageBuffer8BitAccess = VK_TRUE;   // without shaderInt8
  late.shaderBufferInt64Atomics = VK_TRUE;  // without shaderInt64
  detail::read_features(all, can);
  CHECK_FALSE(can.storage_8);
  CHECK_FALSE(can.storage_16);
  CHECK_FALSE(can.int64_atomics);
  CHECK_FALSE(can.device_address);
  late.shaderInt8 = late.bufferDeviceAddress = early.storageBuffer16BitAccess = VK_TRUE;
  all.features.shaderInt64 = VK_TRUE;
  detail::read_features(all, can);
  CHECK(can.storage_8);
  CHECK(can.storage_16);
  CHECK(can.int64_atomics);
  CHECK(can.device_address);
}

TEST_CASE("An adopted device is used with what the application has enabled, and not destroyed") {
  test::no_validation_messages const silence;
  auto const owner = test::vulkan_context();
  if (owner == nullptr) return;
  std::mutex mutex;
  adopted_handles handles;
  handles.instance = owner->instance;
  handles.physical_device = owner->physical;
  handles.device = owner->device;
  handles.queue = owner->queue;
  handles.queue_family = owner->family;
  handles.queue_mutex = &mutex;
  {
    auto const bare = context::adopt(handles);
    CHECK(&bare->queue_mutex() == &mutex);
    CHECK(bare->info.name == owner->info.name);
    CHECK(bare->can.storage_range == owner->can.storage_range);
    CHECK_FALSE(bare->can.storage_8);
    CHECK_FALSE(bare->can.device_address);
    memory space(bare);
    CHECK(space.allocate(100, memory_use::device).address == 0);
  }
  detail::feature_chain features(VK_API_VERSION_1_2, detail::extensions_of(owner->call, owner->physical), owner->can);
  features.enable(owner->can);
  handles.enabled_features = &features.first;
  handles.get_instance_proc_addr = owner->call.vkGetInstanceProcAddr;
  {
    auto const full = context::adopt(handles);
    CHECK(full->can.storage_8 == owner->can.storage_8);
    CHECK(full->can.device_address == owner->can.device_address);
    CHECK(full->can.int64_atomics == owner->can.int64_atomics);
  }
  CHECK(owner->call.vkDeviceWaitIdle(owner->device) == VK_SUCCESS);
}

TEST_CASE("Work is submitted and waited for") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  VkFenceCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  REQUIRE(of->call.vkCreateFence(of->device, &create, nullptr, &fence) == VK_SUCCESS);
  VkSubmitInfo work = {};
  work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  of->submit(work, fence);
  of->wait(fence);
  CHECK(of->call.vkGetFenceStatus(of->device, fence) == VK_SUCCESS);
  of->call.vkDestroyFence(of->device, fence, nullptr);
}

TEST_CASE("A lost device is remembered, later calls fail at once, and another device can be made") {
  test::no_validation_messages const silence;
  auto of = test::vulkan_context();
  if (of == nullptr) return;
  memory space(of);
  region const before = space.allocate(100, memory_use::upload);
  auto const submit = of->call.vkQueueSubmit;
  of->call.vkQueueSubmit = &lose_in_submit;
  VkSubmitInfo work = {};
  work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  CHECK_FALSE(of->lost());
  CHECK(test::message_of<ndx::vulkan::error>([&] { of->submit(work, VK_NULL_HANDLE); }) ==
        "vkQueueSubmit: VK_ERROR_DEVICE_LOST (-4)");
  CHECK(of->lost());
  of->call.vkQueueSubmit = &must_not_be_called;
  CHECK(contains(test::message_of<ndx::vulkan::error>([&] { of->submit(work, VK_NULL_HANDLE); }), "lost before"));
  CHECK(contains(test::message_of<ndx::vulkan::error>([&] { of->wait(VK_NULL_HANDLE); }), "lost before"));
  CHECK(contains(test::message_of<ndx::vulkan::error>([&] { space.allocate(1, memory_use::device); }), "lost before"));
  space.release(before);
  of->call.vkQueueSubmit = submit;

  auto const another = test::vulkan_context();
  another->submit(work, VK_NULL_HANDLE);
  CHECK_FALSE(another->lost());
}

TEST_CASE("Waiting ends when another thread finds that the device is lost") {
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  of->call.vkWaitForFences = &never_done;
  std::string text;
  std::thread waiting([&] { text = test::message_of<ndx::vulkan::error>([&] { of->wait(VK_NULL_HANDLE); }); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  of->note(VK_ERROR_DEVICE_LOST);
  waiting.join();
  CHECK(contains(text, "vkWaitForFences: VK_ERROR_DEVICE_LOST"));
}

TEST_CASE("Where something is missing everything says so, and what", "[.][environment]") {
  char const* const due = std::getenv("NDX_TEST_DUE");
  REQUIRE(due != nullptr);
  INFO("due is: " << due);
  bool found = true;
  long bytes = 0;
  bytes = printed([&] { found = available(); });
  CHECK_FALSE(found);
  CHECK(bytes == 0);
  std::string const from_devices = test::message_of<unavailable>([] { static_cast<void>(devices()); });
  std::string const from_create = test::message_of<unavailable>([] { context::create({}); });
  CHECK(contains(from_devices, due));
  CHECK(from_devices == from_create);
  std::printf("%s\n", from_create.c_str());
}

TEST_CASE("A driver that is broken leaves a device that works, or a reason", "[.][environment]") {
  if (available()) {
    CHECK_FALSE(context::create({})->info.name.empty());
  } else {
    CHECK(contains(test::message_of<unavailable>([] { context::create({}); }), "no Vulkan driver"));
  }
}

TEST_CASE("A missing validation layer is told", "[.][environment]") {
  if (!test::vulkan_or_skip()) return;
  device_options options;
  options.validation = true;
  CHECK(test::message_of<unavailable>([&] { context::create(options); }) ==
        "no Vulkan validation: VK_LAYER_KHRONOS_validation is not installed");
}

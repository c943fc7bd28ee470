// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_CONTEXT_HPP
#define NDX_VULKAN_CONTEXT_HPP

#include <ndx/vulkan/capabilities.hpp>
#include <ndx/vulkan/devices.hpp>
#include <ndx/vulkan/error.hpp>
#include <ndx/vulkan/features.hpp>
#include <ndx/vulkan/functions.hpp>
#include <ndx/vulkan/instance.hpp>
#include <ndx/vulkan/options.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace ndx::vulkan {

/// All about a device that does not change: the handles, what it can do, its functions. Shared by all that use it, and
/// used from any thread.
class context {
public:
  /// A device of our own. Fails with `unavailable` or `error`.
  static std::shared_ptr<context> create(device_options const& options) {
    std::shared_ptr<context> made(new context);
    std::string why;
    made->own_instance_ = detail::own_instance::create(&options, why);
    if (made->own_instance_ == nullptr) ndx::detail::fail(unavailable(why));
    auto const all = detail::find_candidates(*made->own_instance_, why);
    if (all.empty()) ndx::detail::fail(unavailable(why));
    detail::candidate const* const chosen = detail::choose(all, options.index, options.name, why);
    if (chosen == nullptr) ndx::detail::fail(unavailable(why));
    made->call = made->own_instance_->call;
    made->instance = made->own_instance_->handle;
    made->physical = chosen->physical;
    made->family = chosen->family;
    made->info = chosen->info;
    made->create_device(options.limits);
    return made;
  }

  /// The application's device. Fails with `unavailable` where it is of no use.
  static std::shared_ptr<context> adopt(adopted_handles const& handles) {
    std::shared_ptr<context> made(new context);
    auto get = handles.get_instance_proc_addr;
    if (get == nullptr) {
      std::string why;
      auto const found = loader::open(why);
      if (found == nullptr) ndx::detail::fail(unavailable(why));
      get = found->get_instance_proc_addr;
    }
    if (char const* missing = made->call.load_instance(get, handles.instance))
      ndx::detail::fail(unavailable(ndx::detail::text(
          "no fitting Vulkan device: the instance must be made for Vulkan 1.1; it has no ", missing)));
    made->instance = handles.instance;
    made->physical = handles.physical_device;
    made->device = handles.device;
    made->queue = handles.queue;
    made->family = handles.queue_family;
    if (handles.queue_mutex != nullptr) made->queue_mutex_ = handles.queue_mutex;
    made->info = detail::describe(made->call, made->physical);
    if (made->info.api_version < VK_API_VERSION_1_1)
      ndx::detail::fail(
          unavailable(ndx::detail::text("no fitting Vulkan device: ", made->info.name, " is of Vulkan 1.0")));
    made->load_device();
    made->can = detail::query_limits(made->call, made->physical, made->family);
    if (handles.enabled_features != nullptr) detail::read_features(*handles.enabled_features, made->can);
    made->finish(handles.limits);
    return made;
  }

  /// Destroys only what it made.
  ~context() {
    if (!owns_device_) return;
    if (!lost() && call.vkDeviceWaitIdle != nullptr) call.vkDeviceWaitIdle(device);
    if (call.vkDestroyDevice != nullptr) call.vkDestroyDevice(device, nullptr);
  }

  context(context const&) = delete;
  context& operator=(context const&) = delete;

  functions call;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  capabilities can;
  device_info info;

  /// Hands work to the queue, one thread at a time.
  void submit(VkSubmitInfo const& work, VkFence fence) {
    VkResult result = VK_SUCCESS;
    {
      std::lock_guard const lock(*queue_mutex_);
      require("vkQueueSubmit");
      result = call.vkQueueSubmit(queue, 1, &work, fence);
    }
    report(result, "vkQueueSubmit");
  }

  /// To be held by whoever calls the queue in another way.
  [[nodiscard]] std::mutex& queue_mutex() noexcept { return *queue_mutex_; }

  /// Until the fence is signalled, or the device lost, by whichever thread finds out first.
  void wait(VkFence fence) {
    VkResult result = VK_TIMEOUT;
    while (result == VK_TIMEOUT) {
      require("vkWaitForFences");
      result = try_wait(fence);
    }
    report(result, "vkWaitForFences");
  }

  /// For no longer than a tenth of a second; remembers if the device is lost.
  VkResult try_wait(VkFence fence) noexcept {
    VkResult const result = call.vkWaitForFences(device, 1, &fence, VK_TRUE, 100'000'000);
    note(result);
    return result;
  }

  /// Has a call returned VK_ERROR_DEVICE_LOST? From then on all that needs the device fails at once.
  [[nodiscard]] bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }

  /// Fails with `error` where the device is lost; before a call that might wait for it, or use what it has made.
  void require(char const* name) const {
    if (lost())
      ndx::detail::fail(error(VK_ERROR_DEVICE_LOST, name, "not called, the device was lost before; make another one"));
  }

  /// `check`, which remembers that the device is lost.
  void report(VkResult result, char const* name, std::string const& detail = {}) {
    note(result);
    if (result < 0) ndx::detail::fail(error(result, name, detail));
  }

  /// Remembers that the device is lost, and does not fail.
  void note(VkResult result) noexcept {
    if (result == VK_ERROR_DEVICE_LOST) lost_.store(true, std::memory_order_release);
  }

private:
  context() = default;

  void create_device(capability_limits const& limits) {
    auto const known = detail::extensions_of(call, physical);
    // What the instance was made for bounds what may be used of a later version.
    std::uint32_t const version = info.api_version < VK_API_VERSION_1_2 ? info.api_version : VK_API_VERSION_1_2;
    detail::feature_chain features(version, known);
    call.vkGetPhysicalDeviceFeatures2(physical, &features.first);
    can = detail::query_limits(call, physical, family);
    detail::read_features(features.first, can);
    detail::apply_limits(can, limits);

    detail::feature_chain enabled(version, known, can);
    enabled.enable(can);
    float const priority = 1;
    VkDeviceQueueCreateInfo queues = {};
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueFamilyIndex = family;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    VkDeviceCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    create.pNext = &enabled.first;
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queues;
    create.enabledExtensionCount = static_cast<std::uint32_t>(enabled.extensions.size());
    create.ppEnabledExtensionNames = enabled.extensions.data();
    check(call.vkCreateDevice(physical, &create, nullptr, &device), "vkCreateDevice");
    owns_device_ = true;
    load_device();
    call.vkGetDeviceQueue(device, family, 0, &queue);
    finish(limits);
  }

  void load_device() {
    if (char const* missing = call.load_device(device))
      ndx::detail::fail(unavailable(ndx::detail::text("no fitting Vulkan device: ", info.name, " has no ", missing)));
  }

  void finish(capability_limits const& limits) noexcept {
    if (call.vkGetBufferDeviceAddress == nullptr) can.device_address = false;
    detail::apply_limits(can, limits);
  }

  std::unique_ptr<detail::own_instance> own_instance_;  // null: adopted
  bool owns_device_ = false;
  std::atomic<bool> lost_{false};
  std::mutex own_mutex_;
  std::mutex* queue_mutex_ = &own_mutex_;
};

}  // namespace ndx::vulkan

#endif

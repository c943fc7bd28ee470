// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_INSTANCE_HPP
#define NDX_VULKAN_INSTANCE_HPP

#include <ndx/vulkan/error.hpp>
#include <ndx/vulkan/features.hpp>
#include <ndx/vulkan/functions.hpp>
#include <ndx/vulkan/loader.hpp>
#include <ndx/vulkan/options.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ndx::vulkan::detail {

constexpr char const* validation_layer = "VK_LAYER_KHRONOS_validation";

/// A VkInstance of our own, with validation or without.
class own_instance {
public:
  functions call;  // the global ones and those of the instance
  VkInstance handle = VK_NULL_HANDLE;

  /// Null where there is no loader, no driver or no layer, and `why` tells. `options` null: no validation.
  static std::unique_ptr<own_instance> create(device_options const* options, std::string& why) {
    std::unique_ptr<own_instance> made(new own_instance);
    why = made->open(options);
    if (!why.empty()) made.reset();
    return made;
  }

  ~own_instance() {
    if (messenger_ != VK_NULL_HANDLE) call.vkDestroyDebugUtilsMessengerEXT(handle, messenger_, nullptr);
    if (handle != VK_NULL_HANDLE && call.vkDestroyInstance != nullptr) call.vkDestroyInstance(handle, nullptr);
  }

  own_instance(own_instance const&) = delete;
  own_instance& operator=(own_instance const&) = delete;

private:
  using message_sink = std::function<void(std::string const&)>;

  own_instance() = default;

  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                                VkDebugUtilsMessengerCallbackDataEXT const* message, void* sink) {
    std::string const text = message->pMessage != nullptr ? message->pMessage : "a message without a text";
    auto const& to = *static_cast<message_sink const*>(sink);
    if (to) to(text);
    else std::fprintf(stderr, "%s\n", text.c_str());
    return VK_FALSE;  // the call that is reported goes on
  }

  /// Empty, or what is missing.
  std::string open(device_options const* options) {
    std::string why;
    auto const found = loader::open(why);
    if (found == nullptr) return why;
    if (char const* missing = call.load_global(found->get_instance_proc_addr))
      return ndx::detail::text("no Vulkan loader: what was opened has no ", missing);
    std::uint32_t version = VK_API_VERSION_1_0;
    if (call.vkEnumerateInstanceVersion != nullptr) call.vkEnumerateInstanceVersion(&version);
    if (version < VK_API_VERSION_1_1) return "no Vulkan loader of version 1.1 or later: the installed one is of 1.0";

    // 1.2, where most of what is optional here is core. A loader of 1.1 takes that as well.
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pEngineName = "ndx";
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    create.pApplicationInfo = &application;

    std::vector<char const*> names;
    if (contains(extensions(nullptr), "VK_KHR_portability_enumeration")) {
      names.push_back("VK_KHR_portability_enumeration");
      create.flags |= 1;  // VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR, which older headers lack
    }
    std::vector<VkValidationFeatureEnableEXT> checks = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT validation = {};
    VkDebugUtilsMessengerCreateInfoEXT messenger = {};
    if (options != nullptr && (options->validation || options->gpu_assisted_validation)) {
      if (!has_layer()) return ndx::detail::text("no Vulkan validation: ", validation_layer, " is not installed");
      names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);  // the layer brings it, if not the loader
      create.enabledLayerCount = 1;
      create.ppEnabledLayerNames = &validation_layer;
      sink_ = std::make_unique<message_sink>(options->on_validation_message);
      messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
      messenger.messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
      // Not the general ones: those are the loader's, about drivers and layers that have nothing to do with ndx.
      messenger.messageType =
          VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
      messenger.pfnUserCallback = &receive;
      messenger.pUserData = sink_.get();
      create.pNext = &messenger;  // for what happens in vkCreateInstance and vkDestroyInstance
      if (contains(extensions(validation_layer), VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
        names.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        if (options->gpu_assisted_validation) checks.push_back(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT);
        validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
        validation.enabledValidationFeatureCount = static_cast<std::uint32_t>(checks.size());
        validation.pEnabledValidationFeatures = checks.data();
        messenger.pNext = &validation;
      }
    }
    create.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    create.ppEnabledExtensionNames = names.data();
    VkResult result = call.vkCreateInstance(&create, nullptr, &handle);
    if (result < 0) {
      handle = VK_NULL_HANDLE;
      return ndx::detail::text("no Vulkan driver: vkCreateInstance: ", result_name(result));
    }
    if (char const* missing = call.load_instance(call.vkGetInstanceProcAddr, handle))
      return ndx::detail::text("no Vulkan driver: the instance has no ", missing);
    if (sink_ != nullptr && call.vkCreateDebugUtilsMessengerEXT != nullptr) {
      messenger.pNext = nullptr;
      result = call.vkCreateDebugUtilsMessengerEXT(handle, &messenger, nullptr, &messenger_);
      if (result < 0) return ndx::detail::text("vkCreateDebugUtilsMessengerEXT: ", result_name(result));
    }
    return {};
  }

  /// Those of a layer, or of the loader and the drivers.
  std::vector<VkExtensionProperties> extensions(char const* layer) const {
    std::vector<VkExtensionProperties> all;
    if (enumerate(all, [&](std::uint32_t* count, VkExtensionProperties* to) {
          return call.vkEnumerateInstanceExtensionProperties(layer, count, to);
        }) < 0)
      all.clear();
    return all;
  }

  bool has_layer() const {
    std::vector<VkLayerProperties> all;
    if (enumerate(all, [&](std::uint32_t* count, VkLayerProperties* to) {
          return call.vkEnumerateInstanceLayerProperties(count, to);
        }) < 0)
      return false;
    for (auto const& one : all)
      if (std::strcmp(one.layerName, validation_layer) == 0) return true;
    return false;
  }

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::unique_ptr<message_sink> sink_;  // where it lies must not change
};

}  // namespace ndx::vulkan::detail

#endif

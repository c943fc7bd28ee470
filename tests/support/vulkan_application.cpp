// SPDX-License-Identifier: MIT
#include "vulkan_application.hpp"

#include "catch.hpp"
#include "vulkan_device.hpp"

#include <dlfcn.h>
#include <vector>

namespace test {

namespace {

void require(VkResult result) {
  if (result != VK_SUCCESS) throw std::runtime_error("the application's own Vulkan: " + std::to_string(result));
}

VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                       VkDebugUtilsMessengerCallbackDataEXT const* message, void*) {
  add_validation_message(message->pMessage);
  return VK_FALSE;
}

}  // namespace

vulkan_application::vulkan_application(VkPhysicalDeviceFeatures2 const* features) {
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("there is no libvulkan.so.1");
  get_instance_proc_addr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));

  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = features == nullptr ? VK_API_VERSION_1_1 : VK_API_VERSION_1_2;
  char const* const layer = "VK_LAYER_KHRONOS_validation";
  std::vector<char const*> extensions;
  VkValidationFeatureEnableEXT const synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation = {};
  validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &synchronization;
  VkInstanceCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  bool const validates = checked().validation;
  if (validates) {
    extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    create.pNext = &validation;
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = &layer;
  }
  create.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();
  auto const create_instance =
      reinterpret_cast<PFN_vkCreateInstance>(get_instance_proc_addr(nullptr, "vkCreateInstance"));
  require(create_instance(&create, nullptr, &instance));
#define NDX_TEST_LOAD(name) name = reinterpret_cast<PFN_vk##name>(get_instance_proc_addr(instance, "vk" #name));
  NDX_TEST_INSTANCE_FUNCTIONS(NDX_TEST_LOAD)
#undef NDX_TEST_LOAD
  if (validates) {
    VkDebugUtilsMessengerCreateInfoEXT messenger = {};
    messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = &receive;
    require(CreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_));
  }

  std::uint32_t count = 1;
  VkResult const found = EnumeratePhysicalDevices(instance, &count, &physical);  // the first will do
  if (found != VK_SUCCESS && found != VK_INCOMPLETE) require(found);
  std::uint32_t families = 0;
  GetPhysicalDeviceQueueFamilyProperties(physical, &families, nullptr);
  std::vector<VkQueueFamilyProperties> all(families);
  GetPhysicalDeviceQueueFamilyProperties(physical, &families, all.data());
  while ((all.at(family).queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++family;

  float const priority = 1;
  VkDeviceQueueCreateInfo queues = {};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo make = {};
  make.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  make.pNext = features;
  make.queueCreateInfoCount = 1;
  make.pQueueCreateInfos = &queues;
  require(CreateDevice(physical, &make, nullptr, &device));
#define NDX_TEST_LOAD(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
  NDX_TEST_DEVICE_FUNCTIONS(NDX_TEST_LOAD)
#undef NDX_TEST_LOAD
  GetDeviceQueue(device, family, 0, &queue);
}

vulkan_application::~vulkan_application() {
  DestroyDevice(device, nullptr);
  if (messenger_ != VK_NULL_HANDLE) DestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  DestroyInstance(instance, nullptr);
}

void vulkan_application::run(VkCommandBuffer commands) {
  VkFenceCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  require(CreateFence(device, &create, nullptr, &fence));
  VkSubmitInfo work = {};
  work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  work.commandBufferCount = 1;
  work.pCommandBuffers = &commands;
  {
    std::lock_guard const lock(queue_mutex);
    require(QueueSubmit(queue, 1, &work, fence));
  }
  require(WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  DestroyFence(device, fence, nullptr);
}

application_buffer::application_buffer(vulkan_application& of, std::size_t bytes) : of_(of) {
  VkBufferCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = bytes;
  create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  require(of.CreateBuffer(of.device, &create, nullptr, &handle));
  VkMemoryRequirements needed = {};
  of.GetBufferMemoryRequirements(of.device, handle, &needed);
  VkPhysicalDeviceMemoryProperties types = {};
  of.GetPhysicalDeviceMemoryProperties(of.physical, &types);
  constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needed.size;
  while ((needed.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0 ||
         (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & visible) != visible)
    ++allocate.memoryTypeIndex;
  require(of.AllocateMemory(of.device, &allocate, nullptr, &memory_));
  require(of.BindBufferMemory(of.device, handle, memory_, 0));
  void* start = nullptr;
  require(of.MapMemory(of.device, memory_, 0, VK_WHOLE_SIZE, 0, &start));
  bytes_ = {static_cast<std::byte*>(start), bytes};
}

application_buffer::~application_buffer() {
  of_.DestroyBuffer(of_.device, handle, nullptr);
  of_.FreeMemory(of_.device, memory_, nullptr);
}

application_commands::application_commands(vulkan_application& of, bool secondary) : of_(of), secondary_(secondary) {
  VkCommandPoolCreateInfo create = {};
  create.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  create.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  create.queueFamilyIndex = of.family;
  require(of.CreateCommandPool(of.device, &create, nullptr, &pool_));
  VkCommandBufferAllocateInfo allocate = {};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_;
  allocate.level = secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  require(of.AllocateCommandBuffers(of.device, &allocate, &handle));
}

application_commands::~application_commands() { of_.DestroyCommandPool(of_.device, pool_, nullptr); }

void application_commands::begin() {
  VkCommandBufferInheritanceInfo inherited = {};
  inherited.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo begin = {};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  if (secondary_) begin.pInheritanceInfo = &inherited;
  require(of_.BeginCommandBuffer(handle, &begin));
}

}  // namespace test

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_ERROR_HPP
#define NDX_VULKAN_ERROR_HPP

#include <ndx/error.hpp>

// Not VK_NO_PROTOTYPES: an application that includes this header first may want the prototypes. Nothing here calls
// them.
#include <vulkan/vulkan_core.h>

#include <string>

namespace ndx::vulkan {

/// `VK_ERROR_DEVICE_LOST (-4)`; of a result that is not known here only the number.
[[nodiscard]] inline std::string result_name(VkResult result) {
  char const* name = "VkResult";
  switch (static_cast<int>(result)) {
#define NDX_VULKAN_RESULT(value) \
  case value:                    \
    name = #value;               \
    break;
    NDX_VULKAN_RESULT(VK_SUCCESS)
    NDX_VULKAN_RESULT(VK_NOT_READY)
    NDX_VULKAN_RESULT(VK_TIMEOUT)
    NDX_VULKAN_RESULT(VK_EVENT_SET)
    NDX_VULKAN_RESULT(VK_EVENT_RESET)
    NDX_VULKAN_RESULT(VK_INCOMPLETE)
    NDX_VULKAN_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    NDX_VULKAN_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    NDX_VULKAN_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    NDX_VULKAN_RESULT(VK_ERROR_DEVICE_LOST)
    NDX_VULKAN_RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    NDX_VULKAN_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    NDX_VULKAN_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    NDX_VULKAN_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    NDX_VULKAN_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    NDX_VULKAN_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    NDX_VULKAN_RESULT(VK_ERROR_FORMAT_NOT_SUPPORTED)
    NDX_VULKAN_RESULT(VK_ERROR_FRAGMENTED_POOL)
    NDX_VULKAN_RESULT(VK_ERROR_UNKNOWN)
    NDX_VULKAN_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY)
    NDX_VULKAN_RESULT(VK_ERROR_INVALID_EXTERNAL_HANDLE)
    NDX_VULKAN_RESULT(VK_ERROR_FRAGMENTATION)
    NDX_VULKAN_RESULT(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
    NDX_VULKAN_RESULT(VK_ERROR_VALIDATION_FAILED_EXT)
    NDX_VULKAN_RESULT(VK_ERROR_INVALID_SHADER_NV)
    NDX_VULKAN_RESULT(VK_ERROR_NOT_PERMITTED_EXT)
    NDX_VULKAN_RESULT(VK_PIPELINE_COMPILE_REQUIRED_EXT)
    NDX_VULKAN_RESULT(VK_THREAD_IDLE_KHR)
    NDX_VULKAN_RESULT(VK_THREAD_DONE_KHR)
    NDX_VULKAN_RESULT(VK_OPERATION_DEFERRED_KHR)
    NDX_VULKAN_RESULT(VK_OPERATION_NOT_DEFERRED_KHR)
    NDX_VULKAN_RESULT(VK_ERROR_SURFACE_LOST_KHR)
    NDX_VULKAN_RESULT(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)
    NDX_VULKAN_RESULT(VK_SUBOPTIMAL_KHR)
    NDX_VULKAN_RESULT(VK_ERROR_OUT_OF_DATE_KHR)
#undef NDX_VULKAN_RESULT
    default:
      break;
  }
  return ndx::detail::text(name, " (", static_cast<int>(result), ")");
}

/// A Vulkan call that failed. The text names it and its result: `vkQueueSubmit: VK_ERROR_DEVICE_LOST (-4)`, and after
/// another colon what else is known, as how many bytes were asked for.
class error : public ndx::error {
public:
  /// `call` must live as long as the program, as a literal does.
  error(VkResult result, char const* call, std::string const& detail = {})
      : ndx::error(ndx::detail::text(call, ": ", result_name(result), detail.empty() ? "" : ": ", detail)),
        result_(result),
        call_(call) {}

  [[nodiscard]] VkResult result() const noexcept { return result_; }
  /// The name of the call: "vkQueueSubmit".
  [[nodiscard]] char const* call() const noexcept { return call_; }

private:
  VkResult result_;
  char const* call_;
};

/// There is no loader, no driver, no fitting device or no validation layer; the text says which.
class unavailable : public ndx::error {
public:
  using ndx::error::error;
};

/// Fails with `error` where `result` is one.
inline void check(VkResult result, char const* call) {
  if (result < 0) ndx::detail::fail(error(result, call));
}

}  // namespace ndx::vulkan

#endif

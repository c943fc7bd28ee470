// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#if defined(NDX_EXAMPLES_VULKAN)
#include <ndx/vulkan.hpp>

#include <optional>
#endif

/// The Vulkan device of the demo, which does without where there is none, or where ndx is built without Vulkan.
namespace examples {

#if defined(NDX_EXAMPLES_VULKAN)

struct found_gpu {
  std::optional<ndx::vulkan::device> device;
  std::string text;  ///< which one it is; or why there is none
};

/// Looked for once.
inline found_gpu const& find_gpu() {
  static found_gpu const found = [] {
    found_gpu result;
    try {
      result.device.emplace();
      result.text = result.device->info().name + ", driver " + result.device->info().driver;
    } catch (ndx::error const& problem) {
      result.text = problem.what();
    }
    return result;
  }();
  return found;
}

inline bool has_gpu() { return find_gpu().device.has_value(); }
inline std::string gpu_text() { return find_gpu().text; }

/// Calls `visit(device)` where there is a device.
template <class Visit>
void with_gpu(Visit const& visit) {
  if (has_gpu()) visit(*find_gpu().device);
}

#else

inline bool has_gpu() { return false; }
inline std::string gpu_text() { return "ndx is built without the Vulkan part: " NDX_EXAMPLES_NO_VULKAN; }

template <class Visit>
void with_gpu(Visit const&) {}

#endif

}  // namespace examples

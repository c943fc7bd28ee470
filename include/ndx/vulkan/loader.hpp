// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_LOADER_HPP
#define NDX_VULKAN_LOADER_HPP

#include <ndx/error.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdlib>
#include <memory>
#include <string>

#if defined(_WIN32)
// What is needed of <windows.h>, whose macros an application may not want.
extern "C" {
struct HINSTANCE__;
__declspec(dllimport) HINSTANCE__* __stdcall LoadLibraryA(char const*);
__declspec(dllimport) long long(__stdcall* __stdcall GetProcAddress(HINSTANCE__*, char const*))();
}
#else
#include <dlfcn.h>
#endif

namespace ndx::vulkan {

/// The Vulkan loader, opened at run time, so that a program that uses ndx starts where there is none.
class loader {
public:
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;

  /// The loader of this process: the file that the environment variable NDX_VULKAN_LOADER names, else the one that the
  /// platform knows. Tried once; null where there is none, and `why` tells.
  static std::shared_ptr<loader const> open(std::string& why) noexcept;

private:
  struct attempt;

  /// The address of vkGetInstanceProcAddr in the library `file`, or null and why.
  static PFN_vkGetInstanceProcAddr find(char const* file, std::string& why) {
    constexpr char const* entry = "vkGetInstanceProcAddr";
#if defined(_WIN32)
    auto* const library = LoadLibraryA(file);
    auto* const address = library != nullptr ? GetProcAddress(library, entry) : nullptr;
    if (address == nullptr)
      why += ndx::detail::text(file, library == nullptr ? ": cannot be loaded" : ": has no vkGetInstanceProcAddr");
#else
    dlerror();
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void* const address = library != nullptr ? dlsym(library, entry) : nullptr;
    if (address == nullptr) {
      // The texts of dlerror mostly begin with the name of the file.
      char const* const reason = dlerror();
      std::string const text = reason != nullptr ? reason : "unknown reason";
      why += text.find(file) == std::string::npos ? ndx::detail::text(file, ": ", text) : text;
      if (library != nullptr) dlclose(library);
    }
#endif
    return reinterpret_cast<PFN_vkGetInstanceProcAddr>(address);
  }
};

struct loader::attempt {
  loader found;
  std::string why;

  attempt() {
#if defined(_WIN32)
    constexpr char const* usual[] = {"vulkan-1.dll"};
#elif defined(__APPLE__)
    constexpr char const* usual[] = {"libvulkan.1.dylib", "libvulkan.dylib", "libMoltenVK.dylib"};
#else
    constexpr char const* usual[] = {"libvulkan.so.1", "libvulkan.so"};
#endif
    char const* const named = std::getenv("NDX_VULKAN_LOADER");
    if (named != nullptr && *named != '\0') {
      why = "no Vulkan loader (NDX_VULKAN_LOADER): ";
      found.get_instance_proc_addr = find(named, why);
      return;
    }
    why = "no Vulkan loader: ";
    for (char const* file : usual) {
      if (file != usual[0]) why += "; ";
      if ((found.get_instance_proc_addr = find(file, why)) != nullptr) return;
    }
  }
};

inline std::shared_ptr<loader const> loader::open(std::string& why) noexcept {
  // Never closed and never destroyed: drivers keep threads, and objects with static storage may outlive this one.
  static attempt const* const first = new attempt;
  if (first->found.get_instance_proc_addr == nullptr) {
    why = first->why;
    return nullptr;
  }
  return {std::shared_ptr<loader const>(), &first->found};
}

}  // namespace ndx::vulkan

#endif

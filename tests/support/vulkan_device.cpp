// SPDX-License-Identifier: MIT
#include "vulkan_device.hpp"

#include "catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

// What drivers, and what they are made of, leave behind.
extern "C" char const* __lsan_default_suppressions();
extern "C" char const* __lsan_default_suppressions() {
  return "leak:libicu\nleak:libLLVM\nleak:libvulkan\nleak:libVkLayer\nleak:libdrm\nleak:libnvidia\nleak:libGLX\n";
}

namespace test {
namespace {

#if !defined(_WIN32)
/// Unless the environment names a driver the software one is taken where it is installed: tests should not depend on
/// what else is, and one broken driver among many breaks all of them.
bool const driver_is_pinned = [] {
  constexpr char const* software = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  if (std::getenv("VK_DRIVER_FILES") != nullptr || std::getenv("VK_ICD_FILENAMES") != nullptr) return false;
  std::FILE* const file = std::fopen(software, "r");
  if (file == nullptr) return false;
  std::fclose(file);
  return setenv("VK_DRIVER_FILES", software, 1) == 0;
}();
#endif

/// Keeps the drivers loaded. What they leave behind can only be told from leaks of ours while their names are known,
/// and NVIDIA's (580) cannot be loaded much more than sixty times in one process.
[[maybe_unused]] ndx::vulkan::detail::own_instance* volatile kept = [] {
  std::string why;
  return ndx::vulkan::detail::own_instance::create(nullptr, why).release();
}();

struct message_log {
  std::mutex mutex;
  std::vector<std::string> texts;
};

message_log& log() {
  static message_log* const one = new message_log;  // devices with static storage may write to it at the very end
  return *one;
}

bool is_set(char const* variable, char value) {
  char const* const text = std::getenv(variable);
  return text != nullptr && text[0] == value && text[1] == '\0';
}

bool has_validation() {
  static bool const found = [] {
    if (is_set("NDX_TEST_VALIDATION", '0')) return false;
    ndx::vulkan::device_options with;
    with.validation = true;
    std::string why;
    return ndx::vulkan::detail::own_instance::create(&with, why) != nullptr;
  }();
  return found;
}

}  // namespace

bool vulkan_or_skip() {
  if (ndx::vulkan::available()) return true;
  if (is_set("NDX_REQUIRE_VULKAN", '1')) FAIL("NDX_REQUIRE_VULKAN is set, and there is no Vulkan device");
  WARN("no Vulkan device: skipped");
  return false;
}

ndx::vulkan::device_options checked(ndx::vulkan::device_options options) {
  if (!has_validation()) return options;
  options.validation = true;
  options.on_validation_message = &add_validation_message;
  return options;
}

std::shared_ptr<ndx::vulkan::context> vulkan_context(ndx::vulkan::device_options options) {
  if (!vulkan_or_skip()) return nullptr;
  return ndx::vulkan::context::create(checked(std::move(options)));
}

void add_validation_message(std::string const& text) {
  std::lock_guard const lock(log().mutex);
  log().texts.push_back(text);
}

std::vector<std::string> validation_messages() {
  std::lock_guard const lock(log().mutex);
  return std::exchange(log().texts, {});
}

no_validation_messages::~no_validation_messages() {
  for (auto const& text : validation_messages()) FAIL_CHECK(text);
}

}  // namespace test

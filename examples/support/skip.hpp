// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace examples {

/// The exit status of an example that finds no Vulkan device: for CTest "skipped"; where the environment says
/// NDX_REQUIRE_VULKAN=1 a failure.
inline int skipped(char const* why) {
  char const* const required = std::getenv("NDX_REQUIRE_VULKAN");
  bool const failed = required != nullptr && std::string(required) == "1";
  std::printf("%s: %s\n", failed ? "failed, as NDX_REQUIRE_VULKAN is set" : "skipped", why);
  return failed ? 1 : 77;
}

}  // namespace examples

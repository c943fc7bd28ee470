// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VULKAN_LIMITS_HPP
#define NDX_TESTS_SUPPORT_VULKAN_LIMITS_HPP

#include <ndx/vulkan/context.hpp>

namespace test {

/// Holds a context to its capabilities from now on: neither the driver nor validation knows of limits that have been
/// lowered, and software drivers do not mind their own. What exceeds one becomes a validation message. The functions of
/// the table have no context, so there can be one of these a process.
void hold_to_limits(ndx::vulkan::context& of);

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VULKAN_DEVICE_HPP
#define NDX_TESTS_SUPPORT_VULKAN_DEVICE_HPP

#include <ndx/vulkan/context.hpp>

#include <memory>
#include <string>
#include <vector>

namespace test {

/// Is there a Vulkan device to test? If not: a warning, after which the test returns; with NDX_REQUIRE_VULKAN=1 in the
/// environment a failure.
bool vulkan_or_skip();

/// `options` with validation, if the layer is installed, its messages kept for `validation_messages`.
/// NDX_TEST_VALIDATION=0 in the environment leaves validation out.
ndx::vulkan::device_options checked(ndx::vulkan::device_options options = {});

/// A device made with `checked(options)`; null where `vulkan_or_skip` says no.
std::shared_ptr<ndx::vulkan::context> vulkan_context(ndx::vulkan::device_options options = {});

/// Adds to what validation has said.
void add_validation_message(std::string const& text);

/// What validation has said since the last call.
std::vector<std::string> validation_messages();

/// Fails the test if validation has said anything since it was made: the first variable of a test, so that the
/// destruction of the others is seen too.
class no_validation_messages {
public:
  no_validation_messages() { validation_messages(); }
  ~no_validation_messages();
  no_validation_messages(no_validation_messages const&) = delete;
  no_validation_messages& operator=(no_validation_messages const&) = delete;
};

}  // namespace test

#endif

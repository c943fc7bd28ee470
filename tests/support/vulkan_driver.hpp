// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VULKAN_DRIVER_HPP
#define NDX_TESTS_SUPPORT_VULKAN_DRIVER_HPP

#include <ndx/vulkan/context.hpp>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace test {

/// Stands between ndx and the driver: counts what there is, and makes calls fail, or all memory be used up. The
/// functions of the table have no context, so there is one of these at a time. They may be called from any thread.
class driver {
public:
  explicit driver(ndx::vulkan::context& of);
  ~driver();
  driver(driver const&) = delete;
  driver& operator=(driver const&) = delete;

  int calls = 0;           ///< of functions that can fail
  int fail_at = -1;        ///< the number of the call that fails
  std::string fail_every;  ///< the name of a function whose calls all fail from `fail_at` on
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  std::string failed;  ///< the name of the last call that has failed

  int buffers = 0;
  VkDeviceSize bytes = 0;
  VkDeviceSize most_bytes = UINT64_MAX;
  std::map<VkDeviceMemory, VkDeviceSize> sizes;
  /// How many of everything else there are, by what destroys them.
  std::map<std::string, int> objects;

  /// From now on who waits asks first, as for a device that is not the host's processor.
  void asks_first();
  /// From now on who waits sleeps until the device is done, as for one that is the host's processor.
  void sleeps_at_once();
  /// From now on no fence is found signaled: who asks first does so for a while, and then comes to vkWaitForFences.
  void never_ready();

  /// Is nothing left of all that was made?
  [[nodiscard]] bool has_nothing() const;

private:
  template <auto Member>
  struct hook;

  VkResult next(char const* name);
  void count(char const* destroyed_by, int more);

  static driver* current;
  ndx::vulkan::context& of_;
  ndx::vulkan::functions real_;
  std::mutex counting_;
  bool is_processor_;
};

}  // namespace test

#endif

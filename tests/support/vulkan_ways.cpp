// SPDX-License-Identifier: MIT
#include "vulkan_ways.hpp"

#include "catch.hpp"
#include "random.hpp"
#include "vulkan_limits.hpp"

#include <cstdlib>
#include <random>
#include <stdexcept>

namespace test {

namespace {

/// "storage_range=4096,device_address=0": the members of `capability_limits`, by name.
ndx::vulkan::capability_limits limits_of(std::string const& text) {
  ndx::vulkan::capability_limits limits;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find(',', at), text.size());
    std::size_t const equal = text.find('=', at);
    std::string const name = text.substr(at, equal - at);
    auto const value = static_cast<std::uint32_t>(std::stoul(text.substr(equal + 1, end - equal - 1)));
    if (name == "storage_range") limits.storage_range = value;
    else if (name == "storage_alignment") limits.storage_alignment = value;
    else if (name == "uniform_alignment") limits.uniform_alignment = value;
    else if (name == "allocation") limits.allocation = value;
    else if (name == "workgroups") limits.workgroups_x = limits.workgroups_y = value;
    else if (name == "workgroup_size") limits.workgroup_size = value;
    else if (name == "bucketed") limits.bucketed = value;
    else if (name == "fetched") limits.fetched = value;
    else if (name == "few") limits.few = value;
    else if (name == "scratch") limits.scratch = value;
    else if (name == "in_pieces") limits.in_pieces = value;
    else if (name == "piece") limits.piece = value;
    else if (name == "storage_8") limits.storage_8 = value != 0;
    else if (name == "storage_16") limits.storage_16 = value != 0;
    else if (name == "device_address") limits.device_address = value != 0;
    else if (name == "float_atomic_add") limits.float_atomic_add = value != 0;
    else if (name == "int64_atomics") limits.int64_atomics = value != 0;
    else throw std::invalid_argument("NDX_TEST_LIMITS: there is no limit " + name);
    at = end + 1;
  }
  return limits;
}

}  // namespace

ndx::vulkan::device const& vulkan_device() {
  static ndx::vulkan::device const device = [] {
    char const* const limits = std::getenv("NDX_TEST_LIMITS");
    ndx::vulkan::device_options options = {.limits = limits_of(limits == nullptr ? "" : limits)};
    char const* const assisted = std::getenv("NDX_TEST_GPU_ASSISTED");
    options.gpu_assisted_validation = assisted != nullptr && *assisted == '1';
    ndx::vulkan::device made(checked(std::move(options)));
    hold_to_limits(*made.state()->context);
    return made;
  }();
  return device;
}

device_ways choose_ways(device_ways ways) {
  static std::string const chosen = [] {
    char const* const text = std::getenv("NDX_TEST_WAYS");
    return std::string(text == nullptr || *text == '\0' ? "all" : text);
  }();
  static std::minstd_rand draw;
  if (chosen == "all") return ways;
  if (chosen == "host") return 0b0001;
  if (chosen != "drawn") throw std::invalid_argument("NDX_TEST_WAYS is \"" + chosen + "\"; due is all, host or drawn");
  for (auto left = static_cast<std::size_t>(draw() >> 8U) % ways.count(); left != 0; --left)
    ways &= device_ways(ways.to_ulong() - 1);  // without the lowest
  return ways.to_ulong() & (~ways.to_ulong() + 1);
}

}  // namespace test

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_WAYS_HPP
#define NDX_TESTS_SUPPORT_WAYS_HPP

// The ways in which a problem's tensors and a policy come together. The tests of the operators are compiled twice: with
// NDX_TEST_VULKAN their ways are those of a Vulkan device, else those of the CPU policies.

#include "any_policy.hpp"
#include "policies.hpp"
#include "views.hpp"

#include <string>
#include <type_traits>

#ifdef NDX_TEST_VULKAN
#include "vulkan_ways.hpp"
#endif

namespace test {

/// Calls `visit(name, way)` for every way that elements of `T` can go; `way(operands, call)` calls `call(policy,
/// view)`, where `view(as<T, Rank>{}, operand)` makes the arguments.
template <class T, class Visitor>
void for_each_way(Visitor&& visit) {
#ifdef NDX_TEST_VULKAN
  if constexpr (ndx::vulkan::movable_on_device<T>) for_each_vulkan_way<T>(visit);
#else
  for_each_policy([&](std::string const& name, auto const& policy) {
    visit(name, on_host<std::remove_cvref_t<decltype(policy)>>{policy});
  });
#endif
}

/// The same, the CPU policies by one type: `way` is compiled once for them all.
template <class T, class Visitor>
void for_each_way_of_one_type(Visitor&& visit) {
#ifdef NDX_TEST_VULKAN
  for_each_way<T>(visit);
#else
  for (any_policy const& policy : every_policy()) visit(policy.name(), on_host<any_policy>{policy});
#endif
}

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_POLICIES_HPP
#define NDX_TESTS_SUPPORT_POLICIES_HPP

// The policies under test. With NDX_TEST_VULKAN, for tests that are compiled twice, a Vulkan device is the only one.

#include <ndx/ndx.hpp>

#include <string>
#include <utility>

#ifdef NDX_TEST_VULKAN
#include "vulkan_ways.hpp"
#endif

#if defined(__SANITIZE_THREAD__)
#define NDX_TEST_THREAD_SANITIZER 1
#elif defined(__SANITIZE_ADDRESS__)
#define NDX_TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NDX_TEST_THREAD_SANITIZER 1
#elif __has_feature(address_sanitizer)
#define NDX_TEST_ADDRESS_SANITIZER 1
#endif
#endif

namespace test {

/// Makes every access ten times slower, so that tests do better to try less.
#ifdef NDX_TEST_THREAD_SANITIZER
inline constexpr bool thread_sanitizer = true;
#else
inline constexpr bool thread_sanitizer = false;
#endif

/// Makes it a few times slower.
#ifdef NDX_TEST_ADDRESS_SANITIZER
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif

/// Calls `visit(name, policy)` for every policy under test that takes elements of `T`. A new policy is one more line
/// here and nothing elsewhere.
template <class T = float, class Visitor>
void for_each_policy(Visitor&& visit) {
#ifdef NDX_TEST_VULKAN
  if constexpr (ndx::vulkan::movable_on_device<T>) {
    if (!vulkan_or_skip()) return;
    no_validation_messages const none;
    visit(std::string("vulkan"), vulkan_device());
  }
#else
  visit(std::string("seq"), ndx::seq);
  if (!thread_sanitizer) {  // what runs on one thread has no races
    visit(std::string("simd"), ndx::simd);
    using set = ndx::instruction_set;
    for (auto [instructions, name] :
         {std::pair{set::baseline, "simd.with(baseline)"}, std::pair{set::avx2, "simd.with(avx2)"},
          std::pair{set::avx512, "simd.with(avx512)"}})
      if (ndx::supported(instructions)) {
        bool const in_use = instructions == ndx::simd.instructions();  // so that `simd` runs the same kernels
        if (!address_sanitizer || !in_use) visit(std::string(name), ndx::simd.with(instructions));
        // The tests of kernels try both ways of each; this leaves them to the instruction set in use.
        if (address_sanitizer && !in_use) continue;
        visit(std::string(name) + ".stores(temporal)", ndx::simd.with(instructions).stores(ndx::stores::temporal));
        visit(std::string(name) + ".stores(streaming)", ndx::simd.with(instructions).stores(ndx::stores::streaming));
      }
    visit(std::string("par_simd.threads(1)"), ndx::par_simd.threads(1));
  }
  for (auto [threads, name] : {std::pair{2, "par_simd.threads(2)"}, std::pair{3, "par_simd.threads(3)"},
                               std::pair{7, "par_simd.threads(7)"}}) {
    // Three threads share what they write as two and seven do, and cut it in places of their own.
    if (threads == (thread_sanitizer ? 3 : address_sanitizer ? 2 : 0)) continue;
    visit(std::string(name), ndx::par_simd.threads(threads));
  }
  // Stores that are not streamed are what `automatic` has for all but the largest outputs.
  if (!thread_sanitizer)
    visit(std::string("par_simd.stores(temporal)"), ndx::par_simd.threads(2).stores(ndx::stores::temporal));
  visit(std::string("par_simd.stores(streaming)"), ndx::par_simd.threads(3).stores(ndx::stores::streaming));
  visit(std::string("par_simd"), ndx::par_simd);
#endif
}

}  // namespace test

#endif

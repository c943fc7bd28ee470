// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_REGISTERS_HPP
#define NDX_TESTS_SUPPORT_REGISTERS_HPP

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace test {

/// Are the upper halves of the vector registers as a kernel has to leave them? True where the processor does not tell.
/// It does by what it would not save of them: bit 2 of XINUSE (Intel, Software Developer's Manual, XGETBV).
inline bool upper_halves_are_clean() noexcept {
#if defined(__x86_64__)
  static bool const tells = [] {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned xgetbv_of_1 = 1U << 2;
    constexpr unsigned enabled_by_the_system = 1U << 27;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & enabled_by_the_system) != 0 &&
           __get_cpuid_count(0xd, 1, &a, &b, &c, &d) != 0 && (a & xgetbv_of_1) != 0;
  }();
  if (!tells) return true;
  unsigned low = 0;
  unsigned high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & 1U << 2) == 0;
#else
  return true;
#endif
}

}  // namespace test

#endif

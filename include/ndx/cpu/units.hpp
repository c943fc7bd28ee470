// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_UNITS_HPP
#define NDX_CPU_UNITS_HPP

#include <ndx/cpu/isa.hpp>
#include <ndx/error.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// What kernels move at once, and what they do so with.
namespace ndx::cpu {

/// Elements of 16 bytes, which no built-in type has everywhere.
struct unit16 {
  std::uint64_t halves[2];
};

/// The unit of so many bytes; void where there is none.
template <std::size_t Bytes>
using unit_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t,
                                          std::conditional_t<Bytes == 8, std::uint64_t,
                                                             std::conditional_t<Bytes == 16, unit16, void>>>>>;

/// Elements of 3, 6 and 12 bytes: three of a unit, as a pixel has them.
template <class Unit>
struct triple {
  Unit parts[3];
};

/// 0 to 4 for 1, 2, 4, 8 and 16 bytes, which move as one unit; else -1.
constexpr int unit_index(index_t bytes) noexcept {
  for (int i = 0; i < 5; ++i)
    if (bytes == index_t{1} << i) return i;
  return -1;
}

/// The same, and 5 to 7 for 3, 6 and 12 bytes.
constexpr int element_index(index_t bytes) noexcept {
  return bytes == 3 ? 5 : bytes == 6 ? 6 : bytes == 12 ? 7 : unit_index(bytes);
}

/// A register full of numbers. (GCC takes the attribute on a dependent type only in a typedef of a class.)
template <class Number, std::size_t Bytes>
struct vector_of {
  typedef Number type __attribute__((vector_size(Bytes), may_alias));
};

/// Declared first in a kernel: at its end the upper halves of the registers are clean. Instructions of baseline code
/// would wait for dirty ones, one after another. Compilers see to that themselves, but GCC 12 forgets it where a kernel
/// calls a function that is not inlined and leaves some of the registers alone.
template <std::size_t VectorBytes>
struct clean_exit {
  clean_exit() = default;
  clean_exit(clean_exit const&) = delete;
  clean_exit& operator=(clean_exit const&) = delete;
  [[gnu::always_inline]] ~clean_exit() {
#if NDX_HAS_X86_KERNELS && !defined(__clang__)
    if constexpr (VectorBytes > 16)
      asm volatile("vzeroupper" ::
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                         "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#endif
  }
};

/// std::min and std::max, without all of <algorithm>.
constexpr index_t lesser(index_t a, index_t b) noexcept { return b < a ? b : a; }
constexpr index_t greater(index_t a, index_t b) noexcept { return a < b ? b : a; }

/// An address that need not lie in the object, as a prefetch takes it.
inline std::byte const* shifted(std::byte const* base, index_t offset) noexcept {
  return reinterpret_cast<std::byte const*>(reinterpret_cast<std::uintptr_t>(base) +
                                            static_cast<std::uintptr_t>(offset));
}

/// Streamed stores are not ordered with what follows, not even with the release of a lock: this orders them.
inline void finish_streamed_stores() noexcept {
#if NDX_HAS_X86_KERNELS
  __builtin_ia32_sfence();
#endif
}

}  // namespace ndx::cpu

#endif

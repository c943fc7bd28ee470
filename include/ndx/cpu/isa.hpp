// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_ISA_HPP
#define NDX_CPU_ISA_HPP

#include <ndx/error.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

// The kernels are written with the vector extensions that GCC and Clang share, so that one text serves every
// instruction set and no intrinsics header, which would double the cost of including this library, is needed.
#if defined(__x86_64__) && defined(__GNUC__)
#define NDX_HAS_X86_KERNELS 1
#include <cpuid.h>
#else
#define NDX_HAS_X86_KERNELS 0
#endif

namespace ndx {

/// The instruction sets that `simd` has kernels for. `baseline` is what the program is compiled for.
enum class instruction_set : unsigned char {
  baseline,
  avx2,   ///< AVX2
  avx512  ///< AVX-512 F, BW, VL and DQ
};

/// Does this processor have it?
[[nodiscard]] inline bool supported(instruction_set set) noexcept {
#if NDX_HAS_X86_KERNELS
  if (set == instruction_set::avx2) return __builtin_cpu_supports("avx2") != 0;
  if (set == instruction_set::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
  return set == instruction_set::baseline;
}

namespace cpu {

inline char const* name_of(instruction_set set) noexcept {
  return set == instruction_set::avx512 ? "avx512" : set == instruction_set::avx2 ? "avx2" : "baseline";
}

// Not inlined: the one call of it is in the way of all others of the function below.
[[gnu::noinline]] inline instruction_set best_instruction_set() {
  constexpr instruction_set all[] = {instruction_set::avx512, instruction_set::avx2, instruction_set::baseline};
  char const* const wanted = std::getenv("NDX_ISA");
  if (wanted == nullptr || *wanted == '\0') {
    for (instruction_set set : all)
      if (supported(set)) return set;
  } else {
    for (instruction_set set : all)
      if (std::strcmp(wanted, name_of(set)) == 0 && supported(set)) return set;
  }
  detail::fail(unsupported_error(
      detail::text("NDX_ISA is \"", wanted, "\"; due is baseline, avx2 or avx512, and this processor must have it")));
}

inline bool is_amd() noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const is_one = __builtin_cpu_is("amd") != 0;
  return is_one;
#else
  return false;
#endif
}

/// Is this one of AMD's Zen 3 and Zen 4, which are served best if they ask their memory no faster than it answers?
inline bool is_amd_family_19h() noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const is_one = __builtin_cpu_is("amdfam19h") != 0;
  return is_one;
#else
  return false;
#endif
}

/// Does this processor drop prefetches that are issued faster than its memory answers, instead of waiting? AMD's Zen 4
/// does, its Zen 3 and Zen 5 and Intel's do not. It is told from Zen 3 by AVX-512.
inline bool drops_prefetches() noexcept { return is_amd_family_19h() && supported(instruction_set::avx512); }

/// Does the first-level cache await as many lines at once as the second? That of AMD's Zen 5 does: single elements took
/// 0.88 of the time out of 256 MiB and 0.95 out of 4 MiB when they were fetched into it, and not into the second, and
/// copies of rows 0.9 to 1.05. (Of AMD's processors those before Zen 4 have no AVX-512.)
inline bool awaits_many_lines_near() noexcept {
  static bool const does = is_amd() && supported(instruction_set::avx512) && !is_amd_family_19h();
  return does;
}

/// Does this processor's hardware fetch what comes next in each of some pages that were read last? Intel's follows 32
/// (Intel 64 and IA-32 Architectures Optimization Reference Manual, on the streamer of the second-level cache).
inline bool follows_pages() noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const does = __builtin_cpu_is("intel") != 0;
  return does;
#else
  return false;
#endif
}

/// Does one instruction gather single elements out of the caches in less time than loads of each? On Intel's processors
/// from Sapphire Rapids on: pairs of 32-bit indices into 256 x 256 floats took 0.86 of the time (Emerald Rapids). On
/// AMD's it took 1.0 to 1.4 of it (Zen 4); those of Intel before wait for each that it reads, since microcode keeps it
/// from telling what others left behind (INTEL-SA-00828), and have no FP16 in AVX-512. Only the kernels of AVX-512 have
/// that instruction; whether those run is not asked here.
inline bool gathers_by_instruction() noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const does = [] {
    unsigned int a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned int avx512_fp16 = 1U << 23U;
    return __builtin_cpu_is("intel") != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & avx512_fp16) != 0;
  }();
  return does;
#else
  return false;
#endif
}

/// The widest one that this processor has, or the one that the environment variable NDX_ISA names; decided once.
inline instruction_set default_instruction_set() {
  static instruction_set const chosen = best_instruction_set();
  return chosen;
}

}  // namespace cpu
}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_ISA_HPP
#define NDX_CPU_ISA_HPP

#include <ndx/error.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

// The kernels are written with the vector extensions that GCC and Clang share, so that one text serves every
// instruction set and no intrinsics header, which would double the cost of including this library, is needed.
// A program that defines NDX_ONLY_BASELINE, in all of its files, compiles it once, for what it is compiled for itself.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(NDX_ONLY_BASELINE)
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

/// The processors that are served best in ways of their own.
enum class processor : unsigned char { other, intel, skylake_server, amd, zen_3, zen_4, zen_5 };

/// The one that this program runs on; found out once. `skylake_server` is that, Cascade Lake and Cooper Lake, `intel`
/// any other of Intel's, `zen_5` any of AMD's from there on, `amd` any before Zen 3.
inline processor this_processor() noexcept {
#if NDX_HAS_X86_KERNELS
  static processor const found = [] {
    if (__builtin_cpu_is("intel") != 0) {
      bool const is_skylake_server = __builtin_cpu_is("skylake-avx512") != 0 || __builtin_cpu_is("cascadelake") != 0 ||
                                     __builtin_cpu_is("cooperlake") != 0;
      return is_skylake_server ? processor::skylake_server : processor::intel;
    }
    if (__builtin_cpu_is("amd") == 0) return processor::other;
    bool const has_avx512 = supported(instruction_set::avx512);  // of AMD's processors those from Zen 4 on do
    if (__builtin_cpu_is("amdfam19h") != 0) return has_avx512 ? processor::zen_4 : processor::zen_3;
    return has_avx512 ? processor::zen_5 : processor::amd;
  }();
  return found;
#else
  return processor::other;
#endif
}

inline bool is_amd() noexcept { return this_processor() >= processor::amd; }

inline bool is_intel() noexcept {
  return this_processor() == processor::intel || this_processor() == processor::skylake_server;
}

/// Does this processor run ahead to the loads of so few lines that rows are to be fetched early wherever the
/// second-level cache does not hold them? A Skylake server does (Cascade Lake): rows of 64 bytes to 1 KiB took 0.3 to
/// 0.8 of the time, written into the caches or past them.
inline bool runs_ahead_little() noexcept { return this_processor() == processor::skylake_server; }

/// Are the lines of an output that the caches do not hold fetched some time before they are written there? On a Skylake
/// server that takes less time than to write without, and than to write past the caches: rows of 64 bytes to 4 KiB took
/// 0.72 to 0.88 of the time of the latter, slices 0.7 to 0.9 (Cascade Lake, by one thread and by two). On an Emerald
/// Rapids gathers of 3 and 8 MiB took 0.85 to 1.6 times as long with it, slices 0.93 to 1.12. Others were not tried.
inline bool fetches_outputs() noexcept { return this_processor() == processor::skylake_server; }

/// Is this one of AMD's Zen 3 and Zen 4, which are served best if they ask their memory no faster than it answers?
inline bool is_amd_family_19h() noexcept {
  return this_processor() == processor::zen_3 || this_processor() == processor::zen_4;
}

/// Does this processor drop prefetches that are issued faster than its memory answers, instead of waiting? AMD's Zen 4
/// does, its Zen 3 and Zen 5 and Intel's do not.
inline bool drops_prefetches() noexcept { return this_processor() == processor::zen_4; }

/// Does the first-level cache await as many lines at once as the second? That of AMD's Zen 5 does: single elements took
/// 0.88 of the time out of 256 MiB and 0.95 out of 4 MiB when they were fetched into it, and not into the second, and
/// copies of rows 0.9 to 1.05.
inline bool awaits_many_lines_near() noexcept { return this_processor() == processor::zen_5; }

/// Does this processor copy long rows past its caches in less time if it reads four lines before it writes them? AMD's
/// Zen 4 does: `tuning::grouped_copy_bytes`. Intel's take 1.04 to 1.12 times as long (Emerald Rapids).
inline bool copies_in_groups() noexcept { return this_processor() == processor::zen_4; }

/// Does this processor's hardware fetch what comes next in each of some pages that were read last? Intel's follows 32
/// (Intel 64 and IA-32 Architectures Optimization Reference Manual, on the streamer of the second-level cache).
inline bool follows_pages() noexcept { return is_intel(); }

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
    return this_processor() == processor::intel && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
           (d & avx512_fp16) != 0;
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

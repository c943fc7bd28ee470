// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_STORES_HPP
#define NDX_CPU_STORES_HPP

#include <ndx/cpu/isa.hpp>
#include <ndx/cpu/tuning.hpp>

namespace ndx {

/// How `simd` and `par_simd` write what they put out. Results are the same.
enum class stores : unsigned char {
  automatic,  ///< large outputs past the caches, where that saves reading each line before it is overwritten
  temporal,   ///< into the caches: for an output that is read right after the call
  streaming   ///< past the caches: for one that is not, however small
};

namespace cpu {

/// What a call by so many threads reads and writes where its output is written past the caches, at least; in bytes.
inline index_t streamed_call_bytes(int threads) noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const amd = __builtin_cpu_is("amd") != 0;
  if (amd) return threads > 1 ? tuning::streamed_call_bytes_amd_threads : tuning::streamed_call_bytes_amd;
#endif
  static_cast<void>(threads);
  return tuning::streamed_call_bytes;
}

/// Is an output to be written past the caches, for the sake of so many `bytes`, if that pays `from` so many on?
constexpr bool streams(stores chosen, index_t bytes, index_t from) noexcept {
  return chosen == stores::streaming || (chosen == stores::automatic && bytes >= from);
}

}  // namespace cpu
}  // namespace ndx

#endif

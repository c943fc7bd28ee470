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

/// The size from which on outputs are written past the caches.
inline index_t streamed_output_bytes() noexcept {
#if NDX_HAS_X86_KERNELS
  static bool const amd = __builtin_cpu_is("amd") != 0;
  if (amd) return tuning::streamed_output_bytes_amd;
#endif
  return tuning::streamed_output_bytes;
}

/// Are `bytes` of output to be written past the caches, if that pays `from` so many on?
constexpr bool streams(stores chosen, index_t bytes, index_t from) noexcept {
  return chosen == stores::streaming || (chosen == stores::automatic && bytes >= from);
}

}  // namespace cpu
}  // namespace ndx

#endif

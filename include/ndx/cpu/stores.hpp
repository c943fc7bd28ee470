// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_STORES_HPP
#define NDX_CPU_STORES_HPP

#include <ndx/cpu/isa.hpp>
#include <ndx/cpu/tuning.hpp>

#include <limits>

namespace ndx {

/// How `simd` and `par_simd` write what they put out. Results are the same.
enum class stores : unsigned char {
  automatic,  ///< large outputs past the caches, on processors where that takes less time
  temporal,   ///< into the caches: for an output that is read right after the call
  streaming   ///< past the caches: for one that is not, however small
};

namespace cpu {

/// What a call by so many threads reads and writes where its output is written past the caches, at least; in bytes.
inline index_t streamed_call_bytes(int threads) noexcept {
  if (!is_amd()) return tuning::streamed_call_bytes;
  if (threads <= 1) return tuning::streamed_call_bytes_amd;
  bool const is_zen_3 = this_processor() == processor::zen_3;
  return is_zen_3 ? tuning::streamed_call_bytes_zen_3_threads : tuning::streamed_call_bytes_amd_threads;
}

/// From where on an output is written past the caches whose lines may be fetched instead: from so many bytes on that a
/// call of so many threads makes, or never.
inline index_t unless_fetched(index_t streamed_bytes, int threads) noexcept {
  bool const never = fetches_outputs() && threads <= tuning::most_threads_that_fetch;
  return never ? std::numeric_limits<index_t>::max() : streamed_bytes;
}

/// Is an output to be written past the caches, for the sake of so many `bytes`, if that pays `from` so many on?
constexpr bool streams(stores chosen, index_t bytes, index_t from) noexcept {
  return chosen == stores::streaming || (chosen == stores::automatic && bytes >= from);
}

/// Are the lines of an output that is not fetched before they are written, for the sake of so many `bytes`, if that
/// pays `from` so many on?
inline bool fetches_output(index_t bytes, index_t from) noexcept { return bytes >= from && fetches_outputs(); }

/// Is what a scatter in place moves, so many bytes to anywhere in so many, written past the caches for that alone?
inline bool streams_scatter(stores chosen, index_t moved, std::uint64_t reached) noexcept {
  bool const is_zen_4 = this_processor() == processor::zen_4;
  index_t const far = is_zen_4 ? tuning::streamed_scatter_reach_zen_4 : tuning::streamed_scatter_reach;
  return chosen == stores::automatic && (is_zen_4 || !is_amd()) && moved >= tuning::streamed_scatter_bytes &&
         reached >= static_cast<std::uint64_t>(far);
}

}  // namespace cpu
}  // namespace ndx

#endif

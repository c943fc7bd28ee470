// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_SCRATCH_SIZES_HPP
#define NDX_VULKAN_SCRATCH_SIZES_HPP

#include <ndx/plan/operation.hpp>
#include <ndx/vulkan/call_tensors.hpp>
#include <ndx/vulkan/lower.hpp>
#include <ndx/vulkan/parameters.hpp>

/// Which scatters need memory beside their tensors, and how much of it. Plans are in bytes.
namespace ndx::vulkan {

/// `duplicates::last` matters where updates replace: each place has to know its last tuple.
inline bool replaces_last(plan::operation const& op) noexcept {
  return op.move.indirect == plan::side::destination && op.reduction == reduction::none &&
         op.duplicates == duplicates::last;
}

/// The bytes that a scatter may take for claims or pairs, at least those of one claim.
inline index_t scratch_bytes(plan::indexed_copy const& plan, call_tensors const& tensors, capabilities const& can,
                             binding_limits const& limits) noexcept {
  std::uint64_t bytes = reach(plan, through::destination, tensors.destination, 1, plan.run).size() / 4;
  if (bytes < tuning::usual_scratch_bytes) bytes = tuning::usual_scratch_bytes;
  if (bytes > can.scratch) bytes = can.scratch;
  if (bytes > limits.window()) bytes = limits.window();
  return bytes < 4 ? 4 : static_cast<index_t>(bytes);
}

/// Before the pairs that are brought into buckets: their counts, and how many have found their place.
inline constexpr index_t bucket_head_bytes = 8 * tuning::buckets;

/// How many of those pairs so many bytes hold.
constexpr index_t pairs_in(index_t bytes) noexcept {
  return bytes > bucket_head_bytes ? (bytes - bucket_head_bytes) / 8 : 0;
}

/// Where a scatter has so many updates of a word each, in any order and so far apart, that it pays to bring them close
/// together before they are written: as many of them as `bytes` of scratch hold. Else 0. See tuning.hpp.
inline index_t points_for_buckets(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size,
                                  call_tensors const& tensors, capabilities const& can, index_t bytes) noexcept {
  bool const adds = op.reduction == reduction::add || op.reduction == reduction::sub;
  bool const replaces = op.reduction == reduction::none;
  bool const by_words = replaces ? element_size <= 4 : adds && element_size == 4;
  if (plan.indirect != plan::side::destination || op.duplicates != duplicates::any || !by_words) return 0;
  if (plan.tail != 4 || common_unit(plan, tensors.destination, tensors.source) < 4) return 0;
  auto const words =
      static_cast<index_t>(reach(plan, through::destination, tensors.destination, 1, plan.run).size() / 4);
  index_t const points = plan.tuples < pairs_in(bytes) ? plan.tuples : pairs_in(bytes);
  if (words >= index_t{no_word} || points < words / tuning::bucketed_words_of_an_update) return 0;
  // What one tuple chooses among: where that is little, tuples that follow one another go to the same lines as it is.
  plan::indexed_copy one = plan;
  for (std::size_t d = 0; d < one.rank; ++d) one.loops[d].extent = 1;
  return reach(one, through::destination, tensors.destination, 1, plan.run).size() >= can.bucketed ? points : 0;
}

}  // namespace ndx::vulkan

#endif

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

/// How many places are claimed at once.
inline index_t claims_in_round(plan::indexed_copy const& plan, call_tensors const& tensors,
                               binding_limits const& limits) noexcept {
  auto const lesser = [](index_t a, index_t b) { return a < b ? a : b; };
  auto const bytes = reach(plan, through::destination, tensors.destination, 1, plan.run).size();
  index_t round = static_cast<index_t>(bytes / 4) / 4;
  if (round < tuning::least_claims_in_round) round = tuning::least_claims_in_round;
  round = lesser(round, tuning::most_claims_in_round);
  return lesser(round, static_cast<index_t>(limits.window()) / 4);
}

/// Before the pairs that are brought into buckets: their counts, and how many have found their place.
inline constexpr index_t bucket_head_bytes = 8 * tuning::buckets;

/// How many of those pairs so many bytes hold.
constexpr index_t pairs_in(index_t bytes) noexcept {
  return bytes > bucket_head_bytes ? (bytes - bucket_head_bytes) / 8 : 0;
}

/// Does a scatter have so many updates of a word each, in any order and so far apart, that it pays to bring them close
/// together before they are written? See tuning.hpp.
inline bool scatters_words_apart(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size,
                                 call_tensors const& tensors, capabilities const& can) noexcept {
  bool const adds = op.reduction == reduction::add || op.reduction == reduction::sub;
  bool const replaces = op.reduction == reduction::none;
  bool const by_words = replaces ? element_size <= 4 : adds && element_size == 4;
  if (plan.indirect != plan::side::destination || op.duplicates != duplicates::any || !by_words) return false;
  if (plan.tail != 4 || common_unit(plan, tensors.destination, tensors.source) < 4) return false;
  auto const words =
      static_cast<index_t>(reach(plan, through::destination, tensors.destination, 1, plan.run).size() / 4);
  if (words >= index_t{no_word} || plan.tuples < words / tuning::bucketed_words_of_an_update) return false;
  // What one tuple chooses among: where that is little, tuples that follow one another go to the same lines as it is.
  plan::indexed_copy one = plan;
  for (std::size_t d = 0; d < one.rank; ++d) one.loops[d].extent = 1;
  return reach(one, through::destination, tensors.destination, 1, plan.run).size() >= can.bucketed;
}

}  // namespace ndx::vulkan

#endif

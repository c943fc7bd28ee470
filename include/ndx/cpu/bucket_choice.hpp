// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_BUCKET_CHOICE_HPP
#define NDX_CPU_BUCKET_CHOICE_HPP

#include <ndx/cpu/buckets.hpp>
#include <ndx/cpu/reach.hpp>
#include <ndx/cpu/walker.hpp>

/// Which scatters go by buckets, and by which.
namespace ndx::cpu {

/// Cuts what tuples can reach into buckets. None where that depends on the tuple too, or is nothing.
inline buckets buckets_of(plan::indexed_copy const& plan, index_t element_size) noexcept {
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    if (plan.loops[d].destination != 0) return {};
  index_t const elements = places_of_indices(plan);
  if (elements == 0) return {};
  reach const far = reach_of_tuples(plan);
  buckets all;
  all.low = -static_cast<index_t>(far.before);
  all.extent = static_cast<index_t>(far.bytes()) + element_size;
  all.is_packed = all.extent == plan::wrapping_multiply(elements, element_size);
  while (index_t{1} << all.shift < tuning::bucket_bytes || (all.extent - 1) >> all.shift >= tuning::most_buckets)
    ++all.shift;
  if (all.shift > 32) return {};  // places in a bucket have 32 bits
  all.count = ((all.extent - 1) >> all.shift) + 1;
  return all;
}

/// Do neighbouring tuples lead far apart? Else the caches serve those that go straight to their places well.
template <class Index>
bool leads_far_apart(work<Index> const& what) noexcept {
  constexpr index_t samples = 32;
  constexpr index_t neighbours = 16;
  index_t far = 0;
  for (index_t sample = 0; sample < samples; ++sample) {
    tuple_walker<Index> tuples(what);
    tuples.skip(what.plan->tuples / samples * sample);
    index_t offsets[neighbours];
    static_cast<void>(tuples.resolve(offsets, neighbours));
    for (index_t i = 1; i < neighbours; ++i) {
      auto const step = static_cast<std::uint64_t>(offsets[i]) - static_cast<std::uint64_t>(offsets[i - 1]);
      if (step + tuning::far_bytes > static_cast<std::uint64_t>(2 * tuning::far_bytes)) ++far;
    }
  }
  return 2 * far > samples * (neighbours - 1);
}

/// Does it pay to bring a scatter's updates into these buckets?
template <class Index>
bool pays_by(buckets const& all, work<Index> const& what) noexcept {
  return all.count > 0 && all.extent >= tuning::bucketed_reach_bytes &&
         all.extent / tuning::reach_of_update_bytes <= what.plan->tuples && leads_far_apart(what);
}

}  // namespace ndx::cpu

#endif

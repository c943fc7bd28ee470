// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_BUCKET_CHOICE_HPP
#define NDX_CPU_BUCKET_CHOICE_HPP

#include <ndx/cpu/buckets.hpp>
#include <ndx/cpu/reach.hpp>
#include <ndx/cpu/walker.hpp>

#include <bit>
#include <cstdint>

/// Which scatters and gathers go by buckets, and by which.
namespace ndx::cpu {

/// Cuts what tuples can reach into buckets, `most` where they need not have 2^32 bytes. None where that depends on the
/// tuple too, or is nothing.
inline buckets buckets_of(plan::indexed_copy const& plan, index_t element_size, index_t most) noexcept {
  bool const reads = plan.indirect == plan::side::source;
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    if ((reads ? plan.loops[d].source : plan.loops[d].destination) != 0) return {};
  index_t const elements = places_of_indices(plan);
  if (elements == 0) return {};
  reach const far = reach_of_tuples(plan);
  buckets all;
  all.low = -static_cast<index_t>(far.before);
  all.extent = static_cast<index_t>(far.bytes()) + element_size;
  all.is_packed = all.extent == plan::wrapping_multiply(elements, element_size);
  while (index_t{1} << all.shift < tuning::bucket_bytes || (all.extent - 1) >> all.shift >= most) ++all.shift;
  if (all.shift > 32) return {};  // places in a bucket have 32 bits
  all.count = ((all.extent - 1) >> all.shift) + 1;
  return all;
}

/// Where some tuples lead that are spread over all of them: several times as many neighbours.
class tuple_sample {
public:
  template <class Index>
  explicit tuple_sample(work<Index> const& what) noexcept {
    for (index_t sample = 0; sample < samples; ++sample) {
      tuple_walker<Index> tuples(what);
      tuples.skip(what.plan->tuples / samples * sample);
      static_cast<void>(tuples.resolve(offsets_ + sample * neighbours, neighbours));
    }
  }

  /// Do most neighbours lead far apart? Else the caches serve those that go straight to their places well.
  [[nodiscard]] bool leads_far_apart() const noexcept {
    auto const near = static_cast<std::uint64_t>(tuning::far_bytes);
    index_t far = 0;
    for (index_t i = 0; i < samples * neighbours; ++i) {
      if (i % neighbours == 0) continue;
      if (distance(i) + near > 2 * near) ++far;
    }
    return 2 * far > samples * (neighbours - 1);
  }

  /// From the lowest place to the highest one.
  [[nodiscard]] std::uint64_t reach() const noexcept {
    index_t low = offsets_[0];
    index_t high = offsets_[0];
    for (index_t const offset : offsets_) {
      low = lesser(low, offset);
      high = greater(high, offset);
    }
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }

  /// Do they lead to many lines of so many bytes? Of few, which the caches would hold, some are met again: where each
  /// of n lines is as likely as the others, one pair of s(s - 1)/2 in n is of the same line.
  [[nodiscard]] bool leads_to_many_lines(index_t bytes) const noexcept {
    constexpr index_t count = samples * neighbours;
    constexpr index_t pairs = count * (count - 1) / 2;
    // A table of the lines that have been met, 0 where there is none; half of it stays free.
    constexpr int bits = std::bit_width(static_cast<std::uint64_t>(count));
    constexpr std::uint64_t size = std::uint64_t{1} << bits;
    std::uint64_t lines[size] = {};
    index_t met = 0;
    for (index_t const offset : offsets_) {
      std::uint64_t const line = static_cast<std::uint64_t>(offset) / 64 + 1;
      std::uint64_t at = line * 0x9e3779b97f4a7c15U >> (64 - bits);  // by the golden ratio, which spreads neighbours
      while (lines[at] != 0 && lines[at] != line) at = (at + 1) % size;
      if (lines[at] == line) ++met;
      lines[at] = line;
    }
    return met <= tuning::lines_met_again + 4 * pairs / (bytes / 64 + 1);
  }

private:
  static constexpr index_t samples = 32;
  static constexpr index_t neighbours = 16;

  /// From the offset before, without a sign: that of a bad tuple is any number.
  [[nodiscard]] std::uint64_t distance(index_t i) const noexcept {
    return static_cast<std::uint64_t>(offsets_[i]) - static_cast<std::uint64_t>(offsets_[i - 1]);
  }

  index_t offsets_[samples * neighbours];
};

/// Does it pay to bring a scatter's updates into these buckets?
template <class Index>
bool pays_by(buckets const& all, work<Index> const& what) noexcept {
  return all.count > 0 && all.extent >= tuning::bucketed_reach_bytes &&
         all.extent / tuning::reach_of_update_bytes <= what.plan->tuples && tuple_sample(what).leads_far_apart();
}

/// The least reach of tuples that may pay for a gather of elements of so many bytes.
inline index_t least_gathered_reach(index_t bytes, int threads) noexcept {
  if (threads > tuning::most_threads_by_buckets) return tuning::gathered_reach_bytes;
  if (this_processor() == processor::zen_5) return tuning::gathered_reach_bytes_zen_5;
  if (this_processor() == processor::zen_3 && bytes <= 8)
    return bytes <= 4 ? tuning::gathered_reach_bytes_zen_3 : 2 * tuning::gathered_reach_bytes_zen_3;
  return tuning::gathered_reach_bytes;
}

/// Does it pay to bring a gather's tuples into them, so many at a time?
template <class Index>
bool gather_pays_by(buckets const& all, work<Index> const& what, index_t at_a_time, int threads) noexcept {
  index_t const least = least_gathered_reach(what.plan->run, threads);
  if (all.count == 0 || all.extent < least) return false;
  bool const far = all.extent >= tuning::gathered_far_bytes;
  index_t const share = far ? tuning::far_reach_of_gathered_bytes : tuning::reach_of_gathered_bytes;
  if (all.extent / share > at_a_time) return false;
  tuple_sample const sample(what);
  // Of a large source they may use a part alone, which the caches hold.
  return sample.reach() >= static_cast<std::uint64_t>(least / 2) && sample.leads_far_apart() &&
         sample.leads_to_many_lines(all.extent);
}

/// Chunks of so many tuples.
inline index_t chunks_of(index_t tuples) noexcept {
  return (tuples + tuning::updates_in_chunk - 1) / tuning::updates_in_chunk;
}

/// As many chunks as go at a time, where each takes so many bytes of so much scratch: the same number in all rounds but
/// the last, as each goes through all buckets.
inline index_t chunks_in_rounds(index_t tuples, index_t chunk_bytes, index_t scratch_bytes) noexcept {
  index_t const most = greater(scratch_bytes / chunk_bytes, 1);
  index_t const rounds = (chunks_of(tuples) + most - 1) / most;
  return (chunks_of(tuples) + rounds - 1) / rounds;
}

}  // namespace ndx::cpu

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_SCRATCH_SIZES_HPP
#define NDX_VULKAN_SCRATCH_SIZES_HPP

#include <ndx/plan/operation.hpp>
#include <ndx/plan/slots.hpp>
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
inline index_t scratch_bytes(plan::indexed_copy const& plan, call_tensors const& tensors,
                             capabilities const& can) noexcept {
  binding_limits const limits(can);
  std::uint64_t bytes = reach(plan, through::destination, tensors.destination, 1, plan.run).size() / 4;
  if (bytes < tuning::usual_scratch_bytes) bytes = tuning::usual_scratch_bytes;
  if (bytes > can.scratch) bytes = can.scratch;
  if (bytes > limits.window()) bytes = limits.window();
  return bytes < 4 ? 4 : static_cast<index_t>(bytes);
}

/// A bit for each tuple, in whole words.
constexpr index_t bytes_of_bits(index_t tuples) noexcept { return tuples / 32 * 4 + (tuples % 32 != 0 ? 4 : 0); }

/// The scratch of pairs that are brought into buckets, as shaders/bucket.comp lays it out: how many there are in each
/// bucket, and how many have found their place; for the last of duplicates a bit and a number for each; the pairs.
class bucket_layout {
public:
  static constexpr index_t head_bytes = 8 * tuning::buckets;

  constexpr bucket_layout(index_t pairs, bool numbered) noexcept : pairs_(pairs), numbered_(numbered) {}

  /// For as many pairs as so many bytes hold.
  static constexpr bucket_layout within(index_t bytes, bool numbered) noexcept {
    index_t const room = bytes - head_bytes;
    // With a number: 12 bytes and a bit each, and up to 12 bytes more, as bits fill words and pairs begin at multiples
    // of their size.
    index_t const pairs = numbered ? (room - 12) / 97 * 8 : room / 8;
    return {pairs < 0 ? 0 : pairs, numbered};
  }

  [[nodiscard]] constexpr index_t pairs() const noexcept { return pairs_; }
  [[nodiscard]] constexpr index_t bytes_before_numbers() const noexcept { return bytes_of_bits(pairs_); }
  [[nodiscard]] constexpr index_t bytes_of_numbers() const noexcept { return bytes_before_numbers() + 4 * pairs_; }
  [[nodiscard]] constexpr index_t first_pair() const noexcept {
    return head_bytes + (numbered_ ? (bytes_of_numbers() + 7) / 8 * 8 : 0);
  }
  [[nodiscard]] constexpr index_t bytes() const noexcept { return first_pair() + 8 * pairs_; }

private:
  index_t pairs_;
  bool numbered_;
};

/// Where a scatter has so many updates of a word each, and so far apart, that it pays to bring them close together
/// before they are written: as many of them as `bytes` of scratch hold. Else 0. See tuning.hpp.
inline index_t points_for_buckets(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size,
                                  call_tensors const& tensors, capabilities const& can, index_t bytes) noexcept {
  bool const adds = op.reduction == reduction::add || op.reduction == reduction::sub;
  bool const replaces = op.reduction == reduction::none;
  bool const by_words = replaces ? element_size <= 4 : adds && element_size == 4;
  bool const in_order = op.duplicates == duplicates::last && !replaces;
  if (plan.indirect != plan::side::destination || in_order || !by_words) return 0;
  if (plan.tail != 4 || common_unit(plan, tensors.destination, tensors.source) < 4) return 0;
  auto const words =
      static_cast<index_t>(reach(plan, through::destination, tensors.destination, 1, plan.run).size() / 4);
  index_t const room = bucket_layout::within(bytes, replaces_last(op)).pairs();
  index_t const points = plan.tuples < room ? plan.tuples : room;
  if (words >= index_t{no_word} || points < words / tuning::bucketed_words_of_an_update) return 0;
  // What one tuple chooses among: where that is little, tuples that follow one another go to the same lines as it is.
  plan::indexed_copy one = plan;
  for (std::size_t d = 0; d < one.rank; ++d) one.loops[d].extent = 1;
  return reach(one, through::destination, tensors.destination, 1, plan.run).size() >= can.bucketed ? points : 0;
}

/// What scratch is for, and how much of it there is.
struct scratch_use {
  index_t bytes = 0;
  index_t tuples_that_sign = 0;   ///< at a time; 0: claims, if any, are beside the places
  index_t places_in_round = 1;    ///< that are claimed, or whose tuples are counted, at once
  index_t points_in_buckets = 0;  ///< of a round; 0: they are written as they come
  bool numbered = false;          ///< those points, as the last of duplicates stands
};

/// How operations use scratch. `packs`: their tensors are seen through windows. `take(bytes)` says whether there is so
/// much memory, and then keeps it; where even the least is not there, the choice stands, and taking it fails later.
template <class Take>
class scratch_chooser {
public:
  scratch_chooser(call_tensors const& tensors, capabilities const& can, bool packs, Take const& take) noexcept
      : tensors_(tensors), can_(can), packs_(packs), take_(take) {}

  scratch_use choose(plan::operation const& op, plan::indexed_copy const& plan, index_t element_size) const {
    index_t const most = scratch_bytes(plan, tensors_, can_);
    if (replaces_last(op) && signs(plan, most)) {
      scratch_use const sorted = pairs(points_for_buckets(op, plan, element_size, tensors_, can_, most), true);
      return sorted.points_in_buckets != 0 ? sorted : bits(plan.tuples, most);
    }
    if (replaces_last(op) || op.reduction == reduction::mean) return claims(slots_of(plan).count, most);
    if (packs_) return {};
    return pairs(points_for_buckets(op, plan, element_size, tensors_, can_, most), false);
  }

private:
  /// Are claims to be made in the places themselves? Where tuples move whole words, and claims beside the places would
  /// take more memory than is usual, more than there is, or more time than it takes to do without.
  [[nodiscard]] bool signs(plan::indexed_copy const& plan, index_t most) const {
    index_t const places = slots_of(plan).count;
    if (packs_ || places == 0 || common_unit(plan, tensors_.destination, tensors_.source) < 4) return false;
    index_t const usual = lesser(most, static_cast<index_t>(tuning::usual_scratch_bytes));
    bool const few = places / tuning::places_of_a_signature > plan.tuples;
    return few || places > usual / 4 || !take_(4 * places);
  }

  [[nodiscard]] scratch_use bits(index_t tuples, index_t most) const {
    index_t count = lesser(tuples, lesser(tuning::tuples_that_sign, 8 * most));
    count = as_many(count, [&](index_t fewer) { return take_(bytes_of_bits(fewer)); });
    return {.bytes = bytes_of_bits(count), .tuples_that_sign = count};
  }
  [[nodiscard]] scratch_use claims(index_t places, index_t most) const {
    index_t const count = as_many(lesser(places, most / 4), [&](index_t fewer) { return take_(4 * fewer); });
    return {.bytes = 4 * count, .places_in_round = count};
  }
  [[nodiscard]] scratch_use pairs(index_t points, bool numbered) const {
    index_t const bytes = bucket_layout(points, numbered).bytes();
    if (points == 0 || !take_(bytes)) return {};
    return {.bytes = bytes, .points_in_buckets = points, .numbered = numbered};
  }

  /// Halves the count until `fits`, or until fewer would be too slow.
  template <class Fits>
  static index_t as_many(index_t count, Fits const& fits) {
    while (count > tuning::fewest_at_once && !fits(count)) count = count / 2 + count % 2;
    return count;
  }

  call_tensors const& tensors_;
  capabilities const& can_;
  bool packs_;
  Take const& take_;
};

}  // namespace ndx::vulkan

#endif

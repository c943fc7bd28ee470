// SPDX-License-Identifier: MIT
// Single elements to or from places far apart: the tuples of a chunk are sorted by the part of the indirect side that
// they lead to, their bucket. Included once for each instruction set, by kernels.hpp.

/// The places of tuples, from the low end of the destination; those of bad ones are behind all buckets.
static inline void find_places(resolved_tuples const& tuples, buckets const& all, std::uint64_t* places) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t const count = tuples.count;
  auto const low = static_cast<std::uint64_t>(all.low);
  auto const nowhere = static_cast<std::uint64_t>(all.begin(all.count));
  for (index_t i = 0; i < count; ++i) places[i] = static_cast<std::uint64_t>(tuples.offsets[i]) - low;
  if (tuples.bad)
    for (index_t i = 0; i < count; ++i) places[i] = tuples.offsets[i] == plan::no_offset ? nowhere : places[i];
}

/// How many more updates each bucket gets: the sum of what is in two tables, as counting in one would wait for itself.
template <class Place>
static inline void count_places(Place const* places, index_t count, int shift, std::uint32_t* counts,
                                std::uint32_t* more_counts) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t i = 0;
  for (; i + 2 <= count; i += 2) {
    ++counts[places[i] >> shift];
    ++more_counts[places[i + 1] >> shift];
  }
  if (i < count) ++counts[places[i] >> shift];
}

/// Calls `write(place, i)` for all places, and fetches later indices meanwhile. Some places are read before the first
/// of their writes, which might overwrite them as far as the compiler knows.
template <class Place, class Write>
[[gnu::always_inline]] static inline void for_each_place(Place const* places, index_t count, indices_ahead later,
                                                         Write const& write) noexcept {
  constexpr index_t together = 4;
  index_t i = 0;
  for (; i + together <= count; i += together) {
    prefetch(later.from, i * later.step);
    Place next[together];
    __builtin_memcpy(next, places + i, sizeof next);
    for (index_t e = 0; e < together; ++e) write(next[e], i + e);
  }
  for (; i < count; ++i) write(places[i], i);
}

/// A place in its bucket.
template <class Place>
[[gnu::always_inline]] static inline std::uint32_t place_in_bucket(Place place, int shift) noexcept {
  return static_cast<std::uint32_t>(place) & static_cast<std::uint32_t>((std::uint64_t{1} << shift) - 1);
}

/// Reads so many bytes, which is more than a prefetch: those are dropped where they are too many.
[[gnu::always_inline]] static inline void bring(std::byte const* from, index_t bytes) noexcept {
  for (index_t at = 0; at < bytes; at += 64) static_cast<void>(*const_cast<std::byte const volatile*>(from + at));
}

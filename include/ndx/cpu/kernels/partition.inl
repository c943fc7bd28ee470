// SPDX-License-Identifier: MIT
// Single elements to places far apart: chunks of updates are sorted by the part of the destination that they go to,
// its bucket, and then applied bucket by bucket. Included once for each instruction set, by kernels.hpp.

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

/// Writes records to the positions of their buckets, which move on.
template <class Unit, class Place>
static inline void place_records(std::byte* to, std::uint32_t* positions, Place const* places, int shift,
                                 update_line const& updates) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr index_t size = record_bytes(sizeof(Unit));
  // A copy, which stays in registers: the records are bytes, and what they might alias would be read anew for each.
  // Not a structured binding, which clang before 16 does not capture.
  update_line const line = updates;
  for_each_place(
      places, line.count, line.later, [&](Place place, index_t i) __attribute__((always_inline)) {
        std::byte* const record = to + index_t{positions[place >> shift]++} * size;
        std::uint32_t const where = place_in_bucket(place, shift);
        __builtin_memcpy(record, &where, sizeof where);
        __builtin_memcpy(record + sizeof where, line.from + i * line.step, sizeof(Unit));
      });
}

/// Reads so many bytes, which is more than a prefetch: those are dropped where they are too many.
[[gnu::always_inline]] static inline void bring(std::byte const* from, index_t bytes) noexcept {
  for (index_t at = 0; at < bytes; at += 64) static_cast<void>(*const_cast<std::byte const volatile*>(from + at));
}

/// Calls `one(place)` for every record from one address to another.
template <index_t Size, class One>
[[gnu::always_inline]] static inline void for_each_record(std::byte const* at, std::byte const* end,
                                                          One const& one) noexcept {
  for (; at < end; at += Size) {
    std::uint32_t where;
    __builtin_memcpy(&where, at, sizeof where);
    one(where, at + sizeof where);
  }
}

/// Calls `one(place, value)` for all updates of a bucket in the order of their tuples. The bucket begins at `to`.
template <class Unit, class One>
[[gnu::always_inline]] static inline void for_each_update(std::byte* to, sorted_chunks const& chunks, index_t which,
                                                          fetching how, One const& one) noexcept {
  constexpr index_t size = record_bytes(sizeof(Unit));
  auto const first = [&](index_t chunk) { return chunks.records_from(chunk, which, size); };
  auto const last = [&](index_t chunk) { return chunks.records_from(chunk, which + 1, size); };
  bring(to, how.read);
  index_t const lines_at_once = how.later_bytes / 64 / chunks.count + 1;
  index_t fetched = 0;
  for (index_t chunk = 0; chunk < chunks.count; ++chunk) {
    if (chunk + 2 < chunks.count)
      for (std::byte const* at = first(chunk + 2); at < last(chunk + 2); at += 64) prefetch(at, 0);
    if (how.ahead && chunk + 1 < chunks.count)
      for_each_record<size>(
          first(chunk + 1), last(chunk + 1), [&](std::uint32_t where, std::byte const*) __attribute__((always_inline)) {
            prefetch(to, where);
          });
    std::byte const* const end = last(chunk);
    auto const apply = [&](std::uint32_t where, std::byte const* value) __attribute__((always_inline)) {
      one(to + where, value);
    };
    // Line by line, as the memory is asked for no more at once than it can do.
    std::byte const* at = first(chunk);
    index_t const due = lesser((chunk + 1) * lines_at_once * 64, how.later_bytes);
    for (; fetched < due && at < end; at += size, fetched += 64) {
      prefetch(how.later, fetched);
      for_each_record<size>(at, at + size, apply);
    }
    for_each_record<size>(at, end, apply);
  }
}

template <class Unit>
static inline void apply_bucket(std::byte* to, sorted_chunks const& chunks, index_t which, fetching how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  for_each_update<Unit>(
      to, chunks, which, how, [](std::byte * place, std::byte const* value) __attribute__((always_inline)) {
        __builtin_memcpy(place, value, sizeof(Unit));
      });
}

template <ndx::reduction Op, class T>
static inline void reduce_bucket(std::byte* to, sorted_chunks const& chunks, index_t which, fetching how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  for_each_update<unit_of<sizeof(T)>>(
      to, chunks, which, how, [](std::byte * place, std::byte const* value) __attribute__((always_inline)) {
        T update;
        __builtin_memcpy(&update, value, sizeof(T));
        auto& element = *reinterpret_cast<T*>(place);
        element = plan::combine<Op>(element, update);
      });
}

// SPDX-License-Identifier: MIT
// Single elements from places far apart: chunks of tuples are sorted by the part of the source that they lead to, its
// bucket; elements are read bucket by bucket, and dealt to the output chunk by chunk. Included once for each
// instruction set, by kernels.hpp.

/// Writes the places of tuples to the positions of their buckets, which move on, and takes down where each has gone.
template <class Place>
static inline void list_places(slot_line const& to, std::uint32_t* positions, Place const* places, index_t count,
                               int shift) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  slot_line const line = to;  // as `place_records` has it
  for_each_place(
      places, count, line.later, [&](Place place, index_t i) __attribute__((always_inline)) {
        std::uint32_t const number = positions[place >> shift]++;
        std::uint32_t const where = place_in_bucket(place, shift);
        __builtin_memcpy(line.slots + (index_t{number} << line.slot_shift), &where, sizeof where);
        line.numbers[i] = static_cast<std::uint16_t>(number);
      });
}

/// Replaces what is in slots, the place of an element from `from` on, by the element.
template <class Unit>
[[gnu::always_inline]] static inline void read_slots(std::byte* slots, index_t count, std::byte const* from,
                                                     [[maybe_unused]] bool at_once) noexcept {
  constexpr index_t size = slot_bytes(sizeof(Unit));
  index_t i = 0;
  if constexpr (sizeof(Unit) == 4 && has_gather<Unit>)
    if (at_once)
      for (; i + 16 <= count; i += 16) {
        std::uint32_t places[16];
        __builtin_memcpy(places, slots + i * size, sizeof places);
        store(slots + i * size, collect_at_once<Unit>(from, places));
      }
  constexpr index_t together = 4;
  for (; i + together <= count; i += together) {
    Unit values[together];
    for (index_t e = 0; e < together; ++e) {
      std::uint32_t place;
      __builtin_memcpy(&place, slots + (i + e) * size, sizeof place);
      __builtin_memcpy(&values[e], from + place, sizeof(Unit));
    }
    for (index_t e = 0; e < together; ++e) __builtin_memcpy(slots + (i + e) * size, &values[e], sizeof(Unit));
  }
  for (; i < count; ++i) {
    std::uint32_t place;
    __builtin_memcpy(&place, slots + i * size, sizeof place);
    __builtin_memcpy(slots + i * size, from + place, sizeof(Unit));
  }
}

/// Fills the slots of a bucket, which begins at `from`, in all chunks.
template <class Unit>
static inline void read_bucket(std::byte const* from, sorted_chunks const& chunks, index_t which, fetching how,
                               bool at_once) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr index_t size = slot_bytes(sizeof(Unit));
  constexpr index_t chunks_ahead = 6;
  auto const first = [&](index_t chunk) { return chunks.records_from(chunk, which, size); };
  bring(from, how.read);
  index_t const lines_at_once = how.later_bytes / 64 / chunks.count + 1;
  index_t fetched = 0;
  for (index_t chunk = 0; chunk < chunks.count; ++chunk) {
    if (chunk + chunks_ahead < chunks.count)
      for (std::byte const* at = first(chunk + chunks_ahead);
           at < chunks.records_from(chunk + chunks_ahead, which + 1, size); at += 64)
        prefetch(at, 0);
    index_t const due = lesser((chunk + 1) * lines_at_once * 64, how.later_bytes);
    for (; fetched < due; fetched += 64) prefetch(how.later, fetched);
    std::byte* const slots = first(chunk);
    read_slots<Unit>(slots, (chunks.records_from(chunk, which + 1, size) - slots) / size, from, at_once);
  }
}

/// Element i of the output from the slot of tuple i. Meanwhile what is needed for another chunk is fetched, as much for
/// an element as there is of this one.
template <class Unit>
static inline void deal_slots(std::byte* to, index_t to_step, filled_slots const& from, index_t count,
                              hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t slot = slot_bytes(size);
  constexpr index_t round = greater(64 / size, 32);  // whose numbers fill a line
  filled_slots const all = from;
  auto const put_one = [&](index_t i) __attribute__((always_inline)) {
    __builtin_memcpy(to + i * to_step, all.slots + all.numbers[i] * slot, sizeof(Unit));
  };
  index_t i = 0;
  if (to_step == size && (reinterpret_cast<std::uintptr_t>(to) & static_cast<std::uintptr_t>(size - 1)) == 0) {
    for (; i < count && (reinterpret_cast<std::uintptr_t>(to + i * size) & 63U) != 0; ++i) put_one(i);
    for (; i + round <= count; i += round) {
      prefetch(reinterpret_cast<std::byte const*>(all.later_numbers + i), 0);
      for (index_t at = 0; at < round * slot; at += 64) prefetch(all.later_slots, i * slot + at);
      std::uint32_t offsets[round];
      for (index_t e = 0; e < round; ++e) offsets[e] = static_cast<std::uint32_t>(all.numbers[i + e] * slot);
      for (index_t at = 0; at < round * size; at += vector_bytes) {
        auto const collected = [&]() __attribute__((always_inline)) {
          if constexpr (has_gather<Unit>)
            if (how.gather) return collect_at_once<Unit>(all.slots, offsets + at / size);
          return reinterpret_cast<vector>(collect<NDX_VECTOR_BYTES, Unit>(all.slots, offsets + at / size));
        };
        vector const value = collected();
        if (how.stream) stream(to + i * size + at, value);
        else store(to + i * size + at, value);
      }
    }
  }
  for (; i < count; ++i) put_one(i);
}

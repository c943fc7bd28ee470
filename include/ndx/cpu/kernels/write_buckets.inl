// SPDX-License-Identifier: MIT
// Updates of single elements to places far apart: chunks of them are sorted by bucket, and then applied bucket by
// bucket. What is done for each is not a matter of the instruction set, as in write_singly.inl. Included with the
// baseline.

/// Writes records to the positions of their buckets, which move on.
template <class Unit, class Place>
static inline void place_records(std::byte* to, std::uint32_t* positions, Place const* places, int shift,
                                 update_line const& updates) noexcept {
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
  for_each_update<Unit>(
      to, chunks, which, how, [](std::byte * place, std::byte const* value) __attribute__((always_inline)) {
        __builtin_memcpy(place, value, sizeof(Unit));
      });
}

template <ndx::reduction Op, class T>
static inline void reduce_bucket(std::byte* to, sorted_chunks const& chunks, index_t which, fetching how) noexcept {
  for_each_update<unit_of<sizeof(T)>>(
      to, chunks, which, how, [](std::byte * place, std::byte const* value) __attribute__((always_inline)) {
        T update;
        __builtin_memcpy(&update, value, sizeof(T));
        auto& element = *reinterpret_cast<T*>(place);
        element = plan::combine<Op>(element, update);
      });
}

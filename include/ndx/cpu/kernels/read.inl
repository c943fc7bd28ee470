// SPDX-License-Identifier: MIT
// The source is indirect: gathers. Included once for each instruction set, by kernels.hpp.

/// Row i from `from + offsets[i]` into the caches, while the row that is `next` is fetched, for as many as are to be
/// `fetched`, and the lines of the output. In a function of its own for the sake of the other loops, as
/// `gather_fetched` is.
template <class = void>
[[gnu::noinline]] static inline void read_fetched(std::byte* to, index_t to_stride, std::byte const* from,
                                                  index_t const* offsets, index_t const* next, index_t count,
                                                  index_t fetched, index_t bytes, bool in_lines) noexcept {
  index_t const distance = output_ahead(to_stride, bytes);
  for (index_t i = 0; i < count; ++i)
    copy_fetched(to + i * to_stride, from + offsets[i], bytes, distance, i < fetched ? shifted(from, next[i]) : nullptr,
                 in_lines);
}

/// Row i from `from + offsets[i]`.
template <class = void>
static inline void read_rows(std::byte* to, index_t to_stride, std::byte const* from, resolved_tuples const& tuples,
                             index_t bytes, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t const count = tuples.count;
  index_t const* const offsets = tuples.offsets;
  index_t const* const next = offsets + rows_ahead(bytes);
  // The rows that have one to be fetched meanwhile.
  index_t const fetched = how.prefetch ? lesser(count, tuples.known - rows_ahead(bytes)) : 0;
  bool const whole_lines = ((reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(bytes)) & 63U) == 0;
  bool const in_lines = are_in_lines(shifted(from, offsets[0]), bytes);
  if (how.stream && to_stride == bytes && bytes <= tuning::staged_row_bytes && !whole_lines) {
    put_packed(
        to, bytes, count, how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          for (index_t i = first; i < first + number; ++i, place += bytes) {
            if (i < fetched) prefetch_row(from, next[i], bytes, in_lines);
            copy_row(place, from + offsets[i], bytes);
          }
        });
    return;
  }
  if (how.first && how.prefetch)
    for (index_t i = 0; i < lesser(rows_ahead(bytes), tuples.known); ++i)
      prefetch_row(from, offsets[i], bytes, in_lines);
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  if (streamed && whole_lines && to_stride == bytes) {
    std::uint64_t zero = 0;
    bool const waits = how.pace && bytes <= tuning::paced_row_bytes;
    bool const grouped = bytes >= tuning::grouped_row_bytes;
    with_lines_of(
        in_lines, bytes, [&](auto lines, auto ends_later) __attribute__((always_inline)) {
          index_t i = 0;
          for (; i < fetched; ++i) {
            index_t const ahead = next[i] + (waits ? paced(zero, tuning::paced_multiplications) : 0);
            stream_lines<lines()>(to + i * bytes, from + offsets[i], bytes, shifted(from, ahead), grouped);
            if constexpr (ends_later()) prefetch(from, ahead + bytes - 1);
          }
          for (; i < count; ++i)
            for (index_t at = 0; at < bytes; at += 64) stream_line(to + i * bytes + at, from + offsets[i] + at);
        });
    return;
  }
  if (how.fetch_output) return read_fetched(to, to_stride, from, offsets, next, count, fetched, bytes, in_lines);
  if (!streamed) {
    with_lines(
        bytes, [&](auto lines) __attribute__((always_inline)) {
          index_t i = 0;
          for (; i < fetched; ++i) {
            prefetch_row(from, next[i], lines() == 0 ? bytes : 64 * lines(), in_lines);
            copy_lines<lines()>(to + i * to_stride, from + offsets[i], bytes);
          }
          for (; i < count; ++i) copy_lines<lines()>(to + i * to_stride, from + offsets[i], bytes);
        });
    return;
  }
  for (index_t i = 0; i < count; ++i) {
    std::byte const* const row = from + offsets[i];
    if (i >= fetched) {
      stream_row(to + i * to_stride, row, bytes);
    } else {
      index_t const offset = next[i];
      stream_row(
          to + i * to_stride, row,
          bytes, [&](index_t at) __attribute__((always_inline)) { prefetch(from, offset + at); },
          how.group && bytes >= tuning::grouped_copy_bytes);
    }
  }
}

/// Element i from `from + offsets[i]`.
template <class Unit>
static inline void read_elements(std::byte* to, index_t to_stride, std::byte const* from, resolved_tuples const& tuples,
                                 index_t /*bytes*/, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t round = 16;
  index_t const count = tuples.count;
  index_t const* const offsets = tuples.offsets;
  index_t const* const next = offsets + tuning::tuples_ahead;
  index_t const fetched = how.prefetch ? lesser(count, tuples.known - tuning::tuples_ahead) : 0;
  std::uint64_t zero = 0;
  auto const fetch = [&](index_t i, index_t end) __attribute__((always_inline)) {
    for (; i < end; ++i) {
      prefetch(from, next[i] + (how.pace ? paced(zero, tuning::paced_multiplications) : 0));
      if constexpr (size % 3 == 0) prefetch(from, next[i] + size - 1);
    }
  };
  if (to_stride == size) {
    put_packed<size != 3 && size != 6>(
        to, size, count, how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          index_t i = first;
          index_t const end = first + number;
          for (; i + round <= end; i += round, place += round * size) {
            fetch(i, lesser(i + round, fetched));
            prefetch_later(tuples, i, round);
            NDX_UNROLLED(16)
            for (index_t e = 0; e < round; ++e) put<Unit>(place + e * size, from + offsets[i + e]);
          }
          fetch(i, lesser(end, fetched));
          for (; i < end; ++i, place += size) put<Unit>(place, from + offsets[i]);
        });
    return;
  }
  for (index_t i = 0; i < count; i += round) {
    fetch(i, lesser(i + round, fetched));
    for (index_t e = i; e < lesser(i + round, count); ++e)
      __builtin_memcpy(to + e * to_stride, from + offsets[e], sizeof(Unit));
  }
}

/// The elements of groups one by one; `move(to, from)` moves one.
template <class Move>
[[gnu::always_inline]] static inline void read_each(std::byte* to, std::byte const* from, tuple_groups const& g,
                                                    hints how, Move const& move) noexcept {
  index_t const far = how.prefetch ? plan::wrapping_multiply(g.loop.source, tuning::tuples_ahead / g.count + 1) : 0;
  auto const read_group = [&](std::byte * group, index_t i, index_t step) __attribute__((always_inline)) {
    std::byte const* const source = from + i * g.loop.source;
    for (index_t e = 0; e < g.count; ++e, group += step) {
      prefetch(source + g.places[e], far);
      move(group, source + g.places[e]);
    }
  };
  index_t const size = g.count * g.bytes;
  if (g.step == g.bytes && g.loop.destination == size && size <= tuning::stage_bytes) {
    put_packed<true>(
        to, size, g.loop.extent,
        how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          for (index_t i = first; i < first + number; ++i, place += size) read_group(place, i, g.bytes);
        });
    return;
  }
  for (index_t i = 0; i < g.loop.extent; ++i) read_group(to + i * g.loop.destination, i, g.step);
}

/// Rows, whose tuples lead to the same places in each group.
template <class = void>
static inline void read_row_groups(std::byte* to, std::byte const* from, tuple_groups const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  read_each(
      to, from, g, how, [&](std::byte * place, std::byte const* row) __attribute__((always_inline)) {
        copy_row(place, row, g.bytes);
      });
}

/// The same for elements.
template <class Unit>
static inline void read_groups(std::byte* to, std::byte const* from, tuple_groups const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  bool const packed = g.step == size && g.loop.destination == g.count * size;
  bool const near = plan::magnitude(g.loop.source) <= 64;
  if (packed && near && copy_groups<Unit>(to, from, g.places, g.count, g.loop.source, g.loop.extent, how)) return;
  read_each(
      to, from, g, how, [&](std::byte * place, std::byte const* element) __attribute__((always_inline)) {
        __builtin_memcpy(place, element, sizeof(Unit));
      });
}

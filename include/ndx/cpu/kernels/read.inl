// SPDX-License-Identifier: MIT
// The source is indirect: gathers. Included once for each instruction set, by kernels.hpp.

/// Row i from `from + offsets[i]`.
static inline void read_rows(std::byte* to, index_t to_stride, std::byte const* from, resolved_tuples const& tuples,
                             index_t bytes, hints how) noexcept {
  // Regular stores already compete for the lines in flight where rows are long: there prefetches only hurt.
  how.prefetch = how.prefetch && (how.stream || bytes <= 64);
  index_t const count = tuples.count;
  index_t const* const offsets = tuples.offsets;
  index_t const* const next = offsets + rows_ahead(bytes);
  // The rows that have one to be fetched meanwhile.
  index_t const fetched = how.prefetch ? lesser(count, tuples.known - rows_ahead(bytes)) : 0;
  bool const whole_lines = ((reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(bytes)) & 63U) == 0;
  if (how.stream && to_stride == bytes && bytes <= tuning::staged_row_bytes && !whole_lines) {
    put_packed(
        to, bytes, count, true, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          for (index_t i = first; i < first + number; ++i, place += bytes) {
            if (i < fetched) {
              for (index_t at = 0; at < bytes; at += 64) prefetch(from, next[i] + at);
              prefetch(from, next[i] + bytes - 1);
            }
            copy_row(place, from + offsets[i], bytes);
          }
        });
    return;
  }
  if (how.first && how.prefetch)
    for (index_t i = 0; i < lesser(rows_ahead(bytes), tuples.known); ++i)
      for (index_t at = 0; at < bytes; at += 64) prefetch(from, offsets[i] + at);
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  if (streamed && whole_lines && to_stride == bytes) {
    std::uint64_t zero = 0;
    bool const waits = how.pace && bytes <= tuning::paced_row_bytes;
    with_lines(
        bytes, [&](auto lines) __attribute__((always_inline)) {
          index_t i = 0;
          for (; i < fetched; ++i) {
            index_t const ahead = next[i] + (waits ? paced(zero, tuning::paced_multiplications) : 0);
            stream_lines<lines()>(to + i * bytes, from + offsets[i], bytes, shifted(from, ahead));
          }
          for (; i < count; ++i)
            for (index_t at = 0; at < bytes; at += 64) stream_line(to + i * bytes + at, from + offsets[i] + at);
        });
    return;
  }
  for (index_t i = 0; i < count; ++i) {
    std::byte const* const row = from + offsets[i];
    if (i >= fetched) {
      if (streamed) stream_row(to + i * to_stride, row, bytes);
      else copy_row(to + i * to_stride, row, bytes);
      continue;
    }
    index_t const offset = next[i];
    if (streamed) {
      stream_row(
          to + i * to_stride, row,
          bytes, [&](index_t at) __attribute__((always_inline)) { prefetch(from, offset + at); });
    } else {
      for (index_t at = 0; at < bytes; at += 64) prefetch(from, offset + at);
      copy_row(to + i * to_stride, row, bytes);
    }
  }
}

/// Element i from `from + offsets[i]`.
template <class Unit>
static inline void read_elements(std::byte* to, index_t to_stride, std::byte const* from, resolved_tuples const& tuples,
                                 index_t /*bytes*/, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t round = 16;
  index_t const count = tuples.count;
  index_t const* const offsets = tuples.offsets;
  index_t const* const next = offsets + tuning::tuples_ahead;
  index_t const fetched = how.prefetch ? lesser(count, tuples.known - tuning::tuples_ahead) : 0;
  std::uint64_t zero = 0;
  auto const fetch = [&](index_t i, index_t end) __attribute__((always_inline)) {
    if (how.pace)
      for (; i < end; ++i) prefetch(from, next[i] + paced(zero, tuning::paced_multiplications));
    else
      for (; i < end; ++i) prefetch(from, next[i]);
  };
  if (to_stride == size) {
    put_packed<size != 3 && size != 6>(
        to, size, count,
        how.stream, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          index_t i = first;
          index_t const end = first + number;
          for (; i + round <= end; i += round, place += round * size) {
            fetch(i, lesser(i + round, fetched));
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
      std::memcpy(to + e * to_stride, from + offsets[e], sizeof(Unit));
  }
}

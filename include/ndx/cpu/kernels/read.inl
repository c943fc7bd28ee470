// SPDX-License-Identifier: MIT
// The source is indirect: gathers. Included once for each instruction set, by kernels.hpp.

/// Row i from `from + offsets[i]`. The rows of `ahead` come next, and are prefetched where `how` says so.
static inline void read_rows(std::byte* to, index_t to_stride, std::byte const* from, offset_block const& block,
                             offset_block const& ahead, index_t bytes, hints how) noexcept {
  // Regular stores already compete for the lines in flight where rows are long: there prefetches only hurt.
  how.prefetch = how.prefetch && (how.stream || bytes <= 64);
  index_t const lines = (bytes + 63) / 64;
  index_t const distance = lines < tuning::prefetched_lines ? tuning::prefetched_lines / lines : 1;
  index_t const known = how.prefetch ? block.count + ahead.count : 0;
  auto const row_ahead = [&](index_t i) {
    index_t const next = i + distance;
    return next < block.count ? block.offsets[next] : ahead.offsets[next - block.count];
  };
  bool const whole_lines = ((reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(bytes)) & 63U) == 0;
  if (how.stream && to_stride == bytes && bytes <= tuning::staged_row_bytes && !whole_lines) {
    put_packed(
        to, bytes, block.count,
        true, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          for (index_t i = first; i < first + number; ++i, place += bytes) {
            if (i + distance < known) {
              index_t const offset = row_ahead(i);
              for (index_t at = 0; at < bytes; at += 64) prefetch(from, offset + at);
              prefetch(from, offset + bytes - 1);
            }
            copy_row(place, from + block.offsets[i], bytes);
          }
        });
    return;
  }
  if (how.first)
    for (index_t i = 0; i < lesser(distance, how.prefetch ? block.count : 0); ++i)
      for (index_t at = 0; at < bytes; at += 64) prefetch(from, block.offsets[i] + at);
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  if (streamed && whole_lines && to_stride == bytes) {
    std::uint64_t zero = 0;
    bool const waits = how.pace && bytes <= tuning::paced_row_bytes;
    index_t const fetched = known - distance;  // rows that have one to be fetched for them
    for (index_t i = 0; i < block.count; ++i) {
      std::byte const* const row = from + block.offsets[i];
      std::byte* const place = to + i * bytes;
      if (i < fetched) {
        stream_lines(place, row, bytes,
                     shifted(from, row_ahead(i) + (waits ? paced(zero, tuning::paced_multiplications_of_rows) : 0)));
      } else {
        for (index_t at = 0; at < bytes; at += 64) stream_line(place + at, row + at);
      }
    }
    return;
  }
  for (index_t i = 0; i < block.count; ++i) {
    std::byte const* const row = from + block.offsets[i];
    if (i + distance >= known) {
      if (streamed) stream_row(to + i * to_stride, row, bytes);
      else copy_row(to + i * to_stride, row, bytes);
      continue;
    }
    index_t const offset = row_ahead(i);
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

/// Element i from `from + offsets[i]`, prefetching a block ahead.
template <class Unit>
static inline void read_elements(std::byte* to, index_t to_stride, std::byte const* from, offset_block const& block,
                                 offset_block const& ahead, index_t /*bytes*/, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t round = 16;
  index_t const prefetched = how.prefetch ? lesser(ahead.count, block.count) : 0;
  std::uint64_t zero = 0;
  auto const fetch = [&](index_t i, index_t end) __attribute__((always_inline)) {
    if (how.pace)
      for (; i < end; ++i) prefetch(from, ahead.offsets[i] + paced(zero, tuning::paced_multiplications));
    else
      for (; i < end; ++i) prefetch(from, ahead.offsets[i]);
  };
  if (to_stride == size) {
    put_packed<size != 3 && size != 6>(
        to, size, block.count,
        how.stream, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          index_t i = first;
          index_t const end = first + number;
          for (; i + round <= end; i += round, place += round * size) {
            fetch(i, lesser(i + round, prefetched));
            for (index_t e = 0; e < round; ++e) put<Unit>(place + e * size, from + block.offsets[i + e]);
          }
          fetch(i, lesser(end, prefetched));
          for (; i < end; ++i, place += size) put<Unit>(place, from + block.offsets[i]);
        });
    return;
  }
  for (index_t i = 0; i < block.count; i += round) {
    fetch(i, lesser(i + round, prefetched));
    for (index_t e = i; e < lesser(i + round, block.count); ++e)
      std::memcpy(to + e * to_stride, from + block.offsets[e], sizeof(Unit));
  }
}

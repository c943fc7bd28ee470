// SPDX-License-Identifier: MIT
// Neither side is indirect. Included once for each instruction set, by kernels.hpp.

/// Rows of any length. Short ones that are no whole lines are put together to such.
template <class = void>
static inline void copy_rows(std::byte* to, std::byte const* from, grid const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  plan::loop const outer = g.outer;
  plan::loop const inner = g.inner;
  index_t const bytes = g.bytes;
  bool const whole_lines = ((reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(bytes)) & 63U) == 0;
  if (how.stream && inner.destination == bytes && bytes <= tuning::staged_row_bytes && !whole_lines && is_joined(g)) {
    put_packed(
        to, bytes, outer.extent * inner.extent,
        how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
          for_each_piece(place, from, g, first, number, [&](std::byte* line, std::byte const* row, index_t count) {
            for (index_t i = 0; i < count; ++i) copy_row(line + i * bytes, row + i * inner.source, bytes);
          });
        });
    return;
  }
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  bool const grouped = how.group && bytes >= tuning::grouped_copy_bytes;
  // The same place of a later row, or a later line of rows, is fetched; in a long row what lies further on, and at its
  // end the next one.
  bool const is_long = bytes > tuning::line_ahead_bytes;
  index_t const distance = is_long ? tuning::long_row_bytes_ahead : tuning::copied_bytes_ahead;
  bool const by_lines = inner.extent <= tuning::line_ahead_bytes / bytes && outer.extent > 1;
  index_t const later = by_lines  ? plan::wrapping_multiply(outer.source, 1 + distance / (bytes * inner.extent))
                        : is_long ? inner.source
                                  : plan::wrapping_multiply(inner.source, 1 + distance / bytes);
  // Not lines that are gone through backwards: as far ahead as a line is long, they took 1.4 times as long that way.
  bool const is_near = how.near && !(by_lines && inner.source < 0);
  if (streamed && whole_lines && !is_long && inner.destination % 64 == 0 && outer.destination % 64 == 0) {
    bool const waits = how.pace && inner.source == -bytes;
    std::uint64_t zero = 0;
    auto const copy_lines_of = [&](auto lines, auto near) __attribute__((always_inline)) {
      for (index_t o = 0; o < outer.extent; ++o) {
        std::byte* line = to + o * outer.destination;
        std::byte const* row = from + o * outer.source;
        for (index_t i = 0; i < inner.extent; ++i, line += inner.destination, row += inner.source) {
          index_t const wait = lines() == 1 && waits ? paced(zero, tuning::paced_copy_multiplications) : 0;
          stream_lines<lines(), near()>(line, row, bytes, shifted(row, later + wait), grouped);
        }
      }
    };
    with_flag(
        is_near, [&](auto near) __attribute__((always_inline)) {
          with_lines(
              bytes, [&](auto lines) __attribute__((always_inline)) { copy_lines_of(lines, near); });
        });
    return;
  }
  index_t const fetched = how.fetch_output ? output_ahead(inner.destination, bytes) : 0;
  for (index_t o = 0; o < outer.extent; ++o) {
    std::byte* const line_to = to + o * outer.destination;
    std::byte const* const line_from = from + o * outer.source;
    if (!streamed && !how.fetch_output) {
      for (index_t i = 0; i < inner.extent; ++i)
        copy_row(line_to + i * inner.destination, line_from + i * inner.source, bytes);
      continue;
    }
    for (index_t i = 0; i < inner.extent; ++i) {
      std::byte* const place = line_to + i * inner.destination;
      std::byte const* const row = line_from + i * inner.source;
      auto const fetch = [&](index_t at) __attribute__((always_inline)) {
        index_t const next = !is_long                ? later + at
                             : at + distance < bytes ? at + distance
                                                     : later + at + distance - bytes;
        with_flag(
            is_near, [&](auto near) __attribute__((always_inline)) { prefetch<near()>(row, next); });
      };
      if (streamed) stream_row(place, row, bytes, fetch, grouped);
      else copy_fetched(place, row, bytes, fetched, fetch);
    }
  }
}

/// Groups of `elements`, which lie at the same places in each, packed from `to` on. False where no kernel takes a group
/// at once.
template <class Unit>
static inline bool copy_groups(std::byte* to, std::byte const* from, index_t const* places, index_t elements,
                               index_t group_step, index_t groups, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  // Here the lines are the groups.
  index_t const ahead = ahead_of({{1, 0, 0, 0}, {groups, elements * size, group_step, 0}, size}, how);
#if NDX_HAS_WINDOWS
  if (elements <= 16 / size) {
    if (window const w = make_window(places, elements, size, group_step); w.groups > 0) {
      put_packed(
          to, w.size, groups,
          how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
            pack_windows(w, place, from + first * group_step, number, ahead);
          });
      return true;
    }
  }
#endif
  if constexpr (is_number<Unit>) {
    auto const pack = [&]<index_t Count>(std::integral_constant<index_t, Count>) {
      put_packed(
          to, Count * size, groups,
          how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
            pack_groups<Unit, Count>(place, from + first * group_step, places, group_step, number, ahead);
          });
      return true;
    };
    if (elements == 2) return pack(std::integral_constant<index_t, 2>{});
    if (elements == 3) return pack(std::integral_constant<index_t, 3>{});
    if (elements == 4) return pack(std::integral_constant<index_t, 4>{});
  }
  return false;
}

/// Elements of one size that are packed where they are written, in one of the ways that `permute.inl` has.
template <class Unit>
static inline void copy_packed(std::byte* to, std::byte const* from, grid const& g, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t const step = g.inner.source;
  index_t const count = g.outer.extent * g.inner.extent;
  index_t const ahead = ahead_of(g, how);
  constexpr index_t most_in_group = 16;
  if (g.outer.extent > 1 && g.inner.extent > 1 && g.inner.extent <= most_in_group) {
    index_t places[most_in_group];
    for (index_t e = 0; e < g.inner.extent; ++e) places[e] = e * step;
    if (copy_groups<Unit>(to, from, places, g.inner.extent, g.outer.source, g.outer.extent, how)) return;
  }
#if NDX_HAS_WINDOWS
  if (!has_permutation<Unit>(step)) {
    index_t const here = 0;
    window const w = make_window(&here, 1, size, step);
    if (w.groups >= (is_number<Unit> ? 3 : 2)) {
      put_packed(
          to, size, count, how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
            for_each_piece(place, from, g, first, number,
                           [&](std::byte* line, std::byte const* source, index_t length) {
                             pack_windows(w, line, source, length, ahead);
                           });
          });
      return;
    }
  }
#endif
  if (has_permutation<Unit>(step) && how.stream && g.inner.extent * size > tuning::staged_row_bytes &&
      reinterpret_cast<std::uintptr_t>(to) % sizeof(Unit) == 0) {
    // Vectors go straight to the lines of the output.
    for (index_t o = 0; o < g.outer.extent; ++o) {
      std::byte* const line = to + o * g.outer.destination;
      std::byte const* const source = from + o * g.outer.source;
      index_t const head = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(line) & 63U) / size;
      for (index_t i = 0; i < head; ++i) __builtin_memcpy(line + i * size, source + i * step, sizeof(Unit));
      pack_line<Unit, true>(line + head * size, source + head * step, step, g.inner.extent - head, ahead, how.pace);
    }
    return;
  }
  put_packed(
      to, size, count, how, [&](std::byte * place, index_t first, index_t number) __attribute__((always_inline)) {
        for_each_piece(place, from, g, first, number, [&](std::byte* line, std::byte const* source, index_t length) {
          pack_line<Unit, false>(line, source, step, length, ahead);
        });
      });
}

/// Elements of one size from one stride to another.
template <class Unit>
static inline void copy_elements(std::byte* to, std::byte const* from, grid const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  plan::loop const outer = g.outer;
  plan::loop const inner = g.inner;
  if (inner.destination != size) return spread_elements<Unit>(to, from, g, how.owns_gaps);
  if (inner.source == size) {
    return copy_rows(to, from, {{1, 0, 0, 0}, {outer.extent, outer.destination, outer.source, 0}, inner.extent * size},
                     how);
  }
  if (inner.source == 0 && inner.extent * size >= 32) {
    for (index_t o = 0; o < outer.extent; ++o)
      fill_line(to + o * outer.destination, from + o * outer.source, size, inner.extent, how);
    return;
  }
  if (is_joined(g)) return copy_packed<Unit>(to, from, g, how);
  bool const are_long = inner.extent * size >= tuning::staged_row_bytes;
  how.stream = how.stream && are_long;
  how.fetch_output = how.fetch_output && are_long;
  for (index_t o = 0; o < outer.extent; ++o)
    copy_packed<Unit>(to + o * outer.destination, from + o * outer.source, {{1, 0, 0, 0}, inner, size}, how);
}

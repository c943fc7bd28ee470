// SPDX-License-Identifier: MIT
// The destination is indirect: scatters. Tuples are taken in their order, so that the last of several updates of an
// element wins; `no_offset` skips one. Included once for each instruction set, by kernels.hpp.

/// All bits set, but for `no_offset` none. A thread owns every other tuple or so, in no order: a branch would be
/// mispredicted as often as not.
[[gnu::always_inline]] static inline index_t if_owned(index_t offset) noexcept {
  auto const other = static_cast<std::uint64_t>(offset ^ plan::no_offset);
  return -static_cast<index_t>((other | (0 - other)) >> 63);
}

/// Fetches where the tuples lead that come so far behind [i, i + count).
[[gnu::always_inline]] static inline void prefetch_ahead(std::byte const* to, resolved_tuples const& tuples, index_t i,
                                                         index_t count, hints how) noexcept {
  if (!how.prefetch) return;
  i += tuning::tuples_ahead;
  index_t const end = lesser(tuples.known, i + count);
  if (!tuples.bad) {
    for (; i < end; ++i) prefetch(to, tuples.offsets[i]);
  } else {
    // An address that cannot be takes long to turn down.
    for (; i < end; ++i) prefetch(to, tuples.offsets[i] & if_owned(tuples.offsets[i]));
  }
}

/// Which of some offsets lead anywhere; how many.
[[gnu::always_inline]] static inline index_t find_owned(index_t const* offsets, index_t count,
                                                        index_t* which) noexcept {
  index_t owned = 0;
  for (index_t i = 0; i < count; ++i) {
    which[owned] = i;
    owned += offsets[i] != plan::no_offset ? 1 : 0;
  }
  return owned;
}

/// Calls `write(i)` for every tuple that leads anywhere, by turns with `fetch(offset)` for those that come as many
/// behind as rows are fetched ahead. What other threads own is left out beforehand: met one by one it is a branch that
/// is mispredicted as often as not, and nothing is asked of the memory meanwhile.
template <class Fetch, class Write>
[[gnu::always_inline]] static inline void for_each_row(resolved_tuples const& tuples, index_t ahead, bool fetches,
                                                       Fetch const& fetch, Write const& write) noexcept {
  index_t const* const offsets = tuples.offsets;
  index_t const count = tuples.count;
  index_t const known = fetches ? greater(lesser(count, tuples.known - ahead), 0) : 0;
  if (!tuples.bad) {
    index_t i = 0;
    for (; i < known; ++i) {
      fetch(offsets[i + ahead]);
      write(i);
    }
    for (; i < count; ++i) write(i);
    return;
  }
  index_t owned[tuning::tuples_in_step];
  index_t later[tuning::tuples_in_step];
  for (index_t first = 0; first < count; first += tuning::tuples_in_step) {
    index_t const written = find_owned(offsets + first, lesser(count - first, tuning::tuples_in_step), owned);
    index_t const* const next = offsets + first + ahead;
    index_t const fetched = find_owned(next, lesser(greater(known - first, 0), tuning::tuples_in_step), later);
    index_t const both = lesser(written, fetched);
    for (index_t i = 0; i < both; ++i) {
      fetch(next[later[i]]);
      write(first + owned[i]);
    }
    for (index_t i = both; i < fetched; ++i) fetch(next[later[i]]);
    for (index_t i = both; i < written; ++i) write(first + owned[i]);
  }
}

/// A row past the caches; `whole_lines` where it goes straight from line to line if it begins where one does.
template <class = void>
[[gnu::always_inline]] static inline void write_streamed(std::byte* place, std::byte const* row, index_t bytes,
                                                         bool whole_lines) noexcept {
  if (!whole_lines || (reinterpret_cast<std::uintptr_t>(place) & 63U) != 0) return stream_row(place, row, bytes);
  with_lines(
      bytes, [&](auto lines) __attribute__((always_inline)) {
        stream_lines<lines()>(place, row, bytes, shifted(row, tuning::scattered_bytes_ahead), false);
      });
}

/// The ends of such a row, which are read before they are written where they lie within lines.
[[gnu::always_inline]] static inline void prefetch_ends(std::byte const* to, index_t offset, index_t bytes) noexcept {
  prefetch(to, offset);
  prefetch(to, offset + bytes - 1);
}

/// Rows past the caches, in the order of their tuples. All that is asked of a row is asked of each: in a shorter loop,
/// with the number of lines as a constant and nothing looked up, a Zen 4 runs so far ahead that rows of 64 bytes took
/// 1.2 to 1.5 times as long. And in a function of its own: beside the other loops GCC made one of it that took 1.05
/// times as long for rows of 512 bytes and more (Intel Xeon, Emerald Rapids). `inline` all the same: without
/// optimization GCC keeps any other function in each unit, those too that leave the kernels to another.
template <class = void>
[[gnu::noinline]] static inline void stream_rows(std::byte* to, std::byte const* from, index_t from_stride,
                                                 resolved_tuples const& tuples, index_t bytes, bool whole_lines,
                                                 bool fetches) noexcept {
  index_t const* const offsets = tuples.offsets;
  index_t const* const next = offsets + rows_ahead(bytes);
  index_t const fetched = fetches ? tuples.known - rows_ahead(bytes) : 0;
  for (index_t i = 0; i < tuples.count; ++i) {
    if (offsets[i] == plan::no_offset) continue;
    if (i < fetched && next[i] != plan::no_offset) prefetch_ends(to, next[i], bytes);
    write_streamed(to + offsets[i], from + i * from_stride, bytes, whole_lines);
  }
}

template <class = void>
static inline void write_rows(std::byte* to, std::byte const* from, index_t from_stride, resolved_tuples const& tuples,
                              index_t bytes, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t const* const offsets = tuples.offsets;
  index_t const ahead = rows_ahead(bytes);
  bool const in_lines = are_in_lines(shifted(to, offsets[0]), bytes);
  if (!how.stream || bytes < (in_lines ? tuning::streamed_row_bytes : tuning::streamed_rest_bytes)) {
    with_lines(
        bytes, [&](auto lines) __attribute__((always_inline)) {
          for_each_row(
              tuples, ahead, how.prefetch,
              [&](index_t offset) __attribute__((always_inline)) {
                prefetch_row(to, offset, lines() == 0 ? bytes : 64 * lines(), in_lines);
              },
              [&](index_t i) __attribute__((always_inline)) {
                copy_halves<lines()>(to + offsets[i], from + i * from_stride, bytes);
              });
        });
    return;
  }
  bool const whole_lines = bytes % 64 == 0 && from_stride == bytes && bytes <= tuning::staged_row_bytes;
  bool const fetches = how.prefetch && !in_lines;
  if (!tuples.bad || bytes > tuning::sought_row_bytes)
    return stream_rows(to, from, from_stride, tuples, bytes, whole_lines, fetches);
  for_each_row(
      tuples, ahead, fetches, [&](index_t offset) __attribute__((always_inline)) { prefetch_ends(to, offset, bytes); },
      [&](index_t i) __attribute__((always_inline)) {
        write_streamed(to + offsets[i], from + i * from_stride, bytes, whole_lines);
      });
}

// The loops over places are unrolled: as short as they are, they took up to 1.3 times as long where one lay across the
// end of a cache line of code.

/// Calls `one(place, i)` for every tuple, with the address on the destination's side, while later ones are fetched.
template <class One>
[[gnu::always_inline]] static inline void for_each_place(std::byte* to, std::byte* nowhere,
                                                         resolved_tuples const& tuples, hints how,
                                                         One const& one) noexcept {
  for (index_t first = 0; first < tuples.count; first += tuning::places_at_once) {
    prefetch_ahead(to, tuples, first, tuning::places_at_once, how);
    prefetch_later(tuples, first, tuning::places_at_once);
    index_t const end = lesser(tuples.count, first + tuning::places_at_once);
    if (!tuples.bad) {
      NDX_UNROLLED(4)
      for (index_t i = first; i < end; ++i) one(to + tuples.offsets[i], i);
    } else {
      auto const elsewhere = reinterpret_cast<std::intptr_t>(nowhere);
      auto const base = reinterpret_cast<std::intptr_t>(to);
      for (index_t i = first; i < end; ++i) {
        index_t const offset = tuples.offsets[i];
        index_t const owned = if_owned(offset);
        one(reinterpret_cast<std::byte*>(((base + (offset & owned)) & owned) | (elsewhere & ~owned)), i);
      }
    }
  }
}

template <class Unit>
static inline void write_elements(std::byte* to, std::byte const* from, index_t from_stride,
                                  resolved_tuples const& tuples, index_t /*bytes*/, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  alignas(Unit) std::byte nowhere[sizeof(Unit)];
  for_each_place(
      to, nowhere, tuples, how, [&](std::byte * place, index_t i) __attribute__((always_inline)) {
        __builtin_memcpy(place, from + i * from_stride, sizeof(Unit));
      });
}

/// The only kernel that knows the element type.
template <ndx::reduction Op, class T>
static inline void reduce_rows(std::byte* to, std::byte const* from, index_t from_stride, resolved_tuples const& tuples,
                               index_t bytes, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(T));
  if (bytes == size) {
    T nowhere{};
    for_each_place(
        to, reinterpret_cast<std::byte*>(&nowhere), tuples,
        how, [&](std::byte * place, index_t i) __attribute__((always_inline)) {
          auto& element = *reinterpret_cast<T*>(place);
          element = plan::combine<Op>(element, *reinterpret_cast<T const*>(from + i * from_stride));
        });
    return;
  }
  index_t const count = bytes / size;
  bool const in_lines = are_in_lines(shifted(to, tuples.offsets[0]), bytes);
  for_each_row(
      tuples, rows_ahead(bytes),
      how.prefetch, [&](index_t offset) __attribute__((always_inline)) { prefetch_row(to, offset, bytes, in_lines); },
      [&](index_t i) __attribute__((always_inline)) {
        auto* const row = reinterpret_cast<T*>(to + tuples.offsets[i]);
        auto const* const updates = reinterpret_cast<T const*>(from + i * from_stride);
        for (index_t e = 0; e < count; ++e) row[e] = plan::combine<Op>(row[e], updates[e]);
      });
}

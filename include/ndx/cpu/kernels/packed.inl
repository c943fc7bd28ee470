// SPDX-License-Identifier: MIT
// Elements that are packed where they are written, whole cache lines at a time even where an element is none. Included
// once for each instruction set, by kernels.hpp.

/// What may be written behind an element that is made: it is overwritten by the next one, or never leaves the stage.
inline constexpr index_t slack = 16;

/// Moves an element, and maybe writes bytes behind it: one store instead of two.
template <class Unit>
[[gnu::always_inline]] static inline void put(std::byte* to, std::byte const* from) noexcept {
#if NDX_HAS_X86_KERNELS
  if constexpr (sizeof(Unit) == 3 || sizeof(Unit) == 6) {
    using whole = std::conditional_t<sizeof(Unit) == 3, std::uint32_t, std::uint64_t>;
    using most = std::conditional_t<sizeof(Unit) == 3, std::uint16_t, std::uint32_t>;
    using rest = std::conditional_t<sizeof(Unit) == 3, std::uint8_t, std::uint16_t>;
    most low;
    rest high;
    __builtin_memcpy(&low, from, sizeof low);
    __builtin_memcpy(&high, from + sizeof low, sizeof high);
    whole const both = low | static_cast<whole>(static_cast<whole>(high) << (8 * sizeof low));
    __builtin_memcpy(to, &both, sizeof both);
    return;
  }
#endif
  __builtin_memcpy(to, from, sizeof(Unit));
}

/// `count` elements of `size` bytes, at most as many as the stage holds, packed from `to` on. `make(place, first,
/// number)` makes those from `first` on at `place` and may write `slack` bytes behind them. Streamed, they are made in
/// the first-level cache and leave it by lines; else only the last ones take that detour, and none if nothing is
/// written behind them (`Exact`). Where lines of the output are fetched, elements are made some lines at a time.
template <bool Exact = false, class Make>
[[gnu::always_inline]] static inline void put_packed(std::byte* to, index_t size, index_t count, hints how,
                                                     Make const& make) noexcept {
  alignas(64) std::byte stage[tuning::stage_bytes + 128 + slack];
  if (!how.stream || count * size < 128) {
    index_t const last = Exact ? 0 : lesser(count, (slack + size - 1) / size);
    index_t const at_once = how.fetch_output ? greater(tuning::output_bytes_ahead / size, 1) : count;
    for (index_t first = 0, number; first < count - last; first += number) {
      number = lesser(at_once, count - last - first);
      std::byte* const place = to + first * size;
      if (how.fetch_output)
        for (index_t at = 0; at < number * size; at += 64) prefetch_output(place + at, tuning::output_bytes_ahead);
      make(place, first, number);
    }
    if constexpr (!Exact) {
      if (last == 0) return;  // never so, but without this GCC 12 warns with -O3 of a row that ends before it begins
      make(stage, count - last, last);
      copy_rest(to + (count - last) * size, stage, last * size);
    }
    return;
  }
  // The stage begins where a line of the output does, so its lines are those of the output.
  index_t skipped = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(to) & 63U);
  index_t filled = skipped;
  std::byte* line = to - skipped;
  for (index_t first = 0; first < count;) {
    index_t const number = lesser(count - first, (tuning::stage_bytes + 64 - filled) / size);
    make(stage + filled, first, number);
    first += number;
    filled += number * size;
    index_t at = 0;
    if (skipped != 0 && filled >= 64) {
      copy_rest(to, stage + skipped, 64 - skipped);
      skipped = 0;
      at = 64;
    }
    for (; at + 64 <= filled; at += 64) stream_line(line + at, stage + at);
    if (at > 0) __builtin_memcpy(stage, stage + at, 64);  // what begins the next line
    line += at;
    filled -= at;
  }
  copy_rest(line + skipped, stage + skipped, filled - skipped);
}

/// Do the lines of a grid follow each other without a gap where they are written?
static inline bool is_joined(grid const& g) noexcept {
  return g.outer.extent == 1 || g.outer.destination == g.inner.extent * g.bytes;
}

/// Elements [first, first + number) of a joined grid by pieces of its lines: calls `piece(place, from, count)`.
template <class Piece>
[[gnu::always_inline]] static inline void for_each_piece(std::byte* place, std::byte const* from, grid const& g,
                                                         index_t first, index_t number, Piece const& piece) noexcept {
  index_t row = g.outer.extent == 1 ? 0 : first / g.inner.extent;
  index_t column = first - row * g.inner.extent;
  while (number > 0) {
    index_t const count = lesser(number, g.inner.extent - column);
    piece(place, from + row * g.outer.source + column * g.inner.source, count);
    place += count * g.bytes;
    number -= count;
    column = 0;
    ++row;
  }
}

/// How far from what a line reads lies what is worth fetching meanwhile: the same place some lines later, or further
/// on in a long one. Hardware prefetchers stop at the end of a line or a page.
static inline index_t ahead_of(grid const& g, hints how) noexcept {
  if (!how.stream && !how.fetch_output) return 0;
  auto const step = static_cast<index_t>(plan::magnitude(g.inner.source));
  if (g.outer.extent == 1 || step > tuning::line_ahead_bytes / g.inner.extent)
    return g.inner.source < 0 ? -tuning::copied_bytes_ahead : tuning::copied_bytes_ahead;
  index_t const lines = tuning::copied_bytes_ahead / (step * g.inner.extent + 1);
  return plan::wrapping_multiply(g.outer.source, lines + 1);
}

/// One element again and again.
static inline void fill_line(std::byte* to, std::byte const* element, index_t size, index_t count, hints how) noexcept {
  constexpr index_t period = 192;  // a multiple of all sizes of elements, and of the line
  std::byte pattern[period + 64];
  for (index_t at = 0; at < period + 64; at += size)
    __builtin_memcpy(pattern + at, element, static_cast<std::size_t>(lesser(size, period + 64 - at)));
  index_t const bytes = count * size;
  index_t at = lesser(bytes, static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U));
  copy_rest(to, pattern, at);
  for (index_t phase = at; at < bytes; phase = phase >= period - 64 ? phase + 64 - period : phase + 64) {
    if (at + 64 > bytes) return copy_rest(to + at, pattern + phase, bytes - at);
    if (how.stream) stream_line(to + at, pattern + phase);
    else copy_pieces<64, vector_bytes>(to + at, pattern + phase);
    at += 64;
  }
}

// SPDX-License-Identifier: MIT
// Transpositions. Included once for each instruction set, by kernels.hpp.

/// One column of n units of n rows of 16 bytes each becomes one row, for all n: in each round two rows are interleaved.
template <class Unit>
[[gnu::always_inline]] static inline void transpose_block(typename vector_of<Unit, 16>::type* rows) noexcept {
  using units = typename vector_of<Unit, 16>::type;
  constexpr int count = static_cast<int>(16 / sizeof(Unit));
  auto const interleave = [](units a, units b, auto high) {
    constexpr int first = decltype(high)::value * count / 2;
#if defined(__clang__)
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return __builtin_shufflevector(a, b, (first + I / 2 + (I % 2) * count)...);
    }
    (std::make_integer_sequence<int, count>{});
#else
    units order{};
    NDX_UNROLLED(16)
    for (int i = 0; i < count; ++i) order[i] = static_cast<Unit>(first + i / 2 + (i % 2) * count);
    return __builtin_shuffle(a, b, order);
#endif
  };
  NDX_UNROLLED(4)
  for (int round = 1; round < count; round *= 2) {
    units mixed[count];
    NDX_UNROLLED(8)
    for (int i = 0; i < count / 2; ++i) {
      mixed[2 * i] = interleave(rows[i], rows[i + count / 2], std::integral_constant<int, 0>{});
      mixed[2 * i + 1] = interleave(rows[i], rows[i + count / 2], std::integral_constant<int, 1>{});
    }
    NDX_UNROLLED(16)
    for (int i = 0; i < count; ++i) rows[i] = mixed[i];
  }
}

/// A tile whose sides are a cache line: `inner.destination` and `outer.source` are the size of an element. Every line
/// is read once and written once.
template <class Unit>
static inline void transpose_tile(std::byte* to, index_t to_pitch, std::byte const* from, index_t from_pitch,
                                  index_t next, bool streamed) noexcept {
  using units = typename vector_of<Unit, 16>::type;
  constexpr auto count = static_cast<index_t>(16 / sizeof(Unit));
  alignas(64) std::byte tile[4 * count * 64];
  for (index_t row = 0; row < 4 * count; row += count) {
    if (streamed)
      for (index_t i = 0; i < count; ++i) prefetch(from + (row + i) * from_pitch, next);
    for (index_t column = 0; column < 4; ++column) {
      units block[count];
      NDX_UNROLLED(16)
      for (index_t i = 0; i < count; ++i) __builtin_memcpy(block + i, from + (row + i) * from_pitch + column * 16, 16);
      transpose_block<Unit>(block);
      NDX_UNROLLED(16)
      for (index_t i = 0; i < count; ++i)
        __builtin_memcpy(tile + (column * count + i) * 64 + row * static_cast<index_t>(sizeof(Unit)), block + i, 16);
    }
  }
  for (index_t row = 0; row < 4 * count; ++row) {
    if (streamed) stream_line(to + row * to_pitch, tile + row * 64);
    else __builtin_memcpy(to + row * to_pitch, tile + row * 64, 64);
  }
}

/// Two loops of which the inner one is contiguous only where it writes, and the outer one only where it reads.
template <class Unit>
static inline void transpose_elements(std::byte* to, std::byte const* from, grid const& g, hints how) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t side = 64 / size;
  plan::loop const outer = g.outer;
  plan::loop const inner = g.inner;
  auto const plainly = [&](index_t o, index_t o_end, index_t i, index_t i_end) {
    for (; o < o_end; ++o)
      for (index_t at = i; at < i_end; ++at)
        __builtin_memcpy(to + o * outer.destination + at * size, from + o * size + at * inner.source, sizeof(Unit));
  };
  // Lines of the output are streamed where all rows begin at the same place of a line.
  auto const begin = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U);
  bool const streamed = how.stream && begin % size == 0 && outer.destination % 64 == 0;
  index_t const i_begin = streamed ? lesser(begin / size, inner.extent) : 0;
  index_t const i_end = i_begin + (inner.extent - i_begin) / side * side;
  index_t const o_end = outer.extent / side * side;
  index_t const next = plan::wrapping_multiply(inner.source, side);
  index_t const strip = tuning::transposed_strip_lines * side;
  for (index_t o_strip = 0; o_strip < o_end; o_strip += strip)
    for (index_t i = i_begin; i < i_end; i += side)
      for (index_t o = o_strip; o < lesser(o_strip + strip, o_end); o += side)
        transpose_tile<Unit>(to + o * outer.destination + i * size, outer.destination,
                             from + o * size + i * inner.source, inner.source, next, streamed);
  plainly(0, outer.extent, 0, i_begin);
  plainly(0, outer.extent, i_end, inner.extent);
  plainly(o_end, outer.extent, i_begin, i_end);
}

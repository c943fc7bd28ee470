// SPDX-License-Identifier: MIT
// Gathers of single elements that the caches hold, by packed single indices, line after line: where nothing has to be
// waited for, offsets that are stored and loaded again take longer than all the rest. So indices are looked at some at
// a time, and those that are good as they are lead to their elements at once. Included once for each instruction set,
// by kernels.hpp.

/// As many indices are looked at together.
inline constexpr index_t indices_at_once = 16;
inline constexpr index_t most_plain = 4 * indices_at_once;  ///< before their elements are moved

/// Is none of these indices negative, or greater than `last`?
template <class Index>
[[gnu::always_inline]] static inline bool are_plain(Index const* indices, std::make_unsigned_t<Index> last) noexcept {
  using number = std::make_unsigned_t<Index>;
  if constexpr (resolves_by_vectors) {
    using numbers = typename vector_of<number, NDX_VECTOR_BYTES>::type;
    constexpr index_t in_vector = vector_bytes / static_cast<index_t>(sizeof(Index));
    vector above{};
    NDX_UNROLLED(4)
    for (index_t at = 0; at < indices_at_once; at += in_vector) {
      numbers several;
      __builtin_memcpy(&several, indices + at, sizeof several);
      above |= reinterpret_cast<vector>(several > last);
    }
    return !is_any(above);
  } else {
    bool plain = true;
    for (index_t at = 0; at < indices_at_once; ++at) plain = plain & (static_cast<number>(indices[at]) <= last);
    return plain;
  }
}

template <class Unit, class Index>
static bool gather_lines(std::byte* to, index_t to_stride, std::byte const* from,
                         tuple_request<Index> const& first_line, plan::loop const& loop, bool checked) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  // Copies: what is stored might change what a reference leads to, which would be read again after each.
  tuple_request<Index> const request = first_line;
  plan::loop const lines = loop;
  plan::coordinate const axis = request.coordinates[0];
  index_t const count = request.count;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::make_signed_t<Index>>::max());
  auto const extent = static_cast<std::uint64_t>(axis.extent);
  index_t const from_end = axis.extent & request.from_end;
  auto const last = static_cast<std::make_unsigned_t<Index>>(extent > most ? most : extent - 1);
  if (checked && extent == 0) return false;
  // Where lines follow one another, their indices are looked at together.
  bool const follow = lines.indices == count;
  auto const move_all = [&](index_t stride, index_t step, index_t direct) __attribute__((always_inline)) {
    auto const move = [&](std::byte * place, std::byte const* source, Index const* indices, index_t n)
        __attribute__((always_inline)) {
      NDX_UNROLLED(4)
      for (index_t i = 0; i < n; ++i)
        __builtin_memcpy(place + i * direct, source + i * step + static_cast<index_t>(indices[i]) * stride, size);
    };
    index_t plain = 0;  // so many indices from the next one on are known to be
    index_t line = 0;
    while (line < lines.extent) {
      Index const* indices = request.tuples + line * lines.indices;
      std::byte const* source = from + request.start + line * lines.source;
      std::byte* place = to + line * lines.destination;
      index_t const later = follow ? (lines.extent - line - 1) * count : 0;
      if (!follow) plain = 0;
      auto const look_ahead = [&](index_t left) __attribute__((always_inline)) {
        while (plain < most_plain && plain + indices_at_once <= left + later && are_plain(indices + plain, last))
          plain += indices_at_once;
      };
      if (count < indices_at_once) {
        // Whole short lines.
        look_ahead(count);
        index_t const known = lesser(plain / count, lines.extent - line);
        for (index_t i = 0; i < known; ++i)
          move(place + i * lines.destination, source + i * lines.source, indices + i * count, count);
        line += known;
        plain -= known * count;
        if (known > 0) continue;
      }
      ++line;
      for (index_t left = count; left > 0;) {
        if (plain < left) look_ahead(left);
        index_t const now = lesser(left, plain > 0 ? plain : indices_at_once);
        if (plain > 0) {
          move(place, source, indices, now);
          plain -= now;
        } else {
          for (index_t i = 0; i < now; ++i) {
            auto index = static_cast<index_t>(indices[i]);
            index += (index >> 63) & from_end;
            if (checked && static_cast<std::uint64_t>(index) >= extent) return false;
            __builtin_memcpy(place + i * direct, source + i * step + index * stride, size);
          }
        }
        indices += now;
        source += now * step;
        place += now * direct;
        left -= now;
      }
    }
    return true;
  };
  // With these as constants, all of an address is part of the instruction that moves.
  if (to_stride == size && request.step == size) return move_all(axis.stride, size, size);
  if (to_stride == size && request.step == 0 && axis.stride == size) return move_all(size, 0, size);
  return move_all(axis.stride, request.step, to_stride);
}

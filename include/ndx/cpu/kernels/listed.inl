// SPDX-License-Identifier: MIT
// Rows listed by packed indices: all of these are looked at, and then rows move in one loop that knows of nothing else.
// Included once for each instruction set, by kernels.hpp.

/// Are the indices all in range, and none of them counted from the end?
template <class Index>
static inline bool are_listed(listed_rows<Index> const& rows) noexcept {
  index_t const per_row = rows.pairs ? 2 : 1;
  index_t const count = rows.count * per_row;
  Index const* const indices = rows.indices;
  index_t at = 0;
  bool good = true;
  constexpr index_t at_once = vector_bytes / static_cast<index_t>(sizeof(Index));
  if (resolves_by_vectors && count >= at_once) {
    using numbers = typename vector_of<Index, NDX_VECTOR_BYTES>::type;
    numbers last;
    for (index_t lane = 0; lane < at_once; ++lane) last[lane] = rows.last[lane % per_row];
    vector bad{};
    auto const look = [&](index_t first) __attribute__((always_inline)) {
      numbers several;
      __builtin_memcpy(&several, indices + first, sizeof several);
      bad |= reinterpret_cast<vector>(several > last);
    };
    for (; at + at_once <= count; at += at_once) look(at);
    if (at < count) look(count - at_once);
    return !is_any(bad);
  }
  for (; at < count; ++at) good = good && indices[at] <= rows.last[at % per_row];
  return good;
}

/// Calls `copy(to, from)` for every row, and four times a round where it goes `ByFour`: one by one rows of up to 64
/// bytes took up to 1.18 times as long, longer ones did not. Where it `Fetches` rows of the indirect side are fetched
/// early.
template <bool Scatters, bool Pairs, bool ByFour, bool Fetches, class Index, class Copy>
[[gnu::always_inline]] static inline void for_each_listed(listed_rows<Index> const& all, std::uint64_t stride,
                                                          Copy const& copy) noexcept {
  // A copy: what is stored might change what a reference leads to, which would be read again after each row.
  listed_rows<Index> const rows = all;
  auto const second_stride = static_cast<std::uint64_t>(rows.strides[1]);
  auto const offset_of = [&](index_t i) __attribute__((always_inline)) {
    std::uint64_t offset = rows.indices[Pairs ? 2 * i : i] * stride;
    if constexpr (Pairs) offset += rows.indices[2 * i + 1] * second_stride;
    return static_cast<index_t>(offset);
  };
  std::byte const* const indirect_side = Scatters ? rows.to : rows.from;
  bool const in_lines = Fetches && are_in_lines(shifted(indirect_side, offset_of(0)), rows.bytes);
  auto const fetch = [&](index_t i) __attribute__((always_inline)) {
    prefetch_row(indirect_side, offset_of(i), rows.bytes, in_lines);
  };
  index_t const lines = (rows.bytes + 63) / 64 + (in_lines ? 0 : 1);
  index_t const ahead = Fetches ? lesser(1 + tuning::listed_lines_ahead / lines, rows.count) : 0;
  for (index_t i = 0; i < ahead; ++i) fetch(i);
  auto const move = [&](index_t i) __attribute__((always_inline)) {
    if (Fetches && i + ahead < rows.count) fetch(i + ahead);
    index_t const indirect = offset_of(i);
    index_t const direct = i * rows.step;
    if constexpr (Scatters) copy(rows.to + indirect, rows.from + direct);
    else copy(rows.to + direct, rows.from + indirect);
  };
  if constexpr (ByFour) {
    NDX_UNROLLED(4)
    for (index_t i = 0; i < rows.count; ++i) move(i);
  } else {
    for (index_t i = 0; i < rows.count; ++i) move(i);
  }
}

template <bool Scatters, class Unit, class Index>
static bool move_listed_elements(listed_rows<Index> const& rows) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  if (!are_listed(rows)) return false;
  auto const move = [](std::byte * to, std::byte const* from) __attribute__((always_inline)) {
    __builtin_memcpy(to, from, sizeof(Unit));
  };
  auto const stride = static_cast<std::uint64_t>(rows.strides[0]);
  if (rows.pairs) for_each_listed<Scatters, true, true, false>(rows, stride, move);
  else if (stride == sizeof(Unit)) for_each_listed<Scatters, false, true, false>(rows, sizeof(Unit), move);
  else for_each_listed<Scatters, false, true, false>(rows, stride, move);
  return true;
}

template <bool Scatters, class Index>
static bool move_listed_rows(listed_rows<Index> const& rows) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  if (!are_listed(rows)) return false;
  index_t const bytes = rows.bytes;
  auto const move = [&](auto is_short, auto const& copy) __attribute__((always_inline)) {
    auto const stride = static_cast<std::uint64_t>(rows.strides[0]);
    with_flag(
        rows.fetches, [&](auto fetches) __attribute__((always_inline)) {
          constexpr bool by_four = is_short() && !fetches();
          if (rows.pairs) for_each_listed<Scatters, true, by_four, fetches()>(rows, stride, copy);
          else for_each_listed<Scatters, false, by_four, fetches()>(rows, stride, copy);
        });
  };
  auto const move_ends = [&](auto piece) __attribute__((always_inline)) {
    auto const copy = [&](std::byte * to, std::byte const* from) __attribute__((always_inline)) {
      copy_ends<piece()>(to, from, bytes);
    };
    move(std::true_type(), copy);
  };
  // One line goes by halves where `copy_halves` is due.
  if (bytes < 64 || (bytes == 64 && (Scatters || rows.far))) {
    if (bytes >= 32) move_ends(std::integral_constant<index_t, 32>{});
    else if (bytes >= 16) move_ends(std::integral_constant<index_t, 16>{});
    else if (bytes >= 8) move_ends(std::integral_constant<index_t, 8>{});
    else if (bytes >= 4) move_ends(std::integral_constant<index_t, 4>{});
    else move_ends(std::integral_constant<index_t, 2>{});  // 3, as 1 and 2 are units
  } else if (!Scatters && rows.far) {
    // Hardware fetches what it takes for the next lines of such rows, more or less of it by the order of their loads:
    // in none of several orders was a Zen 5 faster than the C library, and in most it took up to twice as long.
    auto const copy = [&](std::byte * to, std::byte const* from) __attribute__((always_inline)) {
      __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
    };
    move(std::false_type(), copy);
  } else {
    with_lines(
        bytes, [&](auto lines) __attribute__((always_inline)) {
          auto const copy = [&](std::byte * to, std::byte const* from) __attribute__((always_inline)) {
            if constexpr (Scatters) copy_halves<lines()>(to, from, bytes);
            else copy_lines<lines()>(to, from, bytes);
          };
          move(std::bool_constant<lines() == 1>(), copy);
        });
  }
  return true;
}

// SPDX-License-Identifier: MIT
// Indices that are looked at before anything is written. Included once for each instruction set, by kernels.hpp.

/// How many of them come before a cache line begins. Vectors of indices are read from there on: most callers' indices
/// begin within a line, and a vector that lies in two takes twice as long.
template <class Index>
static inline index_t before_line(Index const* indices, index_t count) noexcept {
  auto const bytes = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(indices) & 63U);
  return lesser(count, bytes / static_cast<index_t>(sizeof(Index)));
}

/// Calls `look(at, ahead)` for so many indices at a time, as long as there are so many, and returns where that ends.
/// Very many are taken apart into four parts, which are looked at in turn: memory gives more to one who reads at four
/// places. `ahead` is how many bytes ahead to fetch.
template <class Index, class Look>
[[gnu::always_inline]] static inline index_t look_at_all(index_t at, index_t count, index_t at_once,
                                                         Look const& look) noexcept {
  constexpr index_t places = 4;
  if (count * static_cast<index_t>(sizeof(Index)) >= tuning::checked_in_parts_bytes) {
    index_t const part = (count - at) / (places * at_once) * at_once;
    for (index_t const end = at + part; at < end; at += at_once) {
      NDX_UNROLLED(4)
      for (index_t p = 0; p < places; ++p) look(at + p * part, tuning::checked_ahead_bytes / places);
    }
    at += (places - 1) * part;
  }
  for (; at + at_once <= count; at += at_once) look(at, tuning::checked_ahead_bytes);
  return at;
}

/// Do packed indices all lie in the range of one extent? What `resolve` finds out too, at the speed of reading. In
/// lanes as wide as the indices: the greatest of all, as numbers without a sign, tells.
template <class Index>
static bool verify(Index const* indices, index_t count, index_t extent) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  using number = std::make_unsigned_t<Index>;
  using numbers = typename vector_of<number, NDX_VECTOR_BYTES>::type;
  constexpr index_t at_once = vector_bytes / static_cast<index_t>(sizeof(Index));
  constexpr auto most_extent = static_cast<index_t>(std::numeric_limits<number>::max() / 2);
  if (!resolves_by_vectors || count < at_once || extent > most_extent) {
    bool good = true;
    for (index_t i = 0; i < count; ++i) good = good && plan::resolve_index(indices[i], extent, bounds::check) >= 0;
    return good;
  }
  // Moved up by the extent, the good indices of a signed type are those in [0, 2 * extent).
  auto const end = static_cast<number>(extent);
  number const shift = std::is_signed_v<Index> ? end : number{0};
  numbers greatest{};
  auto const look = [&](index_t first, index_t ahead) __attribute__((always_inline)) {
    prefetch(reinterpret_cast<std::byte const*>(indices + first), ahead);
    numbers value;
    __builtin_memcpy(&value, indices + first, sizeof value);
    value += shift;
    greatest = value > greatest ? value : greatest;
  };
  // What comes before the first line and behind the last vector lies in vectors that overlap others.
  index_t const before = before_line(indices, count);
  for (index_t i = 0; i < before; i += at_once) look(lesser(i, count - at_once), 0);
  index_t const at = look_at_all<Index>(before, count, at_once, look);
  if (at < count) look(count - at_once, 0);
  return !is_any(reinterpret_cast<vector>(greatest >= static_cast<number>(end + shift)));
}

/// `verify` for extents of at most 2^16, which keeps what it reads: the good indices, as numbers in [0, extent). If it
/// `streams` them, and they begin lines where the indices do, they go past the caches.
template <class Index>
static bool narrow(std::uint16_t* to, Index const* indices, index_t count, index_t extent, bool streams) noexcept {
  clean_exit<NDX_VECTOR_BYTES> const at_end;
  index_t at = 0;
  bool good = true;
  auto const narrow_plainly = [&](index_t last) __attribute__((always_inline)) {
    for (; at < last; ++at) {
      index_t const index = plan::resolve_index(indices[at], extent, bounds::check);
      good = good && index >= 0;
      to[at] = static_cast<std::uint16_t>(index);
    }
  };
  if constexpr (resolves_by_vectors) {
    using numbers = vector_of<std::uint16_t, NDX_VECTOR_BYTES>::type;
    narrow_plainly(before_line(indices, count));
    vector seen{};   // every bit that any index has
    numbers most{};  // the greatest lower halves
    auto const look_in_all = [&](auto streamed) __attribute__((always_inline)) {
      return look_at_all<Index>(
          at, count, 4 * lanes, [&](index_t first, index_t ahead) __attribute__((always_inline)) {
            vector quarters[4];
            NDX_UNROLLED(4)
            for (index_t q = 0; q < 4; ++q) {
              Index const* const from = indices + first + q * lanes;
              prefetch(reinterpret_cast<std::byte const*>(from), ahead);
              vector index = load_indices(from, 1);
              if constexpr (std::is_signed_v<Index>) index += (index >> 63) & extent;
              seen |= index;
              quarters[q] = index;
            }
            vector const low = pick<std::uint32_t, 0, 2>(quarters[0], quarters[1]);
            vector const high = pick<std::uint32_t, 0, 2>(quarters[2], quarters[3]);
            vector const narrowed = pick<std::uint16_t, 0, 2>(low, high);
            most = reinterpret_cast<numbers>(narrowed) > most ? reinterpret_cast<numbers>(narrowed) : most;
            auto* const place = reinterpret_cast<std::byte*>(to + first);
            if constexpr (streamed()) stream(place, narrowed);
            else store(place, narrowed);
          });
    };
    bool const aligned = (reinterpret_cast<std::uintptr_t>(to + at) & (NDX_VECTOR_BYTES - 1)) == 0;
    at = streams && aligned ? look_in_all(std::true_type()) : look_in_all(std::false_type());
    for (index_t lane = 0; lane < lanes; ++lane) good = good && (seen[lane] >> 16) == 0;
    for (index_t lane = 0; lane < 4 * lanes; ++lane) good = good && most[lane] < extent;
  }
  narrow_plainly(count);
  return good;
}

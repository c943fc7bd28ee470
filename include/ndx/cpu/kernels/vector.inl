// SPDX-License-Identifier: MIT
// Loads, stores and prefetches of the instruction set at hand; included once for each, by kernels.hpp.

inline constexpr index_t vector_bytes = NDX_VECTOR_BYTES;
inline constexpr index_t lanes = vector_bytes / 8;

using vector = vector_of<std::int64_t, NDX_VECTOR_BYTES>::type;

static inline vector load(std::byte const* from) noexcept {
  vector value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

static inline void store(std::byte* to, vector value) noexcept { __builtin_memcpy(to, &value, sizeof value); }

/// Past the caches, to an address aligned to the vector.
static inline void stream(std::byte* to, vector value) noexcept {
#if defined(__clang__)
  __builtin_nontemporal_store(value, reinterpret_cast<vector*>(to));
#elif NDX_VECTOR_BYTES == 64
  __builtin_ia32_movntdq512(reinterpret_cast<vector_of<long long, 64>::type*>(to),
                            reinterpret_cast<vector_of<long long, 64>::type>(value));
#elif NDX_VECTOR_BYTES == 32
  __builtin_ia32_movntdq256(reinterpret_cast<vector_of<long long, 32>::type*>(to),
                            reinterpret_cast<vector_of<long long, 32>::type>(value));
#elif NDX_HAS_X86_KERNELS
  __builtin_ia32_movntdq(reinterpret_cast<vector_of<long long, 16>::type*>(to),
                         reinterpret_cast<vector_of<long long, 16>::type>(value));
#else
  store(to, value);
#endif
}

/// Into the second-level cache, which can await more lines than the first; or into the first: what is needed soon and
/// is read once, and, where `hints::near`, what else. Any address will do.
/// (GCC drops calls of functions that do nothing but prefetch, as if they had no effect: those must be inlined.)
template <bool Near = false>
[[gnu::always_inline]] static inline void prefetch(std::byte const* base, index_t offset) noexcept {
  __builtin_prefetch(shifted(base, offset), 0, Near ? 3 : 2);
}

/// A line of the output, to be written a while later.
[[gnu::always_inline]] static inline void prefetch_output(std::byte const* to, index_t ahead) noexcept {
  __builtin_prefetch(shifted(to, ahead), 1, 3);
}

/// How far from where rows are written, one every `step`, lie those that are written a while later.
static inline index_t output_ahead(index_t step, index_t bytes) noexcept {
  index_t const ahead = tuning::output_bytes_ahead;
  return step == bytes || bytes > 4 * ahead ? ahead : plan::wrapping_multiply(step, 1 + ahead / bytes);
}

/// Do rows of so many bytes that lie as this one does lie in no more cache lines than their length asks for? Nothing is
/// read here.
static inline bool are_in_lines(std::byte const* row, index_t bytes) noexcept {
  bool const fill_lines = bytes % 64 == 0 || 64 % bytes == 0;
  return fill_lines && reinterpret_cast<std::uintptr_t>(row) % static_cast<std::uintptr_t>(lesser(bytes, 64)) == 0;
}

/// Fetches a row; one that is not `in_lines` may end in one line more. What memory is allocated often begins 16 bytes
/// into a line: then every row of 64 bytes lies in two.
template <bool Near = false>
[[gnu::always_inline]] static inline void prefetch_row(std::byte const* base, index_t offset, index_t bytes,
                                                       bool in_lines) noexcept {
  for (index_t at = 0; at < bytes; at += 64) prefetch<Near>(base, offset + at);
  if (!in_lines) prefetch<Near>(base, offset + bytes - 1);
}

/// Fetches the indices to be fetched while tuples [i, i + count) are moved. Vectors of less than a cache line read them
/// no faster than memory answers: there this is no gain.
[[gnu::always_inline]] static inline void prefetch_later(resolved_tuples const& tuples, index_t i,
                                                         index_t count) noexcept {
  if constexpr (vector_bytes == 64)
    for (index_t at = 0; at < count * tuples.later_bytes; at += 64) prefetch(tuples.later, i * tuples.later_bytes + at);
}

/// 0 for an address, some cycles after the 0 before. Holds prefetches apart in time: issued faster than the memory
/// delivers, some are dropped, and each of those is a wait later on.
[[gnu::always_inline]] static inline index_t paced(std::uint64_t& zero, index_t multiplications) noexcept {
  for (index_t i = 0; i < multiplications; ++i) {
    zero *= 0x9e3779b97f4a7c15U;
    asm volatile("" : "+r"(zero));
  }
  return static_cast<index_t>(zero);
}

/// The two ends of some bytes, which may overlap: all of these, where they are no more than two pieces. (An array of 32
/// bytes GCC 12 moves by halves, and writes it to the stack as well: scattered rows of 32 to 60 bytes took 1.2 to 1.6
/// times as long that way.)
template <index_t Piece>
[[gnu::always_inline]] static inline void copy_ends(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  constexpr index_t part = Piece < vector_bytes ? Piece : vector_bytes;
  using held = typename std::conditional_t<(Piece < 16), std::type_identity<unit_of<Piece>>,
                                           vector_of<std::int64_t, part>>::type;
  constexpr index_t parts = Piece / part;
  held low[parts];
  held high[parts];
  NDX_UNROLLED(2)
  for (index_t i = 0; i < parts; ++i) __builtin_memcpy(&low[i], from + i * part, part);
  NDX_UNROLLED(2)
  for (index_t i = 0; i < parts; ++i) __builtin_memcpy(&high[i], from + bytes - Piece + i * part, part);
  NDX_UNROLLED(2)
  for (index_t i = 0; i < parts; ++i) __builtin_memcpy(to + i * part, &low[i], part);
  NDX_UNROLLED(2)
  for (index_t i = 0; i < parts; ++i) __builtin_memcpy(to + bytes - Piece + i * part, &high[i], part);
}

/// Below 64 bytes by pieces that may overlap: no loop, no call.
[[gnu::always_inline]] static inline void copy_short(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  if (bytes >= 32) copy_ends<32>(to, from, bytes);
  else if (bytes >= 16) copy_ends<16>(to, from, bytes);
  else if (bytes >= 8) copy_ends<8>(to, from, bytes);
  else if (bytes >= 4) copy_ends<4>(to, from, bytes);
  else if (bytes >= 2) copy_ends<2>(to, from, bytes);
  else if (bytes == 1) *to = *from;
}

/// A row of any length, up to `copied_row_bytes` line by line. Inlined into loops over rows, as GCC does or not by what
/// else a kernel does: rows of 28 to 60 bytes took 1.2 to 2 times as long by calls (Emerald Rapids, -O2).
[[gnu::always_inline]] static inline void copy_row(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  if (bytes < 64) {
    copy_short(to, from, bytes);
  } else if (bytes <= tuning::copied_row_bytes) {
    index_t at = 0;
    for (; at + vector_bytes <= bytes; at += vector_bytes) store(to + at, load(from + at));
    if (at < bytes) store(to + bytes - vector_bytes, load(from + bytes - vector_bytes));
  } else {
    __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

/// The same where it is done once and not for each row.
[[gnu::noinline]] static inline void copy_rest(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  copy_row(to, from, bytes);
}

/// So many bytes, all read before any is written.
template <index_t Bytes, index_t Piece>
[[gnu::always_inline]] static inline void copy_pieces(std::byte* to, std::byte const* from) noexcept {
  using piece = typename vector_of<std::int64_t, Piece>::type;
  piece pieces[Bytes / Piece];
  NDX_UNROLLED(16)
  for (index_t i = 0; i < Bytes / Piece; ++i) __builtin_memcpy(&pieces[i], from + i * Piece, sizeof pieces[i]);
  NDX_UNROLLED(16)
  for (index_t i = 0; i < Bytes / Piece; ++i) __builtin_memcpy(to + i * Piece, &pieces[i], sizeof pieces[i]);
}

/// A row as long as so many cache lines, `Lines` as `with_lines` tells it: neither a loop nor a branch for a short one.
/// Of more than two, each is written before the next is read: where the caches hold them, rows of 256 bytes took 0.83
/// of the time that they took when all of a row was read first, rows of 512 0.92 (Intel Xeon, 480 MiB of L3). (A loop
/// for those took as long as eight lines in a row.)
template <index_t Lines, index_t Piece = vector_bytes>
[[gnu::always_inline]] static inline void copy_lines(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  if constexpr (Lines == 0) {
    copy_row(to, from, bytes);
  } else {
    constexpr index_t at_once = Lines == 2 ? 128 : 64;
    NDX_UNROLLED(4)
    for (index_t at = 0; at < 64 * Lines; at += at_once) copy_pieces<at_once, Piece>(to + at, from + at);
  }
}

/// Half of a cache line, or what there is.
inline constexpr index_t half_line_bytes = vector_bytes < 32 ? vector_bytes : 32;

/// `copy_lines` by halves of lines, for rows that are written all over the memory, or read from memory that no cache
/// holds: a Zen 5 wrote rows of 128 bytes into 16 MiB in 0.4 of the time that it took with whole lines, and read rows
/// of 64 out of 256 MiB in 0.9 of it.
template <index_t Lines>
[[gnu::always_inline]] static inline void copy_halves(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  if (Lines != 0 || bytes < 64 || bytes > 512) return copy_lines<Lines, half_line_bytes>(to, from, bytes);
  index_t at = 0;
  if (bytes >= 128)
    for (; at + 64 <= bytes; at += 64) copy_pieces<64, half_line_bytes>(to + at, from + at);
  auto const copy_half = [&](index_t place) __attribute__((always_inline)) {
    copy_pieces<half_line_bytes, half_line_bytes>(to + place, from + place);
  };
  for (; at + half_line_bytes <= bytes; at += half_line_bytes) copy_half(at);
  if (at < bytes) copy_half(bytes - half_line_bytes);
}

/// A row of any length into the caches, while those lines of the output are fetched that lie so far on. By halves
/// of lines: rows took 0.9 to 1.0 of the time (Cascade Lake), or 0.98 to 1.07 (Emerald Rapids). `ahead(at)` is called
/// once a line, to fetch what is read later.
template <class Ahead>
[[gnu::always_inline]] static inline void copy_fetched(std::byte* to, std::byte const* from, index_t bytes,
                                                       index_t distance, Ahead const& ahead) noexcept {
  index_t at = 0;
  for (; at + 64 <= bytes; at += 64) {
    ahead(at);
    prefetch_output(to + at, distance);
    copy_pieces<64, half_line_bytes>(to + at, from + at);
  }
  if (at == bytes) return;
  ahead(at);
  prefetch_output(to + at, distance);
  if (bytes < 64) copy_short(to, from, bytes);
  else copy_pieces<64, half_line_bytes>(to + bytes - 64, from + bytes - 64);
}

/// The same while the row that is `next` is fetched, null where there is none; all of its lines, unless it is
/// `in_lines`.
[[gnu::always_inline]] static inline void copy_fetched(std::byte* to, std::byte const* from, index_t bytes,
                                                       index_t distance, std::byte const* next,
                                                       bool in_lines) noexcept {
  copy_fetched(
      to, from, bytes, distance, [&](index_t at) __attribute__((always_inline)) {
        if (next != nullptr) prefetch(next, at);
      });
  if (next != nullptr && !in_lines) prefetch(next, bytes - 1);
}

/// Whole cache lines past the caches, to where a line begins, so many at once.
template <index_t Lines = 1>
[[gnu::always_inline]] static inline void stream_line(std::byte* to, std::byte const* from) noexcept {
  vector pieces[64 * Lines / vector_bytes];
  NDX_UNROLLED(16)
  for (index_t piece = 0; piece < 64 * Lines / vector_bytes; ++piece) pieces[piece] = load(from + piece * vector_bytes);
  NDX_UNROLLED(16)
  for (index_t piece = 0; piece < 64 * Lines / vector_bytes; ++piece) stream(to + piece * vector_bytes, pieces[piece]);
}

/// A row of whole cache lines past the caches, to where a line begins, while one as long is fetched from another place.
/// `Lines` as `with_lines` tells it: all of a short row is asked for, read and written at once, as the memory is served
/// best, and of a longer one four lines where it is `grouped`.
template <index_t Lines, bool Near = false>
[[gnu::always_inline]] static inline void stream_lines(std::byte* to, std::byte const* from, index_t bytes,
                                                       std::byte const* ahead, bool grouped) noexcept {
  if constexpr (Lines != 0) {
    NDX_UNROLLED(4)
    for (index_t line = 0; line < Lines; ++line) prefetch<Near>(ahead, line * 64);
    stream_line<Lines>(to, from);
  } else {
    index_t at = 0;
    if (grouped)
      for (; at + 256 <= bytes; at += 256) stream_lines<4, Near>(to + at, from + at, 256, shifted(ahead, at), false);
    for (; at < bytes; at += 64) stream_lines<1, Near>(to + at, from + at, 64, shifted(ahead, at), false);
  }
}

/// Calls `body` with the number of lines of a row as a constant, where it is short, else with 0: a loop over short rows
/// takes less time without another in it, a tenth for rows of 64 bytes, and half for rows of 192 out of 256 MiB. All of
/// a row has to fit the registers.
template <class Body>
[[gnu::always_inline]] static inline void with_lines(index_t bytes, Body const& body) noexcept {
  if (bytes == 64) return body(std::integral_constant<index_t, 1>{});
  if (bytes == 128) return body(std::integral_constant<index_t, 2>{});
  if (bytes == 192) return body(std::integral_constant<index_t, 3>{});
  if (bytes == 256) return body(std::integral_constant<index_t, 4>{});
  body(std::integral_constant<index_t, 0>{});
}

/// Calls `body` with a flag as a constant.
template <class Body>
[[gnu::always_inline]] static inline void with_flag(bool flag, Body const& body) noexcept {
  if (flag) body(std::true_type{});
  else body(std::false_type{});
}

/// ... and whether rows that are read may end in one line more, which is fetched as well then. In loops apart: rows of
/// 256 bytes that do not took a tenth more time where that was asked for each of them.
template <class Body>
[[gnu::always_inline]] static inline void with_lines_of(bool in_lines, index_t bytes, Body const& body) noexcept {
  with_flag(
      !in_lines, [&](auto ends_later) __attribute__((always_inline)) {
        with_lines(
            bytes, [&](auto lines) __attribute__((always_inline)) { body(lines, ends_later); });
      });
}

/// Whole cache lines past the caches, four at a time where the row is `grouped`, its ends as usual. `ahead(at)` is
/// called once a line, to fetch what comes later.
template <class Ahead>
[[gnu::always_inline]] static inline void stream_row(std::byte* to, std::byte const* from, index_t bytes,
                                                     Ahead const& ahead, bool grouped) noexcept {
  index_t at = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) & 63U);
  if (at + 64 > bytes) {
    for (at = 0; at < bytes; at += 64) ahead(at);
    return copy_row(to, from, bytes);
  }
  if (at > 0) {
    ahead(0);
    copy_short(to, from, at);
  }
  if (grouped)
    for (; at + 256 <= bytes; at += 256) {
      for (index_t line = 0; line < 256; line += 64) ahead(at + line);
      stream_line<4>(to + at, from + at);
    }
  for (; at + 64 <= bytes; at += 64) {
    ahead(at);
    stream_line(to + at, from + at);
  }
  // A row that begins within a line ends in one more.
  if ((reinterpret_cast<std::uintptr_t>(from) & 63U) != 0) ahead(bytes - 1);
  copy_short(to + at, from + at, bytes - at);
}

static inline void stream_row(std::byte* to, std::byte const* from, index_t bytes) noexcept {
  stream_row(
      to, from, bytes, [](index_t) {}, false);
}

// SPDX-License-Identifier: MIT
// Lines of elements that are read backwards or with gaps, by permutations. Included once for each instruction set, by
// kernels.hpp.

/// The lanes of a vector from last to first. Without a permutation of bytes those of 1 and 2 bytes change places within
/// the lanes of 4.
template <class Unit>
static inline vector reverse(vector value) noexcept {
  if constexpr (NDX_VECTOR_BYTES == 16 && sizeof(Unit) < 4) {
    using numbers = vector_of<std::uint32_t, NDX_VECTOR_BYTES>::type;
    auto lane = reinterpret_cast<numbers>(pick<std::uint32_t, 3, -1>(value, value));
    lane = lane << 16 | lane >> 16;
    if constexpr (sizeof(Unit) == 1) lane = (lane & 0x00ff00ffU) << 8 | ((lane >> 8) & 0x00ff00ffU);
    return reinterpret_cast<vector>(lane);
  }
  constexpr int count = static_cast<int>(vector_bytes / static_cast<index_t>(sizeof(Unit)));
  return pick<Unit, count - 1, -1>(value, value);
}

template <class Unit>
inline constexpr bool is_unit = (sizeof(Unit) & (sizeof(Unit) - 1)) == 0;

template <class Unit>
inline constexpr bool is_number = is_unit<Unit> && sizeof(Unit) <= 8;

/// Has `pack_line` a permutation for elements of this size and step?
template <class Unit>
static inline bool has_permutation(index_t step) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  return is_unit<Unit> && (step == -size || (size >= 4 && (step == 2 * size || step == -2 * size)));
}

#if !NDX_HAS_WINDOWS
/// Elements of three bytes, read backwards from `from` on, from the second on: two of them change places in a word.
/// Returns the first one that it has left. `to` has `slack` behind it.
static inline index_t swap_pairs(std::byte* to, std::byte const* from, index_t count, index_t ahead) noexcept {
  constexpr index_t at_once = 20;
  index_t i = 1;
  for (; i + at_once <= count; i += at_once) {
    prefetch(from - 3 * i, ahead);
    NDX_UNROLLED(10)
    for (index_t pair = i; pair < i + at_once; pair += 2) {
      std::uint64_t two;
      __builtin_memcpy(&two, from - 3 * (pair + 1), sizeof two);
      two = (two << 16) >> 40 | (two & 0xffffff) << 24;
      __builtin_memcpy(to + 3 * pair, &two, sizeof two);
    }
  }
  return i;
}
#endif

/// Elements of 12 bytes, read backwards from `from` on, from the second on: as many as a vector holds are turned around
/// at once. Returns the first one that it has left. `to` has `slack` behind it.
static inline index_t reverse_triples(std::byte* to, std::byte const* from, index_t count, index_t ahead) noexcept {
  constexpr index_t at_once = vector_bytes / 12;
  constexpr auto place = [](int at) { return at < 3 * at_once ? 3 * (at_once - 1 - at / 3) + at % 3 : at; };
  index_t i = 1;
  for (; i + at_once <= count; i += at_once) {
    std::byte const* const lowest = from - 12 * (i + at_once - 1);
    prefetch(lowest, ahead);
    vector const several = load(lowest);
    store(to + 12 * i, shuffled<std::uint32_t>(several, several, place));
  }
  return i;
}

/// Elements of a line, `step` apart, packed at `to`, maybe with `slack` behind them. What lies `ahead` is fetched.
/// Where they are `Streamed`, `to` is where a line begins, and what is read backwards may be `paced_apart`.
template <class Unit, bool Streamed>
static inline void pack_line(std::byte* to, std::byte const* from, index_t step, index_t count, index_t ahead,
                             [[maybe_unused]] bool paced_apart = false) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t i = 0;
  if constexpr (is_unit<Unit>) {
    constexpr index_t many = vector_bytes / size;
    constexpr index_t together = Streamed ? 64 / size : many;
    auto const put_vector = [&](index_t at, vector value) __attribute__((always_inline)) {
      if constexpr (Streamed) stream(to + at * size, value);
      else store(to + at * size, value);
    };
    if (step == -size) {
      auto const one = [&](index_t at) __attribute__((always_inline)) {
        put_vector(at, reverse<Unit>(load(from - (at + many - 1) * size)));
      };
      [[maybe_unused]] std::uint64_t zero = 0;
      for (; i + together <= count; i += together) {
        index_t wait = 0;
        if constexpr (Streamed)
          if (paced_apart) wait = paced(zero, tuning::paced_copy_multiplications);
        prefetch(from - i * size, ahead + wait);
        NDX_UNROLLED(4)
        for (index_t at = i; at < i + together; at += many) one(at);
      }
      if (!Streamed && i < count && count >= many) {
        one(count - many);
        i = count;
      }
    } else if constexpr (size >= 4) {
      // Two vectors for one: the last element of the second is not asked for, so another has to follow.
      constexpr int last = static_cast<int>(2 * many - 1);
      auto const all = [&](auto const& one) __attribute__((always_inline)) {
        for (; i + together < count; i += together) {
          prefetch(from + i * step, ahead);
          if (together * size > 32) prefetch(from + (i + together / 2) * step, ahead);
          NDX_UNROLLED(4)
          for (index_t at = i; at < i + together; at += many) one(at);
        }
      };
      if (step == 2 * size) {
        all([&](index_t at) __attribute__((always_inline)) {
          std::byte const* const line = from + 2 * at * size;
          put_vector(at, pick<Unit, 0, 2>(load(line), load(line + vector_bytes)));
        });
      } else if (step == -2 * size) {
        all([&](index_t at) __attribute__((always_inline)) {
          std::byte const* const line = from - (2 * (at + many) - 1) * size;
          put_vector(at, pick<Unit, last, -2>(load(line), load(line + vector_bytes)));
        });
      }
    }
  }
  if constexpr (size == 12) {
    if (step == -12 && count > 0) {
      put<Unit>(to, from);  // nothing need lie behind the highest element
      i = reverse_triples(to, from, count, ahead);
    }
  }
#if !NDX_HAS_WINDOWS
  if constexpr (size == 3 || size == 6) {
    // Bytes between two elements that lie this close to each other can be read.
    using whole = std::conditional_t<size == 3, std::uint32_t, std::uint64_t>;
    auto const gap = static_cast<index_t>(plan::magnitude(step));
    if (gap >= size && gap <= 16 && count > 1) {
      if (step < 0) put<Unit>(to, from);  // nothing lies behind the highest element
      i = step < 0 ? 1 : 0;
      if (size == 3 && step == -3) i = swap_pairs(to, from, count, ahead);
      for (index_t const end = step < 0 ? count : count - 1; i < end;) {
        prefetch(from + i * step, ahead);
        for (index_t const round = lesser(end, i + 64 / gap); i < round; ++i)
          __builtin_memcpy(to + i * size, from + i * step, sizeof(whole));
      }
    }
  }
#endif
  if constexpr (Streamed)
    for (; i < count; ++i) __builtin_memcpy(to + i * size, from + i * step, sizeof(Unit));
  else
    for (; i < count; ++i) put<Unit>(to + i * size, from + i * step);
}

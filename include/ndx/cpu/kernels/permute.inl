// SPDX-License-Identifier: MIT
// Lines of elements that are read backwards or with gaps, by permutations. Included once for each instruction set, by
// kernels.hpp.

/// Lanes First, First + Step, .. of two vectors, `low` before `high`.
template <class Unit, int First, int Step>
static inline vector pick(vector low, vector high) noexcept {
  using units = typename vector_of<Unit, NDX_VECTOR_BYTES>::type;
  constexpr int count = static_cast<int>(vector_bytes / static_cast<index_t>(sizeof(Unit)));
  auto const first = reinterpret_cast<units>(low);
  auto const second = reinterpret_cast<units>(high);
#if defined(__clang__)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return reinterpret_cast<vector>(__builtin_shufflevector(first, second, (First + Step * I)...));
  }
  (std::make_integer_sequence<int, count>{});
#else
  units order{};
  for (int i = 0; i < count; ++i) order[i] = static_cast<Unit>(First + Step * i);
  return reinterpret_cast<vector>(__builtin_shuffle(first, second, order));
#endif
}

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
inline constexpr bool is_number = sizeof(Unit) <= 8 && (sizeof(Unit) & (sizeof(Unit) - 1)) == 0;

/// Has `pack_line` a permutation for elements of this size and step?
template <class Unit>
static inline bool has_permutation(index_t step) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  return is_number<Unit> && (step == -size || (size >= 4 && (step == 2 * size || step == -2 * size)));
}

#if NDX_HAS_X86_KERNELS && NDX_VECTOR_BYTES >= 32
#define NDX_HAS_WINDOWS 1
#else
#define NDX_HAS_WINDOWS 0
#endif

#if !NDX_HAS_WINDOWS
/// Elements of three bytes, read backwards from `from` on, from the second on: two of them change places in a word.
/// Returns the first one that it has left. `to` has `slack` behind it.
static inline index_t swap_pairs(std::byte* to, std::byte const* from, index_t count, index_t ahead) noexcept {
  constexpr index_t at_once = 20;
  index_t i = 1;
  for (; i + at_once <= count; i += at_once) {
    prefetch(from - 3 * i, ahead);
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

/// Elements of a line, `step` apart, packed at `to`, maybe with `slack` behind them. What lies `ahead` is fetched.
/// Where they are `Streamed`, `to` is where a line begins, and what is read backwards may be `paced_apart`.
template <class Unit, bool Streamed>
static inline void pack_line(std::byte* to, std::byte const* from, index_t step, index_t count, index_t ahead,
                             [[maybe_unused]] bool paced_apart = false) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t i = 0;
  if constexpr (is_number<Unit>) {
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

#if NDX_HAS_X86_KERNELS && !NDX_HAS_WINDOWS
/// After so many vectors of groups of `Count` bytes one begins with a group again.
template <index_t Count>
inline constexpr std::size_t vectors_of_groups = Count == 3 ? 3 : 1;

/// Which bytes of those vectors are the elements of each place in their groups. `static`: it differs between
/// instruction sets and is too large for an immediate value, so the linker would see it.
template <index_t Count>
static constexpr auto bytes_of_elements = [] {
  constexpr std::size_t bytes = vector_bytes;
  std::array<std::array<std::array<unsigned char, bytes>, std::size_t{Count}>, vectors_of_groups<Count>> masks{};
  for (std::size_t at = 0; at < vectors_of_groups<Count> * bytes; ++at)
    masks[at / bytes][at % std::size_t{Count}][at % bytes] = 0xff;
  return masks;
}();

/// Groups of bytes that follow each other on both sides, by vectors: the bytes of an element are as far from their
/// places in one group as in any other. Vectors reach into the groups beside those that they pack, so the first group
/// and some of the last ones are left out. Returns the first of the latter; `to` has `slack` behind it.
template <index_t Count>
static inline index_t permute_groups(std::byte* to, std::byte const* from, index_t const (&places)[Count],
                                     index_t groups, index_t ahead) noexcept {
  constexpr auto bytes = static_cast<index_t>(vectors_of_groups<Count>) * vector_bytes;
  index_t group = 1;
  for (; group + bytes / Count < groups; group += bytes / Count) {
    prefetch(from + group * Count, ahead);
    for (std::size_t v = 0; v < vectors_of_groups<Count>; ++v) {
      index_t const at = group * Count + static_cast<index_t>(v) * vector_bytes;
      vector packed{};
      for (index_t e = 0; e < Count; ++e) {
        vector of_element;
        __builtin_memcpy(&of_element, bytes_of_elements<Count>[v][static_cast<std::size_t>(e)].data(), vector_bytes);
        packed |= load(from + at + places[e] - e) & of_element;
      }
      store(to + at, packed);
    }
  }
  return group;
}

/// Groups of three or four bytes that follow each other, backwards from `from` on: swapped in words. `to` has `slack`
/// behind it.
template <index_t Count>
static inline void reverse_groups(std::byte* to, std::byte const* from, index_t group_step, index_t groups,
                                  index_t ahead) noexcept {
  if constexpr (Count == 3) {
    // What the words read behind the groups is there: another follows close by.
    constexpr index_t at_once = 4;
    for (; group_step > 3 && group_step <= 64 / at_once && groups > at_once; groups -= at_once) {
      prefetch(from, ahead);
      for (index_t i = 0; i < at_once; ++i, to += Count, from += group_step) {
        std::uint32_t group;
        __builtin_memcpy(&group, from - 2, sizeof group);
        group = __builtin_bswap32(group) >> 8;
        __builtin_memcpy(to, &group, sizeof group);
      }
    }
  }
  for (; groups > 0; --groups, to += Count, from += group_step) {
    std::uint32_t group;
    prefetch(from, ahead);
    if constexpr (Count == 4) {
      __builtin_memcpy(&group, from - 3, sizeof group);
      group = __builtin_bswap32(group);
    } else {
      std::uint16_t pair;
      __builtin_memcpy(&pair, from - 1, sizeof pair);
      group = __builtin_bswap16(pair) | static_cast<std::uint32_t>(from[-2]) << 16;
    }
    __builtin_memcpy(to, &group, sizeof group);
  }
}
#endif

/// Groups of `Count` elements, such as the channels of pixels, packed at `to`, maybe with `slack` behind them. A loop
/// for each would cost more than its elements.
template <class Unit, index_t Count>
static inline void pack_groups(std::byte* to, std::byte const* from, index_t const* places, index_t group_step,
                               index_t groups, index_t ahead) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t at[Count];
  for (index_t e = 0; e < Count; ++e) at[e] = places[e];
  auto const one_by_one = [&](index_t first, index_t end) __attribute__((always_inline)) {
    for (index_t group = first; group < end; ++group) {
      std::byte const* const read = from + group * group_step;
      prefetch(read, ahead);
      for (index_t e = 0; e < Count; ++e) __builtin_memcpy(to + (group * Count + e) * size, read + at[e], sizeof(Unit));
    }
  };
#if NDX_HAS_X86_KERNELS && !NDX_HAS_WINDOWS
  if constexpr (size == 1) {
    if (group_step == Count) {
      one_by_one(0, lesser(groups, 1));
      return one_by_one(permute_groups(to, from, at, groups, ahead), groups);
    }
  }
  if constexpr (size == 1 && Count >= 3) {
    bool reversed = true;
    for (index_t e = 1; e < Count; ++e) reversed = reversed && at[e] == at[0] - e;
    if (reversed) return reverse_groups<Count>(to, from + at[0], group_step, groups, ahead);
  }
#endif
  one_by_one(0, groups);
}

/// Groups of bytes that follow each other at one step, seen through windows of 16 bytes: what a permutation of bytes
/// moves at once. A group is an element, or a few that lie together, such as the channels of a pixel.
struct window {
  alignas(16) char order[16];
  index_t const* places;  ///< of the elements of a group, seen from the group
  index_t bytes;          ///< of an element
  index_t step;           ///< from group to group, where they are read
  index_t first;          ///< where the first window begins, seen from the first group
  index_t low;            ///< what a group reaches
  index_t high;
  index_t size;    ///< of a group
  index_t groups;  ///< in a window; 0 where not even one fits
};

/// A group of `elements` at those places, each of `bytes`.
static inline window make_window(index_t const* places, index_t elements, index_t bytes, index_t step) noexcept {
  window w{};
  w.places = places;
  w.bytes = bytes;
  w.step = step;
  w.size = elements * bytes;
  w.low = w.high = places[0];
  for (index_t e = 1; e < elements; ++e) {
    w.low = lesser(w.low, places[e]);
    w.high = greater(w.high, places[e]);
  }
  w.high += bytes;
  index_t const span = w.high - w.low;
  auto const gap = static_cast<index_t>(plan::magnitude(step));
  if (step == 0 || span > 16 || w.size > 16 || gap > 16) return w;
  w.groups = lesser(16 / w.size, 1 + (16 - span) / gap);
  // A window takes no byte beyond the groups on the side where it begins.
  w.first = step > 0 ? w.low : w.high - 16;
  for (index_t at = 0; at < lesser(w.groups * w.size, 16); ++at) {  // never more, but GCC 12 at -O3 has to be told
    index_t const in_group = at % w.size;
    w.order[at] = static_cast<char>(at / w.size * step + places[in_group / bytes] + in_group % bytes - w.first);
  }
  return w;
}

/// `count` groups from `from` on, packed at `to`, with `slack` behind them.
static inline void pack_windows([[maybe_unused]] window const& w, std::byte* to, std::byte const* from, index_t count,
                                [[maybe_unused]] index_t ahead) noexcept {
  index_t i = 0;
#if NDX_HAS_WINDOWS
  using characters = vector_of<char, 16>::type;
  characters order;
  __builtin_memcpy(&order, w.order, sizeof order);
  // The last windows would go beyond what the groups reach.
  index_t const room = (count - 1) * static_cast<index_t>(plan::magnitude(w.step)) + w.high - w.low - 16;
  index_t const known = room < 0 ? 0 : room / static_cast<index_t>(plan::magnitude(w.step)) + 1;
  for (index_t const end = lesser(known, count - w.groups + 1); i < end; i += w.groups) {
    characters value;
    std::byte const* const place = from + i * w.step + w.first;
    prefetch(place, ahead);
    __builtin_memcpy(&value, place, sizeof value);
    value = __builtin_ia32_pshufb128(value, order);
    __builtin_memcpy(to + i * w.size, &value, sizeof value);
  }
#endif
  for (; i < count; ++i)
    for (index_t e = 0; e < w.size / w.bytes; ++e)
      copy_short(to + i * w.size + e * w.bytes, from + i * w.step + w.places[e], w.bytes);
}

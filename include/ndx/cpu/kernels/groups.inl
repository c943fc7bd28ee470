// SPDX-License-Identifier: MIT
// Groups of elements, such as the channels of pixels, and what else a window of 16 bytes packs. Included once for each
// instruction set, by kernels.hpp.

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

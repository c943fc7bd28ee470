// SPDX-License-Identifier: MIT
// Groups of elements, such as the channels of pixels. Included once for each instruction set, by kernels.hpp.

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
    NDX_UNROLLED(4)
    for (std::size_t v = 0; v < vectors_of_groups<Count>; ++v) {
      index_t const at = group * Count + static_cast<index_t>(v) * vector_bytes;
      vector packed{};
      NDX_UNROLLED(4)
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
  NDX_UNROLLED(4)
  for (index_t e = 0; e < Count; ++e) at[e] = places[e];
  auto const one_by_one = [&](index_t first, index_t end) __attribute__((always_inline)) {
    for (index_t group = first; group < end; ++group) {
      std::byte const* const read = from + group * group_step;
      prefetch(read, ahead);
      NDX_UNROLLED(4)
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

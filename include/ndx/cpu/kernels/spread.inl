// SPDX-License-Identifier: MIT
// Elements that are written with gaps between them. Included once for each instruction set, by kernels.hpp.

#if NDX_HAS_WINDOWS
/// What a permutation makes of packed elements: 16 bytes as they are written, with gaps.
struct spread {
  alignas(16) char order[16];
  alignas(16) char kept[16];  ///< all bits of a gap
  unsigned mask;              ///< a bit for each byte of an element
  index_t elements;           ///< in 16 bytes
};

/// Elements of `size` bytes, one every `step`.
static inline spread make_spread(index_t size, index_t step) noexcept {
  spread s;
  __builtin_memset(s.order, -1, sizeof s.order);  // makes zeros
  __builtin_memset(s.kept, -1, sizeof s.kept);
  s.mask = 0;
  s.elements = 0;
  for (index_t at = 0; at + size <= 16; at += step, ++s.elements) {
    for (index_t byte = 0; byte < size; ++byte) {
      s.order[at + byte] = static_cast<char>(s.elements * size + byte);
      s.kept[at + byte] = 0;
      s.mask |= 1U << (at + byte);
    }
  }
  return s;
}

/// 16 bytes, but those alone that `mask` has a bit for.
[[gnu::always_inline]] static inline void store_masked([[maybe_unused]] std::byte* to,
                                                       [[maybe_unused]] window_bytes value,
                                                       [[maybe_unused]] unsigned mask) noexcept {
#if NDX_VECTOR_BYTES == 64
#if defined(__clang__)
  auto* const place = reinterpret_cast<window_bytes*>(to);
#else
  auto* const place = reinterpret_cast<char*>(to);
#endif
  __builtin_ia32_storedquqi128_mask(place, value, static_cast<unsigned short>(mask));
#endif
}

/// As many of `count` elements as fill windows, nothing behind the last one being read or written; how many. Gaps are
/// written as they are, or, `Masked`, not at all.
template <bool Masked>
static inline index_t spread_windows(spread const& s, std::byte* to, std::byte const* from, index_t size, index_t step,
                                     index_t count) noexcept {
  if (count * size < 16 || (count - 1) * step + size < 16) return 0;
  index_t const last = lesser((count * size - 16) / size, ((count - 1) * step + size - 16) / step);
  // Read once: for all that a compiler knows, they are written to.
  window_bytes const order = look(reinterpret_cast<std::byte const*>(s.order));
  window_bytes const kept = look(reinterpret_cast<std::byte const*>(s.kept));
  unsigned const mask = s.mask;
  index_t const elements = s.elements;
  index_t i = 0;
  for (; i <= last; i += elements) {
    std::byte* const place = to + i * step;
    window_bytes const several = __builtin_ia32_pshufb128(look(from + i * size), order);
    if constexpr (Masked) {
      store_masked(place, several, mask);
    } else {
      window_bytes const all = several | (look(place) & kept);
      __builtin_memcpy(place, &all, sizeof all);
    }
  }
  return i;
}
#endif

/// Elements from one stride to another. Packed ones go as many at a time as 16 bytes have where they are written, if
/// those are enough, and if what lies between them may be written or need not be.
template <class Unit>
static inline void spread_elements(std::byte* to, std::byte const* from, grid const& g,
                                   [[maybe_unused]] bool owns_gaps) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  plan::loop const outer = g.outer;
  plan::loop const inner = g.inner;
  auto const spread_from = [&](auto const& begin) __attribute__((always_inline)) {
    for (index_t o = 0; o < outer.extent; ++o) {
      std::byte* const line = to + o * outer.destination;
      std::byte const* const source = from + o * outer.source;
      index_t i = begin(line, source);
      NDX_UNROLLED(4)
      for (; i < inner.extent; ++i) __builtin_memcpy(line + i * inner.destination, source + i * inner.source, size);
    }
  };
#if NDX_HAS_WINDOWS
  index_t const step = inner.destination;
  bool const has_room = step > size && (tuning::least_spread - 1) * step + size <= 16;
  if (size < 4 && has_room && inner.source == size && inner.extent * size >= 16) {
    auto const by_windows = [&](auto masked) __attribute__((always_inline)) {
      spread const s = make_spread(size, step);
      spread_from([&](std::byte * line, std::byte const* source) __attribute__((always_inline)) {
        return spread_windows<masked()>(s, line, source, size, step, inner.extent);
      });
    };
    if (owns_gaps) return by_windows(std::false_type{});
    if (vector_bytes == 64 && is_intel()) return by_windows(std::true_type{});
  }
#endif
  spread_from([](std::byte*, std::byte const*) __attribute__((always_inline)) { return index_t{0}; });
}

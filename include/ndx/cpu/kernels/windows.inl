// SPDX-License-Identifier: MIT
// What one permutation of 16 bytes packs: elements of few bytes, and groups of such. Included once for each instruction
// set, by kernels.hpp.

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
  index_t const packed = w.groups * w.size;
  for (index_t at = 0; at < 16 && at < packed; ++at) {  // never more, but GCC 12 at -O3 has to be told
    index_t const in_group = at % w.size;
    w.order[at] = static_cast<char>(at / w.size * step + places[in_group / bytes] + in_group % bytes - w.first);
  }
  return w;
}

#if NDX_HAS_WINDOWS
using window_bytes = vector_of<char, 16>::type;

[[gnu::always_inline]] static inline window_bytes look(std::byte const* place) noexcept {
  window_bytes seen;
  __builtin_memcpy(&seen, place, sizeof seen);
  return seen;
}

[[gnu::always_inline]] static inline void pack(std::byte* to, window_bytes seen, window_bytes order) noexcept {
  seen = __builtin_ia32_pshufb128(seen, order);
  __builtin_memcpy(to, &seen, sizeof seen);
}
#endif

/// `count` groups from `from` on, packed at `to`, with `slack` behind them.
static inline void pack_windows([[maybe_unused]] window const& w, std::byte* to, std::byte const* from, index_t count,
                                [[maybe_unused]] index_t ahead) noexcept {
#if NDX_HAS_WINDOWS
  auto const gap = static_cast<index_t>(plan::magnitude(w.step));
  // How far away the last window lies from the first: it ends where the last group does.
  index_t const last = (count - 1) * gap + w.high - w.low - 16;
  if (last >= 0) {
    // Read once: for all that a compiler knows, the window itself is written to.
    window_bytes const order = look(reinterpret_cast<std::byte const*>(w.order));
    index_t const groups = w.groups;
    index_t const size = groups * w.size;
    index_t const step = groups * w.step;
    std::byte const* place = from + w.first;
    window_bytes const end = look(w.step > 0 ? place + last : place - last);
    std::byte* packed = to;
    index_t i = 0;
    constexpr index_t at_once = 4;  // they see no more than a cache line
    window_bytes seen[at_once];
    auto const all_fit = [&] { return (i + (at_once - 1) * groups) * gap <= last; };
    auto const look_at_next = [&]() __attribute__((always_inline)) {
      prefetch(place, ahead);
      NDX_UNROLLED(4)
      for (index_t n = 0; n < at_once; ++n) seen[n] = look(place + n * step);
      place += at_once * step;
      i += at_once * groups;
    };
    if (all_fit()) {
      look_at_next();
      // The next windows are looked at before those are packed: a load waits for stores to addresses that are the same
      // but for a multiple of 4 KiB, as they are where two large tensors begin and one follows the other.
      while (all_fit()) {
        window_bytes before[at_once];
        NDX_UNROLLED(4)
        for (index_t n = 0; n < at_once; ++n) before[n] = seen[n];
        look_at_next();
        NDX_UNROLLED(4)
        for (index_t n = 0; n < at_once; ++n) pack(packed + n * size, before[n], order);
        packed += at_once * size;
      }
      NDX_UNROLLED(4)
      for (index_t n = 0; n < at_once; ++n) pack(packed + n * size, seen[n], order);
      packed += at_once * size;
    }
    prefetch(place, ahead);
    for (; i * gap <= last; i += groups, place += step, packed += size) pack(packed, look(place), order);
    // The last window sees what is left, and takes groups that are packed already where fewer are.
    for (; i < count; i += groups) {
      index_t const group = lesser(i, count - groups);
      auto const moved = static_cast<char>(group * gap - last);
      pack(to + group * w.size, end, w.step > 0 ? order + moved : order - moved);
    }
    return;
  }
#endif
  for (index_t i = 0; i < count; ++i)
    for (index_t e = 0; e < w.size / w.bytes; ++e)
      copy_short(to + i * w.size + e * w.bytes, from + i * w.step + w.places[e], w.bytes);
}

// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_OVERLAP_HPP
#define NDX_PLAN_OVERLAP_HPP

#include <ndx/plan/layout.hpp>

namespace ndx::plan {

/// Do the elements lie one after the other, in row-major order?
constexpr bool is_packed(layout const& tensor) noexcept {
  index_t stride = 1;
  for (std::size_t d = tensor.rank; d-- > 0;) {
    if (tensor.extents[d] == 1) continue;
    if (tensor.strides[d] != stride) return false;
    stride = wrapping_multiply(stride, tensor.extents[d]);
  }
  return true;
}

namespace detail {

struct step {
  std::uint64_t distance;  // the stride's magnitude
  std::uint64_t count;     // extent - 1
};

/// Is there a way to come back to offset 0 by the steps, each taken -count to count times, beyond the trivial one?
/// `reach[d]` is the farthest that steps d and later go. Gives up, with "yes", when `patience` runs out.
constexpr bool returns_to(step const* steps, std::uint64_t const* reach, std::size_t count, std::uint64_t target,
                          bool moved, int& patience) noexcept {
  if (count == 0) return moved && target == 0;
  if (--patience < 0) return true;
  // target is the distance still to go, without a sign: all ranges are symmetric.
  std::uint64_t const rest = reach[1];
  std::uint64_t const distance = steps->distance;
  std::uint64_t const low = target > rest ? (target - rest + distance - 1) / distance : 0;
  for (std::uint64_t n = low; n <= steps->count && n * distance <= target + rest; ++n) {
    std::uint64_t const left = n * distance > target ? n * distance - target : target - n * distance;
    if (returns_to(steps + 1, reach + 1, count - 1, left, moved || n != 0, patience)) return true;
    // The same number of steps away from the target instead of towards it.
    if (n != 0 && target != 0 && target + n * distance <= rest &&
        returns_to(steps + 1, reach + 1, count - 1, target + n * distance, true, patience))
      return true;
  }
  return false;
}

}  // namespace detail

/// Do two different coordinates of this tensor share an element? Exact for any layout met in practice; a layout so
/// entangled that the search takes too long counts as overlapping.
constexpr bool overlaps_itself(layout const& tensor) noexcept {
  if (is_packed(tensor) || is_empty(tensor)) return false;
  std::array<detail::step, max_rank> steps{};
  std::size_t count = 0;
  for (std::size_t d = 0; d < tensor.rank; ++d) {
    if (tensor.extents[d] == 1) continue;
    detail::step const next{magnitude(tensor.strides[d]), magnitude(tensor.extents[d]) - 1};
    if (next.distance == 0) return true;
    std::size_t place = count++;
    for (; place > 0 && steps[place - 1].distance < next.distance; --place) steps[place] = steps[place - 1];
    steps[place] = next;
  }
  std::array<std::uint64_t, max_rank + 1> reach{};
  bool nested = true;  // every step is longer than all shorter ones together: the usual case
  for (std::size_t d = count; d-- > 0;) {
    nested = nested && steps[d].distance > reach[d + 1];
    reach[d] = reach[d + 1] + steps[d].distance * steps[d].count;
  }
  if (nested) return false;
  int patience = 100000;
  return detail::returns_to(steps.data(), reach.data(), count, 0, false, patience);
}

/// A tensor's place in memory.
struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

inline address_range range_of(void const* data, footprint const& bytes) noexcept {
  auto const address = reinterpret_cast<std::uintptr_t>(data);
  return {address - static_cast<std::uintptr_t>(bytes.before), address + static_cast<std::uintptr_t>(bytes.after)};
}

/// Conservative: interleaved tensors that share no element count as overlapping.
inline bool overlap(address_range const& a, address_range const& b) noexcept {
  if (a.begin == a.end || b.begin == b.end) return false;  // no elements, even where the pointer lies inside the other
  return a.begin < b.end && b.begin < a.end;
}

/// Do both name the same elements in the same order? Leading ones apart.
constexpr bool same_layout(layout const& a, layout const& b) noexcept {
  layout const& shorter = a.rank < b.rank ? a : b;
  layout const& longer = a.rank < b.rank ? b : a;
  std::size_t const padding = longer.rank - shorter.rank;
  for (std::size_t d = 0; d < padding; ++d)
    if (longer.extents[d] != 1) return false;
  for (std::size_t d = 0; d < shorter.rank; ++d) {
    if (shorter.extents[d] != longer.extents[padding + d]) return false;
    // The stride of a single step is never used.
    if (shorter.extents[d] != 1 && shorter.strides[d] != longer.strides[padding + d]) return false;
  }
  return true;
}

[[noreturn]] inline void fail_overlap(char const* name, char const* argument) {
  ndx::detail::fail(
      overlap_error(ndx::detail::text(name, ": output: shares memory with ", argument, "; due is memory of its own")));
}

[[noreturn]] inline void fail_self_overlap(char const* name, layout const& output) {
  ndx::detail::fail(overlap_error(ndx::detail::text(
      name, ": output: extents ", ndx::detail::braces(output.extents, output.rank), " and strides ",
      ndx::detail::braces(output.strides, output.rank), " reach an element twice; due is one place for each element")));
}

}  // namespace ndx::plan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_REACH_HPP
#define NDX_CPU_REACH_HPP

#include <ndx/plan/indexed_copy.hpp>

#include <cstdint>

namespace ndx::cpu {

/// Which bytes a plan can reach on its indirect side, from its first to its last: for the decision to prefetch, and to
/// divide destinations among threads. In bytes; before and after the base.
struct reach {
  std::uint64_t before = 0;
  std::uint64_t after = 0;

  void add(index_t extent, index_t stride) noexcept {
    if (extent > 1) (stride < 0 ? before : after) += static_cast<std::uint64_t>(extent - 1) * plan::magnitude(stride);
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return before + after; }
};

inline reach reach_of_tuples(plan::indexed_copy const& plan) noexcept {
  reach result;
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    result.add(plan.coordinates[c].extent, plan.coordinates[c].stride);
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    result.add(plan.loops[d].extent,
               plan.indirect == plan::side::source ? plan.loops[d].source : plan.loops[d].destination);
  return result;
}

/// How many places the indices of one tuple can name.
inline index_t places_of_indices(plan::indexed_copy const& plan) noexcept {
  index_t result = 1;
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    result = plan::wrapping_multiply(result, plan.coordinates[c].extent);
  return result;
}

/// What the tuples of a plan are made of: the bytes of indices of such a size that it reads, each counted once.
inline index_t bytes_of_indices(plan::indexed_copy const& plan, std::size_t size) noexcept {
  auto result = static_cast<index_t>(plan.coordinate_count * size);
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    if (plan.loops[d].indices != 0) result = plan::wrapping_multiply(result, plan.loops[d].extent);
  return result;
}

}  // namespace ndx::cpu

#endif

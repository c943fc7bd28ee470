// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PIECES_HPP
#define NDX_VULKAN_PIECES_HPP

#include <ndx/plan/normalize.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ndx::vulkan {

/// A copy to packed memory in its order, the plan in bytes, cut into parts of so many bytes at most, each of which is
/// one block there, behind the one before.
class pieces {
public:
  pieces(plan::indexed_copy const& copy, std::uint64_t most) noexcept : copy_(copy) {
    auto const limit = static_cast<index_t>(most);
    index_t step_bytes = copy.tail;
    for (;; ++dimension_) {
      extent_ = dimension_ == copy.rank ? copy.run : copy.loops[dimension_].extent;
      step_bytes /= extent_;
      if (step_bytes <= limit) break;
      count_ *= extent_;
    }
    steps_ = limit / step_bytes < extent_ ? limit / step_bytes : extent_;
    in_loop_ = (extent_ + steps_ - 1) / steps_;
    count_ *= in_loop_;
  }

  [[nodiscard]] index_t count() const noexcept { return count_; }

  [[nodiscard]] plan::indexed_copy operator[](index_t i) const noexcept {
    plan::indexed_copy part = copy_;
    index_t outer = i / in_loop_;
    for (std::size_t d = dimension_; d-- > 0; outer /= copy_.loops[d].extent) {
      index_t const at = outer % copy_.loops[d].extent;
      part = plan::part(part, d, at, at + 1);
    }
    index_t const begin = i % in_loop_ * steps_;
    return plan::part(part, dimension_, begin, begin + steps_ < extent_ ? begin + steps_ : extent_);
  }

private:
  plan::indexed_copy copy_;
  std::size_t dimension_ = 0;  // the loop that is cut; those above it go one step at a time
  index_t extent_ = 1;         // of it
  index_t steps_ = 1;          // of a part
  index_t in_loop_ = 1;        // parts
  index_t count_ = 1;
};

/// The same copy in the other direction.
inline plan::indexed_copy reversed(plan::indexed_copy plan) noexcept {
  for (std::size_t d = 0; d < plan.rank; ++d) std::swap(plan.loops[d].destination, plan.loops[d].source);
  std::swap(plan.destination_base, plan.source_base);
  return plan;
}

}  // namespace ndx::vulkan

#endif

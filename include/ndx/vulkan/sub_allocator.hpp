// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_SUB_ALLOCATOR_HPP
#define NDX_VULKAN_SUB_ALLOCATOR_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndx::vulkan {

/// Hands out ranges of [0, size): first fit, and neighbours that are given back grow together. It knows no device, no
/// alignment (what it hands out is aligned as the sizes are) and no lock.
class sub_allocator {
public:
  static constexpr std::uint64_t none = UINT64_MAX;

  explicit sub_allocator(std::uint64_t size) : size_(size) {
    if (size != 0) free_.push_back({0, size});
  }

  /// The offset of a range of `size` bytes, not 0, or `none`.
  std::uint64_t allocate(std::uint64_t size) {
    // A release adds one free range at most: with this room it never needs memory.
    if (free_.capacity() < live_ + 2) free_.reserve(2 * live_ + 16);
    for (std::size_t i = 0; i < free_.size(); ++i) {
      range& fit = free_[i];
      if (fit.size < size) continue;
      std::uint64_t const offset = fit.offset;
      fit.offset += size;
      fit.size -= size;
      if (fit.size == 0) free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
      ++live_;
      return offset;
    }
    return none;
  }

  /// What `allocate(size)` gave.
  void release(std::uint64_t offset, std::uint64_t size) noexcept {
    std::size_t first = 0;  // the free range behind the released one
    for (std::size_t count = free_.size(); count != 0;) {
      std::size_t const half = count / 2;
      if (free_[first + half].offset < offset) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    --live_;
    bool const joins_before = first != 0 && free_[first - 1].offset + free_[first - 1].size == offset;
    bool const joins_behind = first != free_.size() && offset + size == free_[first].offset;
    auto const here = free_.begin() + static_cast<std::ptrdiff_t>(first);
    if (joins_before && joins_behind) {
      free_[first - 1].size += size + here->size;
      free_.erase(here);
    } else if (joins_before) {
      free_[first - 1].size += size;
    } else if (joins_behind) {
      here->offset = offset;
      here->size += size;
    } else {
      free_.insert(here, {offset, size});
    }
  }

  /// Has everything been given back?
  [[nodiscard]] bool empty() const noexcept { return live_ == 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// How many ranges are free: 1 when everything has been given back.
  [[nodiscard]] std::size_t free_ranges() const noexcept { return free_.size(); }

private:
  struct range {
    std::uint64_t offset;
    std::uint64_t size;
  };

  std::uint64_t size_;
  std::size_t live_ = 0;
  std::vector<range> free_;  // by offset; no two touch
};

}  // namespace ndx::vulkan

#endif

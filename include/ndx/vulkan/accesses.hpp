// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_ACCESSES_HPP
#define NDX_VULKAN_ACCESSES_HPP

#include <ndx/vulkan/operand.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace ndx::vulkan {

/// A set of bytes of buffers. Looking and adding take a binary search each: many operators that read the same tensors
/// and write different ones are the common case.
class byte_set {
public:
  [[nodiscard]] bool meets(byte_range const& range) const noexcept {
    if (range.size() == 0) return false;
    auto const found = first_behind(range);
    return found != ranges_.end() && overlap(*found, range);
  }

  void add(byte_range range) {
    if (range.size() == 0) return;
    auto const first = first_behind(range);
    auto last = first;
    for (; last != ranges_.end() && overlap(*last, range); ++last) {
      range.begin = std::min(range.begin, last->begin);
      range.end = std::max(range.end, last->end);
    }
    if (first == last) {
      ranges_.insert(first, range);
    } else {
      *first = range;
      ranges_.erase(first + 1, last);
    }
  }

  void clear() noexcept { ranges_.clear(); }
  [[nodiscard]] std::size_t size() const noexcept { return ranges_.size(); }

private:
  /// The first range that does not end before `range` begins.
  [[nodiscard]] std::vector<byte_range>::const_iterator first_behind(byte_range const& range) const noexcept {
    return std::partition_point(ranges_.begin(), ranges_.end(), [&](byte_range const& known) {
      return known.buffer < range.buffer || (known.buffer == range.buffer && known.end <= range.begin);
    });
  }
  [[nodiscard]] std::vector<byte_range>::iterator first_behind(byte_range const& range) noexcept {
    return ranges_.begin() + (static_cast<byte_set const&>(*this).first_behind(range) - ranges_.cbegin());
  }

  std::vector<byte_range> ranges_;  // sorted, apart from each other
};

/// What an operation reads and writes; what there is less of is empty.
struct operation_ranges {
  std::array<byte_range, 3> reads;
  std::array<byte_range, 2> writes;
};

/// What commands access that no barrier has come after yet.
class accesses {
public:
  /// Does the next operation have to wait for them?
  [[nodiscard]] bool forbid(operation_ranges const& next) const {
    if (written_.size() + read_.size() > most) return true;
    auto const is_written = [&](byte_range const& range) { return written_.meets(range); };
    auto const is_read = [&](byte_range const& range) { return read_.meets(range); };
    return std::any_of(next.reads.begin(), next.reads.end(), is_written) ||
           std::any_of(next.writes.begin(), next.writes.end(), is_written) ||
           std::any_of(next.writes.begin(), next.writes.end(), is_read);
  }

  void add(operation_ranges const& more) {
    for (byte_range const& range : more.reads) read_.add(range);
    for (byte_range const& range : more.writes) written_.add(range);
  }

  void clear() noexcept {
    read_.clear();
    written_.clear();
  }

private:
  static constexpr std::size_t most = 4096;  // from here on a barrier costs less than to find out that none is due

  byte_set read_;
  byte_set written_;
};

}  // namespace ndx::vulkan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_CALL_TENSORS_HPP
#define NDX_VULKAN_CALL_TENSORS_HPP

#include <ndx/vulkan/capabilities.hpp>
#include <ndx/vulkan/operand.hpp>

#include <array>
#include <cstdint>

namespace ndx::vulkan {

/// The tensors of an operation, and how kernels can get at them: bound as a whole, by address, or window by window.
struct call_tensors {
  operand destination{};
  operand source{};
  operand indices{};
  std::uint32_t index_kind = 0;
  std::array<std::uint32_t, 4> fill{};

  [[nodiscard]] index_t index_size() const noexcept { return (index_kind & 1U) != 0 ? 8 : 4; }

  /// A buffer of the application's may be none that has an address.
  [[nodiscard]] bool have_addresses() const noexcept {
    auto const has_address = [](operand const& of) { return of.buffer == VK_NULL_HANDLE || of.address != 0; };
    return has_address(destination) && has_address(source) && has_address(indices);
  }
};

/// What a descriptor can cover on a device.
class binding_limits {
public:
  explicit binding_limits(capabilities const& can) noexcept
      : range_(can.storage_range),
        alignment_(can.storage_alignment < tuning::sector_bytes ? tuning::sector_bytes : can.storage_alignment) {}

  /// The most bytes of a window.
  [[nodiscard]] std::uint64_t window() const noexcept { return range_ / 256 * 256; }

  /// What the descriptor of a range has to cover, from a sector's beginning on, as shaders/move.comp looks for those.
  [[nodiscard]] byte_range aligned(byte_range range) const noexcept {
    range.begin -= range.begin % alignment_;
    range.end = (range.end + 3) / 4 * 4;
    return range;
  }
  [[nodiscard]] bool fits(byte_range const& range) const noexcept {
    return range.buffer == VK_NULL_HANDLE || aligned(range).size() <= range_;
  }

  /// Calls `visit(window, first)` for each window of a range; `first` in bytes from where its descriptors begin.
  template <class Visit>
  void for_each_window(byte_range const& range, Visit const& visit) const {
    if (range.buffer == VK_NULL_HANDLE) return visit(byte_range{}, index_t{0});
    byte_range const all = aligned(range);
    for (std::uint64_t begin = all.begin; begin < all.end; begin += window())
      visit(byte_range{all.buffer, begin, all.end - begin < window() ? all.end : begin + window()},
            static_cast<index_t>(begin - all.begin));
  }

private:
  std::uint64_t range_;
  std::uint64_t alignment_;
};

}  // namespace ndx::vulkan

#endif

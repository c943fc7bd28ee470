// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_LAYOUT_HPP
#define NDX_PLAN_LAYOUT_HPP

#include <ndx/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

/// What an operator means, free of element types and of policies.
namespace ndx::plan {

inline constexpr std::size_t max_rank = 8;

/// Extents and strides of a tensor, whatever its rank and type. Does not own.
struct layout {
  std::size_t rank;
  index_t const* extents;
  index_t const* strides;
};

template <class View>
constexpr layout layout_of(View const& view) noexcept {
  return {View::rank(), view.extents().data(), view.strides().data()};
}

// Arithmetic modulo 2^64: for values that are checked, or not used, where they do not fit.
constexpr index_t wrapping_add(index_t a, index_t b) noexcept {
  return static_cast<index_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr index_t wrapping_multiply(index_t a, index_t b) noexcept {
  return static_cast<index_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// |a| as an unsigned number, right for the smallest integer too.
constexpr std::uint64_t magnitude(index_t a) noexcept {
  return a < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

/// sum += a * b; false where that is not below 2^63.
constexpr bool add_product(std::uint64_t& sum, std::uint64_t a, std::uint64_t b) noexcept {
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<index_t>::max());
  if (((a | b) >> 31U) != 0 && b != 0 && a > limit / b) return false;  // products of small numbers need no division
  if (a * b > limit - sum) return false;
  sum += a * b;
  return true;
}

template <std::size_t Rank>
constexpr std::array<index_t, Rank> packed_strides(std::array<index_t, Rank> const& extents) noexcept {
  std::array<index_t, Rank> strides{};
  index_t stride = 1;
  for (std::size_t d = Rank; d-- > 0;) {
    strides[d] = stride;
    stride = wrapping_multiply(stride, extents[d]);
  }
  return strides;
}

constexpr bool is_empty(layout const& tensor) noexcept {
  for (std::size_t d = 0; d < tensor.rank; ++d)
    if (tensor.extents[d] == 0) return true;
  return false;
}

/// The bytes that a tensor's elements lie in: [-before, after) from its data pointer. Both 0: no elements.
struct footprint {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

namespace detail {

/// Why a layout cannot be addressed; empty if it can.
enum class defect : unsigned char { none, negative_extent, too_large };

constexpr defect measure(layout const& tensor, std::size_t element_size, footprint& bytes) noexcept {
  bool empty = false;
  for (std::size_t d = 0; d < tensor.rank; ++d) {
    if (tensor.extents[d] < 0) return defect::negative_extent;
    empty = empty || tensor.extents[d] == 0;
  }
  if (empty) return defect::none;
  std::uint64_t count = 1;
  std::uint64_t before = 0;
  std::uint64_t after = 1;
  for (std::size_t d = 0; d < tensor.rank; ++d) {
    std::uint64_t const steps = magnitude(tensor.extents[d]) - 1;
    if (!add_product(count, count, steps) ||
        !add_product(tensor.strides[d] < 0 ? before : after, steps, magnitude(tensor.strides[d])))
      return defect::too_large;
  }
  // All sums lie below 2^63: only their bytes can still be too many.
  std::uint64_t most = count > before ? count : before;
  if (after > most) most = after;
  std::uint64_t bytes_of_most = 0;
  if (!add_product(bytes_of_most, most, element_size)) return defect::too_large;
  bytes = {before * element_size, after * element_size};
  return defect::none;
}

[[noreturn]] inline void fail_layout(char const* name, char const* argument, layout const& tensor,
                                     std::size_t element_size, defect why) {
  using ndx::detail::text;
  std::string const seen = text(name, ": ", argument, ": extents ", ndx::detail::braces(tensor.extents, tensor.rank),
                                " and strides ", ndx::detail::braces(tensor.strides, tensor.rank));
  if (why == defect::negative_extent) ndx::detail::fail(shape_error(text(seen, "; due are extents of 0 and more")));
  if (why == defect::too_large)
    ndx::detail::fail(shape_error(
        text(seen, " with elements of ", element_size, " bytes; due are sizes and byte offsets below 2^63")));
  ndx::detail::fail(shape_error(text(seen, " at a null pointer; due is a pointer to the elements")));
}

}  // namespace detail

/// Measures a tensor; throws `shape_error` for negative extents, offsets beyond 64 bit, and elements at a null pointer.
constexpr footprint check_layout(char const* name, char const* argument, layout const& tensor, std::size_t element_size,
                                 bool has_data) {
  footprint bytes;
  detail::defect const why = detail::measure(tensor, element_size, bytes);
  if (why != detail::defect::none || (!has_data && bytes.after != 0))
    detail::fail_layout(name, argument, tensor, element_size, why);
  return bytes;
}

}  // namespace ndx::plan

#endif

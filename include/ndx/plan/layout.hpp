// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_LAYOUT_HPP
#define NDX_PLAN_LAYOUT_HPP

#include <ndx/error.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

/// What an operator means, free of element types and of policies.
namespace ndx::plan {

inline constexpr std::size_t max_rank = 8;

/// Extents and strides of a tensor, whatever its rank and type. Does not own.
struct layout {
  std::size_t rank;
  index_t const* extents;
  index_t const* strides;
};

/// Calls `body(d)` for d in [first, last), each in a place of its own: where the compiler knows the bounds it reads
/// single numbers. In a loop it reads neighbours as one vector, and waits for it where they have just been stored one
/// by one, as those of a view made for the call (a gather of four elements takes 26 ns then, not 16).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"  // GCC 12 warns of places whose condition it cannot foresee to fail
#endif
template <class Body>
[[gnu::always_inline]] constexpr void for_each_dimension(std::size_t first, std::size_t last, Body const& body) {
  [&]<std::size_t... D>(std::index_sequence<D...>) __attribute__((always_inline)) {
    ((D >= first && D < last ? body(D) : void()), ...);
  }
  (std::make_index_sequence<max_rank>());
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

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

template <std::size_t Rank>
constexpr std::array<index_t, Rank> column_major_strides(std::array<index_t, Rank> const& extents) noexcept {
  std::array<index_t, Rank> strides{};
  index_t stride = 1;
  for (std::size_t d = 0; d < Rank; ++d) {
    strides[d] = stride;
    stride = wrapping_multiply(stride, extents[d]);
  }
  return strides;
}

/// How many indices a tuple has; for indices of rank 1 and more that have been checked.
constexpr std::size_t tuple_size(layout const& indices) noexcept {
  return static_cast<std::size_t>(indices.extents[indices.rank - 1]);
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
  bool distinct = false;  ///< known to have an element of its own for each coordinate; false: not looked at
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
  bytes = {before * element_size, after * element_size, false};
  return defect::none;
}

/// `measure` for the usual tensor, in a few instructions a dimension where the rank is known to the compiler: there are
/// elements, no stride is negative, and all numbers are so small that no sum can be too large. What it measures is what
/// `measure` would; false: that one has to say.
[[gnu::always_inline]] constexpr bool measure_usual(layout const& tensor, std::size_t element_size,
                                                    footprint& bytes) noexcept {
  std::uint64_t all_steps = 0;
  std::uint64_t all_strides = 0;
  std::uint64_t reach = 0;
  bool distinct = true;  // each step is longer than all those of the later dimensions together
#pragma GCC unroll 8
  for (std::size_t d = tensor.rank; d-- > 0;) {
    auto const steps = static_cast<std::uint64_t>(tensor.extents[d]) - 1;  // huge for extents of 0 and less
    auto const stride = static_cast<std::uint64_t>(tensor.strides[d]);
    all_steps |= steps;
    all_strides |= stride;
    distinct = distinct && (stride > reach || steps == 0);
    reach += steps * stride;
  }
  bytes = {0, (reach + 1) * element_size, distinct};
  // Extents of at most 2^a, strides below 2^b, elements of at most 2^c bytes: the count of the elements is at most
  // 2^(rank a), and the reach is below 8 * 2^(a + b). Both, times 2^c, have to stay below 2^63.
  auto const c = static_cast<unsigned>(std::bit_width(element_size - 1));
  if (c > 20) return false;
  unsigned const a = tensor.rank > 2 ? (62 - c) / static_cast<unsigned>(tensor.rank) : 30 - c / 2;
  unsigned const b = 59 - c - a;
  return (all_steps >> a | all_strides >> b) == 0;
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

/// For what `measure_usual` does not take. The layout by value, so that the usual one need not be in memory.
constexpr footprint check_any_layout(char const* name, char const* argument, layout tensor, std::size_t element_size,
                                     bool has_data) {
  footprint bytes;
  defect const why = measure(tensor, element_size, bytes);
  if (why != defect::none || (!has_data && bytes.after != 0)) fail_layout(name, argument, tensor, element_size, why);
  return bytes;
}

}  // namespace detail

/// Measures a tensor; throws `shape_error` for negative extents, offsets beyond 64 bit, and elements at a null pointer.
[[gnu::always_inline]] constexpr footprint check_layout(char const* name, char const* argument, layout const& tensor,
                                                        std::size_t element_size, bool has_data) {
  footprint bytes;
  if (has_data && detail::measure_usual(tensor, element_size, bytes)) return bytes;
  return detail::check_any_layout(name, argument, tensor, element_size, has_data);
}

}  // namespace ndx::plan

#endif

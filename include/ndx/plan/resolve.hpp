// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_RESOLVE_HPP
#define NDX_PLAN_RESOLVE_HPP

#include <ndx/plan/operation.hpp>

#include <cstdint>
#include <type_traits>

/// From indices as they stand in memory to offsets: the definition, one tuple at a time.
namespace ndx::plan {

/// Stands for the offset of a tuple with a bad index. No element is there: offsets are below 2^63 in magnitude.
inline constexpr index_t no_offset = std::numeric_limits<index_t>::min();

/// One index on an axis of this extent; negative if it is bad. Compares in 64 bit before anything is added or narrowed,
/// so that neither the smallest integer nor a large unsigned one can wrap around into the range.
template <class Index>
[[gnu::always_inline]] constexpr index_t resolve_index(Index read, index_t extent, bounds mode) noexcept {
  auto const size = static_cast<std::uint64_t>(extent);
  // Sign-extended for signed types, zero-extended for unsigned ones.
  auto value = static_cast<std::uint64_t>(read);
  bool const negative = std::is_signed_v<Index> && read < Index{0};
  if (mode == bounds::wrap) {
    if (extent == 0) return -1;
    if (!negative) return static_cast<index_t>(value % size);
    return static_cast<index_t>(size - 1 - (~value) % size);  // ~value is -value - 1, which always fits
  }
  // Without a branch, which indices of either sign would mislead. Still above every extent if it was below -extent.
  value += size & (std::uint64_t{0} - static_cast<std::uint64_t>(negative));
  if (mode == bounds::trust || value < size) return static_cast<index_t>(value);
  if (mode != bounds::clamp || extent == 0) return -1;
  return negative ? 0 : extent - 1;
}

/// Adds what a tuple adds to the offset of the indirect side, in elements; false if one of its indices is bad.
template <class Index>
[[gnu::always_inline]] constexpr bool add_tuple(index_t& offset, indexed_copy const& plan, Index const* tuple,
                                                bounds mode) noexcept {
  for (std::size_t c = 0; c < plan.coordinate_count; ++c) {
    index_t const step = static_cast<index_t>(c) * plan.coordinate_step;
    index_t const extent = plan.coordinates[c].extent;
    if (extent < 0) __builtin_unreachable();  // so that the compiler need not ask whether a good index is negative
    index_t const index = resolve_index(tuple[step], extent, mode);
    if (index < 0 && mode != bounds::trust) return false;
    offset += index * plan.coordinates[c].stride;
  }
  return true;
}

/// The same as one number: the offset, or `no_offset`.
template <class Index>
constexpr index_t resolve_tuple(indexed_copy const& plan, Index const* tuple, bounds mode) noexcept {
  index_t offset = 0;
  return add_tuple(offset, plan, tuple, mode) ? offset : no_offset;
}

namespace detail {

template <class Index>
[[noreturn]] void fail_index(operation const& op, index_t const* place, std::size_t coordinate, Index value) {
  auto const axis = static_cast<index_t>(op.first_axis + coordinate);
  index_t const extent = op.move.coordinates[coordinate].extent;
  using ndx::detail::text;
  std::string const due = extent == 0               ? text("none, as the extent is 0")
                          : std::is_signed_v<Index> ? text(-extent, " to ", extent - 1)
                                                    : text("0 to ", extent - 1);
  std::string const message = text(op.name, ": indices", ndx::detail::braces(place, op.indices.rank), " is ", value,
                                   ", out of range for axis ", axis, " of extent ", extent, "; due is ", due,
                                   " (indices ", ndx::detail::braces(op.indices.extents, op.indices.rank), ")");
  ndx::detail::fail(index_error(message, std::vector<index_t>(place, place + op.indices.rank), axis,
                                static_cast<index_t>(value), extent));
}

}  // namespace detail

/// Finds the first bad element of the indices in row-major order and throws the `index_error` that tells of it. Only
/// for operations known to have one: it reads all indices in plain order, however the policy had gone about them.
template <class Index>
constexpr void fail_first_bad_index(operation const& op, Index const* indices) {
  layout const& where = op.indices;
  std::array<index_t, max_rank> place{};
  for (;;) {
    index_t offset = 0;
    for (std::size_t d = 0; d < where.rank; ++d) offset += place[d] * where.strides[d];
    std::size_t const coordinate =
        op.move.coordinate_count == 1 && !op.last_is_coordinate ? 0 : static_cast<std::size_t>(place[where.rank - 1]);
    Index const value = indices[offset];
    if (resolve_index(value, op.move.coordinates[coordinate].extent, op.bounds) < 0)
      detail::fail_index(op, place.data(), coordinate, value);
    std::size_t d = where.rank;
    for (; d > 0; --d) {
      if (++place[d - 1] < where.extents[d - 1]) break;
      place[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace ndx::plan

#endif

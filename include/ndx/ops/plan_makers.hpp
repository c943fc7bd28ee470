// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_PLAN_MAKERS_HPP
#define NDX_OPS_PLAN_MAKERS_HPP

#include <ndx/plan/indexed_copy.hpp>
#include <ndx/plan/shape.hpp>

/// How gathers and scatters become plans of copies between `indirect[.., indices, ..]`, the side `Moved`, and `direct`.
///
/// - `make(plan, indirect, indices, direct, axis)` takes every call that has been checked; `axis` is the first one that
///   is indexed.
/// - `make_known(indirect, indices, direct, axis, ask)` is for small calls of which nothing has been checked but that
///   the indices have a last extent if they need one; `axis` is as the caller has it. Where the shape rule is kept, and
///   the number of loops of each kind is known to the compiler but for a case or two, it returns `ask(make)` for the
///   case at hand, with a `make(plan)` of its own; else false.
namespace ndx::detail {

/// Tuples of indices. Known are those that name single elements, and single indices along the first axis.
template <plan::side Moved, std::size_t Rank>
struct by_tuples {
  static constexpr bool last_is_coordinate = true;

  static constexpr void make(plan::indexed_copy& move, plan::layout const& indirect, plan::layout const& indices,
                             plan::layout const& direct, std::size_t axis) noexcept {
    plan::make_tuple_copy(move, indirect, indices, direct, axis, plan::tuple_size(indices), Moved);
  }

  template <class Ask>
  [[gnu::always_inline]] static constexpr bool make_known(plan::layout const& indirect, plan::layout const& indices,
                                                          plan::layout const& direct, index_t axis, Ask const& ask) {
    auto const with = [&](auto count) __attribute__((always_inline)) {
      return plan::detail::fits_tuples(indirect, indices, direct, count) &&
             ask([&](plan::indexed_copy & move) __attribute__((always_inline)) {
               plan::make_tuple_copy(move, indirect, indices, direct, 0, count, Moved);
             });
    };
    if (axis != 0 || indices.rank == 0) return false;
    if (plan::tuple_size(indices) == Rank) return with(std::integral_constant<std::size_t, Rank>{});
    if constexpr (Rank > 1)
      if (plan::tuple_size(indices) == 1) return with(std::integral_constant<std::size_t, 1>{});
    return false;
  }
};

/// An index for each element, along one axis.
template <plan::side Moved>
struct by_elements {
  static constexpr bool last_is_coordinate = false;

  [[gnu::always_inline]] static constexpr void make(plan::indexed_copy& move, plan::layout const& indirect,
                                                    plan::layout const& indices, plan::layout const& direct,
                                                    std::size_t axis) noexcept {
    plan::make_element_copy(move, indirect, indices, direct, axis, Moved);
  }

  template <class Ask>
  [[gnu::always_inline]] static constexpr bool make_known(plan::layout const& indirect, plan::layout const& indices,
                                                          plan::layout const& direct, index_t axis, Ask const& ask) {
    std::size_t const counted = plan::detail::counted_axis(axis, indirect.rank);
    return counted < indirect.rank && plan::detail::fits_elements(indirect, indices, direct, counted) &&
           ask([&](plan::indexed_copy & move)
                   __attribute__((always_inline)) { make(move, indirect, indices, direct, counted); });
  }
};

/// Indices that are the same wherever along the other axes. Known is the first axis.
template <plan::side Moved>
struct by_axis {
  static constexpr bool last_is_coordinate = false;

  static constexpr void make(plan::indexed_copy& move, plan::layout const& indirect, plan::layout const& indices,
                             plan::layout const& direct, std::size_t axis) noexcept {
    plan::make_axis_copy(move, indirect, indices, direct, axis, Moved);
  }

  template <class Ask>
  [[gnu::always_inline]] static constexpr bool make_known(plan::layout const& indirect, plan::layout const& indices,
                                                          plan::layout const& direct, index_t axis, Ask const& ask) {
    return indirect.rank != 0 && plan::detail::counted_axis(axis, indirect.rank) == 0 &&
           plan::detail::fits_taken(indirect, indices, direct, 0) &&
           ask([&](plan::indexed_copy & move)
                   __attribute__((always_inline)) { plan::make_axis_copy(move, indirect, indices, direct, 0, Moved); });
  }
};

}  // namespace ndx::detail

#endif

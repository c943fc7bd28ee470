// SPDX-License-Identifier: MIT
#ifndef NDX_OPS_PLAN_MAKERS_HPP
#define NDX_OPS_PLAN_MAKERS_HPP

#include <ndx/plan/indexed_copy.hpp>
#include <ndx/plan/shape.hpp>

#include <cstddef>
#include <type_traits>

/// How gathers and scatters become plans of copies between `indirect[.., indices, ..]`, the side `Moved`, and `direct`.
///
/// - `make(plan, indirect, indices, direct, axis)` takes every call that has been checked; `axis` is the first one that
///   is indexed.
/// - `make_known(indirect, indices, direct, axis, ask)` is for small calls of which nothing has been checked but that
///   the indices have a last extent if they need one; `axis` is as the caller has it. Where the shape rule is kept, and
///   the number of loops of each kind is known to the compiler but for a case or two, it returns `ask(make)` for the
///   case at hand, with a `make(plan)` of its own; else false.
/// - `further`, if there is one, knows other small calls: fewer, so that they are not compiled into every call.
namespace ndx::detail {

/// Tuples of indices. Known are, behind so many dimensions of a batch, those that name single elements, and single
/// indices.
template <plan::side Moved, std::size_t Rank, std::size_t Batch = 0>
struct by_tuples {
  static constexpr bool last_is_coordinate = true;
  using further = void;

  static constexpr void make(plan::indexed_copy& move, plan::layout const& indirect, plan::layout const& indices,
                             plan::layout const& direct, std::size_t axis) noexcept {
    plan::make_tuple_copy(move, indirect, indices, direct, axis, plan::tuple_size(indices), Moved);
  }

  template <class Ask>
  [[gnu::always_inline]] static constexpr bool make_known(plan::layout const& indirect, plan::layout const& indices,
                                                          plan::layout const& direct, index_t axis, Ask const& ask) {
    auto const with = [&](auto count) __attribute__((always_inline)) {
      return plan::detail::fits_tuples(indirect, indices, direct, Batch + count) &&
             ask([&](plan::indexed_copy & move) __attribute__((always_inline)) {
               plan::make_tuple_copy(move, indirect, indices, direct, Batch, count, Moved);
             });
    };
    if (axis != Batch || indices.rank <= Batch) return false;
    for (std::size_t d = 0; d < Batch; ++d)
      if (indices.extents[d] != indirect.extents[d]) return false;
    if (plan::tuple_size(indices) == Rank - Batch) return with(std::integral_constant<std::size_t, Rank - Batch>{});
    if constexpr (Rank - Batch > 1)
      if (plan::tuple_size(indices) == 1) return with(std::integral_constant<std::size_t, 1>{});
    return false;
  }
};

/// Those of a batch, if any.
template <plan::side Moved, std::size_t Rank>
struct by_batched_tuples : by_tuples<Moved, Rank> {
  using further = std::conditional_t<(Rank > 1), by_tuples<Moved, Rank, 1>, void>;
};

/// An index for each element, along one axis.
template <plan::side Moved>
struct by_elements {
  static constexpr bool last_is_coordinate = false;
  using further = void;

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

/// Indices that are the same wherever along the other axes. Known is one axis.
template <plan::side Moved, std::size_t Known = 0>
struct by_axis {
  static constexpr bool last_is_coordinate = false;
  using further = std::conditional_t<Known == 0, by_axis<Moved, 1>, void>;

  static constexpr void make(plan::indexed_copy& move, plan::layout const& indirect, plan::layout const& indices,
                             plan::layout const& direct, std::size_t axis) noexcept {
    plan::make_axis_copy(move, indirect, indices, direct, axis, Moved);
  }

  template <class Ask>
  [[gnu::always_inline]] static constexpr bool make_known(plan::layout const& indirect, plan::layout const& indices,
                                                          plan::layout const& direct, index_t axis, Ask const& ask) {
    return indirect.rank > Known && plan::detail::counted_axis(axis, indirect.rank) == Known &&
           plan::detail::fits_taken(indirect, indices, direct, Known) &&
           ask([&](plan::indexed_copy & move) __attribute__((always_inline)) {
             // The tensors of such calls have elements. The compiler, which does not know that, would lose count.
             plan::make_axis_copy(move, indirect, indices, direct, Known, Moved, true);
           });
  }
};

}  // namespace ndx::detail

#endif

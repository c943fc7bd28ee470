// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_INDEXED_COPY_HPP
#define NDX_PLAN_INDEXED_COPY_HPP

#include <ndx/options.hpp>
#include <ndx/plan/layout.hpp>
#include <ndx/plan/window.hpp>

#include <type_traits>

namespace ndx::plan {

/// The side of a copy that tuples of indices move.
enum class side : unsigned char { none, source, destination };

/// One loop of the nest; strides in elements of the tensor they step through.
struct loop {
  index_t extent;
  index_t destination;
  index_t source;
  index_t indices;
};

/// One index of a tuple: the extent of the axis it addresses, and that axis' stride on the indirect side.
struct coordinate {
  index_t extent;
  index_t stride;
};

/// What of a plan is one number each.
struct indexed_copy_numbers {
  std::size_t rank = 0;
  std::size_t tuple_rank = 0;
  std::size_t coordinate_count = 0;
  index_t coordinate_step = 0;  ///< from one index of a tuple to the next, in `indices`
  side indirect = side::none;
  index_t run = 1;
  index_t tuples = 1;  ///< how many there are; 1 for a plain copy
  index_t rounds = 1;  ///< how often they go through all of the indices
  index_t tail = 1;    ///< how many elements each moves
  index_t destination_base = 0;
  index_t source_base = 0;
  index_t indices_base = 0;
};

/// The one thing that every operator is: for all points p of a loop nest, `destination[D(p)] = source[S(p)]`, D and S
/// affine in p, and the indirect side moved further by `sum over c of tuple(p)[c] * coordinates[c].stride`.
///
/// The first `tuple_rank` loops enumerate the tuples in row-major order, the others walk the elements that one tuple
/// moves (its tail), and below them lie `run` elements that are contiguous on both sides.
struct indexed_copy : indexed_copy_numbers {
  // Both arrays are written, and copied, as far as they are counted: as a whole they are most of what a small call
  // would copy. In constant expressions they are zeroed beyond that, as copies must not meet numbers that were never
  // written.
  std::array<loop, max_rank> loops;
  std::array<coordinate, max_rank> coordinates;

  constexpr indexed_copy() noexcept {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    if (!std::is_constant_evaluated()) return;
    loops = {};
    coordinates = {};
  }
  constexpr indexed_copy(indexed_copy const& other) noexcept : indexed_copy() { *this = other; }
  constexpr indexed_copy& operator=(indexed_copy const& other) noexcept {
    indexed_copy_numbers::operator=(other);
    for (std::size_t d = 0; d < rank; ++d) loops[d] = other.loops[d];
    for (std::size_t c = 0; c < coordinate_count; ++c) coordinates[c] = other.coordinates[c];
    return *this;
  }

  [[gnu::always_inline]] constexpr void add(loop const& next, bool of_tuples) noexcept {
    loops[rank++] = next;
    index_t& count = of_tuples ? tuples : tail;
    count = wrapping_multiply(count, next.extent);  // fits unless another extent is 0, and then the product is 0
    if (of_tuples) ++tuple_rank;
  }
  [[nodiscard]] constexpr bool moves_nothing() const noexcept { return tuples == 0 || tail == 0; }
};

/// destination[p] = source[p]; equal extents, but for leading ones of the destination.
constexpr void make_copy(indexed_copy& plan, layout const& source, layout const& destination) noexcept {
  std::size_t const padding = destination.rank - source.rank;
  for (std::size_t d = 0; d < source.rank; ++d)
    plan.add({source.extents[d], destination.strides[padding + d], source.strides[d], 0}, false);
}

/// destination[p] = source[start + stride * p], for as many elements as the destination has.
[[gnu::always_inline]] constexpr void make_slice(indexed_copy& plan, layout const& source, window_axis const* window,
                                                 layout const& destination) noexcept {
  std::size_t const padding = destination.rank - source.rank;
#pragma GCC unroll 8
  for (std::size_t d = 0; d < source.rank; ++d) {
    index_t const stride = source.strides[d];
    plan.add({destination.extents[padding + d], destination.strides[padding + d],
              wrapping_multiply(stride, window[d].stride), 0},
             false);
    plan.source_base = wrapping_add(plan.source_base, wrapping_multiply(window[d].start(), stride));
  }
}

/// destination[start + stride * p] = source[p], for as many elements as the source has.
constexpr void make_window_write(indexed_copy& plan, layout const& source, window_axis const* window,
                                 layout const& destination) noexcept {
  std::size_t const padding = source.rank - destination.rank;
  for (std::size_t d = 0; d < destination.rank; ++d) {
    index_t const stride = destination.strides[d];
    plan.add({source.extents[padding + d], wrapping_multiply(stride, window[d].stride), source.strides[padding + d], 0},
             false);
    plan.destination_base = wrapping_add(plan.destination_base, wrapping_multiply(window[d].start(), stride));
  }
}

/// destination[p] = one element
constexpr void make_fill(indexed_copy& plan, layout const& destination) noexcept {
  for (std::size_t d = 0; d < destination.rank; ++d)
    plan.add({destination.extents[d], destination.strides[d], 0, 0}, false);
}

/// One element to all that a scatter's plan leads to.
constexpr void make_reset(indexed_copy& plan, indexed_copy const& scatter) noexcept {
  plan = scatter;
  plan.source_base = 0;
  for (std::size_t d = 0; d < plan.rank; ++d) plan.loops[d].source = 0;
}

/// The copy between `direct[B, J, T]` and `indirect[B, indices[B, J, :], T]`, `batch_dims` dimensions in B, `count`
/// indices in a tuple. `direct` may have leading ones; `moved` is the side that `indirect` is.
[[gnu::always_inline]] constexpr void make_tuple_copy(indexed_copy& plan, layout const& indirect, layout const& indices,
                                                      layout const& direct, std::size_t batch_dims, std::size_t count,
                                                      side moved) noexcept {
  std::size_t const tuple_rank = indices.rank - 1;
  std::size_t const first_of_tail = batch_dims + count;
  std::size_t const padding = direct.rank - (tuple_rank + indirect.rank - first_of_tail);
  plan.indirect = moved;
  plan.coordinate_count = count;
  plan.coordinate_step = indices.strides[tuple_rank];
  auto const add = [&](index_t extent, index_t direct_stride, index_t indirect_stride, index_t index_stride, bool tuple)
      __attribute__((always_inline)) {
    plan.add({extent, moved == side::source ? direct_stride : indirect_stride,
              moved == side::source ? indirect_stride : direct_stride, index_stride},
             tuple);
  };
  for_each_dimension(
      0, tuple_rank, [&](std::size_t d) __attribute__((always_inline)) {
        add(indices.extents[d], direct.strides[padding + d], d < batch_dims ? indirect.strides[d] : 0,
            indices.strides[d], true);
      });
  for_each_dimension(
      first_of_tail, indirect.rank, [&](std::size_t d) __attribute__((always_inline)) {
        add(indirect.extents[d], direct.strides[padding + tuple_rank + d - first_of_tail], indirect.strides[d], 0,
            false);
      });
  for_each_dimension(
      0, count, [&](std::size_t c) __attribute__((always_inline)) {
        // Never false, but GCC 12 warns of the elements that it would be false for.
        if (batch_dims + c < indirect.rank)
          plan.coordinates[c] = {indirect.extents[batch_dims + c], indirect.strides[batch_dims + c]};
      });
}

/// The copy between `direct[p]` and `indirect[p with p[axis] replaced by indices[p]]`, p over all of `indices`.
[[gnu::always_inline]] constexpr void make_element_copy(indexed_copy& plan, layout const& indirect,
                                                        layout const& indices, layout const& direct, std::size_t axis,
                                                        side moved) noexcept {
  plan.indirect = moved;
  plan.coordinates[0] = {indirect.extents[axis], indirect.strides[axis]};
  plan.coordinate_count = 1;
  std::size_t const padding = direct.rank - indices.rank;
  for_each_dimension(
      0, indices.rank, [&](std::size_t d) __attribute__((always_inline)) {
        index_t const direct_stride = direct.strides[padding + d];
        index_t const indirect_stride = d == axis ? 0 : indirect.strides[d];
        plan.add({indices.extents[d], moved == side::source ? direct_stride : indirect_stride,
                  moved == side::source ? indirect_stride : direct_stride, indices.strides[d]},
                 true);
      });
}

/// The copy between `direct[P, J, T]` and `indirect[P, indices[J], T]`, P the dimensions before `axis`, J all of
/// `indices`. `direct` may have leading ones. `moves`: does it move anything, or may there be nothing but indices?
[[gnu::always_inline]] constexpr void make_axis_copy(indexed_copy& plan, layout const& indirect, layout const& indices,
                                                     layout const& direct, std::size_t axis, side moved,
                                                     bool moves) noexcept {
  plan.indirect = moved;
  plan.coordinates[0] = {indirect.extents[axis], indirect.strides[axis]};
  plan.coordinate_count = 1;
  std::size_t const padding = direct.rank - (indirect.rank - 1 + indices.rank);
  auto const add = [&](index_t extent, std::size_t d, index_t indirect_stride, index_t index_stride, bool tuple)
      __attribute__((always_inline)) {
    index_t const direct_stride = direct.strides[padding + d];
    plan.add({extent, moved == side::source ? direct_stride : indirect_stride,
              moved == side::source ? indirect_stride : direct_stride, index_stride},
             tuple);
  };
  auto const add_before = [&](bool tuples) __attribute__((always_inline)) {
    for_each_dimension(
        0, axis, [&](std::size_t d) __attribute__((always_inline)) {
          add(indirect.extents[d], d, indirect.strides[d], 0, tuples);
        });
  };
  // The indices are gone through again in each slice before the axis, so that what is moved lies together. Where
  // nothing moves they come first, and are looked at once.
  if (moves) add_before(true);
  plan.rounds = plan.tuples;
  for_each_dimension(
      0, indices.rank, [&](std::size_t d) __attribute__((always_inline)) {
        add(indices.extents[d], axis + d, 0, indices.strides[d], true);
      });
  if (!moves) add_before(false);
  for_each_dimension(
      axis + 1, indirect.rank, [&](std::size_t d) __attribute__((always_inline)) {
        add(indirect.extents[d], indices.rank + d - 1, indirect.strides[d], 0, false);
      });
}

/// The same of whatever extents.
[[gnu::always_inline]] constexpr void make_axis_copy(indexed_copy& plan, layout const& indirect, layout const& indices,
                                                     layout const& direct, std::size_t axis, side moved) noexcept {
  std::size_t const behind = axis + 1;
  bool const moves =
      axis == 0 || (!is_empty({axis, indirect.extents, indirect.strides}) &&
                    !is_empty({indirect.rank - behind, indirect.extents + behind, indirect.strides + behind}));
  make_axis_copy(plan, indirect, indices, direct, axis, moved, moves);
}

}  // namespace ndx::plan

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_SHAPE_HPP
#define NDX_PLAN_SHAPE_HPP

#include <ndx/plan/layout.hpp>

/// The shape rules of the operators, and the texts of what breaks them.
namespace ndx::plan {

/// Extents that a rule makes; longer than any tensor's where the arguments do not fit at all.
struct shape {
  std::array<index_t, 2 * max_rank> extents{};
  std::size_t rank = 0;

  constexpr void append(layout const& tensor) noexcept {
    for (std::size_t d = 0; d < tensor.rank; ++d) extents[rank++] = tensor.extents[d];
  }
};

namespace detail {

using ndx::detail::text;

inline std::string extents_text(layout const& tensor) { return ndx::detail::braces(tensor.extents, tensor.rank); }

/// The arguments that a rule speaks of.
struct subjects {
  layout input;
  layout indices{0, nullptr, nullptr};
  char const* input_name = "input";
  bool has_indices = false;

  constexpr explicit subjects(layout const& only, char const* name = "input") noexcept
      : input(only), input_name(name) {}
  constexpr subjects(layout const& first, layout const& second) noexcept
      : input(first), indices(second), has_indices(true) {}
};

inline std::string text_of(subjects const& of) {
  std::string result = text(of.input_name, " ", extents_text(of.input));
  if (of.has_indices) result += text(", indices ", extents_text(of.indices));
  return result;
}

[[noreturn]] inline void fail_extents(char const* name, char const* argument, layout const& seen, shape const& due,
                                      char const* rule, subjects const& of) {
  ndx::detail::fail(
      shape_error(text(name, ": ", argument, ": extents ", extents_text(seen), "; due are extents ",
                       ndx::detail::braces(due.extents.data(), due.rank), " (", rule, "; ", text_of(of), ")")));
}

/// Due are the extents of `parts`, one after the other.
template <class... Layouts>
[[noreturn]] void fail_joined_extents(char const* name, char const* argument, layout const& seen, char const* rule,
                                      subjects const& of, Layouts const&... parts) {
  shape due;
  (due.append(parts), ...);
  fail_extents(name, argument, seen, due, rule, of);
}

/// `name: <what>; due is <due> (input .., indices ..)`, `what` and `due` in parts.
template <class... Parts>
[[noreturn]] void fail_number(subjects const& of, char const* name, Parts... parts) {
  ndx::detail::fail(shape_error(text(name, ": ", parts..., " (", text_of(of), ")")));
}

// Some checks are always inline: in each operator's call the ranks are known, and the loops are gone.

/// Are the extents those of `parts` one after the other, right-aligned, with nothing but ones before them?
template <class... Layouts>
[[gnu::always_inline]] constexpr bool matches(layout const& seen, Layouts const&... parts) noexcept {
  std::size_t const due = (parts.rank + ...);
  if (seen.rank < due) return false;
  std::size_t at = 0;
  for (; at < seen.rank - due; ++at)
    if (seen.extents[at] != 1) return false;
  auto const follows = [&](layout const& part) __attribute__((always_inline)) {
    for (std::size_t d = 0; d < part.rank; ++d, ++at)
      if (seen.extents[at] != part.extents[d]) return false;
    return true;
  };
  return (follows(parts) && ...);
}

/// The dimensions [first, last) of a tensor.
constexpr layout dimensions(layout const& tensor, std::size_t first, std::size_t last) noexcept {
  return {last - first, tensor.extents + first, tensor.strides + first};
}

/// Are the extents of `direct` = indices[0 .. q-1) ++ input[first_of_tail .. r)?
[[gnu::always_inline]] constexpr bool fits_tuples(layout const& input, layout const& indices, layout const& direct,
                                                  std::size_t first_of_tail) noexcept {
  return matches(direct, dimensions(indices, 0, indices.rank - 1), dimensions(input, first_of_tail, input.rank));
}

/// Throws unless `seen` has the extents of `due`, by a rule of the input, and of the indices where there are some.
template <class... Indices>
[[gnu::always_inline]] constexpr void check_extents(char const* name, char const* argument, layout const& seen,
                                                    layout const& due, char const* rule, layout const& input,
                                                    Indices const&... indices) {
  if (!matches(seen, due)) fail_joined_extents(name, argument, seen, rule, subjects(input, indices...), due);
}

/// Throws unless `fits_tuples`.
[[gnu::always_inline]] constexpr void check_slices(char const* name, char const* argument, layout const& seen,
                                                   layout const& input, layout const& indices,
                                                   std::size_t first_of_tail) {
  if (!fits_tuples(input, indices, seen, first_of_tail))
    fail_joined_extents(name, argument, seen, "indices without the last extent, then the input's tail",
                        subjects(input, indices), dimensions(indices, 0, indices.rank - 1),
                        dimensions(input, first_of_tail, input.rank));
}

/// The number of dimensions that tuples address ends where the tail begins: `batch_dims + k`, k checked.
[[gnu::always_inline]] constexpr std::size_t check_tuples(char const* name, layout const& input, layout const& indices,
                                                          index_t batch_dims) {
  if (input.rank == 0)
    fail_number(subjects(input, indices), name, "the rank of input is 0; due is a rank of at least 1");
  if (indices.rank == 0)
    fail_number(subjects(input, indices), name, "the rank of indices is 0; due is a rank of at least 1");
  auto const rank = static_cast<index_t>(input.rank);
  auto const lower = rank < static_cast<index_t>(indices.rank) ? rank : static_cast<index_t>(indices.rank);
  if (batch_dims < 0 || batch_dims >= lower)
    fail_number(subjects(input, indices), name, "batch_dims is ", batch_dims,
                "; due is 0 and more, below the ranks of input and indices, so below ", lower);
  index_t const count = indices.extents[indices.rank - 1];
  if (count < 1 || count > rank - batch_dims)
    fail_number(subjects(input, indices), name, "the last extent of indices is ", count, "; due is 1 to ",
                rank - batch_dims, ", the coordinates of a tuple");
  for (std::size_t d = 0; d < static_cast<std::size_t>(batch_dims); ++d) {
    if (indices.extents[d] != input.extents[d])
      fail_number(subjects(input, indices), name, "batch dimension ", d, " of indices is ", indices.extents[d],
                  "; due is the input's extent ", input.extents[d]);
  }
  return static_cast<std::size_t>(batch_dims + count);
}

/// Are the extents of `direct` and of the indices the same, and but for the axis at most the input's?
[[gnu::always_inline]] constexpr bool fits_elements(layout const& input, layout const& indices, layout const& direct,
                                                    std::size_t axis) noexcept {
  if (indices.rank != input.rank) return false;
  for (std::size_t d = 0; d < input.rank; ++d)
    if (d != axis && indices.extents[d] > input.extents[d]) return false;
  return matches(direct, indices);
}

/// Are the extents of `direct` = input[0 .. axis) ++ indices ++ input(axis .. r)?
[[gnu::always_inline]] constexpr bool fits_taken(layout const& input, layout const& indices, layout const& direct,
                                                 std::size_t axis) noexcept {
  return matches(direct, dimensions(input, 0, axis), indices, dimensions(input, axis + 1, input.rank));
}

/// An axis counted from the front; not below the rank where there is no such axis.
[[gnu::always_inline]] constexpr std::size_t counted_axis(index_t axis, std::size_t rank) noexcept {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<index_t>(rank) : axis);
}

/// An axis of the input, counted from the front.
[[gnu::always_inline]] constexpr std::size_t check_axis(char const* name, layout const& input, layout const& indices,
                                                        index_t axis) {
  std::size_t const counted = counted_axis(axis, input.rank);
  if (counted < input.rank) return counted;
  if (input.rank == 0)
    fail_number(subjects(input, indices), name, "the rank of input is 0; due is a rank of at least 1");
  auto const rank = static_cast<index_t>(input.rank);
  fail_number(subjects(input, indices), name, "axis is ", axis, "; due is ", -rank, " to ", rank - 1);
}

}  // namespace detail

/// output extents = indices[0 .. q-1) ++ input[b+k .. r)
[[gnu::always_inline]] constexpr void check_gather(char const* name, layout const& input, layout const& indices,
                                                   layout const& output, index_t batch_dims) {
  std::size_t const first_of_tail = detail::check_tuples(name, input, indices, batch_dims);
  detail::check_slices(name, "output", output, input, indices, first_of_tail);
}

/// output extents = input extents
constexpr void check_same_shape(char const* name, layout const& input, layout const& output) {
  detail::check_extents(name, "output", output, input, "those of the input", input);
}

/// updates extents = indices[0 .. q-1) ++ input[b+k .. r)
[[gnu::always_inline]] constexpr void check_scatter(char const* name, layout const& input, layout const& indices,
                                                    layout const& updates, index_t batch_dims) {
  std::size_t const first_of_tail = detail::check_tuples(name, input, indices, batch_dims);
  detail::check_slices(name, "updates", updates, input, indices, first_of_tail);
}

/// The extents of `argument`, which goes with the indices, and theirs are the same, and but for `axis` at most the
/// input's; the axis, counted from the front.
[[gnu::always_inline]] constexpr std::size_t check_elements(char const* name, layout const& input,
                                                            layout const& indices, char const* argument,
                                                            layout const& direct, index_t axis) {
  std::size_t const positive = detail::check_axis(name, input, indices, axis);
  if (detail::fits_elements(input, indices, direct, positive)) return positive;
  if (indices.rank != input.rank)
    detail::fail_number(detail::subjects(input, indices), name, "the rank of indices is ", indices.rank,
                        "; due is the input's rank ", input.rank);
  for (std::size_t d = 0; d < input.rank; ++d) {
    if (d != positive && indices.extents[d] > input.extents[d])
      detail::fail_number(detail::subjects(input, indices), name, "extent ", d, " of indices is ", indices.extents[d],
                          "; due is at most the input's extent ", input.extents[d]);
  }
  detail::check_extents(name, argument, direct, indices, "those of indices", input, indices);
  return positive;
}

/// The extents of `argument` = input[0 .. axis) ++ indices ++ input(axis .. r)
constexpr void check_taken(char const* name, char const* argument, layout const& input, layout const& indices,
                           layout const& direct, std::size_t axis) {
  if (!detail::fits_taken(input, indices, direct, axis))
    detail::fail_joined_extents(name, argument, direct, "the input's, those of indices in the place of the axis'",
                                detail::subjects(input, indices), detail::dimensions(input, 0, axis), indices,
                                detail::dimensions(input, axis + 1, input.rank));
}

}  // namespace ndx::plan

#endif

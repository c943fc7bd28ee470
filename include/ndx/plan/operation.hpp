// SPDX-License-Identifier: MIT
#ifndef NDX_PLAN_OPERATION_HPP
#define NDX_PLAN_OPERATION_HPP

#include <ndx/handle.hpp>
#include <ndx/plan/indexed_copy.hpp>

namespace ndx::plan {

/// One call of an operator, all but the pointers: what a policy executes. Refers to the extents of the call's
/// arguments, so a policy that returns before it is done has to keep a copy of what it needs.
struct operation {
  char const* name = nullptr;
  indexed_copy move;                    ///< the operator itself
  indexed_copy const* copy = nullptr;   ///< to be done before: input to output, where a scatter is not in place
  bool copies_fill = false;             ///< that copy reads `arguments::fill`, by strides of 0, and no input
  indexed_copy const* reset = nullptr;  ///< to be done in between: `arguments::fill` to wherever a tuple leads
  layout indices{0, nullptr, nullptr};  ///< as the caller passed them, for the position in an error
  std::size_t first_axis = 0;           ///< the axis that the first index of a tuple addresses
  bool last_is_coordinate = false;      ///< the last dimension of indices runs over the indices of a tuple
  ndx::bounds bounds = ndx::bounds::trust;
  ndx::reduction reduction = ndx::reduction::none;
  ndx::duplicates duplicates = ndx::duplicates::any;

  /// Does the element itself count in a reduction? `reset` is what excludes it.
  [[nodiscard]] constexpr bool includes_self() const noexcept { return reset == nullptr; }

  /// What it may turn out to be when it is carried out, as far as the compiler knows.
  static constexpr bool may_gather = true;
  static constexpr bool may_scatter = true;
};

/// One whose operator knows which side the tuples lead to, so that a policy compiles nothing that is for others.
template <side Indirect>
struct operation_on : operation {
  static constexpr bool may_gather = Indirect == side::source;
  static constexpr bool may_scatter = Indirect == side::destination;
};

/// The handles of a call: the first element of each tensor. Where the operator has no such argument: null. By default
/// all are on the host; a policy takes those of the kinds it can reach.
template <class T, class Index, class Destination = T*, class Source = T const*, class Indices = Index const*,
          class Input = Source>
struct arguments {
  Destination destination;
  Source source;  ///< what the operator reads: the input of a gather or slice, the updates of a scatter
  Indices indices;
  Input input;    ///< the source of `operation::copy`
  T const* fill;  ///< one element, for `bounds::ignore`, `operation::copies_fill` and `operation::reset`
};

}  // namespace ndx::plan

#endif

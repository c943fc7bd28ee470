// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_ORACLE_HPP
#define NDX_TESTS_SUPPORT_ORACLE_HPP

// What the operators must do, written once more from their formulas alone: every element is found by its
// multi-index, nothing is joined, hoisted or vectorized. It knows nothing of the library, so the two cannot share a
// mistake. Elements are bytes and indices are numbers here, so that no combination of types has to be compiled.

#include "oracle_arithmetic.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

using shape = std::vector<integer>;  // extents, or a multi-index

enum class bounds { check, clamp, wrap, ignore, trust };
enum class duplicates { any, last };

inline integer product(shape const& extents) {
  integer result = 1;
  for (integer extent : extents) result *= extent;
  return result;
}

using piece = std::span<integer const>;

/// The first entries of a multi-index.
inline piece head(shape const& position, std::size_t count) { return piece(position).first(count); }

/// Of the multi-index that these pieces make one after the other.
inline integer row_major(shape const& extents, std::initializer_list<piece> pieces) {
  integer result = 0;
  auto extent = extents.begin();
  for (piece const each : pieces)
    for (integer coordinate : each) result = result * *extent++ + coordinate;
  return result;
}

inline integer row_major(shape const& extents, shape const& position) {
  return row_major(extents, {head(position, extents.size())});
}

inline shape part(shape const& whole, std::size_t first, std::size_t last) {
  return shape(whole.begin() + static_cast<std::ptrdiff_t>(first), whole.begin() + static_cast<std::ptrdiff_t>(last));
}

inline shape joined(shape first, shape const& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Calls `visit(position)` for every multi-index in row-major order, until one call returns false.
template <class Visitor>
bool all_positions(shape const& extents, Visitor visit) {
  if (product(extents) == 0) return true;
  shape position(extents.size(), 0);
  while (true) {
    if (!visit(std::as_const(position))) return false;
    std::size_t d = extents.size();
    while (d != 0 && ++position[d - 1] == extents[d - 1]) position[--d] = 0;
    if (d == 0) return true;
  }
}

/// Elements in row-major order, each `size` bytes.
struct elements {
  shape extents{};
  std::size_t size = 1;
  std::vector<std::byte> bytes{};

  std::byte* at(integer i) { return bytes.data() + static_cast<std::size_t>(i) * size; }
  std::byte const* at(integer i) const { return bytes.data() + static_cast<std::size_t>(i) * size; }
};

/// Indices in row-major order.
struct numbers {
  shape extents{};
  std::vector<number> values{};

  number const& at(std::initializer_list<piece> pieces) const {
    return values[static_cast<std::size_t>(row_major(extents, pieces))];
  }
};

/// Offsets, sizes and strides of slice1.
struct window {
  shape offsets{}, sizes{}, strides{};
};

/// A slice as Python writes it, x[start:end:step] in every dimension; nothing is None.
struct python_slice {
  std::vector<std::optional<integer>> starts{}, ends{}, steps{};
};

/// For each dimension the positions that a slice takes, one after the other; nothing where a step is 0.
std::optional<std::vector<shape>> python_positions(shape const& input, python_slice const& slice);

/// The elements at all combinations of these positions, in row-major order.
std::vector<std::byte> elements_at(elements const& input, std::vector<shape> const& positions);

/// `due`, with any number of ones before it.
bool accepts(shape const& given, shape const& due);

/// Extents of the output of gather_nd1 (with `b` 0: of gather_nd, and of the updates of scatter_nd); nothing where a
/// precondition fails.
std::optional<shape> slices(shape const& input, shape const& indices, integer b);

/// The largest output that slice1 allows; nothing where the window itself is wrong.
std::optional<shape> largest_window(shape const& input, window const& w);

/// The first bad index in row-major order.
struct index_failure {
  shape position{};  // in the indices, the coordinate within the tuple included
  integer axis = 0;  // of the input
  number value{};
  integer extent = 0;
};

struct outcome {
  std::optional<index_failure> failure{};
  std::vector<std::byte> bytes{};
  /// Of a scatter without a reduction: the last update that reached an output element, and the one that reached it
  /// before an update did; all by their row-major positions, -1 for none.
  std::vector<integer> last_update{};
  std::vector<integer> update_before{};
};

outcome gather_nd1(elements const& input, numbers const& indices, integer b, bounds mode, std::byte const* fill);

outcome slice1(elements const& input, window const& w, shape const& extents);

/// `extents`: those of the input without leading ones.
outcome slice_grad(elements const& input, window const& w, shape const& extents, shape const& output);

/// How updates meet the elements that they go to.
struct meeting {
  reduction op = reduction::none;
  bool include_self = true;
};

/// Updates are applied in row-major order of the indices: with `duplicates::last` this is the one right answer.
outcome scatter_nd(element_type const& type, elements const& input, numbers const& indices, elements const& updates,
                   integer b, bounds mode, meeting how);

outcome scatter_elements(element_type const& type, elements const& input, numbers const& indices,
                         elements const& updates, integer axis, bounds mode, meeting how);

// Of these the axis counts from the front, and the extents are known to fit.

outcome gather_elements(elements const& input, numbers const& indices, std::size_t axis, bounds mode,
                        std::byte const* fill);

/// Extents of the output of take.
shape taken(shape const& input, shape const& indices, std::size_t axis);

outcome take(elements const& input, numbers const& indices, std::size_t axis, bounds mode, std::byte const* fill);

}  // namespace oracle

#endif

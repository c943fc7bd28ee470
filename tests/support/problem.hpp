// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_PROBLEM_HPP
#define NDX_TESTS_SUPPORT_PROBLEM_HPP

#include "elements.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace test {

enum class operation {
  gather_nd,
  gather_nd1,
  slice1,
  scatter_nd,
  scatter_elements,
  gather_elements,
  take,
  slice,
  flip,
  slice_grad
};

char const* name(operation op);

inline bool has_indices(operation op) {
  return op != operation::slice1 && op != operation::slice && op != operation::flip && op != operation::slice_grad;
}

inline bool is_scatter(operation op) { return op == operation::scatter_nd || op == operation::scatter_elements; }

/// One call of one operator: the values of its arguments, wherever they will lie in memory.
struct problem {
  operation op{};
  oracle::element_type const* type = nullptr;
  index_kind kind = index_kind::int32;
  oracle::elements input{};
  oracle::numbers indices{};
  oracle::elements updates{};
  oracle::shape output{};  // extents as given, leading ones included
  oracle::bounds mode = oracle::bounds::check;
  std::vector<std::byte> fill{};
  oracle::integer batch_dims = 0;
  oracle::integer axis = 0;
  oracle::reduction reduction = oracle::reduction::none;
  oracle::duplicates duplicates = oracle::duplicates::any;
  bool include_self = true;
  oracle::window window{};
  oracle::python_slice slice{};
  std::optional<oracle::shape> axes{};  // nothing: every axis
  bool large = false;                   // for random problems: enough bytes to be worth several threads
};

/// What is due; nothing where the extents do not fit.
std::optional<oracle::outcome> solve(problem const& p);

std::string text(oracle::shape const& values);
std::string describe(problem const& p);

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_VIEWS_HPP
#define NDX_TESTS_SUPPORT_VIEWS_HPP

// From operands to views of one type and rank.

#include "harness.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace test {

template <std::size_t Rank, class Number>
std::array<Number, Rank> to_array(std::vector<Number> const& values) {
  std::array<Number, Rank> result{};
  for (std::size_t d = 0; d < Rank; ++d) result[d] = values.at(d);
  return result;
}

/// The type and rank that a view is to have.
template <class T, std::size_t Rank>
struct as {};

/// The policy sees the tensors where they are.
template <class Policy>
struct on_host {
  Policy const& policy;

  template <class Call>
  void operator()(operands const&, Call const& call) const {
    call(policy, []<class T, std::size_t Rank>(as<T, Rank>, operand const& o) {
      return ndx::tensor_view<T, Rank>(static_cast<T*>(o.data), to_array<Rank>(*o.extents), to_array<Rank>(*o.strides));
    });
  }
};

}  // namespace test

#endif

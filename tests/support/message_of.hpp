// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_MESSAGE_OF_HPP
#define NDX_TESTS_SUPPORT_MESSAGE_OF_HPP

#include <ndx/error.hpp>

#include <string>
#include <vector>

namespace test {

/// The text of the `Error` that `call` throws; empty if it throws nothing.
template <class Error = ndx::error, class Call>
std::string message_of(Call const& call) {
  try {
    call();
  } catch (Error const& problem) {
    return problem.what();
  }
  return {};
}

/// The position in the indices that the `index_error` names that `call` throws; empty if it throws nothing.
template <class Call>
std::vector<ndx::index_t> position_of(Call const& call) {
  try {
    call();
  } catch (ndx::index_error const& problem) {
    return problem.position();
  }
  return {};
}

}  // namespace test

#endif

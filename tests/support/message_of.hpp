// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_MESSAGE_OF_HPP
#define NDX_TESTS_SUPPORT_MESSAGE_OF_HPP

#include <ndx/error.hpp>

#include <string>

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

}  // namespace test

#endif

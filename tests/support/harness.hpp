// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_HARNESS_HPP
#define NDX_TESTS_SUPPORT_HARNESS_HPP

// One problem, run through every policy in several memory layouts, each time compared with the oracle bit by bit:
// the elements of the output, the bytes around and between them, and the inputs, which no call may change.

#include "placement.hpp"
#include "problem.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct arrangement {
  layout input, indices, updates, output;
  bool in_place = false;
};

std::vector<arrangement> const& every_arrangement();

/// For problems of many MiB: everything packed, then the output off its alignment by one element, then in place.
std::vector<arrangement> const& few_arrangements();

/// A tensor argument as the call will see it, rank and type not yet in its type.
struct operand {
  void* data = nullptr;
  oracle::shape const* extents = nullptr;
  oracle::shape const* strides = nullptr;
  std::byte* memory = nullptr;  ///< that it lies in, what is beside its elements included
  std::size_t bytes = 0;
};

struct operands {
  operand input, indices, updates, output;
  bool in_place = false;
};

/// Is `word` in `text`, and not as a part of a longer number or name?
bool mentions(std::string_view text, std::string_view word);

/// A problem laid out in all its arrangements, its answer known.
class trials {
public:
  trials(problem const& p, std::vector<arrangement> const& arrangements, std::string note);
  ~trials();

  /// Reports a failure to Catch2 unless `call` does what is due in every arrangement.
  void run(std::string const& policy, std::function<void(operands const&)> const& call);

private:
  struct trial;

  problem const& problem_;
  std::string note_;
  std::optional<oracle::outcome> due_;
  std::vector<std::unique_ptr<trial>> trials_;
};

}  // namespace test

#endif

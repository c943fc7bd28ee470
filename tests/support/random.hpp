// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_RANDOM_HPP
#define NDX_TESTS_SUPPORT_RANDOM_HPP

#include "oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace test {

/// A seeded source of everything random in the tests.
class random_source {
public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}

  std::mt19937_64& engine() { return engine_; }

  oracle::integer between(oracle::integer low, oracle::integer high) {  // both included
    return std::uniform_int_distribution<oracle::integer>(low, high)(engine_);
  }

  bool chance(int percent) { return between(0, 99) < percent; }

  template <class List>
  auto const& one_of(List const& list) {
    return list[static_cast<std::size_t>(between(0, static_cast<oracle::integer>(list.size()) - 1))];
  }

  std::byte byte() { return static_cast<std::byte>(engine_() >> 11U); }

  std::vector<std::byte> bytes(oracle::integer count) {
    std::vector<std::byte> result(static_cast<std::size_t>(count));
    fill(result);
    return result;
  }

  /// A number of the engine gives eight bytes: of a byte each, tests would spend most of their time here.
  void fill(std::span<std::byte> to) {
    for (; to.size() >= sizeof(std::uint64_t); to = to.subspan(sizeof(std::uint64_t))) {
      std::uint64_t const drawn = engine_();
      std::memcpy(to.data(), &drawn, sizeof drawn);
    }
    std::uint64_t rest = to.empty() ? 0 : engine_();
    for (std::byte& each : to) {
      each = static_cast<std::byte>(rest);
      rest >>= 8U;
    }
  }

private:
  std::mt19937_64 engine_;
};

inline std::uint64_t environment_number(char const* variable, std::uint64_t otherwise) {
  char const* const text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 0);
}

/// NDX_TEST_SEED runs other cases than the usual ones, or the one that failed.
inline std::uint64_t first_seed() { return environment_number("NDX_TEST_SEED", 1); }

/// NDX_TEST_CASES sets how many random cases each test runs.
inline std::uint64_t case_count(std::uint64_t otherwise) { return environment_number("NDX_TEST_CASES", otherwise); }

/// Calls `run(random, note)` for each seed; the note, which belongs into a failure's text, says how to repeat the case.
template <class Run>
void for_each_seed(std::uint64_t usual_count, Run run) {
  std::uint64_t const first = first_seed();
  std::uint64_t const count = case_count(usual_count);
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    random_source random(seed * 0x9e3779b97f4a7c15U);
    run(random, "to repeat: NDX_TEST_SEED=" + std::to_string(seed) + " NDX_TEST_CASES=1");
  }
}

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_EXECUTORS_SUITE_HPP
#define NDX_TESTS_EXECUTORS_SUITE_HPP

// What every executor has to pass.

#include "../support/catch.hpp"
#include "../support/policies.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace test {

/// Every operator gives the bits of `seq`, on problems that take each of the ways that par_simd knows.
void check_operators(ndx::par_simd_policy const& policy);

/// Of these one that takes scratch in another way than scatter_nd.
void check_scatter_elements(ndx::par_simd_policy const& policy);

/// A bad index is thrown as an exception on the thread that called.
void check_errors(ndx::par_simd_policy const& policy);

/// A sum of floats whose bits depend on the order of its many duplicates, and that needs no scratch.
bool sums_rows(ndx::par_simd_policy const& policy);

/// The same with single elements, which takes scratch.
bool sums_elements(ndx::par_simd_policy const& policy);

/// `run` does what the concept asks for: each part once, on no more threads than asked for, and none is left.
template <ndx::executor Executor>
void check_contract(Executor& executor) {
  for (int threads : {2, 3, 8})
    for (ndx::index_t parts : {8, 9, 1000}) {
      CAPTURE(threads, parts);
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(parts));
      std::atomic<int> at_once{0};
      std::atomic<int> most_at_once{0};
      auto const part = [&](ndx::index_t i) {
        int const now = ++at_once;
        for (int most = most_at_once; most < now && !most_at_once.compare_exchange_weak(most, now);) {}
        std::this_thread::yield();  // so that others have the time to come, too many of them as well
        ++calls[static_cast<std::size_t>(i)];
        --at_once;
      };
      executor.run(threads, parts, ndx::executor_part(part));
      CHECK(at_once == 0);
      CHECK(most_at_once <= threads);
      CHECK(std::all_of(calls.begin(), calls.end(), [](std::atomic<int> const& count) { return count == 1; }));
    }
}

/// All of it. An executor that knows of one thread alone is never asked to run anything.
template <ndx::executor Executor>
void check_executor(Executor& executor) {
  check_contract(executor);
  for (int threads : {0, 2, 3, 1000}) {
    if (thread_sanitizer && threads != 3) continue;
    CAPTURE(threads);
    check_operators(ndx::par_simd.on(executor).threads(threads));
  }
  check_errors(ndx::par_simd.threads(3).on(executor));
}

/// Another executor, which is given what this one is and does the work, and how often that was.
template <class Executor>
struct observed {
  Executor executor;
  std::atomic<int> runs{0};
  std::atomic<int> most_threads{0};
  std::atomic<int> wrong{0};

  [[nodiscard]] int concurrency() const { return executor.concurrency(); }

  void run(int threads, ndx::index_t parts, ndx::executor_part part) {
    ++runs;
    most_threads = std::max(most_threads.load(), threads);
    if (threads < 2 || threads > parts) ++wrong;
    executor.run(threads, parts, part);
  }
};

}  // namespace test

#endif

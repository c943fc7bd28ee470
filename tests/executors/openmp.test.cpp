// SPDX-License-Identifier: MIT
#include <ndx/interop/openmp.hpp>

#include "suite.hpp"

#include <thread>

using namespace test;

// LLVM's OpenMP does not free what it keeps for each thread.
extern "C" char const* __lsan_default_suppressions();
extern "C" char const* __lsan_default_suppressions() { return "leak:libomp"; }

static_assert(ndx::executor<ndx::openmp_executor const>);

TEST_CASE("OpenMP: as many threads as the program has set") {
  // [openmp]
  ndx::openmp_executor executor;
  auto const policy = ndx::par_simd.on(executor);
  // [/openmp]
  CHECK(executor.concurrency() == omp_get_max_threads());
  int const before = omp_get_max_threads();
  for (int threads : {1, 2, 4}) {
    CAPTURE(threads);
    omp_set_num_threads(threads);
    CHECK(executor.concurrency() == threads);
    check_operators(policy);
  }
  check_executor(executor);
  omp_set_num_threads(before);
}

TEST_CASE("OpenMP: parts run on several threads") {
  ndx::openmp_executor const executor;
  std::atomic<int> begun{0};
  auto const part = [&](ndx::index_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();  // needs a second thread
  };
  omp_set_dynamic(0);
  executor.run(3, 20, ndx::executor_part(part));
  CHECK(begun == 20);
}

TEST_CASE("OpenMP: operators are called within parallel regions") {
  ndx::openmp_executor const executor;
  int const levels = omp_get_max_active_levels();
  for (int most_levels : {1, 2}) {
    CAPTURE(most_levels);
    omp_set_max_active_levels(most_levels);
    std::atomic<int> wrong{0};
#pragma omp parallel for num_threads(3) schedule(static, 1)
    for (int i = 0; i < 6; ++i) {
      omp_set_num_threads(2);  // for regions within this one
      if (executor.concurrency() != most_levels) ++wrong;
      ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
      if (!(i % 2 == 0 ? sums_rows(policy) : sums_elements(policy))) ++wrong;
      // And where `run` is called though there is one thread alone.
      int parts = 0;
      std::atomic<int> done{0};
      auto const part = [&](ndx::index_t) { ++done; };
      executor.run(4, parts = 9, ndx::executor_part(part));
      if (done != parts) ++wrong;
    }
    CHECK(wrong == 0);
  }
  omp_set_max_active_levels(levels);
}

TEST_CASE("OpenMP: operators are called from tasks, and from threads that OpenMP did not start") {
  ndx::openmp_executor const executor;
  ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
  std::atomic<int> wrong{0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 6; ++i) {
#pragma omp task
    {
      if (!(i % 2 == 0 ? sums_rows(policy) : sums_elements(policy))) ++wrong;
    }
  }
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] {
      omp_set_num_threads(3);
      if (!sums_rows(policy) || !sums_elements(policy)) ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

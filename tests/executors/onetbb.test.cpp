// SPDX-License-Identifier: MIT
#include <ndx/interop/onetbb.hpp>

#include "suite.hpp"

#include <tbb/global_control.h>

#include <thread>

using namespace test;

static_assert(ndx::executor<ndx::tbb_executor const>);

namespace {

/// As many threads as the tests want, on a machine of any size.
struct several_threads {
  tbb::global_control const control{tbb::global_control::max_allowed_parallelism, 4};
};

}  // namespace

TEST_CASE("oneTBB: the threads of the calling thread's arena") {
  several_threads const threads;
  ndx::tbb_executor executor;
  CHECK(executor.concurrency() == tbb::this_task_arena::max_concurrency());
  check_contract(executor);
  tbb::task_arena arena(4);
  arena.execute([&] {
    CHECK(executor.concurrency() == 4);
    check_executor(executor);
  });
}

TEST_CASE("oneTBB: the threads of an arena") {
  several_threads const threads;
  // [arena]
  tbb::task_arena arena(4);
  ndx::tbb_executor executor(arena);
  auto const policy = ndx::par_simd.on(executor);
  // [/arena]
  CHECK(executor.concurrency() == 4);
  check_executor(executor);
  CHECK(sums_rows(policy));

  tbb::task_arena alone(1);
  ndx::tbb_executor caller(alone);
  CHECK(caller.concurrency() == 1);
  check_operators(ndx::par_simd.on(caller));
}

TEST_CASE("oneTBB: parts run in the arena, on several threads") {
  several_threads const threads;
  tbb::task_arena arena(3);
  ndx::tbb_executor const executor(arena);
  std::atomic<int> elsewhere{0};
  std::atomic<int> begun{0};
  auto const part = [&](ndx::index_t) {
    if (tbb::this_task_arena::max_concurrency() != 3) ++elsewhere;
    ++begun;
    while (begun < 2) std::this_thread::yield();  // needs a second thread
  };
  executor.run(3, 20, ndx::executor_part(part));
  CHECK(begun == 20);
  CHECK(elsewhere == 0);
}

TEST_CASE("oneTBB: operators are called from the tasks of the same threads") {
  several_threads const threads;
  for (bool own_arena : {false, true}) {
    CAPTURE(own_arena);
    tbb::task_arena arena(4);
    ndx::tbb_executor const executor = own_arena ? ndx::tbb_executor(arena) : ndx::tbb_executor();
    std::atomic<int> wrong{0};
    std::atomic<int> interrupted{0};
    arena.execute([&] {
      tbb::parallel_for(0, 60, [&](int i) {
        static thread_local bool calling = false;
        if (calling) ++interrupted;  // a thread took this task while it waited within an operator
        calling = true;
        ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
        if (!(i % 6 != 0 ? sums_rows(policy) : sums_elements(policy))) ++wrong;
        calling = false;
      });
    });
    CHECK(wrong == 0);
    CHECK(interrupted == 0);
  }
}

TEST_CASE("oneTBB: more threads call than the arena has places for") {
  several_threads const threads;
  tbb::task_arena arena(2);
  ndx::tbb_executor const executor(arena);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 5; ++i)
    callers.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
        if (!((i + round) % 2 == 0 ? sums_rows(policy) : sums_elements(policy))) ++wrong;
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("oneTBB: an operator that is called from a cancelled task does all of its work") {
  several_threads const threads;
  tbb::task_arena arena(4);
  ndx::tbb_executor const executor;
  int calls = 0;
  int wrong = 0;
  arena.execute([&] {
    tbb::task_group_context context;
    tbb::parallel_for(
        0, 1,
        [&](int) {
          context.cancel_group_execution();
          ++calls;
          if (!sums_rows(ndx::par_simd.on(executor))) ++wrong;
          if (!sums_elements(ndx::par_simd.on(executor))) ++wrong;
        },
        context);
  });
  CHECK(calls == 1);
  CHECK(wrong == 0);
}

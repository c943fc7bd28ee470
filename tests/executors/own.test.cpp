// SPDX-License-Identifier: MIT
// Executors that a program may write: every order of the parts, threads of any kind, and a calling thread that does
// other work meanwhile.
#include "suite.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace test;

namespace {

/// On the calling thread, the last part first.
struct backwards {
  [[nodiscard]] int concurrency() const { return 4; }

  template <class Part>
  void run(int /*threads*/, ndx::index_t parts, Part part) const {
    while (parts-- > 0) part(parts);
  }
};

/// On the calling thread, in another random order each time.
struct shuffled {
  std::mt19937 engine{1};

  [[nodiscard]] int concurrency() const noexcept { return 5; }

  void run(int /*threads*/, ndx::index_t parts, ndx::executor_part part) {
    std::vector<ndx::index_t> order(static_cast<std::size_t>(parts));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    for (ndx::index_t i : order) part(i);
  }
};

/// Every part on a thread that lives for it alone.
struct thread_each {
  [[nodiscard]] int concurrency() const { return 3; }

  void run(int threads, ndx::index_t parts, ndx::executor_part part) const {
    for (ndx::index_t first = 0; first < parts; first += threads) {
      std::vector<std::thread> running;
      for (ndx::index_t i = first; i < std::min(parts, first + threads); ++i) running.emplace_back(part, i);
      for (std::thread& thread : running) thread.join();
    }
  }
};

/// On another thread, while this one does what a pool may find for it to do: another task of the program, which calls
/// an operator that needs scratch memory.
struct with_other_tasks {
  std::atomic<int> wrong{0};

  [[nodiscard]] int concurrency() const { return 2; }

  void run(int /*threads*/, ndx::index_t parts, ndx::executor_part part) {
    std::atomic<bool> begun{false};
    std::thread other([&] {
      part(0);
      begun = true;
      for (ndx::index_t i = 2; i < parts; ++i) part(i);
    });
    while (!begun) std::this_thread::yield();
    if (!sums_elements(ndx::par_simd.threads(1))) ++wrong;
    ndx::release_scratch();
    part(1);
    other.join();
  }
};

/// What is no executor.
struct without_concurrency {
  void run(int threads, ndx::index_t parts, ndx::executor_part part);
};
struct without_run {
  [[nodiscard]] int concurrency() const;
};
struct with_unknown_concurrency {
  void concurrency() const;
  void run(int threads, ndx::index_t parts, ndx::executor_part part);
};

static_assert(ndx::executor<backwards>);
static_assert(ndx::executor<backwards const>);
static_assert(ndx::executor<shuffled>);
static_assert(!ndx::executor<shuffled const>);
static_assert(!ndx::executor<without_concurrency>);
static_assert(!ndx::executor<without_run>);
static_assert(!ndx::executor<with_unknown_concurrency>);
static_assert(ndx::execution_policy<decltype(ndx::par_simd.on(std::declval<shuffled&>()))>);
static_assert(std::is_trivially_copyable_v<ndx::executor_part>);
static_assert(std::is_trivially_copyable_v<ndx::par_simd_policy>);

}  // namespace

TEST_CASE("Results do not depend on the order of the parts") {
  shuffled random;
  check_executor(random);
  if (thread_sanitizer) return;  // there is one thread here
  backwards last_first;
  check_executor(last_first);
}

TEST_CASE("Parts may run on threads that come and go") {
  thread_each executor;
  check_contract(executor);
  check_operators(ndx::par_simd.on(executor));
  check_errors(ndx::par_simd.on(executor));
}

TEST_CASE("An executor may be constant, and a policy with one be a constant expression") {
  static constexpr backwards executor;
  constexpr ndx::par_simd_policy policy = ndx::par_simd.on(executor).threads(3);
  CHECK(sums_rows(policy));
}

TEST_CASE("An executor gets the parts, and no more threads than wanted and than it has") {
  observed<backwards> executor;
  auto const most_threads = [&](int wanted) {
    executor.most_threads = 0;
    executor.runs = 0;
    CHECK(sums_rows(ndx::par_simd.on(executor).threads(wanted)));
    CHECK(sums_elements(ndx::par_simd.on(executor).threads(wanted)));
    CHECK(executor.runs >= 4);  // both sort or check before they write
    check_scatter_elements(ndx::par_simd.on(executor).threads(wanted));
    CHECK(executor.wrong == 0);
    return executor.most_threads.load();
  };
  CHECK(most_threads(0) == 4);
  CHECK(most_threads(2) == 2);
  CHECK(most_threads(4) == 4);
  CHECK(most_threads(1000) == 4);

  // Whatever the order in which a policy is made.
  executor.most_threads = 0;
  CHECK(sums_rows(ndx::par_simd.threads(3).with(ndx::instruction_set::baseline).on(executor)));
  CHECK(executor.most_threads == 3);
}

TEST_CASE("Nothing goes to an executor where one thread does the work") {
  struct lonely {
    int threads;
    int runs = 0;
    [[nodiscard]] int concurrency() const { return threads; }
    void run(int /*threads*/, ndx::index_t /*parts*/, ndx::executor_part /*part*/) { ++runs; }
  };
  for (int threads : {1, 0, -1}) {  // 0 and less are no numbers of threads, but nothing breaks
    CAPTURE(threads);
    lonely executor{threads};
    CHECK(sums_rows(ndx::par_simd.on(executor)));
    CHECK(sums_elements(ndx::par_simd.on(executor).threads(8)));
    CHECK(executor.runs == 0);
  }
  lonely many{64};
  CHECK(sums_rows(ndx::par_simd.on(many).threads(1)));
  std::vector<float> const few(1000, 1.0F);
  std::vector<float> output(1000);
  ndx::slice1(ndx::par_simd.on(many), ndx::tensor_view{few.data(), {1000}}, ndx::tensor_view{output.data(), {1000}},
              {.sizes = {1000}, .strides = {-1}});
  CHECK(output == few);
  CHECK(many.runs == 0);
}

TEST_CASE("While the calling thread waits it may do other tasks, which call operators") {
  with_other_tasks executor;
  ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
  CHECK(sums_elements(policy));
  check_scatter_elements(policy);
  CHECK(executor.wrong == 0);
}

TEST_CASE("A call on the library's own threads may be made within one on an executor") {
  struct nested {
    std::atomic<int> wrong{0};
    [[nodiscard]] int concurrency() const { return 2; }
    void run(int /*threads*/, ndx::index_t parts, ndx::executor_part part) {
      if (!sums_rows(ndx::par_simd.threads(3))) ++wrong;
      for (ndx::index_t i = 0; i < parts; ++i) part(i);
    }
  };
  nested executor;
  CHECK(sums_rows(ndx::par_simd.on(executor)));
  CHECK(sums_elements(ndx::par_simd.on(executor)));
  CHECK(executor.wrong == 0);
}

TEST_CASE("Several threads may use one executor at the same time") {
  thread_each executor;
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] {
      if (!sums_rows(ndx::par_simd.on(executor))) ++wrong;
      if (!sums_elements(ndx::par_simd.on(executor))) ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

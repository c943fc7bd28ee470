// SPDX-License-Identifier: MIT
#include <ndx/interop/eigen_thread_pool.hpp>

#include "suite.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

using namespace test;

static_assert(ndx::executor<ndx::eigen_executor const>);

namespace {

bool sums(int which, ndx::eigen_executor const& executor) {
  ndx::par_simd_policy const policy = ndx::par_simd.on(executor);
  return which % 2 == 0 ? sums_rows(policy) : sums_elements(policy);
}

void wait_until(std::atomic<int> const& count, int due) {
  while (count < due) std::this_thread::yield();
}

/// A pool that does with a task what the test says.
class odd_pool : public Eigen::ThreadPoolInterface {
public:
  explicit odd_pool(std::function<void(std::function<void()>)> schedule) : schedule_(std::move(schedule)) {}

  void Schedule(std::function<void()> task) override { schedule_(std::move(task)); }
  int NumThreads() const override { return 4; }
  int CurrentThreadId() const override { return -1; }

private:
  std::function<void(std::function<void()>)> schedule_;
};

/// The plainest pool with Eigen's interface.
class plain_pool : public Eigen::ThreadPoolInterface {
public:
  explicit plain_pool(int size) {
    for (int i = 0; i < size; ++i) threads_.emplace_back([this, i] { serve(i); });
  }
  plain_pool(plain_pool const&) = delete;
  plain_pool& operator=(plain_pool const&) = delete;
  ~plain_pool() override {
    for (std::size_t i = 0; i < threads_.size(); ++i) plain_pool::Schedule(nullptr);
    for (std::thread& thread : threads_) thread.join();
  }

  void Schedule(std::function<void()> task) override {
    std::lock_guard const lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }
  int NumThreads() const override { return static_cast<int>(threads_.size()); }
  int CurrentThreadId() const override { return id_; }

private:
  void serve(int id) {
    id_ = id;
    for (std::function<void()> task; (task = next()) != nullptr;) task();
  }
  std::function<void()> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !tasks_.empty(); });
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  static thread_local int id_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
};
thread_local int plain_pool::id_ = -1;

}  // namespace

// ThreadSanitizer does not know the fences by which Eigen's own pool hands over tasks.
#ifdef NDX_TEST_THREAD_SANITIZER
#define NDX_TEST_POOLS plain_pool
#else
#define NDX_TEST_POOLS plain_pool, Eigen::ThreadPool

TEST_CASE("Eigen: the threads of a pool") {
  // [eigen]
  Eigen::ThreadPool threads(4);
  ndx::eigen_executor executor(threads);
  auto const policy = ndx::par_simd.on(executor);
  // [/eigen]
  CHECK(executor.concurrency() == 4);
  check_executor(executor);
  CHECK(sums_rows(policy));
}
#endif

TEMPLATE_TEST_CASE("Eigen: the threads of any pool", "", NDX_TEST_POOLS) {
  TestType threads(3);
  ndx::eigen_executor executor(threads);
  CHECK(executor.concurrency() == 3);
  check_executor(executor);

  TestType one(1);
  ndx::eigen_executor alone(one);
  CHECK(alone.concurrency() == 1);
  check_contract(alone);
  check_operators(ndx::par_simd.on(alone));
}

TEMPLATE_TEST_CASE("Eigen: parts run on the pool's threads and on the calling one", "", NDX_TEST_POOLS) {
  TestType threads(3);
  ndx::eigen_executor const executor(threads);
  std::thread::id const here = std::this_thread::get_id();
  std::atomic<int> strange{0};
  std::atomic<int> on_pool{0};
  std::atomic<int> on_caller{0};
  auto const part = [&](ndx::index_t) {
    if (threads.CurrentThreadId() >= 0) ++on_pool;
    else if (std::this_thread::get_id() == here) ++on_caller;
    else ++strange;
    wait_until(on_pool, 1);  // both come
    wait_until(on_caller, 1);
  };
  executor.run(3, 20, ndx::executor_part(part));
  CHECK(on_pool + on_caller == 20);
  CHECK(strange == 0);
}

TEMPLATE_TEST_CASE("Eigen: operators are called from the tasks of the same pool", "", NDX_TEST_POOLS) {
  for (int size : {2, 3}) {
    CAPTURE(size);
    TestType threads(size);
    ndx::eigen_executor const executor(threads);
    std::atomic<int> wrong{0};
    std::atomic<int> done{0};
    for (int i = 0; i < 12; ++i)
      threads.Schedule([&, i] {
        if (!sums(i, executor)) ++wrong;
        ++done;
      });
    for (int i = 0; i < 2; ++i)
      if (!sums(i, executor)) ++wrong;  // and from outside
    wait_until(done, 12);
    CHECK(wrong == 0);
  }
}

TEMPLATE_TEST_CASE("Eigen: a call does not wait for threads that have something else to do", "", NDX_TEST_POOLS) {
  // What tasks touch outlives the threads that run them.
  std::atomic<int> busy{0};
  std::atomic<int> last{0};
  std::atomic<bool> released{false};
  TestType threads(2);
  for (int i = 0; i < 2; ++i)
    threads.Schedule([&] {
      ++busy;
      while (!released) std::this_thread::yield();
    });
  wait_until(busy, 2);
  {
    ndx::eigen_executor const executor(threads);
    for (int i = 0; i < 4; ++i) CHECK(sums(i, executor));
  }
  // What was scheduled for these calls runs now, when they and the executor are gone.
  released = true;
  threads.Schedule([&] { ++last; });
  wait_until(last, 1);
}

TEMPLATE_TEST_CASE("Eigen: the threads of the application share a pool", "", NDX_TEST_POOLS) {
  TestType threads(3);
  ndx::eigen_executor const executor(threads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round)
        if (!sums(i + round, executor)) ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("Eigen: a pool may run a task at once, late, or never") {
  odd_pool at_once([](std::function<void()> task) { task(); });
  odd_pool never([](std::function<void()> const&) {});
  std::vector<std::function<void()>> kept;
  odd_pool late([&](std::function<void()> task) { kept.push_back(std::move(task)); });
  for (odd_pool* pool : {&at_once, &never, &late}) {
    ndx::eigen_executor executor(*pool);
    check_contract(executor);
    check_operators(ndx::par_simd.on(executor));
    check_errors(ndx::par_simd.on(executor));
  }
  CHECK(!kept.empty());
  for (auto const& task : kept) task();
}

TEST_CASE("Eigen: a pool without memory for tasks is as good as one without threads") {
  int granted = 0;
  std::vector<std::function<void()>> kept;
  odd_pool poor([&](std::function<void()> task) {
    if (++granted % 2 == 0) throw std::bad_alloc();
    kept.push_back(std::move(task));
  });
  ndx::eigen_executor executor(poor);
  check_contract(executor);
  check_operators(ndx::par_simd.on(executor));
  for (auto const& task : kept) task();
}

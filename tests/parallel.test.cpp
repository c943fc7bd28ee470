// SPDX-License-Identifier: MIT
// What threads may break: problems large enough to be cut, calls from several threads at once, allocations, and results
// that must not depend on how many threads there are.
#include "support/count_allocations.hpp"
#include "support/front_doors.hpp"
#include "support/generate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

using namespace test;
using oracle::duplicates;
using oracle::reduction;

namespace {

constexpr std::uint64_t large_cases = thread_sanitizer ? 1 : address_sanitizer ? 2 : 6;

/// A few arrangements, others for each seed.
std::vector<arrangement> some_arrangements(random_source& random) {
  auto const& all = every_arrangement();
  std::vector<arrangement> result{all.front()};
  for (int i = 0; i < 2; ++i) result.push_back(random.one_of(all));
  return result;
}

/// A scatter with many duplicates whose answer depends on their order.
struct ordered_sum {
  std::vector<float> input;
  std::vector<std::int32_t> indices;
  std::vector<float> updates;
  static constexpr ndx::index_t rows = 17000;  // more than a MiB, from where on threads own parts of the output
  static constexpr ndx::index_t columns = 16;
  static constexpr ndx::index_t tuples = 40000;

  explicit ordered_sum(std::uint64_t seed) : input(rows * columns), indices(tuples), updates(tuples * columns) {
    random_source random(seed);
    auto const fraction = [&] { return static_cast<float>(random.between(-1000000, 1000000)) / 1024.0F; };
    std::generate(input.begin(), input.end(), fraction);
    std::generate(updates.begin(), updates.end(), fraction);
    std::generate(indices.begin(), indices.end(),
                  [&] { return static_cast<std::int32_t>(random.between(0, rows - 1)); });
  }

  template <class Policy>
  kept_array<float> run(Policy const& policy, ndx::reduction op) const {
    kept_array<float> output(input.size(), 0.0F);
    ndx::scatter_nd(policy, ndx::tensor_view{input.data(), {rows, columns}},
                    ndx::tensor_view{indices.data(), {tuples, 1}}, ndx::tensor_view{updates.data(), {tuples, columns}},
                    ndx::tensor_view{output.data(), {rows, columns}},
                    {.reduction = op, .duplicates = ndx::duplicates::last});
    return output;
  }
};

}  // namespace

TEST_CASE("Large random problems come out the same on any number of threads: gather_nd") {
  for_each_seed(large_cases, [](random_source& random, std::string const& seed) {
    auto p = problem_of<record, std::int64_t>(operation::gather_nd);
    p.large = true;
    verify_gather_nd<record, std::int64_t, 3, 2, 3>(random_gather(p, random, 3, 2, 3), seed, some_arrangements(random));
    if (thread_sanitizer) return;  // what threads share is shared alike by every type
    p = problem_of<float, std::int32_t>(operation::gather_nd);
    p.large = true;
    verify_gather_nd<float, std::int32_t, 3, 4, 4>(random_gather(p, random, 3, 4, 4), seed, some_arrangements(random));
  });
}

TEST_CASE("Large random problems come out the same on any number of threads: gather_nd1") {
  for_each_seed(large_cases, [](random_source& random, std::string const& seed) {
    auto p = problem_of<std::complex<double>, std::uint32_t>(operation::gather_nd1);
    p.large = true;
    verify_gather_nd1<std::complex<double>, std::uint32_t, 4, 3, 4>(random_gather(p, random, 4, 3, 4), seed,
                                                                    some_arrangements(random));
  });
}

TEST_CASE("Large random problems come out the same on any number of threads: slice1") {
  for_each_seed(large_cases, [](random_source& random, std::string const& seed) {
    auto p = problem_of<pixel, std::int32_t>(operation::slice1);
    p.large = true;
    verify_slice1<pixel, 3, 3>(random_slice(p, random, 3, 3), seed, some_arrangements(random));
    if (thread_sanitizer) return;  // what threads share is shared alike by every type
    p = problem_of<double, std::int32_t>(operation::slice1);
    p.large = true;
    verify_slice1<double, 2, 2>(random_slice(p, random, 2, 2), seed, some_arrangements(random));
  });
}

TEST_CASE("Large random problems come out the same on any number of threads: scatter_nd") {
  for_each_seed(large_cases, [](random_source& random, std::string const& seed) {
    auto p = problem_of<record, std::int64_t>(operation::scatter_nd);
    p.large = true;
    verify_scatter_nd<record, std::int64_t, 3, 2, 3>(random_scatter_nd(p, random, 3, 2, 3, 3), seed,
                                                     some_arrangements(random));
    if (thread_sanitizer) return;  // what threads share is shared alike by every type
    p = problem_of<float, std::uint64_t>(operation::scatter_nd);
    p.large = true;
    verify_scatter_nd<float, std::uint64_t, 2, 3, 3>(random_scatter_nd(p, random, 2, 3, 3, 2), seed,
                                                     some_arrangements(random));
  });
}

TEST_CASE("Large random problems come out the same on any number of threads: scatter_elements") {
  for_each_seed(large_cases, [](random_source& random, std::string const& seed) {
    auto p = problem_of<record, std::int32_t>(operation::scatter_elements);
    p.large = true;
    verify_scatter_elements<record, std::int32_t, 2>(random_scatter_elements(p, random, 2, 2, 2), seed,
                                                     some_arrangements(random));
    if (thread_sanitizer) return;  // what threads share is shared alike by every type
    p = problem_of<double, std::uint64_t>(operation::scatter_elements);
    p.large = true;
    verify_scatter_elements<double, std::uint64_t, 3>(random_scatter_elements(p, random, 3, 3, 3), seed,
                                                      some_arrangements(random));
  });
}

#ifndef NDX_TEST_THREAD_SANITIZER
// Outputs of many MiB are written past the caches, by other loops than small ones. Threads share them alike: two are
// enough for ThreadSanitizer.
TEST_CASE("Outputs larger than the caches: gathered rows") {
  random_source random(first_seed());
  problem p = problem_of<double, std::int32_t>(operation::gather_nd);
  p.input = random_bits({500, 129}, sizeof(double), random);
  p.indices = good_tuples({41000, 1}, p.input.extents, 0, p.kind, random);
  verify_gather_nd<double, std::int32_t, 2, 2, 2>(p, "42 MiB", few_arrangements());
}
#endif

TEST_CASE("Outputs larger than the caches: gathered elements") {
  random_source random(first_seed());
  problem p = problem_of<std::complex<double>, std::uint32_t>(operation::gather_nd);
  p.input = random_bits({3000, 3}, sizeof(std::complex<double>), random);
  p.indices = good_tuples({1100003, 2}, p.input.extents, 0, p.kind, random);
  verify_gather_nd<std::complex<double>, std::uint32_t, 2, 2, 1>(p, "17 MiB", few_arrangements());
}

namespace {

/// So many rows of `width` doubles scattered over `extent` of them.
problem scattered_rows(oracle::integer extent, oracle::integer width, oracle::integer rows) {
  random_source random(first_seed());
  return scatter_by_good_tuples(problem_of<double, std::int32_t>(operation::scatter_nd), {extent, width}, {rows, 1},
                                random);
}

}  // namespace

TEST_CASE("Outputs larger than the caches: scattered rows") {
  verify_scatter_nd<double, std::int32_t, 2, 2, 2>(scattered_rows(20000, 129, 17000),
                                                   "17 MiB of updates, 20 MiB of output", few_arrangements());
}

#ifndef NDX_TEST_THREAD_SANITIZER
// Few of all rows: the size of the output decides here, not that of what moves.
TEST_CASE("Outputs larger than the caches: a tenth of their rows, scattered") {
  verify_scatter_nd<double, std::int32_t, 2, 2, 2>(scattered_rows(34000, 64, 4400),
                                                   "2.2 MiB of updates, 17 MiB of output", few_arrangements());
}
#endif

TEST_CASE("Rows of 72 KB, scattered: cut where they are few, whole where they are many") {
  for (oracle::integer rows : {5, 33})
    verify_scatter_nd<double, std::int32_t, 2, 2, 2>(scattered_rows(40, 9001, rows), std::to_string(rows) + " rows",
                                                     few_arrangements());
}

#ifndef NDX_TEST_THREAD_SANITIZER
TEST_CASE("Outputs larger than the caches: rows backwards") {
  random_source random(first_seed());
  problem p = problem_of<double, std::int32_t>(operation::slice1);
  p.input = random_bits({1500, 1451}, sizeof(double), random);
  p.window = {{0, 0}, p.input.extents, {1, -1}};
  p.output = p.input.extents;
  verify_slice1<double, 2, 2>(p, "16.6 MiB", few_arrangements());
}
#endif

TEST_CASE("With duplicates::last a sum of floats has the same bits at any number of threads, run after run") {
  for (ndx::reduction op : {ndx::reduction::none, ndx::reduction::add, ndx::reduction::max}) {
    ordered_sum const sum(first_seed());
    kept_array<float> const expected = sum.run(ndx::seq, op);
    for_each_policy([&](std::string const& name, auto const& policy) {
      INFO("policy " << name);
      CHECK(same_as_watched(sum.run(policy, op), expected));
      CHECK(same_as_watched(sum.run(policy, op), expected));
    });
    for (int threads : {4, 5, 16, 64}) {
      CAPTURE(threads);
      CHECK(same_as_watched(sum.run(ndx::par_simd.threads(threads), op), expected));
    }
  }
}

TEST_CASE("Several threads of an application may call par_simd at the same time") {
  constexpr std::size_t callers = 4;
  std::vector<ordered_sum> sums;
  std::vector<kept_array<float>> expected;
  for (std::size_t i = 0; i < callers; ++i) {
    sums.emplace_back(i + 1);
    expected.push_back(sums.back().run(ndx::seq, ndx::reduction::add));
  }
  std::atomic<int> wrong{0};  // Catch2 counts on one thread alone
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round)
        if (!same_as_watched(sums[i].run(ndx::par_simd, ndx::reduction::add), expected[i])) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("An error on one thread of an application leaves the calls of the others alone") {
  ordered_sum const good(first_seed());
  ordered_sum bad(first_seed());
  bad.indices[30000] = ordered_sum::rows;
  kept_array<float> const expected = good.run(ndx::seq, ndx::reduction::none);
  std::atomic<int> wrong{0};
  std::thread failing([&] {
    for (int round = 0; round < 20; ++round) {
      try {
        bad.run(ndx::par_simd.threads(3), ndx::reduction::none);
        ++wrong;
      } catch (ndx::index_error const& error) {
        if (error.position() != std::vector<ndx::index_t>{30000, 0}) ++wrong;
      }
    }
  });
  for (int round = 0; round < 20; ++round)
    if (!same_as_watched(good.run(ndx::par_simd.threads(3), ndx::reduction::none), expected)) ++wrong;
  failing.join();
  CHECK(wrong == 0);
}

namespace {

/// A policy that calls an operator from within the execution of another, as a task of a thread pool would.
struct nested_policy {
  ordered_sum const* sum;
  kept_array<float> const* expected;
  std::atomic<int>* wrong;

  template <class T, class Index>
  void execute(ndx::plan::operation const& op, ndx::plan::arguments<T, Index> const& on) const {
    if (!same_as_watched(sum->run(ndx::par_simd.threads(3), ndx::reduction::add), *expected)) ++*wrong;
    ndx::par_simd.threads(2).execute(op, on);
  }
};
static_assert(ndx::execution_policy<nested_policy>);

}  // namespace

TEST_CASE("par_simd may be called from the tasks of another thread pool") {
  ordered_sum const sum(first_seed());
  kept_array<float> const expected = sum.run(ndx::seq, ndx::reduction::add);
  std::atomic<int> wrong{0};
  std::atomic<int> next{0};
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 6; ++worker)
    workers.emplace_back([&] {
      while (next++ < 24)
        if (!same_as_watched(sum.run(nested_policy{&sum, &expected, &wrong}, ndx::reduction::add), expected)) ++wrong;
    });
  for (std::thread& worker : workers) worker.join();
  CHECK(wrong == 0);
}

#if defined(__unix__)
#if defined(__linux__)
TEST_CASE("par_simd leaves the calling thread on the processors that it may run on") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  std::vector<std::int32_t> table(1 << 20);
  std::iota(table.begin(), table.end(), 7);
  std::vector<std::int32_t> output(table.size());
  // Workers that have slept are the ones that the system likes to wake on the caller's processor.
  for (int call = 0; call < 20; ++call) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ndx::slice1(ndx::par_simd.threads(4), ndx::tensor_view{table.data(), {1 << 20}},
                ndx::tensor_view{output.data(), {1 << 20}}, {.offsets = {0}, .sizes = {1 << 20}, .strides = {-1}});
  }
  cpu_set_t after;
  REQUIRE(sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
  CHECK(std::equal(output.begin(), output.end(), table.rbegin(), table.rend()));
}
#endif

#if defined(__linux__)
TEST_CASE("A worker that comes too late does not stay on the caller's processor") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  if (CPU_COUNT(&before) < 2) return;  // nowhere to go
  ndx::cpu::thread_pool& pool = ndx::cpu::thread_pool::shared();
  pid_t const caller = gettid();
  std::atomic<pid_t> worker{0};
  while (worker == 0) {
    pool.run(2, 8, [&](ndx::index_t) {
      if (gettid() != caller) worker = gettid();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  }
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(first, &only);
  REQUIRE(sched_setaffinity(worker, sizeof only, &only) == 0);
  REQUIRE(sched_setaffinity(caller, sizeof only, &only) == 0);
  // Nothing to do: it is done before the worker has had its turn on the processor.
  pool.run(2, 2, [](ndx::index_t) {});
  cpu_set_t allowed = only;
  for (int wait = 0; wait < 10000 && CPU_ISSET(first, &allowed); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(sched_getaffinity(worker, sizeof allowed, &allowed) == 0);
  }
  CHECK(!CPU_ISSET(first, &allowed));
  CHECK(CPU_COUNT(&allowed) == CPU_COUNT(&before) - 1);
  REQUIRE(sched_setaffinity(caller, sizeof before, &before) == 0);
}
#endif

TEST_CASE("What is chosen for a policy stays chosen, in any order") {
  using ndx::stores;
  auto const set = ndx::instruction_set::baseline;
  static_assert(ndx::simd.stores() == stores::automatic);
  static_assert(ndx::simd.stores(stores::temporal).with(set).stores() == stores::temporal);
  static_assert(ndx::simd.with(set).stores(stores::streaming).stores() == stores::streaming);
  CHECK(ndx::simd.stores(stores::temporal).with(set).instructions() == set);
  CHECK(ndx::simd.with(set).stores(stores::temporal).instructions() == set);
}

#ifndef NDX_TEST_THREAD_SANITIZER
// ThreadSanitizer does not let a process with several threads go on after a fork.
TEST_CASE("A child process may call par_simd though the threads stayed with its parent") {
  ordered_sum const sum(first_seed());
  kept_array<float> const expected = sum.run(ndx::seq, ndx::reduction::add);
  REQUIRE(same_as_watched(sum.run(ndx::par_simd.threads(4), ndx::reduction::add), expected));
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);  // one that waits for threads it does not have would wait for ever
    _exit(same_as_watched(sum.run(ndx::par_simd.threads(4), ndx::reduction::add), expected) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif
#endif

TEST_CASE("A call on tensors that are there allocates nothing") {
  constexpr ndx::index_t rows = 3000;
  constexpr ndx::index_t columns = 130;
  std::vector<float> input(rows * columns, 1.0F);
  std::vector<std::int32_t> indices(rows, 7);
  std::vector<std::int32_t> element_indices(rows * columns, 7);
  std::vector<float> output(rows * columns);
  ndx::tensor_view const in{input.data(), {rows, columns}};
  ndx::tensor_view const tuples{indices.data(), {rows, 1}};
  ndx::tensor_view const all{element_indices.data(), {rows, columns}};
  ndx::tensor_view const out{output.data(), {rows, columns}};
  for_each_policy([&](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    auto const call_all = [&] {
      ndx::slice1(policy, in, out, {.sizes = {rows, columns}, .strides = {-1, 1}});
      ndx::gather_nd(policy, in, tuples, out);
      ndx::gather_nd1(policy, in, all.permuted({0, 1}).window({.sizes = {rows, 1}}),
                      ndx::tensor_view{output.data(), {rows}}, {.batch_dims = 1});
      ndx::scatter_nd(policy, in, tuples, in, out);
      ndx::scatter_nd(policy, out, tuples, in, out,
                      {.reduction = ndx::reduction::add, .duplicates = ndx::duplicates::last});
      ndx::scatter_elements(policy, in, all, in, out, {.axis = 0});
      ndx::scatter_elements(policy, in, all, in, out, {.axis = 1, .reduction = ndx::reduction::min});
    };
    call_all();  // the first call of par_simd starts its threads
    std::size_t const before = allocation_count();
    call_all();
    std::size_t const after = allocation_count();
    CHECK(after == before);
  });
  std::size_t const before = allocation_count();
  ::operator delete(::operator new(1));
  CHECK(allocation_count() == before + 1);  // the count counts
}

// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_SUPPORT_COMPARISON_HPP
#define NDX_BENCH_SUPPORT_COMPARISON_HPP

#include "support/arena.hpp"

#include <ndx/ndx.hpp>

#include <benchmark/benchmark.h>

#ifdef NDX_BENCH_TORCH
#include "baselines/torch.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace ndx_bench {

/// What a workload moves once, in bytes.
struct traffic {
  std::size_t indices;
  std::size_t read;
  std::size_t written;
};

/// One workload and the ways to do it, each a benchmark `workload/way`. All of them write to the start of the
/// destination. The plain loop is the reference: a way that leaves something else there is an error, not a number.
template <class Data>
class comparison {
public:
  /// `result` is how many bytes of the destination are compared; `make` makes what the ways take, when first needed.
  comparison(std::string workload, traffic moved, std::size_t result, std::function<Data()> make)
      : shared_(std::make_shared<shared>(std::move(workload), moved, result, std::move(make))) {}

  template <class Way>
  comparison& plain(Way way) {
    shared_->reference = way;
    return add("plain loop", way);
  }

  /// A copy of as many bytes as the workload writes, or as there are: no solution, but a yardstick.
  comparison& memcpy() {
    auto const copied = std::min(shared_->moved.written, most_bytes);
    return enroll(
        "memcpy", {0, copied, copied},
        [copied](Data const&) { std::memcpy(destination().as<std::byte>(), source().as<std::byte>(), copied); }, {});
  }

  template <class Way>
  comparison& add(std::string const& name, Way way) {
    return enroll(name, shared_->moved, way, way);
  }

#ifdef NDX_BENCH_TORCH
  /// `make(data)` makes the call, on one thread and on as many as there are.
  template <class Make>
  comparison& torch(Make make) {
    auto const made = std::make_shared<std::optional<libtorch::call>>();
    auto const call = [made, make](Data const& data) -> libtorch::call const& {
      if (!*made) *made = make(data);
      return **made;
    };
    int const all = static_cast<int>(std::thread::hardware_concurrency());
    for (int const threads : {1, all}) {
      auto const run = [call, threads](Data const& data) {
        libtorch::use_threads(threads);
        call(data).run();
      };
      auto const run_and_fetch = [call, run](Data const& data) {
        run(data);
        call(data).fetch();
      };
      enroll(threads == 1 ? "libtorch" : "libtorch, all threads", shared_->moved, run, run_and_fetch);
      if (all <= 1) break;
    }
    return *this;
  }
#endif

  /// `way(policy, data)` with every policy and every instruction set that this processor has.
  template <class Way>
  comparison& policies(Way way) {
    add("ndx seq", [way](Data const& data) { way(ndx::seq, data); });
    return vectorized(way);
  }

  /// The same without the loops of `seq`.
  template <class Way>
  comparison& vectorized(Way way) {
    add("ndx simd", [way](Data const& data) { way(ndx::simd, data); });
    add_instruction_set("ndx simd baseline", ndx::instruction_set::baseline, way);
    add_instruction_set("ndx simd avx2", ndx::instruction_set::avx2, way);
    add_instruction_set("ndx simd avx512", ndx::instruction_set::avx512, way);
    return add("ndx par_simd", [way](Data const& data) { way(ndx::par_simd, data); });
  }

  /// `way(policy, data, duplicates)` where the last of several updates shall win, which takes more of some policies.
  template <class Way>
  comparison& last_of_duplicates(Way way) {
    add("ndx simd, last", [way](Data const& data) { way(ndx::simd, data, ndx::duplicates::last); });
    return add("ndx par_simd, last", [way](Data const& data) { way(ndx::par_simd, data, ndx::duplicates::last); });
  }

  /// What looking at the indices costs: `way(policy, data)` without it.
  template <class Way>
  comparison& trusting(Way way) {
    return add("ndx simd, trust", [way](Data const& data) { way(ndx::simd, data); });
  }

private:
  struct shared {
    shared(std::string name, traffic bytes, std::size_t compared, std::function<Data()> maker)
        : workload(std::move(name)), moved(bytes), result(compared), make(std::move(maker)) {}

    std::string workload;
    traffic moved;
    std::size_t result;
    std::function<Data()> make;
    std::function<void(Data const&)> reference;
    std::optional<Data> data;
    std::optional<std::uint64_t> expected;

    std::uint64_t fingerprint_after(std::function<void(Data const&)> const& way) {
      std::memcpy(destination().as<std::byte>(), source().as<std::byte>(), result);
      way(*data);
      std::uint64_t hash = 0;
      auto const* words = destination().as<std::uint64_t>();
      for (std::size_t i = 0; i < result / sizeof(std::uint64_t); ++i)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15U + (hash >> 29U);
      return hash;
    }

    bool right(std::function<void(Data const&)> const& way) {
      if (!expected) expected = fingerprint_after(reference);
      return fingerprint_after(way) == *expected;
    }
  };

  template <class Way>
  void add_instruction_set(char const* name, ndx::instruction_set set, Way way) {
    if (ndx::supported(set)) add(name, [way, set](Data const& data) { way(ndx::simd.with(set), data); });
  }

  template <class Way>
  comparison& enroll(std::string const& name, traffic bytes, Way way, std::function<void(Data const&)> to_check) {
    auto const run = [all = shared_, bytes, way, unchecked = std::move(to_check),
                      long_call = false](benchmark::State& state) mutable {
      if (!all->data) all->data = all->make();
      if (auto const once = std::exchange(unchecked, nullptr); once && !all->right(once)) {
        state.SkipWithError("the result is not that of the plain loop");
        return;
      }
      // Each repetition finds the caches as its own kind leaves them, for which a long call needs none before it.
      if (!long_call) {
        auto const start = std::chrono::steady_clock::now();
        way(*all->data);
        long_call = std::chrono::steady_clock::now() - start > std::chrono::milliseconds(100);
      }
      for (auto step : state) {
        way(*all->data);
        benchmark::ClobberMemory();
      }
      auto const total = static_cast<std::int64_t>(bytes.indices + bytes.read + bytes.written);
      state.SetBytesProcessed(state.iterations() * total);
    };
    benchmark::RegisterBenchmark((shared_->workload + '/' + name).c_str(), run)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
    return *this;
  }

  std::shared_ptr<shared> shared_;
};

}  // namespace ndx_bench

#endif

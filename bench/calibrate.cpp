// SPDX-License-Identifier: MIT
// What the thresholds of include/ndx/cpu/tuning.hpp would be on this machine, as far as one can see that from outside:
//
//   cmake --preset bench && cmake --build --preset bench --target ndx_bench_calibrate && build/bench/bench/calibrate
//
// Each line is a threshold, its value in tuning.hpp, the value measured here and what was measured: from which power of
// two on the second of two ways takes less time. Or it follows from a cache. Nothing reads this but people: the
// thresholds are one choice for many machines, and a factor of two beside them costs little. What is no crossover of
// two ways, such as how far ahead lines are prefetched, bench/tuning.cpp varies.
#include <ndx/ndx.hpp>

#include "support/arena.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace {

using ndx::index_t;
using namespace ndx_bench;
namespace tuning = ndx::cpu::tuning;

constexpr index_t kibibyte = index_t{1} << 10;
constexpr auto largest = static_cast<index_t>(most_bytes);

template <class Way>
double seconds(Way const& way) {
  using clock = std::chrono::steady_clock;
  auto const start = clock::now();
  way();
  auto const once = std::chrono::duration<double>(clock::now() - start).count();
  if (once > 1e-4) return once;
  auto const repeated = static_cast<int>(2e-4 / (once + 1e-8)) + 1;
  auto const again = clock::now();
  for (int i = 0; i < repeated; ++i) way();
  return std::chrono::duration<double>(clock::now() - again).count() / repeated;
}

/// Does the second way take less time? The ways take turns, and each has its best.
template <class First, class Second>
bool second_is_faster(First const& first, Second const& second) {
  double best_of_first = 1e9;
  double best_of_second = 1e9;
  for (int turn = 0; turn < 9; ++turn) {
    best_of_first = std::min(best_of_first, seconds(first));
    best_of_second = std::min(best_of_second, seconds(second));
  }
  return best_of_second < best_of_first;
}

/// The power of two from which on the second way is faster; 0 where it is not even at `to`.
template <class Faster>
index_t crossover(index_t from, index_t to, Faster const& faster) {
  index_t result = 0;
  for (index_t size = to; size >= from && faster(size); size /= 2) result = size;
  return result;
}

std::string in_units(index_t value, bool bytes) {
  if (!bytes) return std::to_string(value);
  if (value >= kibibyte * kibibyte) return std::to_string(value / (kibibyte * kibibyte)) + " MiB";
  return value >= kibibyte ? std::to_string(value / kibibyte) + " KiB" : std::to_string(value) + " B";
}

void print(char const* name, char const* value, char const* measured, char const* how) {
  std::printf("%-24s %10s %10s   %s\n", name, value, measured, how);
}

void report(char const* name, index_t value, index_t measured, char const* how, bool bytes = true) {
  print(name, in_units(value, bytes).c_str(), measured > 0 ? in_units(measured, bytes).c_str() : "none", how);
}

ndx::cpu::copy_kernels const& copies() { return ndx::cpu::copy_kernels_of<4>(ndx::cpu::default_instruction_set()); }
ndx::cpu::read_kernels const& reads() { return ndx::cpu::read_kernels_of<4>(ndx::cpu::default_instruction_set()); }

ndx::cpu::hints hints(bool stream, bool prefetch) {
  ndx::cpu::hints result{};
  result.stream = stream;
  result.prefetch = prefetch;
  return result;
}

void copy(index_t first, index_t bytes, bool stream) {
  ndx::cpu::grid const whole{{1, 0, 0, 0}, {1, 0, 0, 0}, bytes};
  copies().rows(destination().as<std::byte>() + first, source().as<std::byte const>() + first, whole,
                hints(stream, false));
  if (stream) ndx::cpu::finish_streamed_stores();
}

/// What a caller does with an output.
void read_output(index_t bytes) {
  auto const* const words = destination().as<std::uint64_t const>();
  std::uint64_t sum = 0;
  for (index_t i = 0; i < bytes / 8; ++i) sum += words[i];
  *updates().as<std::uint64_t volatile>() = sum;
}

/// What a scatter does with a copy: an update for each KiB, anywhere.
void write_here_and_there(index_t bytes) {
  random_numbers numbers(1);
  auto* const words = destination().as<std::uint64_t>();
  for (index_t i = 0; i < bytes / kibibyte; ++i) words[numbers.below(static_cast<std::uint64_t>(bytes / 8))] = 1;
}

template <class After>
index_t streaming_pays(After const& after) {
  return crossover(64 * kibibyte, largest, [&](index_t bytes) {
    auto const way = [&after, bytes](bool stream) {
      copy(0, bytes, stream);
      after(bytes);
    };
    return second_is_faster([&] { way(false); }, [&] { way(true); });
  });
}

/// Floats, or rows of a cache line each, from anywhere in a table, step by step as a mover takes them.
void gather(std::vector<index_t> const& offsets, index_t bytes, bool prefetch) {
  bool const rows = bytes > 16;
  auto* const kernel = rows ? reads().rows : reads().elements[ndx::cpu::element_index(bytes)];
  auto* to = destination().as<std::byte>();
  auto const all = static_cast<index_t>(offsets.size());
  for (index_t first = 0; first < all; first += tuning::tuples_in_step) {
    index_t const count = ndx::cpu::lesser(tuning::tuples_in_step, all - first);
    index_t const known = ndx::cpu::lesser(2 * tuning::tuples_in_step, all - first);
    kernel(to, bytes, source().as<std::byte const>(), {offsets.data() + first, count, known}, bytes,
           hints(rows, prefetch));
    to += count * bytes;
  }
  if (rows) ndx::cpu::finish_streamed_stores();
}

index_t prefetching_pays(index_t bytes) {
  return crossover(32 * kibibyte, largest, [bytes](index_t reach) {
    std::vector<index_t> offsets = random_indices<index_t>(std::size_t{1} << 18U, reach / bytes);
    for (index_t& offset : offsets) offset *= bytes;
    return second_is_faster([&] { gather(offsets, bytes, false); }, [&] { gather(offsets, bytes, true); });
  });
}

index_t prefetched_from(index_t bytes) {
  return ndx::cpu::prefetched_from(bytes, ndx::plan::side::source, ndx::reduction::none);
}

index_t threads_pay(int threads) {
  return crossover(16 * kibibyte, 16 * kibibyte * kibibyte, [threads](index_t bytes) {
    auto const part = bytes / threads / 64 * 64;
    return second_is_faster([bytes] { copy(0, bytes, false); },
                            [=] {
                              ndx::cpu::thread_pool::shared().run(threads, threads, [=](index_t i) {
                                copy(i * part, i + 1 < threads ? part : bytes - i * part, false);
                              });
                            });
  });
}

/// A gather from a matrix of 64 x 64 floats by tuples of `indices`: the plain loops, the policy.
template <std::size_t Rank>
bool is_faster_than_loops(ndx::simd_policy const& policy, index_t count, index_t indices,
                          std::array<index_t, Rank> const& extents) {
  auto const numbers = random_indices<std::int64_t>(static_cast<std::size_t>(indices * count), 64);
  ndx::tensor_view<float const, 2> const input(source().as<float const>(), {64, 64});
  ndx::tensor_view<std::int64_t const, 2> const tuples(numbers.data(), {count, indices});
  ndx::tensor_view<float, Rank> const output(destination().as<float>(), extents);
  return second_is_faster([&] { ndx::gather_nd(ndx::seq, input, tuples, output); },
                          [&] { ndx::gather_nd(policy, input, tuples, output); });
}
/// A set that was chosen takes no short cut but that of listed rows, and told how to store not even that.
ndx::simd_policy listing() { return ndx::simd.with(ndx::simd.instructions()); }
ndx::simd_policy planning() { return listing().stores(ndx::stores::temporal); }

index_t pays_for_elements(ndx::simd_policy const& policy) {
  return crossover(1, 4096, [&](index_t count) { return is_faster_than_loops<1>(policy, count, 2, {count}); });
}
index_t pays_for_rows(ndx::simd_policy const& policy) {
  return crossover(1, 4096, [&](index_t count) { return is_faster_than_loops<2>(policy, count, 1, {count, 64}); });
}

index_t cache([[maybe_unused]] int level) {
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
  return std::max<index_t>(0, sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE));
#else
  return 0;
#endif
}

}  // namespace

int main() {
  int const threads = ndx::cpu::processor_count();
  std::printf("%d threads, %s, first-level cache %s, second-level cache %s\n\n", threads,
              ndx::cpu::name_of(ndx::cpu::default_instruction_set()), in_units(cache(1), true).c_str(),
              in_units(cache(2), true).c_str());
  print("threshold", "tuning.hpp", "here", "by");
  report("streamed_call_bytes", ndx::cpu::streamed_call_bytes(1), 2 * streaming_pays(read_output),
         "a copy that is read afterwards: regular stores, streamed ones");
  report("streamed_copy_bytes", tuning::streamed_copy_bytes, streaming_pays(write_here_and_there),
         "a copy with updates afterwards: the same");
  report("prefetched_from(4)", prefetched_from(4), prefetching_pays(4),
         "a gather of floats from so many bytes: without prefetches, with them");
  report("prefetched_from(64)", prefetched_from(64), prefetching_pays(64),
         "a gather of rows of 64 B that is streamed: the same");
  if (threads > 1)
    report("parallel_bytes", tuning::parallel_bytes, threads_pay(threads), "a copy: one thread, all of them");
  report("small_call", tuning::small_call, pays_for_elements(planning()),
         "a gather of so many floats: plain loops, kernels", false);
  report("small_call_runs", tuning::small_call_runs, pays_for_rows(planning()),
         "a gather of so many rows of 256 B: the same", false);
  report("least_listed", tuning::least_listed + 1, pays_for_elements(listing()),
         "a gather of so many floats: plain loops, listed rows", false);
  report("least_listed", tuning::least_listed + 1, pays_for_rows(listing()),
         "a gather of so many rows of 256 B: the same", false);
  if (cache(1) > 0) report("stage_bytes", tuning::stage_bytes, cache(1) / 8, "an eighth of the first-level cache");
  if (cache(2) > 0) {
    report("stripe_bytes", tuning::stripe_bytes, cache(2) / 2, "half of the second-level cache");
    report("bucket_bytes", tuning::bucket_bytes, cache(2) / 4, "a quarter of the second-level cache");
  }
}

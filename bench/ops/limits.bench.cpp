// SPDX-License-Identifier: MIT
#include "support/comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// How fast memory can be copied at all, with nothing of ndx: the lines in the plots of bench/plot.py.
namespace {

using namespace ndx_bench;

constexpr std::size_t copied = 128 * mebibyte;

void copy_part_plainly(std::byte* to, std::byte const* from, std::size_t bytes) {
  auto const* words = reinterpret_cast<std::uint64_t const*>(from);
  std::copy(words, words + bytes / sizeof(std::uint64_t), reinterpret_cast<std::uint64_t*>(to));
}

#if defined(__x86_64__)
/// Line by line, so that no compiler takes it for a memcpy: that decides by itself whether to write past the caches.
template <bool Streamed>
void copy_part(std::byte* to, std::byte const* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) {
    for (std::size_t part = at; part < at + 64; part += 16) {
      auto const words = _mm_load_si128(reinterpret_cast<__m128i const*>(from + part));
      auto* const there = reinterpret_cast<__m128i*>(to + part);
      if constexpr (Streamed) _mm_stream_si128(there, words);
      else _mm_store_si128(there, words);
    }
    benchmark::ClobberMemory();
  }
  if constexpr (Streamed) _mm_sfence();
}
#endif

template <class CopyPart>
auto on_threads(std::size_t count, CopyPart copy) {
  return [count, copy](char) {
    auto* const to = destination().as<std::byte>();
    auto const* const from = source().as<std::byte const>();
    constexpr std::size_t page = 4096;
    std::size_t const part = (copied / count + page - 1) / page * page;
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < count && i * part < copied; ++i)
      others.emplace_back(copy, to + i * part, from + i * part, std::min(part, copied - i * part));
    copy(to, from, part);
    for (auto& thread : others) thread.join();
  };
}

[[maybe_unused]] bool const registered = [] {
  comparison<char> ways("copy of 128 MiB", {0, copied, copied}, copied, [] { return char{}; });
  ways.memcpy();
  ways.plain(on_threads(1, copy_part_plainly));
#if defined(__x86_64__)
  std::size_t const all = std::max(1U, std::thread::hardware_concurrency());
  ways.add("one thread", on_threads(1, copy_part<false>));
  ways.add("one thread, streamed", on_threads(1, copy_part<true>));
  ways.add("all threads", on_threads(all, copy_part<false>));
  ways.add("all threads, streamed", on_threads(all, copy_part<true>));
#endif
  return true;
}();

}  // namespace

// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_VULKAN_DATA_HPP
#define NDX_BENCH_VULKAN_DATA_HPP

#include <ndx/vulkan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace ndx_bench {

using ndx::index_t;
/// Device memory in words; seen as other elements and shapes by `seen_as`.
using words = ndx::vulkan::tensor<std::uint32_t, 1>;

/// `body(first, last)` on every core, for parts of [0, count).
template <class Body>
void in_parallel(index_t count, Body const& body) {
  index_t const parts = std::max<index_t>(1, static_cast<index_t>(std::thread::hardware_concurrency()));
  index_t const part = count / parts + 1;
  std::vector<std::thread> threads;
  for (index_t first = 0; first < count; first += part)
    threads.emplace_back([&body, first, last = std::min(count, first + part)] { body(first, last); });
  for (std::thread& thread : threads) thread.join();
}

/// A number without pattern for every number.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t random_below(std::uint64_t bound, std::uint64_t i, std::uint64_t seed) {
  std::uint64_t const bits = mixed(i ^ (seed << 48U));
  return bound >> 32U == 0 ? (bits >> 32U) * bound >> 32U : bits % bound;
}

/// What tensors are filled with: floats from -8 to 8 without pattern, multiples of 2^-12, so that sums of thousands of
/// them are exact in every order. They repeat after a prime number of words, that no row or tensor is a multiple of.
struct pattern {
  static constexpr index_t period = 4194301;
  std::uint64_t seed;

  [[nodiscard]] float value(index_t word) const {
    auto const bits =
        static_cast<std::uint32_t>(mixed(static_cast<std::uint64_t>(word % period) ^ (seed << 32U)) >> 48U);
    return (static_cast<float>(bits) - 32768.0f) / 4096.0f;
  }
  [[nodiscard]] std::uint32_t word(index_t position) const {
    float const number = value(position);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  [[nodiscard]] unsigned char byte(index_t position) const {
    return static_cast<unsigned char>(word(position / 4) >> (8 * (position % 4)));
  }
};

inline constexpr pattern table_pattern{1};
inline constexpr pattern update_pattern{2};

template <class T, std::size_t Rank>
ndx::vulkan::tensor_view<T, Rank> seen_as(words& memory, std::array<index_t, Rank> const& extents) {
  return {ndx::vulkan::device_pointer<T>(memory.view().data_handle().owner(), 0), extents};
}
template <class T, std::size_t Rank>
ndx::vulkan::tensor_view<T, Rank> seen_as(words& memory, std::array<index_t, Rank> const& extents,
                                          std::array<index_t, Rank> const& strides) {
  return {ndx::vulkan::device_pointer<T>(memory.view().data_handle().owner(), 0), extents, strides};
}

inline void fill(ndx::vulkan::device const& gpu, words& memory, pattern const& with) {
  index_t const period = std::min(pattern::period, memory.size());
  std::vector<std::uint32_t> once(static_cast<std::size_t>(period));
  in_parallel(period, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i) once[static_cast<std::size_t>(i)] = with.word(i);
  });
  auto const source = gpu.upload(ndx::tensor_view<std::uint32_t const, 1>(once.data(), {period}));
  index_t const whole = memory.size() / period;
  index_t const rest = memory.size() % period;
  ndx::vulkan::tensor_view<std::uint32_t const, 2> const repeated(source.view().data_handle(), {whole, period}, {0, 1});
  ndx::slice1(gpu, repeated, seen_as<std::uint32_t, 2>(memory, {whole, period}),
              {.offsets = {0, 0}, .sizes = {whole, period}, .strides = {1, 1}});
  if (rest == 0) return;
  ndx::vulkan::tensor_view<std::uint32_t, 1> const end(memory.view().data_handle() + whole * period, {rest});
  ndx::slice1(gpu, source, end, {.offsets = {0}, .sizes = {rest}, .strides = {1}});
}

/// The words at `positions`.
inline std::vector<std::uint32_t> words_at(ndx::vulkan::device const& gpu, words& memory,
                                           std::vector<index_t> const& positions) {
  auto const count = static_cast<index_t>(positions.size());
  std::vector<std::uint32_t> result(positions.size());
  ndx::gather_nd(gpu, memory, ndx::tensor_view<index_t const, 2>(positions.data(), {count, 1}),
                 ndx::tensor_view<std::uint32_t, 1>(result.data(), {count}));
  return result;
}

/// `count` numbers below `bound`, some more than once.
inline std::vector<index_t> random_numbers_below(index_t bound, index_t count, std::uint64_t seed) {
  std::vector<index_t> result(static_cast<std::size_t>(count));
  in_parallel(count, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i)
      result[static_cast<std::size_t>(i)] =
          static_cast<index_t>(random_below(static_cast<std::uint64_t>(bound), static_cast<std::uint64_t>(i), seed));
  });
  return result;
}

/// `count` numbers below `bound`, each at most once.
inline std::vector<index_t> different_numbers_below(index_t bound, index_t count, std::uint64_t seed) {
  unsigned bits = 2;
  while ((index_t{1} << bits) < bound) ++bits;
  std::uint64_t const mask = (std::uint64_t{1} << bits) - 1;
  // One to one on the numbers of that many bits; what is not below the bound is sent on until it is.
  auto const permuted = [&](std::uint64_t x) {
    for (std::uint64_t factor : {0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU}) {
      x = (x ^ seed) * factor & mask;
      x ^= x >> (bits + 1) / 2;
    }
    return x;
  };
  std::vector<index_t> result(static_cast<std::size_t>(count));
  in_parallel(count, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i) {
      std::uint64_t x = permuted(static_cast<std::uint64_t>(i));
      while (x >= static_cast<std::uint64_t>(bound)) x = permuted(x);
      result[static_cast<std::size_t>(i)] = static_cast<index_t>(x);
    }
  });
  return result;
}

}  // namespace ndx_bench

#endif

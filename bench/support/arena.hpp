// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_SUPPORT_ARENA_HPP
#define NDX_BENCH_SUPPORT_ARENA_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace ndx_bench {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20U;

/// Memory that all workloads of a program share: its pages are touched, its elements are whole numbers of float
/// from 0 to 255, so that sums are exact in every order and nothing is subnormal or NaN.
class arena {
public:
  explicit arena(std::size_t bytes) : data_(static_cast<std::byte*>(::operator new(bytes, alignment))), size_(bytes) {
    for (std::size_t i = 0; i < bytes / sizeof(float); ++i) {
      auto const value = static_cast<float>(static_cast<std::uint32_t>(i) * 2654435761U >> 24U);
      std::memcpy(data_.get() + i * sizeof(float), &value, sizeof(float));
    }
  }

  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }
  [[nodiscard]] std::size_t size() const { return size_; }

private:
  static constexpr std::align_val_t alignment{4096};
  struct release {
    void operator()(std::byte* data) const { ::operator delete(data, alignment); }
  };
  std::unique_ptr<std::byte, release> data_;
  std::size_t size_;
};

/// What a workload reads or writes at most.
inline constexpr std::size_t most_bytes = 256 * mebibyte;

inline arena& source() {
  static arena instance(most_bytes);
  return instance;
}

inline arena& updates() {
  static arena instance(64 * mebibyte);
  return instance;
}

inline arena& destination() {
  static arena instance(most_bytes);
  return instance;
}

/// A sequence of numbers that repeats from run to run.
class random_numbers {
public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  /// Below `bound`, which has at most 32 bits.
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 32U) * bound >> 32U;
  }

private:
  std::uint64_t state_;
};

/// `count` numbers below `bound`, in no order, some more than once.
template <class Index>
std::vector<Index> random_indices(std::size_t count, std::int64_t bound, std::uint64_t seed = 1) {
  random_numbers numbers(seed);
  std::vector<Index> result(count);
  for (auto& index : result) index = static_cast<Index>(numbers.below(static_cast<std::uint64_t>(bound)));
  return result;
}

/// The numbers below `bound`, a power of two, each once, in an order without pattern.
class shuffled {
public:
  shuffled(std::uint64_t bound, std::uint64_t seed) : mask_(bound - 1), seed_(seed) {
    while ((bound >> (2 * half_ + 1)) > 1) ++half_;
    if (half_ == 0) half_ = 1;
  }

  std::uint64_t operator[](std::uint64_t i) const {
    std::uint64_t x = i ^ (seed_ & mask_);
    for (std::uint64_t factor : {0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU}) {
      x = x * factor & mask_;  // an odd factor: one to one
      x ^= x >> half_;
    }
    return x;
  }

private:
  std::uint64_t mask_;
  std::uint64_t seed_;
  unsigned half_ = 0;
};

}  // namespace ndx_bench

#endif

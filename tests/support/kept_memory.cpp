// SPDX-License-Identifier: MIT
#include "kept_memory.hpp"

#include <mutex>
#include <new>
#include <vector>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) static_cast<void>(0)
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) static_cast<void>(0)
#endif

namespace test {

namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t guard_bytes = 64;                      // keeps the alignment
constexpr std::size_t least_bytes = std::size_t{64} << 10U;  // what is smaller costs no faults
constexpr std::size_t most_bytes = std::size_t{1} << 30U;    // that wait for the next

struct block {
  std::byte* memory;
  std::size_t bytes;
};

/// The blocks that nobody has at the moment.
struct stock {
  std::mutex mutex;
  std::vector<block> waiting;
  std::size_t waiting_bytes = 0;

  ~stock() {
    for (block const& each : waiting) ::operator delete(each.memory, alignment);
  }

  block take(std::size_t bytes) {
    std::lock_guard const lock(mutex);
    auto best = waiting.end();
    for (auto each = waiting.begin(); each != waiting.end(); ++each)
      if (each->bytes >= bytes && each->bytes / 2 <= bytes && (best == waiting.end() || each->bytes < best->bytes))
        best = each;
    if (best == waiting.end()) return {static_cast<std::byte*>(::operator new(bytes, alignment)), bytes};
    block const result = *best;
    waiting.erase(best);
    waiting_bytes -= result.bytes;
    return result;
  }

  void give_back(block const& returned) {
    std::lock_guard const lock(mutex);
    if (waiting_bytes + returned.bytes > most_bytes) return ::operator delete(returned.memory, alignment);
    waiting.push_back(returned);
    waiting_bytes += returned.bytes;
  }
};

stock& all() {
  static stock blocks;
  return blocks;
}

}  // namespace

kept_memory::kept_memory(std::size_t bytes) : bytes_(bytes) {
  if (bytes < least_bytes) {
    data_ = static_cast<std::byte*>(::operator new(bytes, alignment));
    return;
  }
  block const taken = all().take(bytes + 2 * guard_bytes);
  data_ = taken.memory + guard_bytes;
  block_bytes_ = taken.bytes;
  ASAN_POISON_MEMORY_REGION(taken.memory, taken.bytes);
  ASAN_UNPOISON_MEMORY_REGION(data_, bytes);
}

kept_memory::~kept_memory() {
  if (data_ == nullptr) return;
  if (block_bytes_ == 0) {
    ::operator delete(data_, alignment);
    return;
  }
  ASAN_POISON_MEMORY_REGION(data_, bytes_);
  all().give_back({data_ - guard_bytes, block_bytes_});
}

}  // namespace test

// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SCRATCH_HPP
#define NDX_CPU_SCRATCH_HPP

#include <cstddef>
#include <new>

namespace ndx::cpu {

/// Memory of this thread for the time of a call: aligned to a cache line, at least so many bytes, with anything in
/// them. It is kept for the next call, so only the first of several calls allocates. Null where there is no memory: who
/// asks has another way.
inline std::byte* scratch(std::size_t bytes) noexcept {
  static constexpr std::align_val_t alignment{64};
  struct memory {
    std::byte* data = nullptr;
    std::size_t size = 0;

    constexpr memory() = default;
    memory(memory const&) = delete;
    memory& operator=(memory const&) = delete;
    ~memory() { ::operator delete(data, alignment); }
  };
  thread_local memory kept;
  if (kept.size < bytes) {
    ::operator delete(kept.data, alignment);
    kept.data = static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
    kept.size = kept.data != nullptr ? bytes : 0;
  }
  return kept.data;
}

}  // namespace ndx::cpu

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SCRATCH_HPP
#define NDX_CPU_SCRATCH_HPP

#include <cstddef>
#include <new>
#include <utility>

namespace ndx {

namespace cpu {

/// Memory that a call needs for itself. It stays with the calling thread for the next call, until the thread ends.
class scratch {
public:
  static scratch& of_this_thread() noexcept {
    thread_local scratch instance;
    return instance;
  }

  scratch() = default;
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() { release(); }

  /// So many bytes, from a cache line on, with nothing in them; null where there is no memory.
  std::byte* take(std::size_t bytes) noexcept {
    if (bytes > size_) {
      release();
      data_ = static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
      if (data_ != nullptr) size_ = bytes;
    }
    return data_;
  }

  void release() noexcept {
    if (data_ != nullptr) ::operator delete(data_, alignment);
    data_ = nullptr;
    size_ = 0;
  }

  void swap(scratch& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

private:
  static constexpr std::align_val_t alignment{4096};

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cpu

/// Gives back the memory that large scatters of the calling thread have left for the next one; the next one takes it
/// anew.
inline void release_scratch() noexcept { cpu::scratch::of_this_thread().release(); }

}  // namespace ndx

#endif

// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SCRATCH_HPP
#define NDX_CPU_SCRATCH_HPP

#include <ndx/error.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace ndx {

namespace cpu {

/// Memory that is kept until more of it is wanted.
class kept_memory {
public:
  kept_memory() = default;
  kept_memory(kept_memory const&) = delete;
  kept_memory& operator=(kept_memory const&) = delete;
  ~kept_memory() { release(); }

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

  void swap(kept_memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

private:
  static constexpr std::align_val_t alignment{4096};

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory that a call needs for itself. It stays with the calling thread for the next call, until the thread ends.
struct scratch {
  kept_memory updates;  ///< on their way, the pieces of the destination that they go to, or which a row gets
  kept_memory indices;  ///< as a check has left them, or what is written over before they have been looked at

  static scratch& of_this_thread() noexcept {
    thread_local scratch instance;
    return instance;
  }

  void release() noexcept {
    updates.release();
    indices.release();
  }

  void swap(scratch& other) noexcept {
    updates.swap(other.updates);
    indices.swap(other.indices);
  }
};

/// Counts of the updates of each place. All are 0 at the start, and have to be 0 again at the end: who knows which ones
/// he has counted clears them faster than all of them are cleared. The memory stays with the calling thread, too.
class place_counts {
public:
  /// Fails where there is no memory.
  constexpr explicit place_counts(index_t places) {
    if (std::is_constant_evaluated()) data_ = new index_t[static_cast<std::size_t>(places)]{};
    else take(places);
  }
  place_counts(place_counts const&) = delete;
  place_counts& operator=(place_counts const&) = delete;
  constexpr ~place_counts() {
    if (std::is_constant_evaluated()) delete[] data_;
    else give_back();
  }

  [[nodiscard]] constexpr index_t* data() const noexcept { return data_; }

  static void release() noexcept {
    std::free(std::exchange(of_this_thread().data, nullptr));
    of_this_thread().size = 0;
  }

private:
  struct memory {
    index_t* data = nullptr;
    index_t size = 0;

    ~memory() { std::free(data); }
  };

  /// Out of reach of what else this thread may do in the meantime.
  void take(index_t places) {
    memory& kept = of_this_thread();
    data_ = std::exchange(kept.data, nullptr);
    size_ = std::exchange(kept.size, 0);
    if (places <= size_) return;
    std::free(data_);
    data_ = static_cast<index_t*>(std::calloc(static_cast<std::size_t>(places), sizeof(index_t)));
    if (data_ == nullptr) detail::fail(std::bad_alloc());
    size_ = places;
  }
  void give_back() const noexcept {
    release();
    of_this_thread().data = data_;
    of_this_thread().size = size_;
  }

  static memory& of_this_thread() noexcept {
    thread_local memory instance;
    return instance;
  }

  index_t* data_ = nullptr;
  index_t size_ = 0;
};

}  // namespace cpu

/// Gives back the memory that large scatters, means, and gathers of single elements of the calling thread have left for
/// the next one; the next one takes it anew.
inline void release_scratch() noexcept {
  cpu::scratch::of_this_thread().release();
  cpu::place_counts::release();
}

}  // namespace ndx

#endif

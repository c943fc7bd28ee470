// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_KEPT_MEMORY_HPP
#define NDX_TESTS_SUPPORT_KEPT_MEMORY_HPP

// Memory of large tensors that goes from one test case to the next. Sanitizers return large blocks to the system, which
// hands out each page of a new one with a fault: those were up to half of the time of the tests that need many.

#include "raw_bytes.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace test {

/// Bytes that begin on a cache line, and whose values are what was there before. To AddressSanitizer those around them
/// are out of bounds, and all of them once they are given back.
class kept_memory {
public:
  kept_memory() = default;
  explicit kept_memory(std::size_t bytes);
  kept_memory(kept_memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_), block_bytes_(other.block_bytes_) {}
  kept_memory& operator=(kept_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(block_bytes_, other.block_bytes_);
    return *this;
  }
  ~kept_memory();

  [[nodiscard]] std::byte* get() const { return data_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t block_bytes_ = 0;  // of what goes to the next; none where it is small
};

/// An array in such memory, which is filled and copied by what no sanitizer looks at.
template <class T>
class kept_array {
public:
  kept_array(std::size_t size, T const& value) : kept_array(size) {
    fill_raw(data(), &value, sizeof(T), size * sizeof(T));
  }
  explicit kept_array(std::vector<T> const& other) : kept_array(other.size()) {
    copy_raw(data(), other.data(), size_ * sizeof(T));
  }
  kept_array(kept_array const& other) : kept_array(other.size_) { *this = other; }
  kept_array(kept_array&&) noexcept = default;
  kept_array& operator=(kept_array&&) noexcept = default;
  /// The sizes are the same.
  kept_array& operator=(kept_array const& other) {
    copy_raw(data(), other.data(), size_ * sizeof(T));
    return *this;
  }
  ~kept_array() = default;

  [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.get()); }
  [[nodiscard]] T const* data() const { return reinterpret_cast<T const*>(memory_.get()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] T const& operator[](std::size_t i) const { return data()[i]; }

private:
  explicit kept_array(std::size_t size) : size_(size), memory_(size * sizeof(T)) {}

  std::size_t size_;
  kept_memory memory_;
};

/// Are they of the same bytes? Sanitizers look at each: memory that a call's threads have written to is read like that
/// once.
template <class A, class B>
bool same_as_watched(A const& a, B const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace test

#endif

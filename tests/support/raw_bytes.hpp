// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_RAW_BYTES_HPP
#define NDX_TESTS_SUPPORT_RAW_BYTES_HPP

// Copies, fills and comparisons that no sanitizer looks at. Sanitizers put functions of their own in the place of
// memcpy and memcmp, whoever calls them, and these look at every byte's state: under ThreadSanitizer that was half of
// the time of the tests that compare whole tensors. For memory of the tests that nobody else can reach, or not any
// more.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace test {

void copy_raw(void* to, void const* from, std::size_t bytes);
/// Repeats the `size` bytes of `value`, the last time as far as there is room.
void fill_raw(void* to, void const* value, std::size_t size, std::size_t bytes);
bool same_raw(void const* a, void const* b, std::size_t bytes);
/// Depends on every byte.
std::uint64_t fingerprint_raw(void const* memory, std::size_t bytes);

namespace raw {

template <std::size_t Size>
void copy(std::byte* to, std::byte const* from) {
  std::memcpy(to, from, Size);  // of a constant size: not a call
}

}  // namespace raw

/// `size` bytes of an element, which are few.
inline void copy_element(std::byte* to, std::byte const* from, std::size_t size) {
  switch (size) {
    case 1:
      return raw::copy<1>(to, from);
    case 2:
      return raw::copy<2>(to, from);
    case 4:
      return raw::copy<4>(to, from);
    case 8:
      return raw::copy<8>(to, from);
    case 16:
      return raw::copy<16>(to, from);
    default:
      return copy_raw(to, from, size);
  }
}

}  // namespace test

#endif

// SPDX-License-Identifier: MIT
// That AddressSanitizer knows the bounds of memory that is used again, and that arrays are filled and copied to the
// end.
#include "kept_memory.hpp"
#include "catch.hpp"
#include "policies.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

using namespace test;

namespace {

constexpr std::array<std::size_t, 5> sizes{1, 100, 65535, 65537, 300001};

/// May a program touch this byte?
bool is_open([[maybe_unused]] std::byte const* byte) {
#ifdef NDX_TEST_ADDRESS_SANITIZER
  return __asan_address_is_poisoned(byte) == 0;
#else
  return true;
#endif
}

}  // namespace

TEST_CASE("Kept memory begins on a cache line, and what was large goes to the next that needs as much") {
  for (std::size_t size : sizes) {
    CAPTURE(size);
    std::byte const* first = nullptr;
    {
      kept_memory const memory(size);
      first = memory.get();
      CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
      std::fill_n(memory.get(), size, std::byte{7});
    }
    kept_memory const memory(size - 1);
    kept_memory const another(size);
    CHECK((size < 65537 || memory.get() == first));
    CHECK(another.get() != memory.get());
  }
}

TEST_CASE("Kept memory has not one byte to spare, and none once it is given back") {
  if (!address_sanitizer) return;
  for (std::size_t size : sizes) {
    CAPTURE(size);
    std::byte const* first = nullptr;
    {
      kept_memory const larger(size + 1000);  // whose memory the next one gets
      first = larger.get();
    }
    CHECK_FALSE(is_open(first));
    kept_memory const memory(size);
    CHECK_FALSE(is_open(memory.get() - 1));
    CHECK(is_open(memory.get()));
    CHECK(is_open(memory.get() + size - 1));
    CHECK_FALSE(is_open(memory.get() + size));
    CHECK_FALSE(is_open(memory.get() + size + 15));
  }
}

TEST_CASE("An array in kept memory is filled and copied to its last element") {
  using pixel = std::array<std::uint8_t, 3>;
  for (std::size_t size : {std::size_t{1}, std::size_t{5461}, std::size_t{5462}, std::size_t{70001}}) {
    CAPTURE(size);
    kept_array<pixel> filled(size, pixel{1, 2, 3});
    CHECK(std::count(filled.data(), filled.data() + size, pixel{1, 2, 3}) == static_cast<std::ptrdiff_t>(size));
    filled[size - 1] = {4, 5, 6};
    kept_array<pixel> const copied = filled;
    CHECK(same_raw(copied.data(), filled.data(), size * sizeof(pixel)));
    CHECK(copied[size - 1] == pixel{4, 5, 6});
  }
  std::vector<std::uint32_t> numbers(40000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * 2654435761U);
  kept_array<std::uint32_t> const copied(numbers);
  CHECK(std::equal(numbers.begin(), numbers.end(), copied.data()));
  // A value that is longer than what is copied at once.
  std::vector<std::uint32_t> repeated(100003);
  fill_raw(repeated.data(), numbers.data(), numbers.size() * 4, repeated.size() * 4);
  bool same = true;
  for (std::size_t i = 0; i < repeated.size(); ++i) same = same && repeated[i] == numbers[i % numbers.size()];
  CHECK(same);
}

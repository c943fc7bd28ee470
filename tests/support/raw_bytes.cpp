// SPDX-License-Identifier: MIT
#include "raw_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace test {

namespace {

constexpr std::size_t block_bytes = 64;

/// A loop with this in it is not taken for a memcpy or memcmp, and made into a call.
void stay_a_loop() {
#if defined(__GNUC__)
  asm volatile("" ::: "memory");
#endif
}

bool same_block(std::byte const* a, std::byte const* b) {
  std::uint64_t left[block_bytes / 8];
  std::uint64_t right[block_bytes / 8];
  std::memcpy(left, a, block_bytes);
  std::memcpy(right, b, block_bytes);
  std::uint64_t differences = 0;
  for (std::size_t i = 0; i < block_bytes / 8; ++i) differences |= left[i] ^ right[i];
  return differences == 0;
}

}  // namespace

void copy_raw(void* to, void const* from, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  auto const* source = static_cast<std::byte const*>(from);
  for (; bytes >= block_bytes; bytes -= block_bytes, target += block_bytes, source += block_bytes) {
    std::memcpy(target, source, block_bytes);
    stay_a_loop();
  }
  for (; bytes >= 8; bytes -= 8, target += 8, source += 8) {
    std::memcpy(target, source, 8);
    stay_a_loop();
  }
  for (; bytes != 0; --bytes) {
    *target++ = *source++;
    stay_a_loop();
  }
}

void fill_raw(void* to, void const* value, std::size_t size, std::size_t bytes) {
  std::size_t done = std::min(size, bytes);
  copy_raw(to, value, done);
  // What is there is repeated: whole values, as many as fit into the first-level cache.
  constexpr std::size_t cached_bytes = 16384;
  std::size_t const most = std::max(cached_bytes / size, std::size_t{1}) * size;
  while (done < bytes) {
    std::size_t const next = std::min({done, most, bytes - done});
    copy_raw(static_cast<std::byte*>(to) + done, to, next);
    done += next;
  }
}

bool same_raw(void const* a, void const* b, std::size_t bytes) {
  auto const* left = static_cast<std::byte const*>(a);
  auto const* right = static_cast<std::byte const*>(b);
  for (; bytes >= block_bytes; bytes -= block_bytes, left += block_bytes, right += block_bytes) {
    if (!same_block(left, right)) return false;
    stay_a_loop();
  }
  for (; bytes != 0; --bytes) {
    if (*left++ != *right++) return false;
    stay_a_loop();
  }
  return true;
}

std::uint64_t fingerprint_raw(void const* memory, std::size_t bytes) {
  // Of several words at once. A step maps different words, and different sums of those before, to different sums.
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  constexpr std::size_t lanes = block_bytes / 8;
  auto const* from = static_cast<std::byte const*>(memory);
  std::uint64_t sums[lanes] = {};
  for (; bytes >= block_bytes; bytes -= block_bytes, from += block_bytes) {
    std::uint64_t words[lanes];
    std::memcpy(words, from, block_bytes);
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] = std::rotl((sums[lane] ^ words[lane]) * factor, 29);
  }
  std::uint64_t result = bytes;
  for (std::uint64_t sum : sums) result = std::rotl((result ^ sum) * factor, 29);
  for (; bytes != 0; --bytes) result = std::rotl((result ^ std::to_integer<std::uint64_t>(*from++)) * factor, 29);
  return result;
}

}  // namespace test

// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_ELEMENTS_HPP
#define NDX_VULKAN_ELEMENTS_HPP

#include <ndx/concepts.hpp>
#include <ndx/plan/combine.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ndx::vulkan {

/// Types that reductions tell apart: specialization constant 3 of the kernels.
enum class element_kind : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  half,
  brain,
  float32,
  float64
};

constexpr bool is_floating(element_kind kind) noexcept { return kind >= element_kind::half; }

/// Any kind will do for a type that has no reductions.
template <class T>
constexpr element_kind element_kind_of() noexcept {
  using number = plan::number_of<T>;
  if constexpr (std::is_same_v<number, float16>) return element_kind::half;
  else if constexpr (std::is_same_v<number, bfloat16>) return element_kind::brain;
  else if constexpr (std::is_same_v<T, float>) return element_kind::float32;
  else if constexpr (std::is_same_v<T, double>) return element_kind::float64;
  else if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? element_kind::int8 : element_kind::uint8;
  else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? element_kind::int16 : element_kind::uint16;
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? element_kind::int32 : element_kind::uint32;
  else return std::is_signed_v<T> ? element_kind::int64 : element_kind::uint64;
}

/// Bit 0: 64 bits wide; bit 1: signed.
template <index_type Index>
inline constexpr std::uint32_t index_kind_of = (sizeof(Index) == 8 ? 1U : 0U) | (std::is_signed_v<Index> ? 2U : 0U);
/// Bit 2: tuples are two indices side by side, which one load may read.
inline constexpr std::uint32_t index_pairs = 4;

/// Elements that the kernels move as one.
template <class T>
concept movable_on_device = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16;

/// One element, repeated to 16 bytes: the largest unit.
template <movable_on_device T>
std::array<std::uint32_t, 4> repeated(T const* element) noexcept {
  std::array<std::uint32_t, 4> result{};
  if (element != nullptr)
    for (std::size_t at = 0; at < sizeof(result); at += sizeof(T))
      std::memcpy(reinterpret_cast<std::byte*>(result.data()) + at, element, sizeof(T));
  return result;
}

}  // namespace ndx::vulkan

#endif

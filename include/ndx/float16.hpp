// SPDX-License-Identifier: MIT
#ifndef NDX_FLOAT16_HPP
#define NDX_FLOAT16_HPP

#include <bit>
#include <cstdint>
#include <type_traits>

namespace ndx {

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Storage only: arithmetic happens in float, and every
/// conversion from float rounds to nearest, ties to even.
struct float16 {
  std::uint16_t bits;

  float16() = default;
  constexpr float16(float value) noexcept : bits(round(std::bit_cast<std::uint32_t>(value))) {}

  [[nodiscard]] static constexpr float16 from_bits(std::uint16_t bits) noexcept {
    float16 result{0.0F};
    result.bits = bits;
    return result;
  }

  constexpr operator float() const noexcept {
    std::uint32_t const sign = (bits & 0x8000U) << 16U;
    std::uint32_t const magnitude = bits & 0x7fffU;
    if (magnitude < 0x400U) {  // zero and subnormals: multiples of 2^-24
      auto const value = static_cast<float>(magnitude) * 0x1p-24F;
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
    }
    // Both formats keep infinities and NaN under the highest exponent.
    std::uint32_t const bias = magnitude >= 0x7c00U ? (0xffU - 0x1fU) << 23U : (127U - 15U) << 23U;
    return std::bit_cast<float>(sign | ((magnitude << 13U) + bias));
  }

private:
  static constexpr std::uint16_t round(std::uint32_t single) noexcept {
    std::uint32_t const sign = (single >> 16U) & 0x8000U;
    std::uint32_t const magnitude = single & 0x7fffffffU;
    std::uint32_t result = 0;
    if (magnitude > 0x7f800000U) {  // NaN: quiet, with the upper bits of its payload
      result = 0x7e00U | ((magnitude >> 13U) & 0x3ffU);
    } else if (magnitude >= 0x477ff000U) {  // 65520 and above: nearer to infinity than to 65504
      result = 0x7c00U;
    } else if (magnitude >= 0x38800000U) {  // at least 2^-14, the smallest normal number
      std::uint32_t const rebiased = magnitude - ((127U - 15U) << 23U);
      result = (rebiased + 0xfffU + ((rebiased >> 13U) & 1U)) >> 13U;
    } else if (magnitude > 0x33000000U) {  // above 2^-25, half the smallest subnormal number
      std::uint32_t const shift = 126U - (magnitude >> 23U);
      std::uint32_t const significand = (magnitude & 0x7fffffU) | 0x800000U;
      std::uint32_t const half = 1U << (shift - 1U);
      std::uint32_t const rest = significand & ((half << 1U) - 1U);
      result = significand >> shift;
      if (rest > half || (rest == half && (result & 1U) != 0)) ++result;
    }
    return static_cast<std::uint16_t>(sign | result);
  }
};

/// bfloat16: the upper half of a float. Storage only, as `float16`.
struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  constexpr bfloat16(float value) noexcept : bits(round(std::bit_cast<std::uint32_t>(value))) {}

  [[nodiscard]] static constexpr bfloat16 from_bits(std::uint16_t bits) noexcept {
    bfloat16 result{0.0F};
    result.bits = bits;
    return result;
  }

  constexpr operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }

private:
  static constexpr std::uint16_t round(std::uint32_t single) noexcept {
    if ((single & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((single >> 16U) | 0x40U);
    return static_cast<std::uint16_t>((single + 0x7fffU + ((single >> 16U) & 1U)) >> 16U);
  }
};

/// The type by whose arithmetic elements of type T are reduced: T itself. A 16-bit floating-point type of another
/// library is reduced where a specialization names `float16` or `bfloat16`, whichever has the same bits:
///
///     template <>
///     struct ndx::reduced_as<their::half> : std::type_identity<ndx::float16> {};
template <class T>
struct reduced_as : std::type_identity<T> {};

}  // namespace ndx

#endif

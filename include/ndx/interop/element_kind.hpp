// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_ELEMENT_KIND_HPP
#define NDX_INTEROP_ELEMENT_KIND_HPP

#include <ndx/float16.hpp>

#include <complex>
#include <concepts>
#include <type_traits>

namespace ndx {

/// What the bits of an element mean. With their number this is what DLPack, .npy and safetensors call a dtype.
enum class element_kind : unsigned char {
  boolean,         ///< one byte, 0 or 1
  signed_integer,  ///< two's complement
  unsigned_integer,
  floating,  ///< IEEE 754 binary16, binary32 or binary64
  bfloat,    ///< the upper half of a binary32
  complex,   ///< the real part, then the imaginary part, both floating
};

/// The customization point that lets elements of a type go to other programs: `static constexpr element_kind value`.
/// Specialize it for a type without const; the number of bits is that of its size.
template <class T>
struct element_kind_of;

template <element_kind Kind>
struct element_kind_constant {
  static constexpr element_kind value = Kind;
};

template <>
struct element_kind_of<bool> : element_kind_constant<element_kind::boolean> {};

/// `char` as the integer that it is; the types of characters of Unicode are no numbers. No other program has integers
/// of 128 bits, which `std::integral` takes where a compiler's extensions are on.
template <std::integral T>
  requires(!std::is_const_v<T> && !std::is_volatile_v<T> && !std::same_as<T, bool> && !std::same_as<T, wchar_t> &&
           !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t> && sizeof(T) <= 8)
struct element_kind_of<T>
    : element_kind_constant<std::is_signed_v<T> ? element_kind::signed_integer : element_kind::unsigned_integer> {};

template <>
struct element_kind_of<float16> : element_kind_constant<element_kind::floating> {};
template <>
struct element_kind_of<float> : element_kind_constant<element_kind::floating> {};
template <>
struct element_kind_of<double> : element_kind_constant<element_kind::floating> {};
template <>
struct element_kind_of<bfloat16> : element_kind_constant<element_kind::bfloat> {};
template <>
struct element_kind_of<std::complex<float>> : element_kind_constant<element_kind::complex> {};
template <>
struct element_kind_of<std::complex<double>> : element_kind_constant<element_kind::complex> {};

/// A type of elements, const or not, whose meaning other programs know.
template <class T>
concept exchangeable_element = std::is_trivially_copyable_v<T> && requires {
  { element_kind_of<std::remove_cv_t<T>>::value } -> std::convertible_to<element_kind>;
};

}  // namespace ndx

#endif

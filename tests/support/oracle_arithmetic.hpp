// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_ORACLE_ARITHMETIC_HPP
#define NDX_TESTS_SUPPORT_ORACLE_ARITHMETIC_HPP

// The oracle's own numbers: indices as sign and magnitude, and the reductions, 16-bit floats through double.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace oracle {

using integer = std::int64_t;

enum class reduction { none, add, mul, min, max, sub, mean };

inline std::uint64_t magnitude(integer value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// An index of any of the four types.
struct number {
  bool negative = false;
  std::uint64_t magnitude = 0;

  number() = default;
  template <std::integral I>
  number(I value) {
    if constexpr (std::is_signed_v<I>) {
      negative = value < 0;
      magnitude = oracle::magnitude(value);
    } else {
      magnitude = value;
    }
  }

  /// As it stands in memory, sign-extended to 64 bit.
  std::uint64_t bits() const { return negative ? 0 - magnitude : magnitude; }
  std::string text() const { return (negative ? "-" : "") + std::to_string(magnitude); }
};

/// A binary floating-point format of 16 bits. A type that is one says so by specializing `format_of`.
struct format {
  int fraction_bits = 0;  // 0: not such a type
  int lowest_exponent = 0;
  int bias = 0;
};

template <class T>
inline constexpr format format_of{};

inline constexpr format binary16{10, -14, 15};
inline constexpr format bfloat16_format{7, -126, 127};

inline double decode(std::uint16_t bits, format f) {
  int const exponent_mask = (1 << (15 - f.fraction_bits)) - 1;
  int const exponent = (bits >> f.fraction_bits) & exponent_mask;
  int const fraction = bits & ((1 << f.fraction_bits) - 1);
  double const sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == exponent_mask)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, f.lowest_exponent - f.fraction_bits);
  return sign * std::ldexp((1 << f.fraction_bits) + fraction, exponent - f.bias - f.fraction_bits);
}

/// The nearest value of the format, ties to even, by a search among its neighbours: both formats order their finite
/// values and infinity as they order their bits.
inline std::uint16_t encode(double value, format f) {
  int const exponent_mask = (1 << (15 - f.fraction_bits)) - 1;
  int const infinity = exponent_mask << f.fraction_bits;
  int const sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(infinity | (1 << (f.fraction_bits - 1)));
  double const target = std::fabs(value);
  int below = 0;
  int above = infinity;
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  while (above - below > 1) {
    int const middle = (above + below) / 2;
    (decode(static_cast<std::uint16_t>(middle), f) <= target ? below : above) = middle;
  }
  double const lower = decode(static_cast<std::uint16_t>(below), f);
  // Beyond the largest finite value, rounding goes on as if the next power of two were there.
  double const upper = above == infinity ? lower + (lower - decode(static_cast<std::uint16_t>(below - 1), f))
                                         : decode(static_cast<std::uint16_t>(above), f);
  double const to_lower = target - lower;
  double const to_upper = upper - target;
  bool const up = to_upper < to_lower || (to_upper == to_lower && (below & 1) != 0);
  return static_cast<std::uint16_t>(sign | (up ? above : below));
}

/// IEEE 754-2019 minimum: a NaN gives a NaN, -0 is below +0.
template <class T>
T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
    if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}

template <class T>
T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
    if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

template <class T>
inline constexpr bool reducible = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || format_of<T>.fraction_bits !=
                                                                                               0;

template <class T>
T reduce(reduction op, T element, T update) {
  if constexpr (format_of<T>.fraction_bits != 0) {
    std::uint16_t bits[2];
    std::memcpy(&bits[0], &element, 2);
    std::memcpy(&bits[1], &update, 2);
    double const a = decode(bits[0], format_of<T>);
    double const b = decode(bits[1], format_of<T>);
    // Double holds the sum or product of two such numbers well enough that rounding it once more changes nothing.
    std::uint16_t const result = encode(reduce<double>(op, a, b), format_of<T>);
    std::memcpy(&element, &result, 2);
    return element;
  } else if constexpr (reducible<T>) {
    if (op == reduction::min) return minimum(element, update);
    if (op == reduction::max) return maximum(element, update);
    if constexpr (std::is_integral_v<T>) {
      auto const a = static_cast<std::uint64_t>(element);
      auto const b = static_cast<std::uint64_t>(update);
      // modulo 2^64, then modulo 2^bits
      return static_cast<T>(op == reduction::add ? a + b : op == reduction::sub ? a - b : a * b);
    } else {
      return op == reduction::add ? element + update : op == reduction::sub ? element - update : element * update;
    }
  } else {
    return element;
  }
}

/// What the first update makes of an element that takes no part itself: the update; subtracted, its opposite.
template <class T>
T first(reduction op, T update) {
  if (op != reduction::sub) return update;
  if constexpr (format_of<T>.fraction_bits != 0) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &update, 2);
    bits = encode(-decode(bits, format_of<T>), format_of<T>);
    std::memcpy(&update, &bits, 2);
    return update;
  } else if constexpr (std::is_floating_point_v<T>) {
    return -update;
  } else {
    return reduce<T>(reduction::sub, 0, update);
  }
}

/// Integers towards minus infinity; 16-bit numbers rounded as float first.
template <class T>
T divide(T sum, integer count) {
  if constexpr (format_of<T>.fraction_bits != 0) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &sum, 2);
    bits = encode(static_cast<float>(decode(bits, format_of<T>)) / static_cast<float>(count), format_of<T>);
    std::memcpy(&sum, &bits, 2);
    return sum;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sum / static_cast<T>(count);
  } else {
    if (sum >= 0) return static_cast<T>(static_cast<std::uint64_t>(sum) / static_cast<std::uint64_t>(count));
    std::uint64_t const distance = magnitude(static_cast<integer>(sum));
    std::uint64_t const divisor = magnitude(count);
    return static_cast<T>(0 - (distance / divisor + (distance % divisor != 0 ? 1 : 0)));
  }
}

template <class T>
bool is_nan(T value) {
  if constexpr (format_of<T>.fraction_bits != 0) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &value, 2);
    return std::isnan(decode(bits, format_of<T>));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

/// What the oracle has to know of an element type: it handles elements as bytes.
struct element_type {
  char const* name;
  std::size_t size;
  void (*reduce)(reduction op, void* element, void const* update);  // null: the type has no reductions
  void (*first)(reduction op, void* element, void const* update);
  void (*divide)(void* element, integer count);
  bool (*is_nan)(void const* element);
  void (*from_double)(double value, void* element);  // null: not a floating-point type
};

template <class T>
element_type describe_element(char const* name) {
  element_type result{name, sizeof(T), nullptr, nullptr, nullptr, [](void const*) { return false; }, nullptr};
  if constexpr (reducible<T>) {
    result.reduce = [](reduction op, void* element, void const* update) {
      T a;
      T b;
      std::memcpy(&a, element, sizeof(T));
      std::memcpy(&b, update, sizeof(T));
      a = oracle::reduce(op, a, b);
      std::memcpy(element, &a, sizeof(T));
    };
    result.first = [](reduction op, void* element, void const* update) {
      T value;
      std::memcpy(&value, update, sizeof(T));
      value = oracle::first(op, value);
      std::memcpy(element, &value, sizeof(T));
    };
    result.divide = [](void* element, integer count) {
      T value;
      std::memcpy(&value, element, sizeof(T));
      value = oracle::divide(value, count);
      std::memcpy(element, &value, sizeof(T));
    };
    result.is_nan = [](void const* element) {
      T value;
      std::memcpy(&value, element, sizeof(T));
      return oracle::is_nan(value);
    };
  }
  if constexpr (format_of<T>.fraction_bits != 0) {
    result.from_double = [](double value, void* element) {
      std::uint16_t const bits = encode(value, format_of<T>);
      std::memcpy(element, &bits, 2);
    };
  } else if constexpr (std::is_floating_point_v<T>) {
    result.from_double = [](double value, void* element) {
      auto const rounded = static_cast<T>(value);
      std::memcpy(element, &rounded, sizeof(T));
    };
  }
  return result;
}

}  // namespace oracle

#endif

// SPDX-License-Identifier: MIT
//
// IEEE 754 addition and multiplication of float in integers: rounded to nearest, ties to even, with subnormal numbers.
// Devices may round otherwise and flush subnormal numbers to zero, but the bits of a result must be those of every other
// policy.

const uint float_infinity = 0x7f800000;
const uint float_nan = 0x7fc00000;

// The number without its sign from a significand m with bit `3 + 23` set (or exponent 1: a subnormal number or zero)
// and three bits to round.
uint round_float(uint exponent, uint m) {
  if (exponent >= 255) return float_infinity;
  // The leading bit of the significand adds 1 to the exponent, and so does a carry of the rounding.
  uint result = ((exponent - 1) << 23) + (m >> 3);
  uint rest = m & 7;
  return result + (rest > 4 || (rest == 4 && (result & 1) != 0) ? 1 : 0);
}

// m >> count, where the lowest bit tells whether any bit was lost.
uint shift_right_sticky(uint m, uint count) {
  if (count == 0) return m;
  if (count > 31) return m != 0 ? 1 : 0;
  return (m >> count) | ((m << (32 - count)) != 0 ? 1 : 0);
}

uint add_float(uint a, uint b) {
  if ((a & 0x7fffffff) < (b & 0x7fffffff)) {
    uint larger = b;
    b = a;
    a = larger;
  }
  uint sign = a & 0x80000000;
  bool same_sign = (a ^ b) < 0x80000000;
  a &= 0x7fffffff;
  b &= 0x7fffffff;
  if (a >= float_infinity) return a > float_infinity || (b == float_infinity && !same_sign) ? float_nan : sign | a;

  uint exponent = max(a >> 23, 1);
  uint distance = exponent - max(b >> 23, 1);
  uint m = ((a & 0x7fffff) | (a >= 0x800000 ? 0x800000 : 0)) << 3;
  uint n = shift_right_sticky(((b & 0x7fffff) | (b >= 0x800000 ? 0x800000 : 0)) << 3, distance);
  if (same_sign) {
    m += n;
    if (m >= 1 << 27) {
      m = (m >> 1) | (m & 1);
      ++exponent;
    }
  } else {
    m -= n;
    if (m == 0) return 0;
    uint shift = min(uint(26 - findMSB(m)), exponent - 1);
    m <<= shift;
    exponent -= shift;
  }
  return sign | round_float(exponent, m);
}

uint multiply_float(uint a, uint b) {
  uint sign = (a ^ b) & 0x80000000;
  a &= 0x7fffffff;
  b &= 0x7fffffff;
  if (max(a, b) > float_infinity) return float_nan;
  if (max(a, b) == float_infinity) return min(a, b) == 0 ? float_nan : sign | float_infinity;
  if (min(a, b) == 0) return sign;

  // Significands with their leading bit at 31; a subnormal number gets the exponent that it would have without limits.
  int exponent = int(max(a >> 23, 1)) + int(max(b >> 23, 1)) - 127;
  a = (a & 0x7fffff) | (a >= 0x800000 ? 0x800000 : 0);
  b = (b & 0x7fffff) | (b >= 0x800000 ? 0x800000 : 0);
  int shift = 31 - findMSB(a);
  a <<= shift;
  exponent += 8 - shift;
  shift = 31 - findMSB(b);
  b <<= shift;
  exponent += 8 - shift;
  uint high, low;
  umulExtended(a, b, high, low);
  if (high >= 0x80000000) ++exponent;
  else {
    high = (high << 1) | (low >> 31);
    low <<= 1;
  }
  uint m = shift_right_sticky(high, 5) | (low != 0 ? 1 : 0);
  if (exponent < 1) {
    m = shift_right_sticky(m, uint(1 - exponent));
    exponent = 1;
  }
  return sign | round_float(uint(exponent), m);
}

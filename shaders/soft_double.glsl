// SPDX-License-Identifier: MIT
//
// As soft_float.glsl for double, which many devices do not have at all.

const uvec2 double_infinity = uvec2(0, 0x7ff00000);
const uvec2 double_nan = uvec2(0, 0x7ff80000);

bool is_zero(uvec2 a) { return (a.x | a.y) == 0; }

uint highest_bit(uvec2 a) { return a.y != 0 ? 32 + findMSB(a.y) : findMSB(a.x); }

// count up to 63.
uvec2 shift_left_far(uvec2 a, uint count) {
  return count < 32 ? shift_left(a, count) : uvec2(0, a.x << (count - 32));
}

uvec2 shift_right_sticky(uvec2 m, uint count) {
  if (count == 0) return m;
  if (count > 63) return uvec2(is_zero(m) ? 0 : 1, 0);
  uvec2 lost = shift_left_far(m, 64 - count);
  uvec2 result = count < 32 ? uvec2((m.x >> count) | (m.y << (32 - count)), m.y >> count) : uvec2(m.y >> (count - 32), 0);
  result.x |= is_zero(lost) ? 0 : 1;
  return result;
}

uvec2 significand_of_double(uvec2 magnitude) {
  return uvec2(magnitude.x, (magnitude.y & 0xfffff) | (magnitude.y >= 0x100000 ? 0x100000 : 0));
}

uvec2 round_double(uint exponent, uvec2 m) {
  if (exponent >= 2047) return double_infinity;
  uint rest = m.x & 7;
  uvec2 result = add(uvec2((m.x >> 3) | (m.y << 29), m.y >> 3), uvec2(0, (exponent - 1) << 20));
  return add(result, uvec2(rest > 4 || (rest == 4 && (result.x & 1) != 0) ? 1 : 0, 0));
}

uvec2 add_double(uvec2 a, uvec2 b) {
  const uvec2 magnitude = uvec2(0xffffffff, 0x7fffffff);
  if (less(a & magnitude, b & magnitude)) {
    uvec2 larger = b;
    b = a;
    a = larger;
  }
  uvec2 sign = uvec2(0, a.y & 0x80000000);
  bool same_sign = (a.y ^ b.y) < 0x80000000;
  a &= magnitude;
  b &= magnitude;
  if (!less(a, double_infinity))
    return a != double_infinity || (b == double_infinity && !same_sign) ? double_nan : sign | a;

  uint exponent = max(a.y >> 20, 1);
  uint distance = exponent - max(b.y >> 20, 1);
  uvec2 m = shift_left(significand_of_double(a), 3);
  uvec2 n = shift_right_sticky(shift_left(significand_of_double(b), 3), distance);
  if (same_sign) {
    m = add(m, n);
    if (m.y >= 1 << 24) {
      m = shift_right_sticky(m, 1);
      ++exponent;
    }
  } else {
    m = subtract(m, n);
    if (is_zero(m)) return uvec2(0);
    uint shift = min(55 - highest_bit(m), exponent - 1);
    m = shift_left_far(m, shift);
    exponent -= shift;
  }
  return sign | round_double(exponent, m);
}

// The upper half of a product of 128 bits; the lowest bit tells whether any bit of the lower half is set.
uvec2 multiply_high_sticky(uvec2 a, uvec2 b) {
  uvec2 low, middle, other, high;
  umulExtended(a.x, b.x, low.y, low.x);
  umulExtended(a.x, b.y, middle.y, middle.x);
  umulExtended(a.y, b.x, other.y, other.x);
  umulExtended(a.y, b.y, high.y, high.x);
  uvec2 sum = add(uvec2(low.y, 0), uvec2(middle.x, 0));
  sum = add(sum, uvec2(other.x, 0));
  high = add(high, uvec2(middle.y, 0));
  high = add(high, uvec2(other.y, 0));
  high = add(high, uvec2(sum.y, 0));
  high.x |= (low.x | sum.x) != 0 ? 1 : 0;
  return high;
}

uvec2 multiply_double(uvec2 a, uvec2 b) {
  const uvec2 magnitude = uvec2(0xffffffff, 0x7fffffff);
  uvec2 sign = uvec2(0, (a.y ^ b.y) & 0x80000000);
  a &= magnitude;
  b &= magnitude;
  uvec2 larger = less(a, b) ? b : a;
  uvec2 smaller = less(a, b) ? a : b;
  if (less(double_infinity, larger)) return double_nan;
  if (larger == double_infinity) return is_zero(smaller) ? double_nan : sign | double_infinity;
  if (is_zero(smaller)) return sign;

  // Significands with their leading bit at 62, so that the product has one at 60 or 61 of its upper half.
  int exponent = int(max(a.y >> 20, 1)) + int(max(b.y >> 20, 1)) - 1023;
  a = significand_of_double(a);
  b = significand_of_double(b);
  uint shift = 62 - highest_bit(a);
  a = shift_left_far(a, shift);
  exponent += 10 - int(shift);
  shift = 62 - highest_bit(b);
  b = shift_left_far(b, shift);
  exponent += 10 - int(shift);
  uvec2 m = multiply_high_sticky(a, b);
  uint down = 5;
  if (m.y >= 1 << 29) {
    ++exponent;
    ++down;
  }
  m = shift_right_sticky(m, down);
  if (exponent < 1) {
    m = shift_right_sticky(m, uint(1 - exponent));
    exponent = 1;
  }
  return sign | round_double(uint(exponent), m);
}

// SPDX-License-Identifier: MIT
//
// A sum divided by a count of 2 or more, as ndx::plan::quotient: integers towards minus infinity, floating-point numbers
// correctly rounded, which no division of a device has to be.

// value / count. The remainder stays below 2^32, and so does the count.
uvec2 divide_unsigned(uvec2 value, uint count) {
  if (value.y == 0) return uvec2(value.x / count, 0);
  uvec2 result = uvec2(0, value.y / count);
  uint rest = value.y % count;
  for (uint bit = 0; bit < 32; ++bit) {
    bool carry = rest >= 0x80000000;
    rest = (rest << 1) | (value.x >> 31);
    value.x <<= 1;
    result.x <<= 1;
    if (carry || rest >= count) {
      rest -= count;
      result.x |= 1;
    }
  }
  return result;
}

uvec2 divide_integer(uvec2 sum, uint count) {
  bool is_signed = (element_type & 1) == 0;
  if (element_bits < 64) {
    uint unused = 32 - min(element_bits, 32);
    uint wide = is_signed ? uint(int(sum.x << unused) >> unused) : sum.x;
    sum = uvec2(wide, is_signed && int(wide) < 0 ? 0xffffffff : 0);
  }
  // ~x is -x - 1: of a negative sum, what is above it up to -1.
  return is_signed && negative(sum) ? ~divide_unsigned(~sum, count) : divide_unsigned(sum, count);
}

// The nearest float to a count: significand with its leading bit at 23, and exponent.
uvec2 float_of_count(uint count) {
  uint leading = uint(findMSB(count));
  if (leading <= 23) return uvec2(count << (23 - leading), leading + 127);
  uint shift = leading - 23;
  uint significand = count >> shift;
  uint rest = count << (32 - shift);
  if (rest > 0x80000000 || (rest == 0x80000000 && (significand & 1) != 0)) ++significand;
  return significand < 0x1000000 ? uvec2(significand, leading + 127) : uvec2(0x800000, leading + 128);
}

uint divide_float(uint sum, uint count) {
  uint sign = sum & 0x80000000;
  uint magnitude = sum & 0x7fffffff;
  if (magnitude > float_infinity) return float_nan;
  if (magnitude == float_infinity || magnitude == 0) return sum;
  uvec2 by = float_of_count(count);
  uint rest = (magnitude & 0x7fffff) | (magnitude >= 0x800000 ? 0x800000 : 0);
  uint shift = uint(23 - findMSB(rest));
  rest <<= shift;
  int exponent = int(max(magnitude >> 23, 1)) - int(shift) - int(by.y) + 127;
  if (rest < by.x) {
    rest <<= 1;
    --exponent;
  }
  // 27 bits of the quotient, the first of which is 1, bit by bit.
  uint m = 0;
  for (uint bit = 0; bit < 27; ++bit) {
    m <<= 1;
    if (rest >= by.x) {
      rest -= by.x;
      m |= 1;
    }
    rest <<= 1;
  }
  if (rest != 0) m |= 1;
  if (exponent < 1) {
    m = shift_right_sticky(m, uint(1 - exponent));
    exponent = 1;
  }
  return sign | round_float(uint(exponent), m);
}

uvec2 divide_double(uvec2 sum, uint count) {
  uvec2 sign = uvec2(0, sum.y & 0x80000000);
  uvec2 magnitude = uvec2(sum.x, sum.y & 0x7fffffff);
  if (less(double_infinity, magnitude)) return double_nan;
  if (magnitude == double_infinity || is_zero(magnitude)) return sum;
  uint leading = uint(findMSB(count));
  uvec2 by = shift_left_far(uvec2(count, 0), 52 - leading);
  uvec2 rest = significand_of_double(magnitude);
  uint shift = 52 - highest_bit(rest);
  rest = shift_left_far(rest, shift);
  int exponent = int(max(magnitude.y >> 20, 1)) - int(shift) - int(leading);
  if (less(rest, by)) {
    rest = shift_left(rest, 1);
    --exponent;
  }
  uvec2 m = uvec2(0);
  for (uint bit = 0; bit < 56; ++bit) {
    m = shift_left(m, 1);
    if (!less(rest, by)) {
      rest = subtract(rest, by);
      m.x |= 1;
    }
    rest = shift_left(rest, 1);
  }
  if (!is_zero(rest)) m.x |= 1;
  if (exponent < 1) {
    m = shift_right_sticky(m, uint(1 - exponent));
    exponent = 1;
  }
  return sign | round_double(uint(exponent), m);
}

// Of shorter types the upper bits of the result are undefined.
uvec2 quotient_of(uvec2 sum, uint count) {
  if (element_is_integer) return divide_integer(sum, count);
  if (element_type == type_double) return divide_double(sum, count);
  return uvec2(from_float(divide_float(to_float(sum.x), count)), 0);
}

// SPDX-License-Identifier: MIT
//
// 64-bit numbers as uvec2(low, high): not every device has 64-bit integers. Signed ones are two's complement, so that
// adding and multiplying are the same.

uvec2 add(uvec2 a, uvec2 b) {
  uint carry;
  uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

uvec2 subtract(uvec2 a, uvec2 b) {
  uint borrow;
  uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}

uvec2 multiply(uvec2 a, uvec2 b) {
  uint high, low;
  umulExtended(a.x, b.x, high, low);
  return uvec2(low, high + a.x * b.y + a.y * b.x);
}

bool less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

bool negative(uvec2 a) { return int(a.y) < 0; }

// count below 32.
uvec2 shift_left(uvec2 a, uint count) {
  return count == 0 ? a : uvec2(a.x << count, (a.y << count) | (a.x >> (32 - count)));
}

// For divisors below 2^63. Only indices far out of their range and slots beyond 2^32 are divided here, bit by bit, so it
// need not be fast.
uvec2 remainder(uvec2 value, uvec2 divisor) {
  if (less(value, divisor)) return value;
  if (value.y == 0) return uvec2(value.x % divisor.x, 0);
  uvec2 rest = uvec2(0);
  for (uint bit = 0; bit < 64; ++bit) {
    rest = uvec2((rest.x << 1) | (value.y >> 31), (rest.y << 1) | (rest.x >> 31));
    value = uvec2(value.x << 1, (value.y << 1) | (value.x >> 31));
    if (!less(rest, divisor)) rest = subtract(rest, divisor);
  }
  return rest;
}

// number / divisor for number < 2^31, by the multiplier and the shift that the host has found for the divisor.
uint quotient(uint number, uint multiplier, uint shift) {
  uint high, low;
  umulExtended(number, multiplier, high, low);
  return (high + number) >> shift;
}

// SPDX-License-Identifier: MIT
//
// What the reductions do to one element, on its raw bits: as ndx::plan::combine. The type and the reduction are constants
// of the pipeline, so that what is left of this in it is little. A kernel has elements of up to 32 bits (WORDS), of 64
// bits (ELEMENTS_64), or both.

#ifdef WORDS
#include "soft_float.glsl"
#include "subword.glsl"
#endif
#ifdef ELEMENTS_64
#include "soft_double.glsl"
#endif

layout(constant_id = 3) const uint element_type = 5;
layout(constant_id = 4) const uint reduction = 1;

// Even types below 8 are signed.
const uint type_i32 = 4;
const uint type_u32 = 5;
const uint type_i64 = 6;
const uint type_u64 = 7;
const uint type_float16 = 8;
const uint type_bfloat16 = 9;
const uint type_float = 10;
const uint type_double = 11;

const uint reduction_add = 1;
const uint reduction_mul = 2;
const uint reduction_min = 3;
const uint reduction_max = 4;
const uint reduction_sub = 5;

// Subtracting is adding the opposite, to the bit.
const bool reduction_adds = reduction == reduction_add || reduction == reduction_sub;

// 1 << element_shift bytes.
const bool element_is_integer = element_type < type_float16;
const uint element_shift = element_is_integer ? element_type >> 1
                                              : (element_type < type_float ? 1 : element_type - 8);
const uint element_bits = 8 << element_shift;

#ifdef WORDS
uint float_of_float16(uint bits) {
  uint sign = (bits & 0x8000) << 16;
  uint magnitude = bits & 0x7fff;
  if (magnitude == 0) return sign;
  if (magnitude < 0x400) {  // subnormal: a multiple of 2^-24
    uint leading = uint(findMSB(magnitude));
    return sign | ((leading + 127 - 24) << 23) | ((magnitude << (23 - leading)) & 0x7fffff);
  }
  // Both formats keep infinities and NaN under the highest exponent.
  return sign | ((magnitude << 13) + (magnitude >= 0x7c00 ? (0xff - 0x1f) << 23 : (127 - 15) << 23));
}

uint float16_of_float(uint single) {
  uint sign = (single >> 16) & 0x8000;
  uint magnitude = single & 0x7fffffff;
  if (magnitude > float_infinity) return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // nearer to infinity than to 65504
  if (magnitude >= 0x38800000) {                      // a normal number
    uint rebiased = magnitude - ((127 - 15) << 23);
    return sign | ((rebiased + 0xfff + ((rebiased >> 13) & 1)) >> 13);
  }
  if (magnitude <= 0x33000000) return sign;  // half the smallest subnormal number, or less
  uint shift = 126 - (magnitude >> 23);
  uint significand = (magnitude & 0x7fffff) | 0x800000;
  uint result = significand >> shift;
  uint half_unit = 1 << (shift - 1);
  uint rest = significand & (2 * half_unit - 1);
  return sign | (result + (rest > half_unit || (rest == half_unit && (result & 1) != 0) ? 1 : 0));
}

uint bfloat16_of_float(uint single) {
  if ((single & 0x7fffffff) > float_infinity) return (single >> 16) | 0x40;
  return (single + 0x7fff + ((single >> 16) & 1)) >> 16;
}

// float16 and bfloat16 are computed as float, which is wide enough for one rounding to be right: 24 bits are at least
// twice 11 plus 2.
uint to_float(uint bits) {
  if (element_type == type_float16) return float_of_float16(bits);
  return element_type == type_bfloat16 ? bits << 16 : bits;
}
uint from_float(uint single) {
  if (element_type == type_float16) return float16_of_float(single);
  return element_type == type_bfloat16 ? bfloat16_of_float(single) : single;
}
#endif

// A key in the order of the numbers, -0 below +0. Shorter types stand in the highest bits, so that they share it.
uvec2 order_of_float(uvec2 a) { return negative(a) ? ~a : uvec2(a.x, a.y | 0x80000000); }
uvec2 order_of_integer(uvec2 a) { return (element_type & 1) == 0 ? uvec2(a.x, a.y ^ 0x80000000) : a; }

uvec2 to_highest_bits(uvec2 a) {
  if (element_bits == 64) return a;
  return uvec2(0, a.x << (32 - element_bits));
}

bool is_nan(uvec2 highest_bits) {
  uint infinity = element_type == type_float16 ? 0x7c000000 : (element_type == type_double ? 0x7ff00000 : 0x7f800000);
  return less(uvec2(0, infinity), uvec2(highest_bits.x, highest_bits.y & 0x7fffffff));
}

uvec2 extreme(uvec2 old, uvec2 update) {
  uvec2 a = to_highest_bits(old);
  uvec2 b = to_highest_bits(update);
  if (element_is_integer) {
    a = order_of_integer(a);
    b = order_of_integer(b);
  } else {
    if (is_nan(a)) return old;
    if (is_nan(b)) return update;
    a = order_of_float(a);
    b = order_of_float(b);
  }
  return (reduction == reduction_min ? less(b, a) : less(a, b)) ? update : old;
}

// What there is to add of an update that is subtracted; any other update as it is. Of shorter types the upper bits are
// undefined.
uvec2 turned_around(uvec2 update) {
  if (reduction != reduction_sub) return update;
  if (element_is_integer) return subtract(uvec2(0), update);
  if (element_bits == 64) return uvec2(update.x, update.y ^ 0x80000000);
  return uvec2(update.x ^ (1 << (element_bits - 1)), update.y);
}

// old op update, which is to be added where it was to be subtracted. Of shorter types the upper bits of the result are
// undefined.
uvec2 combine(uvec2 old, uvec2 update) {
  if (reduction == reduction_min || reduction == reduction_max) return extreme(old, update);
  if (element_is_integer) return reduction_adds ? add(old, update) : multiply(old, update);
#ifdef ELEMENTS_64
  if (element_type == type_double)
    return reduction_adds ? add_double(old, update) : multiply_double(old, update);
#endif
#ifdef WORDS
  uint a = to_float(old.x);
  uint b = to_float(update.x);
  old.x = from_float(reduction_adds ? add_float(a, b) : multiply_float(a, b));
#endif
  return old;
}

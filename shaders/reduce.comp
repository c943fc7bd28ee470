// SPDX-License-Identifier: MIT
//
// A scatter whose updates are combined with what is there, in any order: atomically. Elements of up to 32 bits, or with
// ATOMIC_64 of 64 bits; with ATOMIC_FLOAT floats may be added by the device itself (constant `native`). With ROWS the
// updates are contiguous rows, each found once a workgroup. With FEW each workgroup looks at all tuples first.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif
#ifdef ATOMIC_FLOAT
#extension GL_EXT_shader_atomic_float : require
#define FLOATS
#endif
#ifdef ATOMIC_64
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define LONGS
#define ELEMENTS_64
#else
#define WORDS
#define INTS
#endif

#ifdef ROWS
#define BLOCK 1
#define POINTS 4
#elif defined ATOMIC_FLOAT
#define BLOCK 4
#else
#define BLOCK 2
#endif
#ifdef FEW
#define CLAIMS
#endif
#include "common.glsl"
#include "arithmetic.glsl"

#ifdef ATOMIC_FLOAT
layout(constant_id = 5) const bool native = false;
#endif

// A value of a minimum or a maximum only ever moves one way, so that an update which changes nothing now never will.
const bool is_extreme = reduction == reduction_min || reduction == reduction_max;

#ifdef ATOMIC_64

uvec2 load(location at) { return unpackUint2x32(source_ulong(at)); }

void apply(location at, uvec2 update) {
  uint64_t value = packUint2x32(update);
  if (element_is_integer && reduction_adds) {
    atomicAdd(destination_ulong(at), value);
  } else if (element_type == type_u64 && is_extreme) {
    if (reduction == reduction_min) atomicMin(destination_ulong(at), value);
    else atomicMax(destination_ulong(at), value);
  } else if (element_type == type_i64 && is_extreme) {
    if (reduction == reduction_min) atomicMin(destination_long(at), int64_t(value));
    else atomicMax(destination_long(at), int64_t(value));
  } else {
    uint64_t seen = destination_ulong(at);
    uint64_t old;
    do {
      old = seen;
      uint64_t result = packUint2x32(combine(unpackUint2x32(old), update));
      if (is_extreme && result == old) return;
      seen = atomicCompSwap(destination_ulong(at), old, result);
    } while (seen != old);
  }
}

#else

uvec2 load(location at) {
  uint bit;
  location word = word_of(at, element_shift, bit);
  return uvec2(extract(source_word(word), bit, element_bits), 0);
}

// Updates that no device can get wrong: they are so large that neither they nor a sum that is not 0 are subnormal, and
// an element that is does not change the sum.
bool is_safe(uint update) { return (update & 0x7fffffff) >= (127 - 100) << 23; }

void apply(location at, uvec2 update) {
  uint bit;
  location word = word_of(at, element_shift, bit);
  bool is_word = element_type == type_i32 || element_type == type_u32;
  if (is_word && reduction_adds) {
    atomicAdd(destination_word(word), update.x);
    return;
  }
  if (element_type == type_u32 && is_extreme) {
    if (reduction == reduction_min) atomicMin(destination_word(word), update.x);
    else atomicMax(destination_word(word), update.x);
    return;
  }
  if (element_type == type_i32 && is_extreme) {
    if (reduction == reduction_min) atomicMin(destination_int(word), int(update.x));
    else atomicMax(destination_int(word), int(update.x));
    return;
  }
#ifdef ATOMIC_FLOAT
  if (native && element_type == type_float && reduction_adds && is_safe(update.x)) {
    atomicAdd(destination_float(word), uintBitsToFloat(update.x));
    return;
  }
#endif
  uint seen = destination_word(word);
  uint old;
  do {
    old = seen;
    uint element = combine(uvec2(extract(old, bit, element_bits), 0), update).x;
    uint result = insert(old, element, bit, element_bits);
    if (is_extreme && result == old) return;
    seen = atomicCompSwap(destination_word(word), old, result);
  } while (seen != old);
}

#endif

#ifdef ROWS
#define KEEPS_ROW(at, tuple) true
#define FETCH_ENDS(row)
#include "rows.glsl"
#else
#define POINTS BLOCK
#endif
#ifdef FEW
#include "few.glsl"
#endif

void reduce(place at[POINTS], bool applies[POINTS], bool good[POINTS]) {
  uvec2 update[POINTS];
  location to[POINTS];
  [[unroll]] for (uint i = 0; i < POINTS; ++i) {
    location from;
    applies[i] = locate_source(at[i].source, element_shift, from) && good[i] && applies[i];
    if (applies[i]) update[i] = turned_around(load(from));
    applies[i] = locate_destination(at[i].destination, element_shift, to[i]) && applies[i];
  }
  [[unroll]] for (uint i = 0; i < POINTS; ++i) {
    if (applies[i]) apply(to[i], update[i]);
  }
}

void main() {
  if (is_void()) return;
#ifdef FEW
  if (!few_are_good()) return;
  copy_share();
  uint begin = first_of_few();
  uint step = few_at_once();
#elif !defined(ROWS)
  uint begin = first_point();
  uint step = points_of_grid();
#endif
  place at[POINTS];
  bool own[POINTS];
  bool good[POINTS];
#ifdef ROWS
  for (uint begin = first_of_group(), points = parameters.points; begin < points; begin += points_of_groups()) {
    find_rows(begin);
    points_of_rows(begin, at, own, good);
    reduce(at, own, good);
    barrier();
  }
#else
  for (uint first = begin, points = parameters.points; first < points; first += step) {
    uint point[BLOCK];
    points_of_block(first, point, own);
    uint tuple[BLOCK];
    find(point, at, tuple, good);
#ifdef FEW
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) good[i] = good[i] && is_in_share(at[i].destination, element_shift);
#endif
    reduce(at, own, good);
  }
#endif
}

// SPDX-License-Identifier: MIT
//
// A scatter whose updates are combined with what is there in row-major order, and that of 64-bit elements on devices
// without atomics for them. An invocation owns slots of the destination: it walks all tuples, and applies those that go
// to one of its own, for one unit of the tail.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#define BLOCK 1
#define WORDS
#define PAIRS
#define ELEMENTS_64
#define SLOTS true
#include "common.glsl"
#include "arithmetic.glsl"

void apply(location to, location from) {
  uint bit = 0;
  uvec2 update;
  uvec2 seen;
  if (element_bits == 64) {
    update = source_pair(from);
    seen = destination_pair(to);
  } else {
    location word = word_of(from, element_shift, bit);
    update = uvec2(extract(source_word(word), bit, element_bits), 0);
    to = word_of(to, element_shift, bit);
    seen = uvec2(destination_word(to), 0);
  }
  update = turned_around(update);
  for (;;) {
    uvec2 old = seen;
    uvec2 result = combine(element_bits < 32 ? uvec2(extract(old.x, bit, element_bits), 0) : old, update);
    if (element_bits == 64) {
      destination_pair(to) = result;
      return;
    }
    if (element_bits == 32) {
      destination_word(to) = result.x;
      return;
    }
    // Other invocations own the rest of the word.
    seen.x = atomicCompSwap(destination_word(to), old.x, insert(old.x, result.x, bit, element_bits));
    if (seen.x == old.x) return;
  }
}

void reduce(uint point) {
  uint owner = quotient(point, parameters.tail_divisor.x, parameters.tail_divisor.y);
  uint unit_of_tail[1] = {point - owner * parameters.tail_units};
  place tail[1];
  start(tail);
  walk(tail, unit_of_tail, parameters.tuple_rank, parameters.rank, false);
  for (uint t = 0, tuples = parameters.tuples; t < tuples; ++t) {
    uint tuple[1] = {t};
    bool reports[1] = {point == 0};
    bool good[1];
    place at[1] = tail;
    walk(at, tuple, 0, parameters.tuple_rank, true);
    resolve(at, tuple, reports, good);
    if (!good[0] || remainder(at[0].slot, uvec2(parameters.owners, 0)).x != owner) continue;
    location to, from;
    bool inside = locate_destination(at[0].destination, element_shift, to);
    if (locate_source(at[0].source, element_shift, from) && inside) apply(to, from);
  }
}

void main() {
  if (is_void()) return;
  for (uint point = first_point(), points = parameters.points; point < points; point += points_of_grid()) reduce(point);
}

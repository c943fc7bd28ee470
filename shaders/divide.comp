// SPDX-License-Identifier: MIT
//
// Means: the sum that lies in each place is divided by how many numbers it is of. The tuples of the plan are the places
// themselves, in the order of their slots, and the claims hold the counts. Up to 1 there is nothing to divide by.
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
#define CLAIMS
#include "common.glsl"
#include "arithmetic.glsl"
#include "quotients.glsl"

void apply(location to, uint count) {
  if (element_bits == 64) {
    destination_pair(to) = quotient_of(destination_pair(to), count);
    return;
  }
  uint bit;
  to = word_of(to, element_shift, bit);
  uint old = destination_word(to);
  uint result = quotient_of(uvec2(extract(old, bit, element_bits), 0), count).x;
  if (element_bits == 32) {
    destination_word(to) = result;
    return;
  }
  // Other invocations own the rest of the word.
  uint seen = old;
  do {
    old = seen;
    seen = atomicCompSwap(destination_word(to), old, insert(old, result, bit, element_bits));
  } while (seen != old);
}

void main() {
  if (is_void()) return;
  for (uint first = first_point(), points = parameters.points; first < points; first += points_of_grid()) {
    uint point[1] = {first};
    place at[1];
    uint tuple[1];
    bool good[1];
    find(point, at, tuple, good);
    uint count = claim_word(tuple[0]);
    location to;
    if (locate_destination(at[0].destination, element_shift, to) && count > 1) apply(to, count);
  }
}

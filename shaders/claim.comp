// SPDX-License-Identifier: MIT
//
// Every tuple claims its slot of the destination, and the last one in row-major order gets it. A slot holds the number
// of that tuple + 1, so that 0 is a slot without claims. With COUNTS the tuples are counted instead.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#define BLOCK 4
#define CLAIMS
#define SLOTS true
#include "common.glsl"

void main() {
  if (is_void()) return;
  for (uint first = first_point(), points = parameters.points; first < points; first += points_of_grid()) {
    uint tuple[BLOCK];
    bool own[BLOCK];
    points_of_block(first, tuple, own);
    place at[BLOCK];
    start(at);
    walk(at, tuple, 0, parameters.tuple_rank, true);
    bool good[BLOCK];
    resolve(at, tuple, own, good);
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      uvec2 number = subtract(at[i].slot, parameters.claims_first);
      bool inside = number.y == 0 && number.x < parameters.claims_count;
      if (!own[i] || !good[i] || !inside) continue;
#ifdef COUNTS
      atomicAdd(claim_word(number.x), 1);
#else
      atomicMax(claim_word(number.x), tuple[i] + 1);
#endif
    }
  }
}

// SPDX-License-Identifier: MIT
//
// Looks at the indices of every tuple and moves nothing: what a scatter must know before its first write.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#define BLOCK 4
#define SETS_VERDICT
#include "common.glsl"

void main() {
  for (uint first = first_point(), points = parameters.points; first < points; first += points_of_grid()) {
    uint tuple[BLOCK];
    bool own[BLOCK];
    points_of_block(first, tuple, own);
    place at[BLOCK];
    start(at);
    walk(at, tuple, 0, parameters.tuple_rank, true);
    bool good[BLOCK];
    resolve(at, tuple, own, good);
  }
}

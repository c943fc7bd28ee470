// SPDX-License-Identifier: MIT
//
// destination[D(p)] = source[S(p)] where the destination is contiguous along one loop and the source along another: by
// tiles, one a workgroup. A tile is read along the source and written along the destination; in between it lies in
// shared memory. The last two loops count the tiles along either; what lies within is told by the coordinates, of which
// a copy has none: extent and strides of the loop along which the source is contiguous, then of the other one.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#include "units.glsl"
#undef BLOCK
#define BLOCK 1
#define EVERY_SIDE
#include "common.glsl"

// As `tuning::tile_side`.
const uint tile_side = 32;
shared unit tile[tile_side][tile_side];

// Where the units of a line lie: turned a little from line to line, so that those of a column lie in different banks.
uint column_of(uint line, uint unit_of_line) { return unit_of_line ^ line; }

// Lines whose units an invocation has on their way at once.
const uint at_once = 8;

// Which tile of a loop `number` is; what is left of it counts the loops outside of that one.
uint tile_of(inout uint number, uint loop) {
  uvec4 extent = parameters.loops[3 * loop];
  uint rest = quotient(number, extent.y, parameters.loops[3 * loop + 2].z);
  uint result = number - rest * extent.x;
  number = rest;
  return result;
}

void main() {
  if (is_void()) return;
  uint lane = gl_LocalInvocationID.x % tile_side;
  uint first_line = gl_LocalInvocationID.x / tile_side;
  uint lines = gl_WorkGroupSize.x / tile_side;
  uvec4 along = parameters.coordinates[0];
  uvec4 along_more = parameters.coordinates[1];
  uvec4 across = parameters.coordinates[2];
  uint tiles = parameters.points / gl_WorkGroupSize.x;
  // From a line of this invocation to its next one.
  uvec2 read_step = advance(uvec2(0), lines, across.zw, wide);
  uvec2 write_step = advance(uvec2(0), lines, along.zw, wide);
  uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  for (uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y; number < tiles; number += step) {
    place at[1];
    start(at);
    uint counted[1] = uint[1](number);
    walk(at, counted, 0, parameters.rank, false);
    uint rest = number;
    uint left_across = across.x - tile_of(rest, parameters.rank - 1) * tile_side;
    uint left_along = along.x - tile_of(rest, parameters.rank - 2) * tile_side;
    uvec2 read_at = advance(at[0].source, lane, along_more.xy, wide);
    read_at = advance(read_at, first_line, across.zw, wide);
    for (uint begin = first_line; begin < tile_side; begin += at_once * lines) {
      unit value[at_once];
      [[unroll]] for (uint i = 0; i < at_once; ++i) {
        uint line = begin + i * lines;
        location from;
        if (lane < left_along && line < left_across && locate_source(read_at, UNIT_SHIFT, from))
          value[i] = unit(source_unit(from));
        read_at = advance(read_at, 1, read_step, wide);
      }
      [[unroll]] for (uint i = 0; i < at_once; ++i) {
        uint line = begin + i * lines;
        if (line < tile_side) tile[line][column_of(line, lane)] = value[i];
      }
    }
    barrier();
    uvec2 write_at = advance(at[0].destination, lane, uvec2(1, 0), wide);
    write_at = advance(write_at, first_line, along.zw, wide);
    for (uint line = first_line; line < tile_side; line += lines) {
      location to;
      if (lane < left_across && line < left_along && locate_destination(write_at, UNIT_SHIFT, to))
        destination_unit(to) = STORED(tile[lane][column_of(lane, line)]);
      write_at = advance(write_at, 1, write_step, wide);
    }
    barrier();
  }
}

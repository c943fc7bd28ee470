// SPDX-License-Identifier: MIT
//
// destination[D(p)] = source[S(p)] where the destination is contiguous along one loop and the source along another: by
// tiles, one a workgroup. A tile is read along the source and written along the destination; in between it lies in
// shared memory. The last two loops count the tiles along either; what lies within is told by the coordinates, of which
// a copy has none: extent and strides of the loop along which the source is contiguous, then of the other one. With
// BY_16 all lines begin and end between units of 16 bytes, and are read and written by those.
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
#define COPIES
#include "common.glsl"

// Units along the sides of a tile, as `tuning::tile_side` and `tuning::tile_side_by_16` have it, and how many loads an
// invocation has on their way. Where units lie in a line is turned a little from line to line, so that those of a column
// are in different banks.
#ifdef BY_16
#define moved uvec4
const uint units_at_once = 16 / UNIT_BYTES;
const uint tile_side = UNIT_BYTES < 4 ? 64 : 32;
const uint words_of_line = tile_side * UNIT_BYTES / 4;
const uint at_once = tile_side * words_of_line / 4 / 128;
shared uint tile[tile_side][words_of_line];

uint turn_of(uint line) { return line * words_of_line / 32 % words_of_line; }

moved load(location at) { return source_vector(at); }
void store(location at, moved value) { destination_vector(at) = value; }

void keep(uint line, uint column, moved value) {
  uint word = column * UNIT_BYTES / 4;
  [[unroll]] for (uint i = 0; i < 4; ++i) tile[line][(word + i) ^ turn_of(line)] = value[i];
}

// A word of a tile's line, or the unit in it.
uint kept(uint line, uint word) { return tile[line][word ^ turn_of(line)]; }
#if UNIT_BYTES < 4
uint kept_unit(uint line, uint unit_of_line) {
  const uint units = 4 / UNIT_BYTES;
  uint word = kept(line, unit_of_line / units);
  return bitfieldExtract(word, int(unit_of_line % units * 8 * UNIT_BYTES), 8 * UNIT_BYTES);
}
#endif

// Units of the same number in lines that follow each other.
moved column_of(uint line, uint number) {
  moved value = moved(0);
#if UNIT_BYTES == 8
  [[unroll]] for (uint i = 0; i < 4; ++i) value[i] = kept(line + i / 2, 2 * number + i % 2);
#elif UNIT_BYTES == 4
  [[unroll]] for (uint i = 0; i < 4; ++i) value[i] = kept(line + i, number);
#else
  [[unroll]] for (uint i = 0; i < units_at_once; ++i)
    value[i * UNIT_BYTES / 4] |= kept_unit(line + i, number) << (i * UNIT_BYTES % 4 * 8);
#endif
  return value;
}
#else
#define moved unit
const uint units_at_once = 1;
const uint tile_side = 32;
const uint at_once = 8;
shared unit tile[tile_side][tile_side];

moved load(location at) { return unit(source_unit(at)); }
void store(location at, moved value) { destination_unit(at) = STORED(value); }
void keep(uint line, uint column, moved value) { tile[line][column ^ line] = value; }
moved column_of(uint line, uint number) { return tile[line][number ^ line]; }
#endif
const uint columns = tile_side / units_at_once;

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
  uint column = gl_LocalInvocationID.x % columns * units_at_once;
  uint first_line = gl_LocalInvocationID.x / columns;
  uint lines = gl_WorkGroupSize.x / columns;
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
    uvec2 read_at = advance(at[0].source, column, along_more.xy, wide);
    read_at = advance(read_at, first_line, across.zw, wide);
    for (uint begin = first_line; begin < tile_side; begin += at_once * lines) {
      moved value[at_once];
      [[unroll]] for (uint i = 0; i < at_once; ++i) {
        uint line = begin + i * lines;
        location from;
        if (column < left_along && line < left_across && locate_source(read_at, UNIT_SHIFT, from))
          value[i] = load(from);
        read_at = advance(read_at, 1, read_step, wide);
      }
      [[unroll]] for (uint i = 0; i < at_once; ++i) {
        uint line = begin + i * lines;
        if (line < tile_side) keep(line, column, value[i]);
      }
    }
    barrier();
    uvec2 write_at = advance(at[0].destination, column, uvec2(1, 0), wide);
    write_at = advance(write_at, first_line, along.zw, wide);
    [[unroll]] for (uint line = first_line; line < tile_side; line += lines) {
      location to;
      if (column < left_across && line < left_along && locate_destination(write_at, UNIT_SHIFT, to))
        store(to, column_of(column, line));
      write_at = advance(write_at, 1, write_step, wide);
    }
    barrier();
  }
}

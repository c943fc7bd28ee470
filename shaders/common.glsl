// SPDX-License-Identifier: MIT
//
// What every kernel does: find its points, take them apart into the steps of the loops, and resolve their indices.
//
// An invocation works on BLOCK points at once. All functions here walk through the block in their innermost loop, so
// that what is the same for all points is computed once, and that the loads of all points are on their way together.
// Those loops are unrolled: the arrays of a block are registers. The conditions of all others load nothing, as the
// validation layer (1.3.239) breaks loops whose first block it has to instrument.

#include "numbers.glsl"

layout(local_size_x = 128, local_size_x_id = 0) in;

// Values of `side`: what the tuples of indices move. Kernels that say nothing of it belong to scatters.
const uint copy_side = 0;
const uint read_side = 1;
const uint write_side = 2;
#if defined(EVERY_SIDE)
layout(constant_id = 1) const uint side = copy_side;
#elif defined(COPIES)
const uint side = copy_side;
#else
const uint side = write_side;
#endif

// Are offsets 64 bits wide, or computed modulo 2^32?
#ifdef ADDRESS
const bool wide = true;
#else
layout(constant_id = 2) const bool wide = false;
#endif

// Values of `parameters.bounds`, as ndx::bounds.
const uint bounds_clamp = 1;
const uint bounds_wrap = 2;
const uint bounds_ignore = 3;
const uint bounds_trust = 4;

// Values of `parameters.claimed`: claims are words, one for each slot, or bits, one for each tuple that stands. Tuples
// that come in another order than they have have their numbers there, from word claims_count on if that is not 0. Few
// tuples need no claims: few.glsl.
const uint claimed_slots = 1;
const uint claimed_tuples = 2;
const uint claimed_few = 3;

// Bits of `parameters.index_kind`.
const uint index_64 = 1;
const uint index_signed = 2;
const uint index_pairs = 4;  // tuples are two indices side by side, the first a whole number of pairs from the start

const uint no_word = 0xffffffff;
const uint report_header = 4;  // words before the first record
const uint report_records = 63;

layout(std140, set = 0, binding = 4) uniform parameter_block {
  uint points;
  uint tuples;
  uint tail_units;
  uint tuple_rank;
  uint rank;
  uint coordinate_count;
  uint index_kind;
  uint bounds;
  uint verdict;
  uint report;
  uint unit_bytes;
  uint claimed;
  uvec4 fill;
  uvec2 destination_base;
  uvec2 source_base;
  uvec2 indices_base;
  uvec2 coordinate_step;
  uvec2 destination_address;
  uvec2 source_address;
  uvec2 indices_address;
  uvec2 claims_address;
  uvec2 destination_first;
  uvec2 source_first;
  uint destination_count;
  uint source_count;
  uint claims_count;       // copied_words in few.glsl
  uint owners;             // first_copied_word there
  uvec2 claims_first;      // and copied_to
  uvec2 tail_divisor;      // multiplier, shift
  uvec4 loops[27];         // three a loop: extent, multiplier, slot | destination, source | indices, shift
  uvec4 coordinates[16];   // two a coordinate: extent, stride | slot
}
parameters;

layout(std430, set = 0, binding = 3) buffer status_range { uint status[]; };

// Offsets of one point: units, or indices, or slots.
struct place {
  uvec2 destination;
  uvec2 source;
  uvec2 indices;
  uvec2 slot;
};

// What an invocation has written, others of its workgroup read or write over behind a barrier, in few.glsl.
#ifdef FEW
#define VISIBLE coherent
#else
#define VISIBLE
#endif
#ifdef ADDRESS
#include "memory_address.glsl"
#else
#include "memory_buffer.glsl"
#endif

#ifdef CLAIMS
// Which tuple is this in the order that decides which one is the last?
uint rank_of(uint tuple) {
  return parameters.claims_count == 0 ? tuple : claim_word(parameters.claims_count + tuple);
}
#endif

// SLOTS: does this kernel need the slots of its tuples? They are always 64 bits wide.
#ifndef SLOTS
#define SLOTS false
#endif

// at + steps * stride, modulo 2^32 unless it is `in_64_bits`.
uvec2 advance(uvec2 at, uint steps, uvec2 stride, const bool in_64_bits) {
  if (!in_64_bits) return uvec2(at.x + steps * stride.x, 0);
  return add(at, multiply(uvec2(steps, 0), stride));
}
uvec2 advance(uvec2 at, uvec2 steps, uvec2 stride, const bool in_64_bits) {
  if (!in_64_bits) return uvec2(at.x + steps.x * stride.x, 0);
  return add(at, multiply(steps, stride));
}

// The number of this workgroup in a grid of any size, and how many there are.
uint group_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint groups() { return gl_NumWorkGroups.x * gl_NumWorkGroups.y; }

// The first point of this invocation, and how many points the grid takes at once. The points of an invocation are a
// workgroup apart, so that neighbours touch neighbours.
uint first_point() { return group_number() * gl_WorkGroupSize.x * BLOCK + gl_LocalInvocationID.x; }
uint points_of_grid() { return groups() * gl_WorkGroupSize.x * BLOCK; }

// The points of a block. What is beyond the last point does the work of the last one, so that only what stores has to
// ask; the answer is whether the point is one of its own.
void points_of_block(uint first, out uint point[BLOCK], out bool own[BLOCK]) {
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    uint number = first + i * gl_WorkGroupSize.x;
    own[i] = number < parameters.points;
    point[i] = min(number, parameters.points - 1);
  }
}

void start(out place at[BLOCK]) {
  [[unroll]] for (uint i = 0; i < BLOCK; ++i)
    at[i] = place(parameters.destination_base, parameters.source_base, parameters.indices_base, uvec2(0));
}

// Takes numbers apart into the steps of the loops [begin, end), row-major, and adds what they are in offsets. The
// outermost loop needs no division.
void walk(inout place at[BLOCK], uint number[BLOCK], uint begin, uint end, const bool of_tuples) {
  for (uint d = end; d > begin; --d) {
    uvec4 extent = parameters.loops[3 * d - 3];
    uvec4 strides = parameters.loops[3 * d - 2];
    uvec4 more = parameters.loops[3 * d - 1];
    uint steps[BLOCK];
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) steps[i] = number[i];
    if (d - 1 > begin) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
        number[i] = quotient(steps[i], extent.y, more.z);
        steps[i] -= number[i] * extent.x;
      }
    }
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      at[i].destination = advance(at[i].destination, steps[i], strides.xy, wide);
      at[i].source = advance(at[i].source, steps[i], strides.zw, wide);
      if (of_tuples) at[i].indices = advance(at[i].indices, steps[i], more.xy, wide_indices);
    }
    if (of_tuples && SLOTS) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) at[i].slot = advance(at[i].slot, steps[i], extent.zw, true);
    }
  }
}

// Is what this kernel belongs to found to be void, because one of its indices is bad?
bool is_void() { return parameters.verdict != no_word && status[parameters.verdict] != 0; }

// Remembers a bad index, if its tuple is the first so far. With the atomics of a status word as the second question,
// few of many bad tuples get as far as those.
void report(uint tuple, uint coordinate, uvec2 value) {
#ifdef SETS_VERDICT
  if (parameters.verdict != no_word && status[parameters.verdict] == 0) atomicOr(status[parameters.verdict], 1);
#endif
  uint word = parameters.report;
  if (word == no_word || tuple >= status[word]) return;
  if (tuple >= atomicMin(status[word], tuple)) return;
  uint record = atomicAdd(status[word + 1], 1);
  if (record >= report_records) return;
  word += report_header + 4 * record;
  status[word] = tuple;
  status[word + 1] = coordinate;
  status[word + 2] = value.x;
  status[word + 3] = value.y;
}

// One index on an axis; false if it is bad. As ndx::plan::resolve_index: compares before anything is narrowed, so that
// no value can wrap around into the range.
bool resolve_index(uvec2 value, bool below_zero, uvec2 extent, out uvec2 index) {
  index = value;
  bool empty = (extent.x | extent.y) == 0;
  if (parameters.bounds == bounds_wrap) {
    if (empty) return false;
    index = remainder(below_zero ? ~value : value, extent);  // ~value is -value - 1, which always fits
    if (below_zero) index = subtract(subtract(extent, uvec2(1, 0)), index);
    return true;
  }
  if (below_zero) index = add(value, extent);  // still above every extent if it was below -extent
  if (parameters.bounds == bounds_trust || less(index, extent)) return true;
  if (parameters.bounds != bounds_clamp || empty) return false;
  index = below_zero ? uvec2(0) : subtract(extent, uvec2(1, 0));
  return true;
}

// Moves the points on by the indices of their tuples; a tuple with a bad index is not good.
void resolve(inout place at[BLOCK], uint tuple[BLOCK], bool reports[BLOCK], out bool good[BLOCK]) {
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) good[i] = true;
  bool may_be_negative = (parameters.index_kind & index_signed) != 0;
  bool has_64_bits = (parameters.index_kind & index_64) != 0;
#ifdef READS_PAIRS
  bool in_pairs = (parameters.index_kind & index_pairs) != 0;
#else
  const bool in_pairs = false;
#endif
  uvec2 second[BLOCK];
  for (uint c = 0, count = parameters.coordinate_count; c < count; ++c) {
    uvec2 value[BLOCK];
    if (in_pairs && c != 0) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) value[i] = second[i];
    } else if (in_pairs && has_64_bits) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
        uvec4 pair = load_pair_64(at[i].indices);
        value[i] = pair.xy;
        second[i] = pair.zw;
      }
    } else if (has_64_bits) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) value[i] = load_index_64(at[i].indices);
    } else {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
        uvec2 read = in_pairs ? load_pair_32(at[i].indices) : uvec2(load_index_32(at[i].indices), 0);
        value[i] = uvec2(read.x, may_be_negative && int(read.x) < 0 ? 0xffffffff : 0);
        second[i] = uvec2(read.y, may_be_negative && int(read.y) < 0 ? 0xffffffff : 0);
      }
    }
    uvec4 axis = parameters.coordinates[2 * c];
    uvec4 more = parameters.coordinates[2 * c + 1];
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      uvec2 index;
      if (!resolve_index(value[i], may_be_negative && negative(value[i]), axis.xy, index)) {
        if (good[i] && reports[i] && parameters.bounds != bounds_ignore) report(tuple[i], c, value[i]);
        good[i] = false;
      }
      if (side == read_side) at[i].source = advance(at[i].source, index, axis.zw, wide);
      else at[i].destination = advance(at[i].destination, index, axis.zw, wide);
      if (SLOTS) at[i].slot = advance(at[i].slot, index, more.xy, true);
      at[i].indices = advance(at[i].indices, 1, parameters.coordinate_step, wide_indices);
    }
  }
}

// Where points are: takes each apart into a tuple and a unit of its tail, which is all of it where nothing has tuples.
void find(uint point[BLOCK], out place at[BLOCK], out uint tuple[BLOCK], out bool good[BLOCK]) {
  start(at);
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    tuple[i] = point[i];
    good[i] = true;
  }
  if (side != copy_side) {
    if (parameters.tail_units > 1) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
        tuple[i] = quotient(point[i], parameters.tail_divisor.x, parameters.tail_divisor.y);
        point[i] -= tuple[i] * parameters.tail_units;
      }
    } else {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) point[i] = 0;
    }
    bool reports[BLOCK];
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) reports[i] = point[i] == 0;
    walk(at, tuple, 0, parameters.tuple_rank, true);
    resolve(at, tuple, reports, good);
  }
  walk(at, point, parameters.tuple_rank, parameters.rank, false);
}

// SPDX-License-Identifier: MIT
//
// Brings the points of a scatter into buckets: each takes the updates of one part of the destination, so that what a
// part of the device writes at a time lies close together. A point becomes a pair of the number of its unit, counted
// from the first one that the scatter can reach, and its update; a bad tuple's number is one that is out of reach. The
// pairs of a bucket lie one after the other, in any order. With COUNTS the points of the buckets are counted, which has
// to come first; while it does, it may look at the indices as well, as check.comp does. With NUMBERS the number of the
// point that a pair is made of is kept as well, for the last of duplicates.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#define BLOCK 4
#define READS_PAIRS
#define CLAIMS
#ifdef COUNTS
#define SETS_VERDICT
#else
#define WORDS
#define CLAIM_PAIRS
#endif
#include "common.glsl"
#ifndef COUNTS
#include "subword.glsl"
#endif

// The scratch: a count for each bucket, then how many of its pairs have got a place, then the pairs. With NUMBERS a bit
// for each of them comes before, for sign.comp, and then the number of each.
const uint buckets = 256;
#ifdef NUMBERS
uint first_number() { return 2 * buckets + (parameters.points + 31) / 32; }
uint first_pair() { return (first_number() + parameters.points + 1) / 2; }
#else
uint first_pair() { return buckets; }
#endif

shared uint counts[buckets];

uint bucket_of(uint number) { return min(number >> findMSB(parameters.claims_count), buckets - 1); }

// Numbers of units are below 2^32, so their low words are enough.
uint number_of(place at, bool good) {
  return good ? at.destination.x - parameters.destination_base.x - parameters.claims_first.x : no_word;
}

#define for_each_bucket(b) for (uint b = gl_LocalInvocationID.x; b < buckets; b += gl_WorkGroupSize.x)

void clear_counts() {
  for_each_bucket(b) counts[b] = 0;
  barrier();
}

#ifdef COUNTS

void main() {
  bool looks = parameters.report != no_word;  // and then at all of them, for the first bad one
  if (!looks && is_void()) return;
  clear_counts();
  for (uint first = first_point(), points = parameters.points; first < points; first += points_of_grid()) {
    uint point[BLOCK];
    bool own[BLOCK];
    points_of_block(first, point, own);
    place at[BLOCK];
    uint tuple[BLOCK];
    bool good[BLOCK];
    find(point, at, tuple, good);
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      if (own[i]) atomicAdd(counts[bucket_of(number_of(at[i], good[i]))], 1);
    }
  }
  barrier();
  for_each_bucket(b) {
    if (counts[b] != 0) atomicAdd(claim_word(b), counts[b]);
  }
}

#else

// A workgroup takes a tile of points at once, and sorts it, so that it writes the pairs of a bucket together.
const uint blocks_of_tile = 2;
const uint pairs_of_invocation = blocks_of_tile * BLOCK;

shared uvec2 tile[gl_WorkGroupSize.x * pairs_of_invocation];
shared uint starts[buckets];   // of the buckets, in the scratch
shared uint cursors[buckets];  // in the tile
shared uint sums[16];          // of 16 buckets each
#ifdef NUMBERS
shared uint numbers[gl_WorkGroupSize.x * pairs_of_invocation];  // of the points in the sorted tile
#endif

// How many pairs there are before those of a bucket, by the counts.
uint count_before(uint bucket) {
  uint result = 0;
  for (uint s = 0; s < bucket / 16; ++s) result += sums[s];
  for (uint b = bucket / 16 * 16; b < bucket; ++b) result += counts[b];
  return result;
}
void sum_counts() {
  barrier();
  for (uint s = gl_LocalInvocationID.x; s < 16; s += gl_WorkGroupSize.x) {
    uint sum = 0;
    for (uint b = 0; b < 16; ++b) sum += counts[16 * s + b];
    sums[s] = sum;
  }
  barrier();
}

// The points from `begin` on as pairs in the tile, in their order, and counted.
void fill_tile(uint begin) {
  for (uint block = 0; block < blocks_of_tile; ++block) {
    uint first = block * BLOCK * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    uint point[BLOCK];
    bool own[BLOCK];
    points_of_block(begin + first, point, own);
    place at[BLOCK];
    uint tuple[BLOCK];
    bool good[BLOCK];
    find(point, at, tuple, good);
    uint update[BLOCK];
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      location from;
      update[i] = 0;  // loaded whatever the indices are, so that it need not wait for them
      if (locate_source(at[i].source, 2, from)) update[i] = source_word(from);
    }
    [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
      if (!own[i]) continue;
      uint number = number_of(at[i], good[i]);
      tile[first + i * gl_WorkGroupSize.x] = uvec2(number, update[i]);
      atomicAdd(counts[bucket_of(number)], 1);
    }
  }
}

void sort_tile(uint begin, uint count) {
  uvec2 pair[pairs_of_invocation];
  [[unroll]] for (uint i = 0; i < pairs_of_invocation; ++i) {
    uint number = gl_LocalInvocationID.x + i * gl_WorkGroupSize.x;
    if (number < count) pair[i] = tile[number];
  }
  barrier();
  [[unroll]] for (uint i = 0; i < pairs_of_invocation; ++i) {
    uint number = gl_LocalInvocationID.x + i * gl_WorkGroupSize.x;
    if (number >= count) continue;
    uint to = atomicAdd(cursors[bucket_of(pair[i].x)], 1);
    tile[to] = pair[i];
#ifdef NUMBERS
    numbers[to] = begin + number;
#endif
  }
  barrier();
}

void main() {
  if (is_void()) return;
  for_each_bucket(b) counts[b] = claim_word(b);
  sum_counts();
  for_each_bucket(b) starts[b] = count_before(b);
  uint points = parameters.points;
  uint points_of_tile = gl_WorkGroupSize.x * pairs_of_invocation;
  for (uint begin = group_number() * points_of_tile; begin < points; begin += groups() * points_of_tile) {
    uint count = min(points_of_tile, points - begin);
    barrier();
    clear_counts();
    fill_tile(begin);
    sum_counts();
    for_each_bucket(b) cursors[b] = count_before(b);
    barrier();
    // What is to be added to the place of a pair in the tile to get that in the scratch.
    for_each_bucket(b) {
      if (counts[b] != 0) counts[b] = starts[b] + atomicAdd(claim_word(buckets + b), counts[b]) - cursors[b];
    }
    sort_tile(begin, count);
    for (uint i = gl_LocalInvocationID.x; i < count; i += gl_WorkGroupSize.x) {
      uvec2 pair = tile[i];
      uint to = counts[bucket_of(pair.x)] + i;
      claim_pair(first_pair() + to) = pair;
#ifdef NUMBERS
      claim_word(first_number() + to) = numbers[i];
#endif
    }
  }
}

#endif

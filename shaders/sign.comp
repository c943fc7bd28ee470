// SPDX-License-Identifier: MIT
//
// Every tuple signs the row that it leads to: its number + 1 goes where the row begins, in the destination itself, as
// the row will be written there next. With CONTESTS, which comes after, the largest number stays. Whoever loses a row
// is struck from the list of those who write theirs: a bit for each tuple. A number that is not there at the end was
// found to be too small, or was replaced by a larger one, which strikes it. What comes out of buckets is not stored but
// exchanged, as it is written afterwards (bucket.comp).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#define BLOCK 4
#define CLAIMS
#define WORDS
#include "common.glsl"

#ifdef CONTESTS
void strike(uint tuple) { atomicAnd(claim_word(tuple >> 5), ~(1u << (tuple & 31))); }
#endif

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
      location row;
      bool signs = locate_destination(at[i].destination, 2, row) && own[i] && good[i];
      uint number = rank_of(tuple[i]) + 1;
#ifdef CONTESTS
      if (!signs) continue;
      uint other = destination_word(row);  // mostly its own number, which ends it
      if (other < number) other = atomicMax(destination_word(row), number);
      if (other > number) strike(number - 1);
      if (other < number) strike(other - 1);
#else
      if (own[i] && (tuple[i] & 31) == 0) claim_word(tuple[i] >> 5) = 0xffffffff;
      if (!signs) continue;
      if (parameters.claims_count != 0) atomicExchange(destination_word(row), number);
      else destination_word(row) = number;
#endif
    }
  }
}

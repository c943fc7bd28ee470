// SPDX-License-Identifier: MIT
//
// Few tuples: each workgroup looks at all of them before it moves a part of what they move, so that nothing has to
// happen before. Modules of their own have this: in the others, where it is never called, the shared memory that it
// takes was less cache. To be included after common.glsl.

shared uvec2 few_places[gl_WorkGroupSize.x * BLOCK];
shared uint few_stand[gl_WorkGroupSize.x * BLOCK];  // 0: the tuple is bad, or not the last one that goes there
shared uint few_are_bad;

// May anything be written? The first workgroup reports what is bad. Where the last of duplicates counts, finds those
// that stand.
bool few_are_good() {
  if (gl_LocalInvocationID.x == 0) few_are_bad = 0;
  barrier();
  uint tuple[BLOCK];
  bool own[BLOCK];
  bool reports[BLOCK];
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    uint number = gl_LocalInvocationID.x + i * gl_WorkGroupSize.x;
    own[i] = number < parameters.tuples;
    reports[i] = own[i] && group_number() == 0;
    tuple[i] = min(number, parameters.tuples - 1);
  }
  place at[BLOCK];
  start(at);
  walk(at, tuple, 0, parameters.tuple_rank, true);
  bool good[BLOCK];
  resolve(at, tuple, reports, good);
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    if (own[i]) {
      few_places[tuple[i]] = at[i].destination;
      few_stand[tuple[i]] = good[i] ? 1 : 0;
      if (!good[i] && parameters.bounds != bounds_ignore) atomicOr(few_are_bad, 1);
    }
  }
  barrier();
  if (few_are_bad != 0) return false;
  if (parameters.claimed != claimed_few) return true;
  uint stands[BLOCK];
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    stands[i] = few_stand[tuple[i]];
    for (uint later = tuple[i] + 1, tuples = parameters.tuples; later < tuples; ++later) {
      if (few_places[later] == few_places[tuple[i]] && few_stand[later] != 0) stands[i] = 0;
    }
  }
  barrier();
  [[unroll]] for (uint i = 0; i < BLOCK; ++i) {
    if (own[i]) few_stand[tuple[i]] = stands[i];
  }
  barrier();
  return true;
}

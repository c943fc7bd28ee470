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

// A scatter that copies its input: each workgroup copies a share of that, and then goes through all points and moves
// those that lead into its share. So none has to wait for another. The input is where claims are otherwise.
#define copied_words parameters.claims_count       // 0: nothing is copied
#define first_copied_word parameters.owners        // of the range that is bound
#define copied_to parameters.claims_first          // in bytes, where the destination's offsets count from

#ifdef STORED
#define COPIED_SHIFT UNIT_SHIFT
#define copied_unit unit
#else
#define COPIED_SHIFT 2
#define copied_unit uint
#endif

copied_unit load_copied(uint number) {
  uint word = first_copied_word + (number << (COPIED_SHIFT - 2));
#if defined(STORED) && UNIT_BYTES == 16
  return uvec4(claim_word(word), claim_word(word + 1), claim_word(word + 2), claim_word(word + 3));
#else
  return claim_word(word);
#endif
}
void store_copied(uint number, copied_unit value) {
#ifdef STORED
  destination_unit(from_byte(copied_to, number, COPIED_SHIFT)) = value;
#else
  destination_word(from_byte(copied_to, number, COPIED_SHIFT)) = value;
#endif
}

uint share_begin = 0;
uint share_end = 0xffffffff;

void copy_share() {
  if (copied_words == 0) return;
  uint units = copied_words >> (COPIED_SHIFT - 2);
  uint share = (units + groups() - 1) / groups();
  share_begin = min(group_number() * share, units);
  share_end = min(share_begin + share, units);
  const uint at_once = 4;
  for (uint first = share_begin + gl_LocalInvocationID.x; first < share_end; first += at_once * gl_WorkGroupSize.x) {
    copied_unit value[at_once];
    [[unroll]] for (uint i = 0; i < at_once; ++i)
      value[i] = load_copied(min(first + i * gl_WorkGroupSize.x, share_end - 1));
    [[unroll]] for (uint i = 0; i < at_once; ++i) {
      uint number = first + i * gl_WorkGroupSize.x;
      if (number < share_end) store_copied(number, value[i]);
    }
  }
  memoryBarrierBuffer();
  barrier();
}

// Does an offset of the destination, in units of 1 << shift bytes, lead into this workgroup's share?
bool is_in_share(uvec2 destination, uint shift) {
  if (copied_words == 0) return true;
  uint number = ((destination.x << shift) - copied_to.x) >> COPIED_SHIFT;
  return number >= share_begin && number < share_end;
}

// The points of this workgroup: some, or all that may lead into its share.
uint first_of_few() { return copied_words == 0 ? first_point() : gl_LocalInvocationID.x; }
uint few_at_once() { return copied_words == 0 ? points_of_grid() : gl_WorkGroupSize.x * BLOCK; }

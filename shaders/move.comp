// SPDX-License-Identifier: MIT
//
// destination[D(p)] = source[S(p)] for all points p of a nest of loops, one side moved further by tuples of indices:
// every copy, slice, gather and scatter. UNIT_BYTES says how large a unit is; without it units are 1 or 2 bytes inside
// of words, for devices that store nothing smaller. With ROWS tuples move contiguous rows, each found once a workgroup,
// and with FETCHES_ENDS, which is for scatters, the sectors at their ends are read before they are written. With
// EXCHANGES what is stored is exchanged for what was there, which is then thrown away. With FEW each workgroup of a
// scatter looks at all tuples first. With UNALIGNED, which is for copies, units begin anywhere in the source, whose
// offsets count elements of parameters.unit_bytes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef ADDRESS
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

#include "units.glsl"
#if defined(EXCHANGES) || defined(FETCHES_ENDS) || defined(UNALIGNED)
#define WORDS
#endif

#ifdef ROWS
#undef BLOCK
#define BLOCK 1
#define POINTS (32 / UNIT_BYTES)
#endif

#ifdef UNALIGNED
#define COPIES
#define SOURCE_SHIFT uint(findMSB(parameters.unit_bytes))
#else
#define SOURCE_SHIFT UNIT_SHIFT
#ifndef FEW
#define EVERY_SIDE
#endif
#endif
#ifndef ROWS
#define READS_PAIRS
#endif
#define CLAIMS
#define SLOTS (side == write_side && parameters.claimed == claimed_slots)
#define CLAIMED (side == write_side && parameters.claimed != 0)
#include "common.glsl"

#ifdef FEW
#include "few.glsl"
#endif

#ifdef STORED
#if defined(UNALIGNED)
// The 32 bits from `bit` on of two words.
uint cut(uint word, uint next, uint bit) { return bit == 0 ? word : (word >> bit) | (next << (32 - bit)); }

// Out of the words that have a part of the unit. What comes after those may belong to nobody.
unit load(location at) {
  const uint count = UNIT_BYTES / 4;
  uint bit;
  location first = word_of(at, SOURCE_SHIFT, bit);
  uint words[count + 1];
  [[unroll]] for (uint i = 0; i < count; ++i) words[i] = source_word(word_after(first, i));
  words[count] = 0;
  if (bit != 0) words[count] = source_word(word_after(first, count));
#if UNIT_BYTES == 16
  unit value;
  [[unroll]] for (uint i = 0; i < count; ++i) value[i] = cut(words[i], words[i + 1], bit);
  return value;
#else
  return cut(words[0], words[1], bit);
#endif
}
#elif UNIT_BYTES == 16
// What a unit is to be stored as that was read backwards, in elements of parameters.unit_bytes.
uvec4 turned(uvec4 value) {
  if (parameters.unit_bytes == 8) return value.zwxy;
  value = value.wzyx;
  if (parameters.unit_bytes <= 2) value = (value << 16) | (value >> 16);
  if (parameters.unit_bytes == 1) value = ((value & 0x00ff00ff) << 8) | ((value >> 8) & 0x00ff00ff);
  return value;
}

unit load(location at) {
  unit value = source_unit(at);
  if (side == copy_side && parameters.unit_bytes < 16) value = turned(value);
  return value;
}
#else
unit load(location at) { return unit(source_unit(at)); }
#endif
#ifdef EXCHANGES
void store(location at, unit value) { atomicExchange(destination_word(at), value); }
#else
void store(location at, unit value) { destination_unit(at) = STORED(value); }
#endif
#else
#include "subword.glsl"

unit load(location at) {
  uint bit;
  location word = word_of(at, UNIT_SHIFT, bit);
  return extract(source_word(word), bit, 8 << UNIT_SHIFT);
}
void store(location at, unit value) {
  uint bit;
  location word = word_of(at, UNIT_SHIFT, bit);
  uint seen = destination_word(word);
  uint old;
  do {
    old = seen;
    seen = atomicCompSwap(destination_word(word), old, insert(old, value, bit, 8 << UNIT_SHIFT));
  } while (seen != old);
}
#endif

// Does this tuple's claim stand: is it the last one that goes there?
bool claim_stands(uvec2 slot, uint tuple) {
  if (parameters.claimed == claimed_tuples) {
#ifdef EXCHANGES
    tuple = rank_of(tuple);
#endif
    return (claim_word(tuple >> 5) >> (tuple & 31) & 1) != 0;
  }
  uvec2 number = subtract(slot, parameters.claims_first);
  if (number.y != 0 || number.x >= parameters.claims_count) return false;
  return claim_word(number.x) == tuple + 1;
}

#ifdef FETCHES_ENDS
// Memory is written by sectors. A row that begins or ends within one writes a part of it, and if the cache does not have
// that sector, that takes the memory longer than to read and write all of it. So who finds a row reads the words at such
// ends, and looks at them when all is stored: nobody waits for them before.
const uint sector_bytes = 32;
uint first_word = 0;
uint last_word = 0;

#ifdef ADDRESS
uint byte_of(location at) { return at.x; }
#define END_WORD(at) destination_word(at)
#else
uint byte_of(location at) { return at << UNIT_SHIFT; }
#define END_WORD(at) destination_word((at) << (UNIT_SHIFT - 2))
#endif

void fetch_ends(place row) {
  location first;
  location last;
  locate_destination(row.destination, UNIT_SHIFT, first);
  locate_destination(advance(row.destination, parameters.tail_units - 1, uvec2(1, 0), wide), UNIT_SHIFT, last);
  if (byte_of(first) % sector_bytes != 0) first_word = END_WORD(first);
  if ((byte_of(last) + UNIT_BYTES) % sector_bytes != 0) last_word = END_WORD(last);
}

// Never done, as no plan has so many loops; but no compiler may know.
void use_ends() {
  if (parameters.rank > 255) status[0] = first_word + last_word;
}
#define FETCH_ENDS(row) fetch_ends(row)
#else
#define FETCH_ENDS(row)
void use_ends() {}
#endif

#ifdef ROWS
#define KEEPS_ROW(at, tuple) (!(CLAIMED) || claim_stands(at.slot, tuple))
#include "rows.glsl"
#else
#define POINTS BLOCK
#endif

// Moves the points that it `stores`; nothing is loaded by a tuple that is not good.
void move(place at[POINTS], bool stores[POINTS], bool good[POINTS]) {
  bool fills = side == read_side && parameters.bounds == bounds_ignore;
  unit value[POINTS];
  location to[POINTS];
  [[unroll]] for (uint i = 0; i < POINTS; ++i) {
    location from;
    bool loads = locate_source(at[i].source, SOURCE_SHIFT, from) && good[i] && stores[i];
    value[i] = FILL;
    if (loads) value[i] = load(from);
    stores[i] = locate_destination(at[i].destination, UNIT_SHIFT, to[i]) && stores[i] && (loads || (fills && !good[i]));
  }
  [[unroll]] for (uint i = 0; i < POINTS; ++i) {
    if (stores[i]) store(to[i], value[i]);
  }
}

void main() {
  if (is_void()) return;
#ifdef FEW
  if (!few_are_good()) return;
  copy_share();
  uint begin = first_of_few();
  uint step = few_at_once();
#elif !defined(ROWS)
  uint begin = first_point();
  uint step = points_of_grid();
#endif
  place at[POINTS];
  bool own[POINTS];
  bool good[POINTS];
#ifdef ROWS
  for (uint begin = first_of_group(), points = parameters.points; begin < points; begin += points_of_groups()) {
    find_rows(begin);
    points_of_rows(begin, at, own, good);
    move(at, own, good);
    use_ends();
    barrier();
  }
#else
  for (uint first = begin, points = parameters.points; first < points; first += step) {
    uint point[BLOCK];
    points_of_block(first, point, own);
    uint tuple[BLOCK];
    find(point, at, tuple, good);
    if (side == write_side && parameters.rank == parameters.tuple_rank + 1) {
      // Short rows have more invocations than units.
      uint units = parameters.loops[3 * parameters.tuple_rank].x;
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) own[i] = own[i] && point[i] - tuple[i] * parameters.tail_units < units;
    }
#ifdef FEW
    [[unroll]] for (uint i = 0; i < BLOCK; ++i)
      good[i] = good[i] && few_stand[tuple[i]] != 0 && is_in_share(at[i].destination, UNIT_SHIFT);
#else
    if (CLAIMED) {
      [[unroll]] for (uint i = 0; i < BLOCK; ++i) good[i] = good[i] && claim_stands(at[i].slot, tuple[i]);
    }
#endif
    move(at, own, good);
  }
#endif
}

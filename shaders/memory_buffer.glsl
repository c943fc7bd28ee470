// SPDX-License-Identifier: MIT
//
// Memory as storage buffers. Several views of one binding differ in the type of what they hold; a kernel declares those
// that it uses: STORED (units of that type), WORDS (32-bit words), INTS, FLOATS, PAIRS (uvec2), LONGS (64-bit integers),
// CLAIMS.

// Where a unit, an element or a word stands: its number in the range that is bound.
#define location uint

const bool wide_indices = false;

layout(std430, set = 0, binding = 2) restrict readonly buffer indices_of_32 { uint indices_32[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer indices_of_64 { uvec2 indices_64[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer pairs_of_64 { uvec4 paired_indices_64[]; };

uint load_index_32(uvec2 at) { return indices_32[at.x]; }
uvec2 load_index_64(uvec2 at) { return indices_64[at.x]; }
uvec2 load_pair_32(uvec2 at) { return indices_64[at.x >> 1]; }
uvec4 load_pair_64(uvec2 at) { return paired_indices_64[at.x >> 1]; }

// A range may be a window of a larger tensor: is this unit in it?
bool locate(uvec2 offset, uvec2 first, uint count, out location at) {
  at = offset.x;
  if (!wide) return true;
  uvec2 in_window = subtract(offset, first);
  at = in_window.x;
  return in_window.y == 0 && in_window.x < count;
}
bool locate_destination(uvec2 offset, uint shift, out location at) {
  return locate(offset, parameters.destination_first, parameters.destination_count, at);
}
bool locate_source(uvec2 offset, uint shift, out location at) {
  return locate(offset, parameters.source_first, parameters.source_count, at);
}

// The word that an element of 1 << shift bytes, at most 4, is in, and its lowest bit there.
location word_of(location at, uint shift, out uint bit) {
  bit = ((at << shift) & 3) * 8;
  return at >> (2 - shift);
}
location word_after(location word, uint words) { return word + words; }
// A unit of 1 << shift bytes of the destination, counted from a byte of it on.
location from_byte(uvec2 byte, uint number, uint shift) { return (byte.x >> shift) + number; }

#ifdef STORED
layout(std430, set = 0, binding = 0) VISIBLE writeonly buffer destination_units { STORED destination[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer source_units { STORED source[]; };
#define destination_unit(at) destination[at]
#define source_unit(at) source[at]
#endif
#ifdef WORDS
layout(std430, set = 0, binding = 0) VISIBLE buffer destination_range { uint destination_words[]; };
layout(std430, set = 0, binding = 1) readonly buffer source_range { uint source_words[]; };
#define destination_word(at) destination_words[at]
#define source_word(at) source_words[at]
#endif
#ifdef VECTORS
// By the units that they begin with.
layout(std430, set = 0, binding = 0) writeonly buffer destination_vector_range { uvec4 destination_vectors[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer source_vector_range { uvec4 source_vectors[]; };
#define destination_vector(at) destination_vectors[(at) >> (4 - UNIT_SHIFT)]
#define source_vector(at) source_vectors[(at) >> (4 - UNIT_SHIFT)]
#endif
#ifdef INTS
layout(std430, set = 0, binding = 0) buffer destination_int_range { int destination_ints[]; };
#define destination_int(at) destination_ints[at]
#endif
#ifdef FLOATS
layout(std430, set = 0, binding = 0) buffer destination_float_range { float destination_floats[]; };
#define destination_float(at) destination_floats[at]
#endif
#ifdef PAIRS
layout(std430, set = 0, binding = 0) buffer destination_pair_range { uvec2 destination_pairs[]; };
layout(std430, set = 0, binding = 1) readonly buffer source_pair_range { uvec2 source_pairs[]; };
#define destination_pair(at) destination_pairs[at]
#define source_pair(at) source_pairs[at]
#endif
#ifdef LONGS
layout(std430, set = 0, binding = 0) buffer destination_ulong_range { uint64_t destination_ulongs[]; };
layout(std430, set = 0, binding = 0) buffer destination_long_range { int64_t destination_longs[]; };
layout(std430, set = 0, binding = 1) readonly buffer source_ulong_range { uint64_t source_ulongs[]; };
#define destination_ulong(at) destination_ulongs[at]
#define destination_long(at) destination_longs[at]
#define source_ulong(at) source_ulongs[at]
#endif
#ifdef CLAIMS
layout(std430, set = 0, binding = 5) buffer claim_range { uint claims[]; };
#define claim_word(number) claims[number]
#endif
#ifdef CLAIM_PAIRS
layout(std430, set = 0, binding = 5) writeonly buffer claim_pair_range { uvec2 claim_pairs[]; };
#define claim_pair(number) claim_pairs[number]
#endif

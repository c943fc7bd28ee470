// SPDX-License-Identifier: MIT
//
// Memory as device addresses: the same names as in memory_buffer.glsl, for tensors that no binding can hold. There are
// no windows, and everything is 64 bits wide.

// Where a unit, an element or a word stands: its address.
#define location uvec2

const bool wide_indices = true;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer index_32_at { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer index_64_at { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer index_pair_64_at { uvec4 value; };

location address_of(uvec2 base, uvec2 offset, uint shift) { return add(base, shift_left(offset, shift)); }

uint load_index_32(uvec2 at) { return index_32_at(address_of(parameters.indices_address, at, 2)).value; }
uvec2 load_index_64(uvec2 at) { return index_64_at(address_of(parameters.indices_address, at, 3)).value; }
uvec2 load_pair_32(uvec2 at) { return index_64_at(address_of(parameters.indices_address, at, 2)).value; }
uvec4 load_pair_64(uvec2 at) { return index_pair_64_at(address_of(parameters.indices_address, at, 3)).value; }

bool locate_destination(uvec2 offset, uint shift, out location at) {
  at = address_of(parameters.destination_address, offset, shift);
  return true;
}
bool locate_source(uvec2 offset, uint shift, out location at) {
  at = address_of(parameters.source_address, offset, shift);
  return true;
}

location word_of(location at, uint shift, out uint bit) {
  bit = (at.x & 3) * 8;
  return uvec2(at.x & ~3u, at.y);
}
location word_after(location word, uint words) { return add(word, uvec2(4 * words, 0)); }
location from_byte(uvec2 byte, uint number, uint shift) {
  return address_of(add(parameters.destination_address, byte), uvec2(number, 0), shift);
}

#ifdef STORED
layout(buffer_reference, std430, buffer_reference_align = UNIT_BYTES) VISIBLE writeonly buffer destination_at {
  STORED value;
};
layout(buffer_reference, std430, buffer_reference_align = UNIT_BYTES) readonly buffer source_at { STORED value; };
#define destination_unit(at) destination_at(at).value
#define source_unit(at) source_at(at).value
#endif
#ifdef WORDS
layout(buffer_reference, std430, buffer_reference_align = 4) VISIBLE buffer destination_word_at { uint value; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer source_word_at { uint value; };
#define destination_word(at) destination_word_at(at).value
#define source_word(at) source_word_at(at).value
#endif
#ifdef VECTORS
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer destination_vector_at { uvec4 value; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer source_vector_at { uvec4 value; };
#define destination_vector(at) destination_vector_at(at).value
#define source_vector(at) source_vector_at(at).value
#endif
#ifdef INTS
layout(buffer_reference, std430, buffer_reference_align = 4) buffer destination_int_at { int value; };
#define destination_int(at) destination_int_at(at).value
#endif
#ifdef FLOATS
layout(buffer_reference, std430, buffer_reference_align = 4) buffer destination_float_at { float value; };
#define destination_float(at) destination_float_at(at).value
#endif
#ifdef PAIRS
layout(buffer_reference, std430, buffer_reference_align = 8) buffer destination_pair_at { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer source_pair_at { uvec2 value; };
#define destination_pair(at) destination_pair_at(at).value
#define source_pair(at) source_pair_at(at).value
#endif
#ifdef LONGS
layout(buffer_reference, std430, buffer_reference_align = 8) buffer destination_ulong_at { uint64_t value; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer destination_long_at { int64_t value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer source_ulong_at { uint64_t value; };
#define destination_ulong(at) destination_ulong_at(at).value
#define destination_long(at) destination_long_at(at).value
#define source_ulong(at) source_ulong_at(at).value
#endif
#ifdef CLAIMS
layout(buffer_reference, std430, buffer_reference_align = 4) buffer claim_at { uint value; };
#define claim_word(number) claim_at(address_of(parameters.claims_address, uvec2(number, 0), 2)).value
#endif
#ifdef CLAIM_PAIRS
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer claim_pair_at { uvec2 value; };
#define claim_pair(number) claim_pair_at(address_of(parameters.claims_address, uvec2(number, 0), 3)).value
#endif

// SPDX-License-Identifier: MIT
//
// What a unit is, by UNIT_BYTES. Without it units are 1 or 2 bytes inside of words, for devices that store nothing
// smaller. To be included before common.glsl.

// About 32 bytes of an invocation are to be on their way at once.
#ifdef UNIT_BYTES
#if UNIT_BYTES == 16
#define STORED uvec4
#define unit uvec4
#define UNIT_SHIFT 4
#define FILL parameters.fill
#define BLOCK 2
#elif UNIT_BYTES == 8
#define STORED uvec2
#define unit uvec2
#define UNIT_SHIFT 3
#define FILL parameters.fill.xy
#define BLOCK 2
#elif UNIT_BYTES == 4
#define STORED uint
#define UNIT_SHIFT 2
#elif UNIT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#define STORED uint16_t
#define UNIT_SHIFT 1
#elif UNIT_BYTES == 1
#extension GL_EXT_shader_8bit_storage : require
#define STORED uint8_t
#define UNIT_SHIFT 0
#endif
#else
#define WORDS
#define UNIT_SHIFT (parameters.unit_bytes >> 1)
#endif
// Tiles by 16 bytes need no storage of such elements.
#ifdef BY_16
#define VECTORS
#undef STORED
#endif
#ifndef unit
#define unit uint
#define FILL parameters.fill.x
#define BLOCK 4
#endif

// SPDX-License-Identifier: MIT
//
// Elements below 32 bits inside of a word.

uint extract(uint word, uint bit, uint bits) { return bitfieldExtract(word, int(bit), int(bits)); }

uint insert(uint word, uint value, uint bit, uint bits) { return bitfieldInsert(word, value, int(bit), int(bits)); }

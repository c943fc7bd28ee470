# SPDX-License-Identifier: MIT
#
# Writes HEADER: the SPIR-V of FOLDER/<name>.spv for every name of MODULES, as arrays of words.

cmake_minimum_required(VERSION 3.25)

set(text "// SPDX-License-Identifier: MIT
// Generated from shaders/.
#ifndef NDX_VULKAN_SPIRV_HPP
#define NDX_VULKAN_SPIRV_HPP

#include <cstdint>

/// The compute kernels: a module an array.
namespace ndx::vulkan::spirv {
")
set(count 0)
set(total 0)
foreach(name IN LISTS MODULES)
  file(SIZE ${FOLDER}/${name}.spv size)
  file(READ ${FOLDER}/${name}.spv bytes HEX)
  # Words stand in the files as little-endian bytes.
  string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${bytes}")
  string(REGEX REPLACE "0x0+([0-9a-f])" "0x\\1" words "${words}")
  string(REGEX REPLACE "0x([0-9])," "\\1," words "${words}")
  # Lines that editors and compilers can bear.
  string(REGEX REPLACE "([^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,)" "\\1\n" words "${words}")
  string(APPEND text "\ninline constexpr std::uint32_t ${name}[] = {\n${words}};\n")
  math(EXPR count "${count} + 1")
  math(EXPR total "${total} + ${size}")
endforeach()
string(APPEND text "\n}  // namespace ndx::vulkan::spirv\n\n#endif\n")
file(WRITE ${HEADER} "${text}")
math(EXPR kib "(${total} + 1023) / 1024")
message(STATUS "ndx: ${count} SPIR-V modules, ${kib} KiB")

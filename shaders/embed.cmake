# SPDX-License-Identifier: MIT
#
# Writes HEADER: the SPIR-V of FOLDER/<name>.spv for every name of MODULES, as arrays of words: literals, as compilers
# read those in a tenth of the time that they take for as many numbers.

cmake_minimum_required(VERSION 3.25)

set(text "// SPDX-License-Identifier: MIT
// Generated from shaders/.
#ifndef NDX_VULKAN_SPIRV_HPP
#define NDX_VULKAN_SPIRV_HPP

/// The compute kernels: a module an array, and a zero behind it.
namespace ndx::vulkan::spirv {
")
set(count 0)
set(total 0)
foreach(name IN LISTS MODULES)
  file(SIZE ${FOLDER}/${name}.spv size)
  file(READ ${FOLDER}/${name}.spv bytes HEX)
  # Words stand in the files as little-endian bytes. First "x7230203" for each.
  string(REGEX REPLACE "(..)(..)(..)(..)" "x\\4\\3\\2\\1" words "${bytes}")
  string(REGEX REPLACE "x0+([0-9a-f])" "x\\1" words "${words}")
  # Lines that editors can bear.
  string(REGEX REPLACE "(x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+x[^x]+)" "\\1\n" words "${words}")
  string(REGEX REPLACE "([^\n]+)" "U\"\\1\"" words "${words}")
  string(REPLACE "x" "\\x" words "${words}")
  string(APPEND text "\ninline constexpr char32_t ${name}[] =\n${words};\n")
  math(EXPR count "${count} + 1")
  math(EXPR total "${total} + ${size}")
endforeach()
string(APPEND text "\n}  // namespace ndx::vulkan::spirv\n\n#endif\n")
file(WRITE ${HEADER} "${text}")
math(EXPR kib "(${total} + 1023) / 1024")
message(STATUS "ndx: ${count} SPIR-V modules, ${kib} KiB")

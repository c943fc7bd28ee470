# SPDX-License-Identifier: MIT
#
# Programs with the amalgamated files alone: no other file of ndx is where the compiler looks.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/single_header)
file(REMOVE_RECURSE ${folder})
run(${CMAKE_COMMAND} --install ${BUILD} --component ndx_single_header --prefix ${folder}/ndx)

# ndx could be installed on this system, where the compiler would find what is missing here.
file(GLOB files ${folder}/ndx/*)
foreach(file IN LISTS files)
  file(STRINGS ${file} others REGEX "^[ ]*#[ ]*include[ ]*[<\"]ndx/")
  if(others)
    message(FATAL_ERROR "${file} includes other files of ndx: ${others}")
  endif()
endforeach()

# The program that is built in every way, which includes <ndx/ndx.hpp>; and a second unit, in which a definition that is
# not inline is a duplicate.
set(compile ${COMPILER} -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I${folder})
find_program(nm nm REQUIRED)
# compile_without_kernels(unit): a file that calls no operator has no code of a kernel.
function(compile_without_kernels unit)
  run(${compile} -c ${folder}/${unit}.cpp -o ${folder}/${unit}.o)
  execute_process(COMMAND ${nm} -C ${folder}/${unit}.o OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES "ndx::cpu::isa::")
    message(FATAL_ERROR "${unit}.cpp calls no operator and has kernels all the same:\n${symbols}")
  endif()
endfunction()
file(WRITE ${folder}/unit.cpp "#include <ndx/ndx.hpp>\n#include <ndx/ndx.hpp>\n")
compile_without_kernels(unit)
run(${compile} ${HERE}/program.cpp ${folder}/unit.o -pthread -o ${folder}/program)
run(${folder}/program)

# Declared in the header, defined in the file of kernels: the program has none of its own.
run(${compile} -DNDX_COMPILED_KERNELS -c ${HERE}/program.cpp -o ${folder}/program.o)
execute_process(COMMAND ${nm} -C ${folder}/program.o OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES "ndx::cpu::isa::" OR NOT symbols MATCHES " U [^\n]*ndx::cpu::read_kernels_of")
  message(FATAL_ERROR "With NDX_COMPILED_KERNELS the program must leave its kernels to another unit:\n${symbols}")
endif()
run(${compile} -fsyntax-only ${folder}/ndx/ndx_compiled_kernels.cpp)

# Headers of the repository beside the single one, as a program has them that uses a header of interop/ too.
file(WRITE ${folder}/beside.cpp "#include \"ndx/ndx.hpp\"\n#include <ndx/ops/slice1.hpp>\n#include <ndx/ndx.hpp>\n")
run(${COMPILER} -std=c++20 -I${SOURCE}/include -fsyntax-only ${folder}/beside.cpp)

if(VULKAN)
  file(WRITE ${folder}/vulkan.cpp "
#include <ndx/ndx_vulkan.hpp>
int main() {
  static_assert(ndx::vulkan::spirv::rows_16_buffer[0] == 0x07230203);  // the first word of any module
  return ndx::vulkan::available() == !ndx::vulkan::devices().empty() ? 0 : 1;
}
")
  compile_without_kernels(vulkan)
  run(${compile} ${folder}/vulkan.o -pthread -o ${folder}/vulkan)
  run(${folder}/vulkan)
endif()

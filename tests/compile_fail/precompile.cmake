# SPDX-License-Identifier: MIT
#
# cmake -DCOMPILER= -DCOMPILER_ID= -DFLAGS= -DINCLUDE= -DPRECOMPILED= -P precompile.cmake
# Precompiles ndx/ndx.hpp with the options of compile.cmake, in the folder where that looks for it.

cmake_minimum_required(VERSION 3.25)
list(TRANSFORM INCLUDE PREPEND -I)
set(output ${PRECOMPILED}/ndx/ndx.hpp.gch)
if(NOT COMPILER_ID STREQUAL "GNU")
  set(output ${PRECOMPILED}/ndx.hpp.pch)
endif()
cmake_path(GET output PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${PRECOMPILED}/ndx.hpp "#include <ndx/ndx.hpp>\n")
execute_process(
  COMMAND ${COMPILER} ${FLAGS} -std=c++20 -DNDX_COMPILED_KERNELS ${INCLUDE} -x c++-header ${PRECOMPILED}/ndx.hpp
          -o ${output}
  COMMAND_ERROR_IS_FATAL ANY
)

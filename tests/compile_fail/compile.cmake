# SPDX-License-Identifier: MIT
#
# cmake -DCOMPILER= -DFLAGS= -DINCLUDE= -DSYSTEM_INCLUDE= -DPRECOMPILED= -DPROGRAM= -P compile.cmake
# Compiles a program, and fails unless the compiler says of it what the program's name and first lines say.

cmake_minimum_required(VERSION 3.25)
# Without this g++ quotes names in characters that are not ASCII.
set(ENV{LC_ALL} C)
list(TRANSFORM INCLUDE PREPEND -I)
list(TRANSFORM SYSTEM_INCLUDE PREPEND -isystem)
file(READ ${PROGRAM} source)
set(precompiled "")
if(source MATCHES "\n#include <ndx/ndx.hpp>\n")
  if(EXISTS ${PRECOMPILED}/ndx.hpp.pch)
    set(precompiled -include-pch ${PRECOMPILED}/ndx.hpp.pch)
  elseif(EXISTS ${PRECOMPILED}/ndx/ndx.hpp.gch)
    set(precompiled -I${PRECOMPILED})
  endif()
endif()
# Without kernels, which take most of the time that it takes to compile a call.
execute_process(
  COMMAND ${COMPILER} ${FLAGS} -std=c++20 -DNDX_COMPILED_KERNELS ${precompiled} ${INCLUDE} ${SYSTEM_INCLUDE}
          -fsyntax-only ${PROGRAM}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE diagnostics
  ERROR_VARIABLE diagnostics
)

if(PROGRAM MATCHES "\\.pass\\.cpp$")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "This program must compile. The compiler (${result}):\n${diagnostics}")
  endif()
  return()
endif()

if(source MATCHES "\n// rejected by concept: ([a-z0-9_]+)\n")
  # g++ lists what a constraint required, clang++ why it does not hold; the mere name stands in every declaration.
  set(concept ${CMAKE_MATCH_1})
  set(expectation
    "for the satisfaction of '${concept}<|does not satisfy '${concept}'|because '${concept}<[^\n]*evaluated to false"
  )
elseif(source MATCHES "\n// rejected with: ([^\n]+)\n")
  # A dot of the expression stays within a line.
  string(REPLACE ".*" "[^\n]*" expectation "${CMAKE_MATCH_1}")
else()
  message(FATAL_ERROR "${PROGRAM} has no line '// rejected with: <regular expression>' or '// rejected by concept: <name>'.")
endif()
if(result EQUAL 0)
  message(FATAL_ERROR "This program must not compile, but does.")
endif()
if(NOT diagnostics MATCHES "error: ")
  message(FATAL_ERROR "The compiler did not reject the program, it did not run (${result}):\n${diagnostics}")
endif()
if(NOT diagnostics MATCHES "${expectation}")
  message(FATAL_ERROR "The diagnostics do not match '${expectation}':\n${diagnostics}")
endif()

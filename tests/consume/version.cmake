# SPDX-License-Identifier: MIT
#
# The version is one: that of the header as the preprocessor sees it is the project's, and a project whose header says
# another is not configured.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/version)
file(REMOVE_RECURSE ${folder})

string(REPLACE "." ";" numbers ${VERSION})
list(GET numbers 0 major)
list(GET numbers 1 minor)
list(GET numbers 2 patch)
math(EXPR number "(${major} * 100 + ${minor}) * 100 + ${patch}")
file(WRITE ${folder}/version.cpp "
#include <ndx/version.hpp>
#if NDX_VERSION != ${number} || NDX_VERSION % 100 != NDX_VERSION_PATCH
#error NDX_VERSION is not ${number}
#endif
")
run(${COMPILER} -I${PREFIX}/include -fsyntax-only ${folder}/version.cpp)

file(READ ${SOURCE}/include/ndx/version.hpp header)
math(EXPR next "${patch} + 1")
string(REGEX REPLACE "(NDX_VERSION_PATCH) ${patch}" "\\1 ${next}" header "${header}")
file(WRITE ${folder}/include/ndx/version.hpp "${header}")
file(COPY ${SOURCE}/CMakeLists.txt DESTINATION ${folder})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${folder} -B ${folder}/build -DCMAKE_CXX_COMPILER=${COMPILER}
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said
)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
if(result EQUAL 0 OR NOT said MATCHES "version.hpp says '${major}.${minor}.${next}', CMakeLists.txt says '${VERSION}'")
  message(FATAL_ERROR "A header of another version: (${result}) ${said}")
endif()

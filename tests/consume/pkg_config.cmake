# SPDX-License-Identifier: MIT
#
# A compiler call with what pkg-config says, and nothing else.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)

file(GLOB_RECURSE description ${PREFIX}/ndx.pc)
if(NOT description)
  message(FATAL_ERROR "No ndx.pc below ${PREFIX}.")
endif()
cmake_path(GET description PARENT_PATH folder)
set(ENV{PKG_CONFIG_LIBDIR} ${folder})

file(STRINGS ${PREFIX}/include/ndx/version.hpp version REGEX "define NDX_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX MATCHALL "[0-9]+" version "${version}")
list(JOIN version "." version)
run(${pkg_config} --exact-version=${version} ndx)

execute_process(
  COMMAND ${pkg_config} --cflags --libs ndx
  OUTPUT_VARIABLE flags
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY
)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${COMPILER} -std=c++20 ${HERE}/program.cpp ${flags} -o ${FOLDER}/pkg_config)
run(${FOLDER}/pkg_config)

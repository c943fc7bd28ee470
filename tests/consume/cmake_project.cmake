# SPDX-License-Identifier: MIT
#
# Configures, builds and runs the project in the folder ${WAY}, in an empty build folder.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${FOLDER}/${WAY})
run(
  ${CMAKE_COMMAND} -S ${HERE}/${WAY} -B ${FOLDER}/${WAY} -G ${GENERATOR}
  -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${FOLDER}/${WAY} -DCMAKE_RUNTIME_OUTPUT_DIRECTORY_DEBUG=${FOLDER}/${WAY}
  -DCMAKE_PREFIX_PATH=${PREFIX} -DSOURCE=${SOURCE} -DVERSION=${VERSION}
)
run(${CMAKE_COMMAND} --build ${FOLDER}/${WAY} --config Debug)
run(${FOLDER}/${WAY}/program)
if(WAY STREQUAL "find_package")
  run(${FOLDER}/${WAY}/compiled_kernels)
endif()

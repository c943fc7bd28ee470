# SPDX-License-Identifier: MIT
#
# Configures the project in the folder components with an installation, and with ndx as a part of it. What the first
# makes is compiled; of the second it is enough that all targets are there.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/components)
file(REMOVE_RECURSE ${folder})
set(
  configure
  ${CMAKE_COMMAND} -S ${HERE}/components -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug -DVERSION=${VERSION} -DCOMPONENTS=${COMPONENTS}
)
run(${configure} -B ${folder}/installed -DCMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${folder}/installed --config Debug)
run(${configure} -B ${folder}/part -DSUBDIRECTORY=${SOURCE})

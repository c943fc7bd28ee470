# SPDX-License-Identifier: MIT
#
# The installed include/ndx copied into a project, and no flag but the path.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${FOLDER}/copied)
file(COPY ${PREFIX}/include/ndx DESTINATION ${FOLDER}/copied/third_party)
run(${COMPILER} -std=c++20 -I${FOLDER}/copied/third_party ${HERE}/program.cpp -pthread -o ${FOLDER}/copied/program)
run(${FOLDER}/copied/program)

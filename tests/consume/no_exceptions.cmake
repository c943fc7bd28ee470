# SPDX-License-Identifier: MIT
#
# Without exceptions and RTTI a failed check prints what would have been thrown, and aborts.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(executable ${FOLDER}/no_exceptions)
run(${COMPILER} -std=c++20 -fno-exceptions -fno-rtti -I${PREFIX}/include ${HERE}/no_exceptions.cpp -pthread -o ${executable})
run(${executable})

function(expect_abort mistake text)
  execute_process(COMMAND ${executable} ${mistake} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result MATCHES "abort|SIGABRT|Abort|^134$")
    message(FATAL_ERROR "'${mistake}' did not abort the program but ended it with '${result}': ${out}${err}")
  endif()
  if(NOT err MATCHES "${text}")
    message(FATAL_ERROR "'${mistake}' printed '${err}', which does not match '${text}'.")
  endif()
endfunction()

expect_abort(index "gather_nd.*indices.*3")
expect_abort(shape "gather_nd.*output.*{5}.*{2}")

# SPDX-License-Identifier: MIT
#
# run(<command>...): fails, with everything that the command printed, unless it succeeds.

cmake_minimum_required(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message(STATUS "${output}")
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "(${result}) ${command}")
  endif()
endfunction()

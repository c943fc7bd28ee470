# SPDX-License-Identifier: MIT
#
# Installs the build to an empty prefix, and checks that all files of include/ are there,
# but for those of the Vulkan part where that is not built.

cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)

file(GLOB_RECURSE due RELATIVE ${SOURCE}/include ${SOURCE}/include/*)
file(GLOB_RECURSE installed RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
if(NOT VULKAN)
  list(FILTER due EXCLUDE REGEX "^ndx/vulkan")
endif()
foreach(file IN LISTS due)
  if(NOT file IN_LIST installed)
    message(SEND_ERROR "Not installed: include/${file}")
  endif()
endforeach()

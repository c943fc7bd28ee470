# SPDX-License-Identifier: MIT
# Runs `program input output` and checks its exit status, what it prints, and the picture that it writes.

if(status EQUAL 0)
  file(REMOVE ${output})
endif()
execute_process(COMMAND ${program} ${input} ${output} RESULT_VARIABLE seen OUTPUT_VARIABLE printed ERROR_VARIABLE complaint)

if(NOT seen STREQUAL status)
  message(FATAL_ERROR "exit status ${seen} instead of ${status}\n${printed}${complaint}")
endif()
if(status EQUAL 0)
  if(NOT printed MATCHES "${expect}" OR NOT complaint STREQUAL "")
    message(FATAL_ERROR "'${expect}' is not in the output, or there are complaints:\n${printed}${complaint}")
  endif()
  if("$ENV{NDX_REQUIRE_VULKAN}" STREQUAL "1" AND printed MATCHES "Without rows for Vulkan: [^\n]*")
    message(FATAL_ERROR "NDX_REQUIRE_VULKAN is set, and there is no Vulkan device\n${CMAKE_MATCH_0}")
  endif()
  # Signature, length and name of the first chunk, and a width of 2400 pixels.
  file(READ ${output} start LIMIT 20 HEX)
  if(NOT start STREQUAL "89504e470d0a1a0a0000000d4948445200000960")
    message(FATAL_ERROR "${output} begins with ${start}")
  endif()
elseif(NOT complaint MATCHES "${expect}")
  message(FATAL_ERROR "'${expect}' is not what it says:\n${complaint}")
endif()

# SPDX-License-Identifier: MIT
#
# The Vulkan part: its headers and the generated ndx/vulkan/spirv.hpp. Needs a compiler of shaders and Vulkan-Headers to
# build; the loader is opened at run time, so nothing is linked.

set(ndx_has_vulkan OFF)
set(ndx_vulkan_missing "NDX_VULKAN is OFF")
if(NDX_VULKAN STREQUAL "AUTO")
  # A run of all tests is not complete without this part.
  set(vulkan_is_due OFF)
  if(NDX_REQUIRE_ALL_TESTS AND NDX_BUILD_TESTS)
    set(vulkan_is_due ON)
  endif()
elseif(NDX_VULKAN)
  set(vulkan_is_due ON)
else()
  return()
endif()

find_program(NDX_GLSLANG NAMES glslangValidator glslang DOC "Compiles GLSL to SPIR-V")
find_path(NDX_VULKAN_HEADERS vulkan/vulkan_core.h HINTS ENV VULKAN_SDK PATH_SUFFIXES include DOC "Vulkan-Headers")
find_program(NDX_SPIRV_VAL spirv-val DOC "Validates SPIR-V")
mark_as_advanced(NDX_GLSLANG NDX_VULKAN_HEADERS NDX_SPIRV_VAL)

set(missing "")
if(NOT NDX_GLSLANG)
  list(APPEND missing "glslangValidator (Debian: glslang-tools)")
endif()
if(NOT NDX_VULKAN_HEADERS)
  list(APPEND missing "vulkan/vulkan_core.h (Debian: libvulkan-dev)")
endif()
if(NOT NDX_SPIRV_VAL AND NDX_REQUIRE_ALL_TESTS AND NDX_BUILD_TESTS)
  list(APPEND missing "spirv-val (Debian: spirv-tools)")
endif()
if(missing)
  list(JOIN missing ", " missing)
  if(vulkan_is_due)
    message(FATAL_ERROR "ndx: the Vulkan part needs what is missing here: ${missing}. NDX_VULKAN=OFF leaves it out.")
  endif()
  message(STATUS "ndx: without the Vulkan part, for which these are missing: ${missing}.")
  set(ndx_vulkan_missing "these are missing: ${missing}")
  return()
endif()

set(ndx_has_vulkan ON)
set(vulkan_include ${PROJECT_BINARY_DIR}/generated/include)
set(NDX_SPIRV_HEADER ${vulkan_include}/ndx/vulkan/spirv.hpp)
add_subdirectory(shaders)
# CMake wants the folders of an imported target to be there, and such targets may link ndx.
file(MAKE_DIRECTORY ${vulkan_include})
# Whoever links ndx waits for the generated header.
add_dependencies(ndx ndx_spirv)
target_sources(
  ndx
  INTERFACE
    FILE_SET vulkan TYPE HEADERS BASE_DIRS include ${vulkan_include} FILES ${vulkan_headers} ${NDX_SPIRV_HEADER}
)
set_property(TARGET ndx APPEND PROPERTY INTERFACE_HEADER_SETS_TO_VERIFY vulkan)
# For builds only: an installed ndx needs Vulkan-Headers where <ndx/vulkan.hpp> is included, and finds them as any
# other header of the system.
target_include_directories(ndx SYSTEM INTERFACE $<BUILD_INTERFACE:${NDX_VULKAN_HEADERS}>)

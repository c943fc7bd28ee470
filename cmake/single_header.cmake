# SPDX-License-Identifier: MIT
#
# The target ndx_single_header writes, to the folder single_header of the build: ndx.hpp, all of <ndx/ndx.hpp> in one
# file; ndx_vulkan.hpp, which adds <ndx/vulkan.hpp> with its SPIR-V; ndx_compiled_kernels.cpp, for programs that compile
# the kernels apart. They are attached to releases. `cmake --install --component ndx_single_header` copies them.

set(single_header_missing "")
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  set(single_header_missing "Python 3 (Debian: python3)")
  message(STATUS "ndx: without the target ndx_single_header, for which this is missing: ${single_header_missing}.")
  return()
endif()

set(single_header_folder ${PROJECT_BINARY_DIR}/single_header)
set(single_header_files "")

# single_header(output header [--base ...])
function(single_header output header)
  add_custom_command(
    OUTPUT ${single_header_folder}/${output}
    COMMAND
      Python3::Interpreter ${PROJECT_SOURCE_DIR}/cmake/amalgamate.py
      --include ${PROJECT_SOURCE_DIR}/include --include ${PROJECT_BINARY_DIR}/generated/include
      --license ${PROJECT_SOURCE_DIR}/LICENSE ${ARGN} --output ${single_header_folder}/${output} ${header}
    DEPENDS cmake/amalgamate.py LICENSE ${headers} ${kernels} ${single_header_generated}
    COMMENT "Writing ${output}"
    VERBATIM
  )
  set(single_header_files ${single_header_files} ${single_header_folder}/${output} PARENT_SCOPE)
endfunction()

set(single_header_generated "")
single_header(ndx.hpp ndx/ndx.hpp)
single_header(ndx_compiled_kernels.cpp ndx/compiled_kernels.cpp --base ndx.hpp=ndx/ndx.hpp)
if(ndx_has_vulkan)
  set(single_header_generated ${vulkan_headers} ${NDX_SPIRV_HEADER})
  single_header(ndx_vulkan.hpp ndx/vulkan.hpp --base ndx.hpp=ndx/ndx.hpp)
endif()

# Whoever builds the tests wants it at once.
set(always "")
if(NDX_BUILD_TESTS)
  set(always ALL)
endif()
add_custom_target(ndx_single_header ${always} DEPENDS ${single_header_files})
if(ndx_has_vulkan)
  add_dependencies(ndx_single_header ndx_spirv)
endif()

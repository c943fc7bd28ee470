# SPDX-License-Identifier: MIT
#
# ndx::compiled is ndx::ndx with the kernels of the CPU in a static library, instead of in every file that calls an
# operator. The library is built from the file that ndx_compiled_source names, by the project that uses it and with its
# flags, so that an installed ndx holds nothing that depends on an architecture; and only if something links it.

# Three files include it, a part of the kernels each, so that several processors compile them.
set(ndx_compiled_parts "")
foreach(part IN ITEMS 1 2 3)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/ndx_compiled/kernels_${part}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "#define NDX_KERNEL_PART @part@\n#include \"@ndx_compiled_source@\"\n" @ONLY)
  list(APPEND ndx_compiled_parts ${file})
endforeach()

add_library(ndx_compiled STATIC EXCLUDE_FROM_ALL ${ndx_compiled_parts})
add_library(ndx::compiled ALIAS ndx_compiled)
set_target_properties(
  ndx_compiled PROPERTIES
  POSITION_INDEPENDENT_CODE ON  # for shared libraries
  UNITY_BUILD OFF  # which would make one file of the parts
)
target_link_libraries(ndx_compiled PUBLIC ndx::ndx)
target_compile_definitions(ndx_compiled INTERFACE NDX_COMPILED_KERNELS)

# SPDX-License-Identifier: MIT
#
# ndx::compiled is ndx::ndx with the kernels of the CPU in a static library, instead of in every file that calls an
# operator. The library is built from the file that ndx_compiled_source names, by the project that uses it and with its
# flags, so that an installed ndx holds nothing that depends on an architecture; and only if something links it.

add_library(ndx_compiled STATIC EXCLUDE_FROM_ALL ${ndx_compiled_source})
add_library(ndx::compiled ALIAS ndx_compiled)
set_target_properties(ndx_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON)  # for shared libraries
target_link_libraries(ndx_compiled PUBLIC ndx::ndx)
target_compile_definitions(ndx_compiled INTERFACE NDX_COMPILED_KERNELS)

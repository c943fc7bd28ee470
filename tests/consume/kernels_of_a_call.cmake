# SPDX-License-Identifier: MIT
#
# A program compiles the kernels of the operators that it calls, for the elements that it has, and no others.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/kernels_of_a_call)
file(REMOVE_RECURSE ${folder})
find_program(nm nm REQUIRED)

# expect(name statement due forbidden): kernels whose names match `due`, none whose name matches `forbidden`.
function(expect name statement due forbidden)
  file(WRITE ${folder}/${name}.cpp "
#include <ndx/ndx.hpp>
using table = ndx::tensor_view<float, 2>;
void call(table const& a, table const& b, ndx::tensor_view<int const, 2> const& indices) { ${statement}; }
")
  # What small calls have besides is left out without optimization, which would only take longer.
  run(${COMPILER} -std=c++20 -O0 -D__OPTIMIZE__ -I${PREFIX}/include -c ${folder}/${name}.cpp -o ${folder}/${name}.o)
  execute_process(COMMAND ${nm} -C ${folder}/${name}.o OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  foreach(kernel IN LISTS due)
    if(NOT symbols MATCHES "isa::[a-z0-9]+::${kernel}")
      message(FATAL_ERROR "${name}: no kernel ${kernel} in\n${symbols}")
    endif()
  endforeach()
  foreach(kernel IN LISTS forbidden)
    if(symbols MATCHES "[^\n]*isa::[a-z0-9]+::${kernel}[^\n]*")
      message(FATAL_ERROR "${name} has a kernel that it cannot call: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
endfunction()

set(gathering read_elements read_groups gather_packed "move_listed_rows<false")
set(scattering write_rows write_elements reduce_rows write_lines write_stripe place_records apply_bucket
    "move_listed_rows<true")
set(indexing resolve verify)
set(smaller "[a-z_]+<[^\n]*unsigned (char|short)")
expect(gather "ndx::gather_nd(ndx::par_simd, a, indices, b)" "${gathering};${indexing};read_rows;copy_rows"
  "${scattering};${smaller}")
expect(scatter "ndx::scatter_nd(ndx::par_simd, a, indices, b, a)" "${scattering};${indexing};copy_rows"
  "${gathering};${smaller}")
expect(slice "ndx::slice1(ndx::par_simd, a, b, {{0, 0}, {2, 2}})" "copy_rows;copy_elements;transpose_elements"
  "${gathering};${scattering};${indexing};read_rows;${smaller}")

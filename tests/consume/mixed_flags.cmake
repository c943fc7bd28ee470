# SPDX-License-Identifier: MIT
#
# Two units of one program, one compiled for a newer processor. A kernel of one must never be taken for that of the
# other: that would end in an illegal instruction on an older processor, so no kernel may be visible to the linker.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/mixed_flags)
file(MAKE_DIRECTORY ${folder})
set(compile ${COMPILER} -std=c++20 -I${PREFIX}/include)
run(${compile} ${WIDE_FLAGS} -DSUM=sum_wide -c ${HERE}/mixed_flags_unit.cpp -o ${folder}/wide.o)
run(${compile} ${NARROW_FLAGS} -DSUM=sum_narrow -c ${HERE}/mixed_flags_unit.cpp -o ${folder}/narrow.o)
run(${compile} ${NARROW_FLAGS} -c ${HERE}/mixed_flags_main.cpp -o ${folder}/main.o)

find_program(nm nm REQUIRED)
foreach(unit IN ITEMS wide narrow)
  execute_process(COMMAND ${nm} -C ${folder}/${unit}.o OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "ndx::cpu::isa::")
    message(FATAL_ERROR "nm lists no kernel in ${unit}.o:\n${symbols}")
  endif()
  string(REGEX MATCHALL "[^\n]* [A-Zuvw] [^\n]*ndx::cpu::isa::[^\n]*" shared "${symbols}")
  if(shared)
    list(JOIN shared "\n" shared)
    message(FATAL_ERROR "Kernels of ${unit}.o that another unit could get hold of:\n${shared}")
  endif()
  # Of the wide unit only: without optimization no copy is checked.
  if(symbols MATCHES "__memcpy_chk")
    message(FATAL_ERROR "${unit}.o copies by calls that check each copy: see kernels/all.inl.")
  endif()
endforeach()

# In both orders: the linker keeps the first of what units share.
foreach(order IN ITEMS "wide;narrow" "narrow;wide")
  list(TRANSFORM order REPLACE "(.+)" "${folder}/\\1.o" OUTPUT_VARIABLE objects)
  run(${COMPILER} ${folder}/main.o ${objects} -pthread -o ${folder}/program)
  if(WIDE_FLAGS MATCHES "avx2")
    execute_process(COMMAND ${folder}/program supports avx2 RESULT_VARIABLE supported)
    if(NOT supported EQUAL 0)
      message(STATUS "This processor cannot run the wide unit: built, linked and looked through, but not run.")
      return()
    endif()
  endif()
  foreach(set IN ITEMS "" baseline avx2 avx512)
    execute_process(COMMAND ${folder}/program supports "${set}" RESULT_VARIABLE supported)
    if(supported EQUAL 0)
      run(${CMAKE_COMMAND} -E env NDX_ISA=${set} ${folder}/program)
    endif()
  endforeach()
endforeach()

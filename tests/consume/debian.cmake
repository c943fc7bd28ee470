# SPDX-License-Identifier: MIT
#
# The Debian package: made by CPack, looked at, unpacked to an empty root, and used from there.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/debian)
file(REMOVE_RECURSE ${folder})
cmake_path(GET CMAKE_COMMAND PARENT_PATH cmake_folder)
find_program(cpack cpack REQUIRED HINTS ${cmake_folder})  # another program may have that name
find_program(dpkg_deb dpkg-deb REQUIRED)

run(${cpack} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${folder})
set(package ${folder}/libndx-dev_${VERSION}-1_all.deb)
execute_process(
  COMMAND ${dpkg_deb} --field ${package} OUTPUT_VARIABLE control COMMAND_ERROR_IS_FATAL ANY
)
foreach(
  line IN ITEMS
  "Package: libndx-dev" "Version: ${VERSION}-1" "Architecture: all" "Section: libdevel" "Priority: optional"
  "Description: tensor indexing for C.*\n ndx moves .*\n \\.\n This package contains the headers"
  "Recommends: g.*" "Suggests: .*libeigen3-dev.*"
)
  if(NOT "\n${control}" MATCHES "\n${line}")
    message(FATAL_ERROR "The package has no field '${line}':\n${control}")
  endif()
endforeach()
if("\n${control}" MATCHES "\nDepends:")
  message(FATAL_ERROR "Headers that need the standard library alone depend on no package:\n${control}")
endif()

run(${dpkg_deb} --extract ${package} ${folder}/root)
foreach(file IN ITEMS copyright changelog.gz changelog.Debian.gz)
  if(NOT EXISTS ${folder}/root/usr/share/doc/libndx-dev/${file})
    message(FATAL_ERROR "The package is without /usr/share/doc/libndx-dev/${file}, which Debian asks for.")
  endif()
endforeach()

# As it comes out of the package: found by CMake, and by pkg-config.
run(
  ${CMAKE_COMMAND} -S ${HERE}/find_package -B ${folder}/build -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug -DVERSION=${VERSION} -DCMAKE_PREFIX_PATH=${folder}/root/usr
  -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${folder}/build -DCMAKE_RUNTIME_OUTPUT_DIRECTORY_DEBUG=${folder}/build
)
run(${CMAKE_COMMAND} --build ${folder}/build --config Debug --target program)
run(${folder}/build/program)
run(
  ${CMAKE_COMMAND} -DCOMPILER=${COMPILER} -DPREFIX=${folder}/root/usr -DFOLDER=${folder} -DHERE=${HERE}
  -P ${HERE}/pkg_config.cmake
)

# SPDX-License-Identifier: MIT
#
# The vcpkg port, without vcpkg: its portfile is run with functions in place of vcpkg's that do what those are said to
# do. So it is known that the portfile configures, builds and installs ndx from nothing, with the options and to the
# folders that are due, and that what comes out is found and used; not that vcpkg itself is content with it.

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(folder ${FOLDER}/vcpkg)
file(REMOVE_RECURSE ${folder})

set(PORT ndx)
set(CURRENT_PORT_DIR ${SOURCE}/cmake/packaging/vcpkg/ndx)
set(CURRENT_PACKAGES_DIR ${folder}/packages/ndx)
set(CURRENT_HOST_INSTALLED_DIR ${folder}/host)

file(READ ${CURRENT_PORT_DIR}/vcpkg.json manifest)
string(JSON name GET "${manifest}" name)
string(JSON version GET "${manifest}" version-semver)
if(NOT name STREQUAL PORT OR NOT version STREQUAL VERSION)
  message(FATAL_ERROR "vcpkg.json is for ${name} ${version}; due is ${PORT} ${VERSION}.")
endif()
set(FEATURES core)
string(JSON features GET "${manifest}" features)
string(JSON count LENGTH "${features}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON feature MEMBER "${features}" ${i})
  string(JSON described GET "${features}" ${feature} description)
  string(JSON dependencies LENGTH "${features}" ${feature} dependencies)
  if(NOT described OR dependencies EQUAL 0)
    message(FATAL_ERROR "vcpkg.json: the feature ${feature} has no description or no dependencies.")
  endif()
  if(VULKAN OR NOT feature STREQUAL "vulkan")
    list(APPEND FEATURES ${feature})
  endif()
endforeach()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  run(
    ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${folder}/build -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
    ${arg_OPTIONS}
  )
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${folder}/build --target install --config Release)
endfunction()

# vcpkg wants package files in share/<package>, one folder higher, and corrects the way from there to the prefix.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  set(due ${CURRENT_PACKAGES_DIR}/share/${PORT})
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*.cmake)
  if(NOT files)
    message(FATAL_ERROR "The package files are not in ${arg_CONFIG_PATH}.")
  endif()
  file(COPY ${files} DESTINATION ${due})
  cmake_path(SET old "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}")
  cmake_path(GET old PARENT_PATH old)
  file(REMOVE_RECURSE ${old})
  file(READ ${due}/${PORT}Config.cmake text)
  string(REPLACE "/../../../" "/../../" text "${text}")
  file(WRITE ${due}/${PORT}Config.cmake "${text}")
  file(READ ${due}/${PORT}Targets.cmake text)
  set(upwards "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
  string(REPLACE "${upwards}${upwards}${upwards}" "${upwards}${upwards}" text "${text}")
  file(WRITE ${due}/${PORT}Targets.cmake "${text}")
endfunction()

# There it makes paths relative, which they are.
function(vcpkg_fixup_pkgconfig)
  file(READ ${CURRENT_PACKAGES_DIR}/share/pkgconfig/ndx.pc text)
  if(text MATCHES "=/")
    message(FATAL_ERROR "ndx.pc has absolute paths:\n${text}")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(READ ${arg_FILE_LIST} text)
  file(WRITE ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright "${text}")
endfunction()

include(${CURRENT_PORT_DIR}/portfile.cmake)

if(NOT VCPKG_BUILD_TYPE STREQUAL "release")
  message(FATAL_ERROR "A package of headers is built once.")
endif()
foreach(file IN ITEMS copyright usage ndxConfig.cmake ndxConfigVersion.cmake components.cmake compiled.cmake)
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/share/ndx/${file})
    message(FATAL_ERROR "The package is without share/ndx/${file}.")
  endif()
endforeach()
foreach(path IN ITEMS debug lib bin share/cmake)
  if(EXISTS ${CURRENT_PACKAGES_DIR}/${path})
    message(FATAL_ERROR "The package must not have ${path}.")
  endif()
endforeach()

# What `usage` says, with the part that needs most.
set(component compiled)
set(header ndx/ndx.hpp)
if(VULKAN)
  set(component vulkan)
  set(header ndx/vulkan.hpp)
endif()
file(WRITE ${folder}/user/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(uses_a_port LANGUAGES CXX)
find_package(ndx ${VERSION} CONFIG REQUIRED COMPONENTS ${component} compiled)
file(WRITE \${CMAKE_BINARY_DIR}/user.cpp \"#include <${header}>\\n\")
add_library(user OBJECT \${CMAKE_BINARY_DIR}/user.cpp)
target_link_libraries(user PRIVATE ndx::${component})
")
run(
  ${CMAKE_COMMAND} -S ${folder}/user -B ${folder}/user/build -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}
)
run(${CMAKE_COMMAND} --build ${folder}/user/build --target user)

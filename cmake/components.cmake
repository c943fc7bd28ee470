# SPDX-License-Identifier: MIT
#
# Components are parts of ndx that not every program wants: headers that need another library, and the kernels compiled
# apart. `find_package(ndx REQUIRED COMPONENTS eigen)` makes the target ndx::eigen, which is ndx::ndx with that library;
# in an installation as after add_subdirectory and FetchContent. ndx::ndx needs none of them.
#
# A component is a line: its name, what find_package is asked for, the target that comes with it, and Debian's package.
# One that needs no library is a name alone. The header is ndx/interop/<name>.hpp, but for those that
# ndx_provide_component names.

set(
  ndx_components
  "compiled"
  "dlpack"
  "eigen             | Eigen3 CONFIG            | Eigen3::Eigen                | libeigen3-dev"
  "eigen_thread_pool | Eigen3 CONFIG            | Eigen3::Eigen                | libeigen3-dev"
  "npy"
  "onetbb            | TBB CONFIG               | TBB::tbb                     | libtbb-dev"
  "openmp            | OpenMP COMPONENTS CXX    | OpenMP::OpenMP_CXX           | g++, or libomp-dev for clang++"
  "safetensors       | nlohmann_json 3.9 CONFIG | nlohmann_json::nlohmann_json | nlohmann-json3-dev"
  "std"
  "vulkan            | VulkanHeaders CONFIG     | Vulkan::Headers              | libvulkan-dev"
)

# ndx_provide_component(name include_folder problem): makes ndx::<name>, or sets the variable to what is missing for it.
# Imported targets, like those of the libraries, are those of the folder that asks.
function(ndx_provide_component name include_folder problem)
  set(${problem} "" PARENT_SCOPE)
  if(TARGET ndx::${name})
    return()
  endif()

  set(names "")
  set(line "")
  foreach(candidate IN LISTS ndx_components)
    string(REGEX MATCH "^[a-z_]+" candidate_name "${candidate}")
    list(APPEND names ${candidate_name})
    if(candidate_name STREQUAL name)
      string(REGEX REPLACE " *\\| *" ";" line "${candidate};;;")
    endif()
  endforeach()
  if(NOT line)
    list(JOIN names ", " names)
    set(${problem} "ndx has no component '${name}'; it has ${names}" PARENT_SCOPE)
    return()
  endif()
  list(GET line 1 request)
  list(GET line 2 target)
  list(GET line 3 package)
  separate_arguments(request UNIX_COMMAND "${request}")

  set(header ndx/interop/${name}.hpp)
  if(name STREQUAL "compiled")
    set(header ndx/compiled_kernels.cpp)
  elseif(name STREQUAL "vulkan")
    set(header ndx/vulkan.hpp)
  endif()
  if(NOT EXISTS ${include_folder}/${header} OR (name STREQUAL "vulkan" AND NOT ndx_has_vulkan))
    set(${problem} "component '${name}': this ndx was built without ${header}" PARENT_SCOPE)
    return()
  endif()

  if(name STREQUAL "compiled")
    set(ndx_compiled_source ${include_folder}/${header})
    include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compiled.cmake)
    return()
  endif()
  if(request)
    find_package(${request} QUIET)
    if(NOT TARGET ${target})
      list(GET request 0 library)
      set(${problem} "component '${name}' needs ${library}, which was not found (Debian: ${package})" PARENT_SCOPE)
      return()
    endif()
  endif()

  add_library(ndx::${name} INTERFACE IMPORTED)
  target_link_libraries(ndx::${name} INTERFACE ndx::ndx ${target})
endfunction()

# The end of a package's file: provides the components that find_package was asked for, and says what is missing.
macro(ndx_provide_components include_folder)
  set(ndx_NOT_FOUND_MESSAGE "")
  foreach(ndx_component IN LISTS ndx_FIND_COMPONENTS)
    ndx_provide_component(${ndx_component} ${include_folder} ndx_problem)
    if(ndx_problem STREQUAL "")
      set(ndx_${ndx_component}_FOUND TRUE)
    else()
      set(ndx_${ndx_component}_FOUND FALSE)
      if(ndx_FIND_REQUIRED_${ndx_component})
        set(ndx_FOUND FALSE)
        string(APPEND ndx_NOT_FOUND_MESSAGE "${ndx_problem}\n")
      endif()
    endif()
  endforeach()
  unset(ndx_component)
  unset(ndx_problem)
endmacro()

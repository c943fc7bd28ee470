# SPDX-License-Identifier: MIT
#
# Builds the checkout that this port lies in, as an overlay port. In a registry the source would come from a release:
# vcpkg_from_github(OUT_SOURCE_PATH source ...) with the hash of its archive.
cmake_path(SET source NORMALIZE "${CURRENT_PORT_DIR}/../../../..")

# Headers alone: there is nothing to build twice.
set(VCPKG_BUILD_TYPE release)

set(vulkan OFF)
set(tools "")
if("vulkan" IN_LIST FEATURES)
  set(vulkan ON)
  # The compiler of shaders runs on the machine that builds.
  set(tools "-DCMAKE_PROGRAM_PATH=${CURRENT_HOST_INSTALLED_DIR}/tools/glslang")
endif()
vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS
    -DNDX_BUILD_TESTS=OFF
    -DNDX_BUILD_EXAMPLES=OFF
    -DNDX_BUILD_BENCHMARKS=OFF
    -DNDX_VULKAN=${vulkan}
    ${tools}
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/ndx)
vcpkg_fixup_pkgconfig()

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")

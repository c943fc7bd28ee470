# SPDX-License-Identifier: MIT
#
# `cpack -G DEB` in the build folder makes the Debian package libndx-dev. It holds what `cmake --install` installs, and
# the documents that Debian asks of every package.

set(NDX_PACKAGE_MAINTAINER "The ndx authors <authors@ndx.invalid>" CACHE STRING
  "Who answers for the Debian package: whoever hands it out to others")
mark_as_advanced(NDX_PACKAGE_MAINTAINER)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ndx)
set(CPACK_PACKAGE_VENDOR "The ndx authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME libndx-dev)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${NDX_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
# Headers, the words of shaders, and sources: nothing in it depends on a processor.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PACKAGE_MULTIARCH foreign)  # heeded by CMake 3.31 and later
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ (>= 4:12) | clang (>= 1:14)")
if(ndx_has_vulkan)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libvulkan-dev")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "cmake (>= 3.25), libeigen3-dev, libomp-dev, libtbb-dev, nlohmann-json3-dev, pkgconf")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tensor indexing for C++20: gather, scatter and slice")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "ndx moves the elements of tensors by index, with plain loops, vector
instructions chosen at run time, all cores or a Vulkan device, and gives the
same bits on each. Its operators are those of DirectML, ONNX and NumPy.

This package contains the headers. The library has no other part.")

# The documents, for this kind of package only.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(documents ${PROJECT_BINARY_DIR}/debian)
configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${documents}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/docs/changelog.md ${documents}/changelog COPYONLY)
foreach(changelog IN ITEMS changelog changelog.Debian)
  file(ARCHIVE_CREATE OUTPUT ${documents}/${changelog}.gz PATHS ${documents}/${changelog}
    FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
endforeach()
install(
  FILES ${CMAKE_CURRENT_LIST_DIR}/debian/copyright ${documents}/changelog.gz ${documents}/changelog.Debian.gz
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libndx-dev
  COMPONENT ndx_debian EXCLUDE_FROM_ALL
)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};ndx;ALL;/;${PROJECT_BINARY_DIR};ndx;ndx_debian;/")

include(CPack)

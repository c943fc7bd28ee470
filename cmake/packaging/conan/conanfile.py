# SPDX-License-Identifier: MIT
#
# Makes a package of the checkout that this recipe lies in: `conan create cmake/packaging/conan`.

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..", "..")  # of the repository, from the folder of this recipe


class NdxRecipe(ConanFile):
    name = "ndx"
    description = "Header-only C++20 tensor indexing: gather, scatter and slice on CPUs and Vulkan devices"
    license = "MIT"
    topics = ("tensor", "gather", "scatter", "slice", "vulkan", "header-only")
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"with_vulkan": [True, False]}
    default_options = {"with_vulkan": False}
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, ROOT, "include", "ndx", "version.hpp"))
        self.version = ".".join(re.findall(r"define NDX_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "docs/changelog.md", "include/*", "shaders/*"):
            copy(self, pattern, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def layout(self):
        self.folders.root = ROOT
        cmake_layout(self)

    def requirements(self):
        if self.options.with_vulkan:
            self.requires("vulkan-headers/[>=1.3.239]")

    def build_requirements(self):
        if self.options.with_vulkan:
            self.tool_requires("glslang/[>=1.3.239]")

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.settings.clear()  # headers, for every processor

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"NDX_BUILD_{part}"] = "OFF"
        toolchain.cache_variables["NDX_VULKAN"] = "ON" if self.options.with_vulkan else "OFF"
        if self.options.with_vulkan:
            headers = self.dependencies["vulkan-headers"].cpp_info.includedirs[0]
            toolchain.cache_variables["NDX_VULKAN_HEADERS"] = headers.replace("\\", "/")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # ndx brings its own package file, which knows the components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "ndx")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.get_safe("os") in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]

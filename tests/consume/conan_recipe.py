#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the methods of the Conan recipe without Conan, in the order in which Conan would, with classes in place of
Conan's that do what those are said to do. So it is known that the recipe exports the sources that a build needs, and
makes a package that CMake finds; not that Conan itself is content with it.

    conan_recipe.py RECIPE_FOLDER FOLDER VERSION CMAKE GENERATOR MAKE_PROGRAM COMPILER
"""

import fnmatch
import pathlib
import shutil
import subprocess
import sys
import types

recipe_folder, folder, version, cmake_program, generator, make_program, compiler = sys.argv[1:]
folder = pathlib.Path(folder)
shutil.rmtree(folder, ignore_errors=True)
calls = []


class Options(dict):
    __getattr__ = dict.__getitem__


class Settings(Options):
    get_safe = dict.get
    clear = dict.clear


class CppInfo:
    def __init__(self):
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    def __init__(self):
        self.options = Options(self.default_options)
        self.settings = Settings(os="Linux", compiler="gcc", build_type="Release", arch="x86_64")
        self.info = types.SimpleNamespace(settings=Settings(self.settings), options=Options(self.options))
        self.folders = types.SimpleNamespace(root=None)
        self.cpp_info = CppInfo()
        self.recipe_folder = recipe_folder
        self.export_sources_folder = self.source_folder = str(folder / "source")
        self.build_folder, self.package_folder = str(folder / "build"), str(folder / "package")

    def requires(self, reference):
        calls.append(("requires", reference))

    def tool_requires(self, reference):
        calls.append(("tool_requires", reference))


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        self.recipe.toolchain = self.cache_variables


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        variables = {"CMAKE_MAKE_PROGRAM": make_program, "CMAKE_CXX_COMPILER": compiler, **self.recipe.toolchain}
        definitions = [f"-D{name}={value}" for name, value in variables.items()]
        run("-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-G", generator, *definitions)

    def build(self):
        run("--build", self.recipe.build_folder)

    def install(self):
        run("--install", self.recipe.build_folder, "--prefix", self.recipe.package_folder)


def run(*arguments):
    subprocess.run([cmake_program, *arguments], check=True)


def copy(_, pattern, source, destination):
    """Files below `source` whose path fits the pattern, in which * stands for slashes too."""
    copied = 0
    for path in pathlib.Path(source).rglob("*"):
        if path.is_file() and fnmatch.fnmatch(path.relative_to(source).as_posix(), pattern):
            target = pathlib.Path(destination, path.relative_to(source))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            copied += 1
    check(copied > 0, f"copy: nothing fits {pattern}")


def check(condition, text):
    if not condition:
        sys.exit(f"conan_recipe.py: {text}")


def module(name, **contents):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(contents)


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda _, standard: calls.append(("cppstd", standard)), can_run=bool)
module(
    "conan.tools.cmake", CMake=CMake, CMakeToolchain=CMakeToolchain, cmake_layout=lambda _: calls.append(("layout",))
)
module("conan.tools.files", copy=copy, load=lambda _, path: pathlib.Path(path).read_text(encoding="utf-8"))

sys.dont_write_bytecode = True
sys.path.insert(0, recipe_folder)
import conanfile  # noqa: E402

recipe = conanfile.NdxRecipe()
recipe.set_version()
check(recipe.name == "ndx" and recipe.version == version, f"the recipe is for {recipe.name} {recipe.version}")
recipe.export_sources()
recipe.layout()
root = pathlib.Path(recipe_folder, recipe.folders.root).resolve()
check((root / "CMakeLists.txt").is_file(), f"the layout's root is {root}")
recipe.requirements()
recipe.build_requirements()
recipe.validate()
check(calls == [("layout",), ("cppstd", 20)], f"without options the recipe asks for {calls}")
recipe.package_id()
check(not recipe.info.settings and recipe.info.options, "packages of headers differ by their options alone")
recipe.generate()
recipe.build()
recipe.package()
recipe.package_info()
check(recipe.cpp_info.properties.get("cmake_find_mode") == "none", "CMake must use the package file of ndx")
for builddir in recipe.cpp_info.builddirs:
    package_file = pathlib.Path(recipe.package_folder, builddir, "ndxConfig.cmake")
    check(package_file.is_file(), f"there is no {package_file}")
check(pathlib.Path(recipe.package_folder, "licenses", "LICENSE").is_file(), "the package has no licenses/LICENSE")

# The recipe with the Vulkan part asks for what that needs.
calls.clear()
vulkan = conanfile.NdxRecipe()
vulkan.options["with_vulkan"] = True
headers = types.SimpleNamespace(includedirs=["/headers"])
vulkan.dependencies = {"vulkan-headers": types.SimpleNamespace(cpp_info=headers)}
vulkan.requirements()
vulkan.build_requirements()
vulkan.generate()
check([kind for kind, _ in calls] == ["requires", "tool_requires"], f"with Vulkan the recipe asks for {calls}")
check(vulkan.toolchain["NDX_VULKAN"] == "ON" and vulkan.toolchain["NDX_VULKAN_HEADERS"] == "/headers", vulkan.toolchain)

# The project that Conan would build and run with the package.
test = pathlib.Path(recipe_folder, "test_package")
compile((test / "conanfile.py").read_text(encoding="utf-8"), "test_package/conanfile.py", "exec")
definitions = [f"-DCMAKE_PREFIX_PATH={recipe.package_folder}/{builddir}" for builddir in recipe.cpp_info.builddirs]
definitions += [f"-DCMAKE_MAKE_PROGRAM={make_program}", f"-DCMAKE_CXX_COMPILER={compiler}"]
run("-S", str(test), "-B", str(folder / "test"), "-G", generator, *definitions)

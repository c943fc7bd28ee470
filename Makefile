# SPDX-License-Identifier: MIT
# Every target installs the Debian packages that it needs and that are missing, then runs commands that you can as well
# type yourself. The flags behind the presets are in CMakePresets.json.

compile := g++ cmake ninja-build
pictures := pkg-config libpng-dev libjpeg-dev
# A compiler of shaders, the Vulkan headers, the loader, and a device: one of these drivers runs on the processor.
vulkan := glslang-tools libvulkan-dev libvulkan1 mesa-vulkan-drivers
# For the adaptors of executors: g++ brings OpenMP with it, clang++ does not.
executors := libeigen3-dev libtbb-dev libomp-dev
# Its calls stand in the documentation beside those of ndx that do the same. With python3-torch, which is large, those of
# PyTorch are run as well.
compared := python3-numpy
site := python3-sphinx python3-myst-parser furo python3-sphinx-copybutton
json := nlohmann-json3-dev
# For the exchange with other programs and files. With python3-torch PyTorch is tested as well.
exchange := $(json) libdlpack-dev python3-dev $(compared)
tests := $(pictures) catch2 libprotobuf-dev protobuf-compiler libonnx-dev libonnx-testdata python3 $(executors) \
  $(exchange) $(vulkan) spirv-tools vulkan-validationlayers libbenchmark-dev libxtensor-dev

# The picture that `make demo` works on, and what it writes.
IMAGE ?= examples/data/sample.jpg
SHEET ?= build/demo/contact-sheet.png

# What `make bench-vulkan` divides sizes by: a power of 4.
SCALE ?= 1

# CTest runs one test at a time unless told otherwise.
export CTEST_PARALLEL_LEVEL ?= $(shell nproc 2>/dev/null || echo 2)

help:
	@echo 'make demo          the five operators at work on a picture (IMAGE=photo.jpg for one of yours)'
	@echo 'make test          every test: g++, clang++, AddressSanitizer, ThreadSanitizer, UndefinedBehaviorSanitizer'
	@echo 'make bench         the benchmarks, as tables, as a file in bench/results and as plots in docs/images'
	@echo 'make bench-vulkan  the operators on a Vulkan device (SCALE=256 suits a software device)'
	@echo 'make docs          the documentation as a site in build/docs/site; what it quotes is compiled, run and compared'
	@echo 'make format        formats the sources'
	@echo 'make tidy          static analysis of the headers'
	@echo 'make clean         removes the folder build'

demo:
	@.ci/packages $(compile) $(pictures) $(json) $(vulkan)
	cmake --workflow --preset demo
	build/demo/examples/picture '$(IMAGE)' '$(SHEET)'

# Stops at the first preset that fails, so that the last lines on the screen are either the names of the tests that
# failed or the summary of the last preset, the one that runs every test there is.
test:
	@.ci/packages $(compile) clang $(tests)
	cmake --workflow --preset asan
	cmake --workflow --preset tsan
	cmake --workflow --preset release

# Where libtorch-dev is installed, libtorch is one of the peers. The plots take matplotlib, which Debian has for its own
# Python, whichever comes first in PATH.
bench: plotting_python := $(firstword $(wildcard /usr/bin/python3) python3)
bench:
	@.ci/packages $(compile) libbenchmark-dev libeigen3-dev libxtensor-dev python3 python3-matplotlib
	cmake --workflow --preset bench
	python3 bench/table.py --run build/bench/bench --save bench/results
	$(plotting_python) bench/plot.py bench/results docs/images
	bench/include_cost.sh

bench-vulkan:
	@.ci/packages $(compile) $(vulkan) libvulkan1 libbenchmark-dev libeigen3-dev libxtensor-dev python3
	cmake --preset bench -DNDX_VULKAN=ON
	cmake --build --preset bench --target ndx_bench_vulkan
	python3 bench/vulkan_table.py --run build/bench/bench/vulkan/bench_vulkan --arguments='--scale=$(SCALE)' \
	  --save bench/results/vulkan

docs:
	@.ci/packages $(compile) $(pictures) $(json) $(vulkan) python3 $(compared) $(site)
	cmake --workflow --preset docs
	@echo 'The site: build/docs/site/index.html'

format:
	@.ci/packages clang-format
	find include tests examples bench -name '*.[ch]pp' -o -name '*.inl' | xargs clang-format -i

tidy:
	@.ci/packages $(compile) clang-tidy $(pictures) $(json)
	cmake --preset demo
	clang-tidy --quiet -p build/demo examples/slice1.cpp examples/gather_nd.cpp examples/gather_nd1.cpp \
	  examples/scatter_nd.cpp examples/scatter_elements.cpp

clean:
	rm -rf build

.DEFAULT_GOAL := help
.PHONY: help demo test bench bench-vulkan docs format tidy clean

# SPDX-License-Identifier: MIT
"""Files that NumPy writes and ndx reads, and the other way.

Usage: files.test.py PROGRAM    with PROGRAM built from files.cpp
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

PROGRAM = sys.argv.pop(1)
TYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
SHAPES = [(), (0,), (5,), (2, 3, 4), (3, 0, 2)]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def array(dtype, shape, order):
    """Numbers that differ in every byte they have."""
    count = int(numpy.prod(shape, dtype=int))
    dtype = numpy.dtype(dtype)
    if dtype == bool:
        flat = numpy.arange(count) % 3 == 0
    else:
        bits = numpy.random.default_rng(count).integers(0, 256, count * dtype.itemsize, dtype=numpy.uint8)
        flat = bits.view(dtype)
    return numpy.array(flat.reshape(shape), dtype=dtype, order=order)


def same(a, b):
    """Bit by bit, so that NaN are equal too."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


class Npy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def check(self, arrays, write):
        """Has ndx write again what `write` wrote, and compares."""
        arguments = []
        for i, x in enumerate(arrays):
            write(self.path(f"{i}.npy"), x)
            arguments += [self.path(f"{i}.npy"), self.path(f"{i}.copy.npy"), self.path(f"{i}.reversed.npy")]
        result = run("npy", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for i, x in enumerate(arrays):
            for name, due in (("copy", x), ("reversed", x.T)):
                for mode in (None, "r"):
                    if mode == "r" and x.size == 0:
                        continue  # NumPy maps no empty files
                    seen = numpy.load(self.path(f"{i}.{name}.npy"), mmap_mode=mode)
                    self.assertTrue(same(seen, due), f"{x.dtype} {x.shape} {name} {mode}")

    def test_arrays_of_every_type_rank_and_order_go_there_and_back(self):
        arrays = [array(t, s, o) for t in TYPES for s in SHAPES for o in "CF"]
        self.assertEqual(len(arrays), 140)
        self.check(arrays, numpy.save)

    def test_every_version_of_the_format_is_read(self):
        for version in ((1, 0), (2, 0), (3, 0)):

            def write(path, x):
                with open(path, "wb") as file:
                    numpy.lib.format.write_array(file, x, version)

            self.check([array("f4", (2, 3, 4), order) for order in "CF"], write)

    def test_two_bytes_without_a_type_are_bfloat16(self):
        numbers = numpy.arange(5, dtype=numpy.float32)
        upper_halves = numpy.ascontiguousarray(numbers.view(numpy.uint16)[1::2])
        self.check([upper_halves.view("V2")], numpy.save)

    def test_the_other_byte_order_objects_and_structures_are_errors(self):
        for x in (array("f4", (5,), "C").astype(">f4"), numpy.array([None]), numpy.zeros(3, "f4,i4")):
            numpy.save(self.path("x.npy"), x)
            result = run("npy", self.path("x.npy"), self.path("y.npy"), self.path("z.npy"))
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "due (are|is)")
            self.assertFalse(self.path("y.npy").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)

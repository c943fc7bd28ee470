# SPDX-License-Identifier: MIT
"""Files that Python writes and ndx reads, and the other way.

Usage: files.test.py npy|safetensors PROGRAM    with PROGRAM built from npy_files.cpp or safetensors_files.cpp
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy

FORMAT = sys.argv.pop(1)
PROGRAM = sys.argv.pop(1)
TYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
SHAPES = [(), (5, 1, 1), (2, 3, 4), (3, 0, 2)]


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


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name


class Npy(Files):
    def check(self, arrays, write):
        """Has ndx write again what `write` wrote, and compares."""
        arguments = []
        for i, x in enumerate(arrays):
            write(self.path(f"{i}.npy"), x)
            arguments += [self.path(f"{i}.npy"), self.path(f"{i}.copy.npy"), self.path(f"{i}.reversed.npy")]
        result = run(*arguments)
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
        self.assertEqual(len(arrays), 112)
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
        self.check([upper_halves.view("V2").reshape(5, 1, 1)], numpy.save)

    def test_the_other_byte_order_objects_and_structures_are_errors(self):
        for x in (array("f4", (5, 1, 1), "C").astype(">f4"), numpy.full((1, 1, 1), None), numpy.zeros((1, 1, 3), "f4,i4")):
            numpy.save(self.path("x.npy"), x)
            result = run(self.path("x.npy"), self.path("y.npy"), self.path("z.npy"))
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "due (are|is)")
            self.assertFalse(self.path("y.npy").exists())


class Safetensors(Files):
    """The format in a few lines, by its specification: no other implementation is in Debian."""

    NAMES = dict(zip(TYPES[:-1], "BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64 C64".split()))

    def save(self, path, arrays, metadata):
        header, data = {"__metadata__": metadata}, b""
        for name, (dtype, x) in arrays.items():
            begin, data = len(data), data + x.tobytes()
            header[name] = {"dtype": dtype, "shape": x.shape, "data_offsets": [begin, len(data)]}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)

    def load(self, path):
        content = path.read_bytes()
        (length,) = struct.unpack("<Q", content[:8])
        header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
        self.assertEqual(length % 8, 0)
        self.assertEqual(content[8:9], b"{")
        metadata, end = header.pop("__metadata__", {}), 0
        for entry in header.values():
            self.assertEqual(entry["data_offsets"][0], end)
            end = entry["data_offsets"][1]
        self.assertEqual(end, len(data))
        return {n: (e["dtype"], e["shape"], data[slice(*e["data_offsets"])]) for n, e in header.items()}, metadata

    def test_tensors_of_every_type_and_rank_go_there_and_back(self):
        arrays = {
            f"{t}{list(s)} \u00e4\u4e2d\"": (name, array(t, s, "C"))
            for t, name in sorted(self.NAMES.items(), key=lambda item: -numpy.dtype(item[0]).itemsize)
            for s in SHAPES
        }
        arrays["bfloat16"] = ("BF16", array("u2", (5, 1, 1), "C"))
        arrays = dict(sorted(arrays.items(), key=lambda item: -item[1][1].itemsize))
        self.assertEqual(len(arrays), 53)
        metadata = {"format": "pt", "\u00e4": "line\nline"}
        self.save(self.path("in"), arrays, metadata)
        result = run(self.path("in"), self.path("out"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        seen, seen_metadata = self.load(self.path("out"))
        self.assertEqual(seen_metadata, metadata)
        self.assertEqual(seen, {n: (t, list(x.shape), x.tobytes()) for n, (t, x) in arrays.items()})


if __name__ == "__main__":
    case = {"npy": Npy, "safetensors": Safetensors}[FORMAT]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)

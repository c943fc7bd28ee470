# SPDX-License-Identifier: MIT
"""Tensors that go between ndx and NumPy or PyTorch by DLPack.

Usage: python.test.py numpy|torch    with the folder of the module ndx_exchange in PYTHONPATH

Exit status 77 where the library is missing.
"""

import ctypes
import gc
import importlib
import sys
import unittest

import ndx_exchange

CAPSULE_NAME = ctypes.pythonapi.PyCapsule_GetName
CAPSULE_NAME.restype = ctypes.c_char_p
CAPSULE_NAME.argtypes = [ctypes.py_object]


class Exported:
    """A tensor of ndx's, as from_dlpack takes it: once."""

    def __init__(self, rows, columns, versioned=False, read_only=False):
        self.address, self.capsule = ndx_exchange.counting(rows, columns, versioned, read_only)

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


class Exchange(unittest.TestCase):
    """What holds for both libraries; `lib` is one, `address` tells where its tensors are."""

    def arange(self, rows, columns):
        return self.lib.arange(rows * columns, dtype=self.lib.float32).reshape(rows, columns)

    def indices(self, values):
        return self.lib.asarray(values, dtype=self.lib.int64).reshape(-1, 1)

    def empty(self, rows, columns):
        return self.lib.zeros((rows, columns), dtype=self.lib.float32)

    def test_a_tensor_is_looked_at_where_it_is(self):
        x = self.arange(4, 3)
        address, extents, strides = ndx_exchange.look(x)
        self.assertEqual(address, self.address(x))
        self.assertEqual((extents, strides), ((4, 3), (3, 1)))

    def test_strided_and_transposed_tensors_are_looked_at_where_they_are(self):
        x = self.arange(8, 6)
        part = x[1::2, 2:5]
        self.assertEqual(ndx_exchange.look(part), (self.address(x) + 4 * 8, (4, 3), (12, 1)))
        self.assertEqual(ndx_exchange.look(x.T), (self.address(x), (6, 8), (1, 6)))

    def test_rows_are_gathered_from_and_into_tensors_of_the_library(self):
        table, out = self.arange(5, 4), self.empty(3, 4)
        ndx_exchange.gather(table, self.indices([4, 0, -2]), out)
        self.assertEqual(out.tolist(), [table[4].tolist(), table[0].tolist(), table[3].tolist()])

    def test_columns_are_gathered_from_and_into_transposed_tensors(self):
        table, out = self.arange(5, 4), self.empty(5, 2)
        ndx_exchange.gather(table.T, self.indices([3, 1]), out.T)
        self.assertEqual(out.tolist(), table[:, [3, 1]].tolist())

    def test_a_bad_index_is_an_error_and_gives_everything_back(self):
        arguments = (self.arange(5, 4), self.indices([5]), self.empty(1, 4))
        references = [sys.getrefcount(each) for each in arguments]
        with self.assertRaisesRegex(BufferError, "is 5, out of range"):
            ndx_exchange.gather(*arguments)
        self.assertEqual([sys.getrefcount(each) for each in arguments], references)

    def test_another_type_or_rank_is_an_error_that_takes_nothing(self):
        doubles = self.lib.zeros((2, 2), dtype=self.lib.float64)
        references = sys.getrefcount(doubles)
        capsule = doubles.__dlpack__()
        with self.assertRaisesRegex(BufferError, "dtype is float64; due is float32"):
            ndx_exchange.look(capsule)
        self.assertEqual(CAPSULE_NAME(capsule), b"dltensor")
        del capsule
        with self.assertRaisesRegex(BufferError, "ndim is 1; due is 2"):
            ndx_exchange.look(self.arange(2, 2)[0])
        self.assertEqual(sys.getrefcount(doubles), references)

    def test_a_capsule_is_taken_once(self):
        x = self.arange(2, 2)
        capsule = x.__dlpack__()
        self.assertEqual(CAPSULE_NAME(capsule), b"dltensor")
        ndx_exchange.look(capsule)
        self.assertEqual(CAPSULE_NAME(capsule), b"used_dltensor")
        with self.assertRaisesRegex(BufferError, "nobody has taken"):
            ndx_exchange.look(capsule)

    def test_an_ndx_tensor_is_seen_by_the_library_and_deleted_once(self):
        before = ndx_exchange.alive()
        exported = Exported(3, 4)
        self.assertEqual(ndx_exchange.alive(), before + 1)
        seen = self.lib.from_dlpack(exported)
        self.assertEqual(self.address(seen), exported.address)
        self.assertEqual(seen.tolist(), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])
        self.assertEqual(CAPSULE_NAME(exported.capsule), b"used_dltensor")
        part = seen[1:, ::2]
        del exported, seen
        gc.collect()
        self.assertEqual(ndx_exchange.alive(), before + 1)
        self.assertEqual(part.tolist(), [[4, 6], [8, 10]])
        del part
        gc.collect()
        self.assertEqual(ndx_exchange.alive(), before)

    def test_a_capsule_that_nobody_takes_deletes_its_tensor(self):
        before = ndx_exchange.alive()
        for versioned in (False, True):
            exported = Exported(2, 2, versioned)
            self.assertEqual(ndx_exchange.alive(), before + 1)
            del exported
            gc.collect()
            self.assertEqual(ndx_exchange.alive(), before)

    def test_tensors_go_from_ndx_to_ndx_through_python(self):
        before = ndx_exchange.alive()
        for versioned, name in ((False, b"dltensor"), (True, b"dltensor_versioned")):
            exported = Exported(2, 5, versioned)
            self.assertEqual(CAPSULE_NAME(exported.capsule), name)
            self.assertEqual(ndx_exchange.look(exported), (exported.address, (2, 5), (5, 1)))
            self.assertEqual(CAPSULE_NAME(exported.capsule), b"used_" + name)
            self.assertEqual(ndx_exchange.alive(), before)

    def test_a_read_only_tensor_is_read_and_not_written(self):
        exported = Exported(2, 2, True, read_only=True)
        with self.assertRaisesRegex(BufferError, "the tensor is read-only"):
            ndx_exchange.write(exported)
        self.assertEqual(CAPSULE_NAME(exported.capsule), b"dltensor_versioned")
        self.assertEqual(ndx_exchange.look(exported)[1], (2, 2))


class NumPy(Exchange):
    def address(self, x):
        return x.ctypes.data

    def test_a_read_only_array_is_no_output(self):
        table, out = self.arange(2, 2), self.empty(1, 2)
        out.flags.writeable = False
        # NumPy before 2.1 exports no such array at all, later ones mark it.
        with self.assertRaisesRegex(BufferError, "read-?only"):
            ndx_exchange.gather(table, self.indices([1]), out)
        self.assertEqual(out.tolist(), [[0, 0]])

    def test_an_array_that_runs_backwards_is_looked_at_where_it_is(self):
        x = self.arange(4, 3)
        self.assertEqual(ndx_exchange.look(x[::-1, ::-1]), (self.address(x) + 4 * 11, (4, 3), (-3, -1)))


class Torch(Exchange):
    def address(self, x):
        return x.data_ptr()

    def test_a_tensor_that_repeats_a_row_is_read(self):
        row = self.arange(1, 3)
        self.assertEqual(ndx_exchange.look(row.expand(4, 3)), (self.address(row), (4, 3), (0, 1)))


if __name__ == "__main__":
    which = sys.argv.pop(1)
    try:
        Exchange.lib = importlib.import_module(which)
    except ImportError as problem:
        print(f"skipped: {problem} (Debian: python3-{which})")
        sys.exit(77)
    print(which, Exchange.lib.__version__)
    case = {"numpy": NumPy, "torch": Torch}[which]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun >= 11 else 1)

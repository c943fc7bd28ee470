#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the slices that a program prints (slice_table.cpp) with those of Python's own lists.

    slice_of_python.py PROGRAM

Exit status 1 where one differs, or where there are fewer of them than there have to be.
"""

import subprocess
import sys


def main():
    lines = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    wrong = 0
    for line in lines:
        case, _, taken = line.partition(":")
        extent, *edges = (None if word == "None" else int(word) for word in case.split())
        due = list(range(extent))[slice(*edges)]
        if [int(word) for word in taken.split()] != due:
            wrong += 1
            print(f"list(range({extent}))[{':'.join(str(edge) for edge in edges)}] is {due}, not{taken or ' []'}")
    print(f"{len(lines)} slices compared, {wrong} differ")
    return 1 if wrong or len(lines) != 7 * 20 * 20 * 19 else 0


if __name__ == "__main__":
    sys.exit(main())

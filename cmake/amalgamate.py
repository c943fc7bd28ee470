#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes headers of ndx and all that they include as one file, which needs no other file of ndx.

    amalgamate.py --include DIR [--include DIR ...] --license FILE [--base NAME=HEADER] --output FILE HEADER

HEADER is named as a program includes it: ndx/ndx.hpp. With --base, what HEADER shares with another header comes from
the file NAME, which was written from that one and is included in its place.

A file with an include guard is written where it is included first, with its guard, so that a program may still
include single headers beside the one file. A file without a guard is written wherever it is included: the kernels
are, once for every instruction set. Other libraries are included where they are included first.
"""

import argparse
import pathlib
import re
import sys

INCLUDE = re.compile(r"\s*#\s*include\s*(<([^>]+)>|\"([^\"]+)\")")
DIRECTIVE = re.compile(r"\s*#\s*(\w+)")
LICENSE_LINE = "// SPDX-License-Identifier: MIT"


class Mistake(Exception):
    pass


def without_comments(line):
    """A line less what follows //; none of the files has comments of the other kind around a directive."""
    return line.split("//", 1)[0]


class Amalgamation:
    def __init__(self, folders):
        self.folders = folders
        self.lines = []
        self.written = set()  # guarded files, and headers of other libraries
        self.base_name, self.in_base = None, set()

    def find(self, header):
        for folder in self.folders:
            if (folder / header).is_file():
                return (folder / header).read_text(encoding="utf-8").rstrip("\n").split("\n")
        raise Mistake(f"{header} is in none of {', '.join(map(str, self.folders))}")

    def use_base(self, name, other):
        """From here on, what `other` has written is in the file `name`."""
        self.base_name, self.in_base = name, set(other.written)

    def add(self, header, conditional=False):
        lines = self.find(header)
        directives = [line for line in lines if DIRECTIVE.match(line)]
        guarded = bool(directives) and re.match(r"#ifndef NDX_\w+_HPP$", directives[0]) is not None
        if guarded:
            if header in self.in_base:
                self.include(f'"{self.base_name}"', conditional)
                return
            if header in self.written:
                return
            if conditional:
                # Written here it would be missing wherever else it is included.
                raise Mistake(f"{header} is first included under a condition")
            self.written.add(header)
        self.lines += ["", f"// {header} {'-' * (116 - len(header))}", ""]
        depth = -1 if guarded else 0
        for number, line in enumerate(lines, 1):
            if line == LICENSE_LINE:
                continue
            directive = DIRECTIVE.match(line)
            if directive and directive[1].startswith("if"):
                depth += 1
            elif directive and directive[1] == "endif":
                depth -= 1
            elif directive and directive[1] == "include":
                self.add_include(header, number, line, conditional or depth > 0)
                continue
            self.lines.append(line)
        if depth != (-1 if guarded else 0):
            raise Mistake(f"{header}: #if and #endif do not match")

    def add_include(self, header, number, line, conditional):
        found = INCLUDE.match(without_comments(line))
        if not found:
            raise Mistake(f"{header}:{number}: what is included must be a name in <> or \"\": {line}")
        name = found[2] or found[3]
        if name.startswith("ndx/"):
            self.add(name, conditional)
        else:
            self.include(found[1], conditional)

    def include(self, name, conditional):
        if name in self.written or name in self.in_base:
            return
        if not conditional:
            self.written.add(name)
        self.lines.append(f"#include {name}")

    def text(self, header, license_text):
        guard = "NDX_ONE_FILE_" + re.sub(r"\W", "_", header).upper()
        version = dict(re.findall(r"#define NDX_VERSION_(\w+) (\d+)", "\n".join(self.find("ndx/version.hpp"))))
        above = [
            LICENSE_LINE,
            "//",
            f"// ndx {version['MAJOR']}.{version['MINOR']}.{version['PATCH']}: {header} in one file,"
            " generated from the sources by cmake/amalgamate.py.",
            "//",
            *(f"// {line}".rstrip() for line in license_text.strip("\n").split("\n")),
            "",
        ]
        body = self.lines
        if header.endswith(".hpp"):
            above += [f"#ifndef {guard}", f"#define {guard}"]
            body = [*body, "", "#endif"]
        return re.sub(r"\n{3,}", "\n\n", "\n".join([*above, *body])).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", action="append", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--license", required=True, type=pathlib.Path, metavar="FILE")
    parser.add_argument("--base", metavar="NAME=HEADER")
    parser.add_argument("--output", required=True, type=pathlib.Path, metavar="FILE")
    parser.add_argument("header", metavar="HEADER")
    arguments = parser.parse_args()
    try:
        result = Amalgamation(arguments.include)
        if arguments.base:
            name, header = arguments.base.split("=")
            base = Amalgamation(arguments.include)
            base.add(header)
            result.use_base(name, base)
        result.add(arguments.header)
        text = result.text(arguments.header, arguments.license.read_text(encoding="utf-8"))
    except Mistake as mistake:
        print(f"amalgamate.py: {mistake}", file=sys.stderr)
        return 1
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

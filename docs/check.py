#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the documentation: that the code it quotes is the code of examples that are compiled and run, and that its
links within the repository lead to files.

In an example, a line `// [name]` opens a region and a line `// [/name]` closes it. In README.md and docs/**/*.md, a line

    <!-- snippet: examples/gather_nd.cpp [name] -->

before a fenced block says that the block quotes this region; without `[name]`, the whole file less its license line.
Common indentation and lines that mark regions do not count. Exit status 1 where anything is wrong.
"""

import difflib
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"\s*// \[(/?)([\w-]+)\]\s*$")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")  # relative ones: no scheme
QUOTATION = re.compile(r"^<!-- snippet: (\S+?)(?: \[([\w-]+)\])? -->$")


class Mistake(Exception):
    pass


def tidy(lines):
    return textwrap.dedent("\n".join(lines)).strip("\n").split("\n")


def region(file, name):
    """The lines of a region of a file, or of all of it."""
    path = ROOT / file
    if not path.is_file():
        raise Mistake(f"there is no file {file}")
    lines = path.read_text(encoding="utf-8").split("\n")
    if name is None:
        return tidy([line for line in lines if not MARK.match(line) and "SPDX-License-Identifier" not in line])
    marks = [(number, found[1]) for number, line in enumerate(lines) if (found := MARK.match(line)) and found[2] == name]
    if [closes for _, closes in marks] != ["", "/"]:
        raise Mistake(f"{file} does not have one region [{name}] that is opened and closed")
    (first, _), (last, _) = marks
    return tidy([line for line in lines[first + 1 : last] if not MARK.match(line)])


def quotations(page):
    """(line number, file, region, quoted lines) of a page."""
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        found = QUOTATION.match(line)
        if not found:
            if "<!-- snippet" in line:
                raise Mistake(f"line {number + 1}: not of the form <!-- snippet: FILE [REGION] -->")
            continue
        fence = number + 1
        while fence < len(lines) and not lines[fence].strip():
            fence += 1
        if fence == len(lines) or not lines[fence].startswith("```"):
            raise Mistake(f"line {number + 1}: no fenced block follows")
        end = next((n for n in range(fence + 1, len(lines)) if lines[n].startswith("```")), None)
        if end is None:
            raise Mistake(f"line {fence + 1}: the fenced block does not end")
        yield number + 1, found[1], found[2], tidy(lines[fence + 1 : end])


def dead_links(page):
    """(line number, target) of a page's links to files that are not there."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n")):
        fenced ^= line.startswith("```")
        for target in [] if fenced else LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if not (page.parent / target).exists():
                yield number + 1, target


def main():
    pages = sorted(ROOT.glob("docs/**/*.md")) + [page for page in [ROOT / "README.md"] if page.exists()]
    checked, mistakes = 0, []
    for page in pages:
        name = page.relative_to(ROOT)
        mistakes += [f"{name}:{line}: the link leads nowhere: {target}" for line, target in dead_links(page)]
        try:
            for line, file, part, quoted in quotations(page):
                checked += 1
                try:
                    due = region(file, part)
                except Mistake as mistake:
                    mistakes.append(f"{name}:{line}: {mistake}")
                    continue
                if quoted != due:
                    source = f"{file} [{part}]" if part else file
                    difference = "\n".join(difflib.unified_diff(quoted, due, f"{name}:{line}", source, lineterm=""))
                    mistakes.append(f"{name}:{line}: differs from {source}\n{difference}")
        except Mistake as mistake:
            mistakes.append(f"{name}: {mistake}")
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if not pages:
        mistakes.append("no pages")
        print("neither README.md nor pages in docs", file=sys.stderr)
    print(f"{checked} quotations in {len(pages)} pages, {len(mistakes)} wrong")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

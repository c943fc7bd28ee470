#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the documentation, or with --write renews what it quotes. Exit status 1 where anything is wrong.

- Code that is quoted is the code of examples that are compiled and run. In an example, a line `// [name]` (or
  `# [name]`) opens a region and a line `// [/name]` closes it. In README.md and docs/**/*.md, a line

      <!-- snippet: examples/gather_nd.cpp [name] -->

  before a fenced block says that the block quotes this region; without `[name]`, the whole file less its license line.
  Common indentation and lines that mark regions do not count. Programs in the README, the start page and the guides
  are quotations, all of them but those behind a line `<!-- fragment -->`, which cannot be one.

- Tables that a program makes are what it prints. They stand between two lines, the first of which names the program,
  a Python script of this repository, and its arguments:

      <!-- generated: docs/tables.py interop -->
      <!-- /generated -->

- Links within the repository lead to files, and to headings that are there.
- The pictures of the operators are what docs/draw_operators.py draws, and on the operators' pages.
- The reference describes every public header.
"""

import argparse
import difflib
import functools
import itertools
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

import draw_operators
import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = re.compile(r"\s*(?://|#) \[(/?)([\w-]+)\]\s*$")
LINK = re.compile(r"\]\(([^)\s#:]*)(#[^)\s]*)?\)")  # relative ones: no scheme
QUOTATION = re.compile(r"^<!-- snippet: (\S+?)(?: \[([\w-]+)\])? -->$")
GENERATED = re.compile(
    r"^<!-- generated: (\S+\.py)(?: ([^\n]*))? -->\n(.*?)^<!-- /generated -->$", re.MULTILINE | re.DOTALL
)
LANGUAGES_OF_PROGRAMS = {"cpp", "python"}


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
    marks = [
        (number, found[1]) for number, line in enumerate(lines) if (found := MARK.match(line)) and found[2] == name
    ]
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


def unquoted(page):
    """(line number, language) of a page's programs that are no quotations."""
    lines = page.read_text(encoding="utf-8").split("\n")
    quoted = {first for first, _, _, _ in quotations(page)}
    quoted |= {number for number, line in enumerate(lines, 1) if line == "<!-- fragment -->"}
    open_block, before = False, 0
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            open_block = not open_block
            if open_block and line[3:] in LANGUAGES_OF_PROGRAMS and before not in quoted:
                yield number, line[3:]
        elif line.strip():
            before = number


def without_code(page):
    """(line number, line) of a page, less its fenced blocks and what stands in backquotes."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        fenced ^= line.startswith("```")
        if not fenced:
            yield number, line


@functools.cache
def anchors(page):
    """Those that forges and MyST give the headings of a page."""
    found = []
    for _, line in without_code(page):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            anchor = re.sub(r"\s", "-", re.sub(r"[^\w\- ]", "", words))
            found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def dead_links(page):
    """(line number, target) of a page's links to files or headings that are not there."""
    for number, line in without_code(page):
        for target, anchor in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            file = page.parent / target if target else page
            if not file.exists() or (anchor and file.suffix == ".md" and anchor[1:] not in anchors(file.resolve())):
                yield number, target + anchor


@functools.cache
def printed(script, arguments):
    """What a script of this repository prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / script), *shlex.split(arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Mistake(f"{script} {arguments} ended with status {done.returncode}: {done.stderr.strip()}")
    return f"\n{done.stdout.strip()}\n\n"


def renewed(page):
    """The text of a page with what programs print now."""

    def renew(part):
        return part[0][: part.start(3) - part.start()] + printed(part[1], part[2] or "") + "<!-- /generated -->"

    return GENERATED.sub(renew, page.read_text(encoding="utf-8"))


def quoted_anew(page):
    """The text of a page with the code that its quotations are of."""
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, file, part, _ in reversed(list(quotations(page))):
        fences = (n for n, line in enumerate(lines[number:], number) if line.startswith("```"))
        first, last = itertools.islice(fences, 2)
        lines[first + 1 : last] = region(file, part)
    return "\n".join(lines)


def undrawn():
    """(page, picture) of operators whose page does not show their picture."""
    for picture in draw_operators.PICTURES:
        page = ROOT / "docs/reference" / (picture.removeprefix("operator_").removesuffix(".svg") + ".md")
        if page.exists() and f"](../images/{picture})" not in page.read_text(encoding="utf-8"):
            yield page.relative_to(ROOT), picture


def check_page(page, mistakes):
    """Adds what is wrong with a page; returns how many quotations it has."""
    name = page.relative_to(ROOT)
    mistakes += [f"{name}:{line}: the link leads nowhere: {target}" for line, target in dead_links(page)]
    checked = 0
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
        if name.parts[1:2] != ("reference",) and name.parts[1:2] != ("design",):
            mistakes += [f"{name}:{line}: this {language} quotes no program" for line, language in unquoted(page)]
        seen, due = page.read_text(encoding="utf-8"), renewed(page)
        if seen != due:
            difference = "\n".join(
                difflib.unified_diff(seen.split("\n"), due.split("\n"), str(name), "due", "", "", 1, "")
            )
            mistakes.append(f"{name}: is not what programs print (docs/check.py --write renews it)\n{difference}")
    except Mistake as mistake:
        mistakes.append(f"{name}: {mistake}")
    return checked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="renew quotations, tables and pictures first")
    arguments = parser.parse_args()
    pages = sorted(ROOT.glob("docs/**/*.md")) + [page for page in [ROOT / "README.md"] if page.exists()]
    if arguments.write:
        draw_operators.write()
        for page in pages:
            page.write_text(quoted_anew(page), encoding="utf-8")
            page.write_text(renewed(page), encoding="utf-8")

    checked, mistakes = 0, []
    for page in pages:
        checked += check_page(page, mistakes)
    mistakes += [
        f"docs/images/{name} is not what docs/draw_operators.py draws" for name in draw_operators.differences()
    ]
    mistakes += [f"{page}: does not show docs/images/{picture}" for page, picture in undrawn()]
    mistakes += [
        f"docs/reference: no page describes <{name}>" for name in tables.public_headers() if not tables.page_of(name)
    ]
    if not pages:
        mistakes.append("neither README.md nor pages in docs")
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    print(f"{checked} quotations in {len(pages)} pages, {len(mistakes)} wrong")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

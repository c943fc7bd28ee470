#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of the documentation that follow from the files that are there; docs/check.py puts them into the pages.

tables.py interop            the headers of include/ndx/interop, and the pages of the reference that describe them
tables.py headers            the public headers, likewise
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/reference"

# Where a header is described that several pages name.
DESCRIBED = {
    "ndx/ndx.hpp": "index",
    "ndx/vulkan.hpp": "vulkan",
    "ndx/concepts.hpp": "tensors",
    "ndx/error.hpp": "errors",
    "ndx/execution.hpp": "policies",
    "ndx/float16.hpp": "tensors",
    "ndx/options.hpp": "index",
    "ndx/slicing.hpp": "slice",
    "ndx/tensor.hpp": "tensors",
    "ndx/tensor_view.hpp": "tensors",
    "ndx/version.hpp": "index",
    "ndx/interop/eigen_thread_pool.hpp": "policies",
    "ndx/interop/onetbb.hpp": "policies",
    "ndx/interop/openmp.hpp": "policies",
}
# Included by others, and not to be included by itself.
INNER = {
    "ndx/handle.hpp",
    "ndx/ops/call.hpp",
    "ndx/ops/gather_call.hpp",
    "ndx/ops/plan_makers.hpp",
    "ndx/ops/result.hpp",
    "ndx/ops/scatter_call.hpp",
}


def page_of(header):
    """The page that describes a header: the one of its name, or the first that names it."""
    name = pathlib.PurePath(header).stem
    for page in [DESCRIBED.get(header), name, f"interop_{name}"]:
        if page and (REFERENCE / f"{page}.md").exists():
            return page
    pages = sorted(page for page in REFERENCE.glob("*.md") if page.stem != "index")
    return next((page.stem for page in pages if header in page.read_text(encoding="utf-8")), None)


def headers(pattern):
    found = sorted(file.relative_to(ROOT / "include").as_posix() for file in ROOT.glob(f"include/ndx/{pattern}"))
    return [header for header in found if header not in INNER]


def public_headers():
    return headers("*.hpp") + headers("ops/*.hpp") + headers("interop/*.hpp")


def table(names, folder):
    lines = ["| header | described in |", "|---|---|"]
    for header in names:
        page = page_of(header)
        if page == "index":
            lines.append(f"| `<{header}>` | this page |")
        else:
            lines.append(f"| `<{header}>` | " + (f"[{page}]({folder}{page}.md) |" if page else "no page yet |"))
    return "\n".join(lines)


def main():
    if sys.argv[1:] == ["interop"]:
        print(table(headers("interop/*.hpp"), "../reference/"))
    elif sys.argv[1:] == ["headers"]:
        print(table(public_headers(), ""))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""The site that `make docs` writes to build/docs/site: Sphinx, MyST and Furo, all of them Debian packages.

The pages are plain Markdown, made to be read on a forge as well. So they have no directives: what belongs to the site
alone, such as the tables of contents, is added here.
"""

import pathlib
import re

import furo

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.findall(r"define NDX_VERSION_\w+ (\d+)", (HERE.parent / "include/ndx/version.hpp").read_text())

project = "ndx"
author = "the authors of ndx"
copyright = "the authors of ndx, MIT license"
release = version = ".".join(VERSION)

extensions = ["myst_parser", "sphinx_copybutton"]
html_theme = "furo"
html_title = f"ndx {release}"
html_static_path = ["site"]
html_css_files = ["ndx.css"]
html_js_files = ["ndx.js"]
html_copy_source = False
html_show_sphinx = False
# Names of branches and of authors are no part of a page.
html_last_updated_fmt = None

# Headings get the anchors that forges give them, down to this level.
myst_heading_anchors = 4
highlight_language = "none"
# Light and dark ones that differ enough from their background to be read.
pygments_style = "friendly"
pygments_dark_style = "native"


def dark_variables():
    """The colours of Furo's dark theme. Debian's has them for readers who ask for it, and not for dark systems."""
    styles = pathlib.Path(furo.__file__).parent / "theme/furo/static/styles/furo.css"
    block = re.search(r'body\[data-theme="?dark"?\]\s*{([^}]*)}', styles.read_text())
    return dict(re.findall(r"--([\w-]+):\s*([^;}]+)", block[1])) if block else {}


html_theme_options = {"dark_css_variables": dark_variables()}

# The sections of the site, in the order of its sidebar; patterns find pages that are added later.
SECTIONS = {
    "Guide": [
        "guide/start",
        "guide/cpu",
        "guide/vulkan",
        "guide/own_device",
        "guide/batches",
        "guide/errors_and_bounds",
        "guide/duplicates_and_determinism",
        "guide/interop",
        "guide/coming_from",
        "guide/packages",
        "guide/limits",
        "guide/*",
    ],
    "Reference": [
        "reference/index",
        "reference/slice1",
        "reference/gather_nd",
        "reference/gather_nd1",
        "reference/scatter_nd",
        "reference/scatter_elements",
        "reference/gather_elements",
        "reference/take",
        "reference/slice",
        "reference/slice_grad",
        "reference/flip",
        "reference/tensors",
        "reference/policies",
        "reference/vulkan",
        "reference/errors",
        "reference/interop_*",
        "reference/*",
    ],
    "Measured": ["benchmarks"],
    "Design": [
        "design/data_path",
        "design/adding_an_operator",
        "design/cpu",
        "design/vulkan",
        "design/decisions",
        "design/*",
    ],
    "Project": ["changelog", "CONTRIBUTING", "*"],
}


def contents():
    """Section -> its pages: every one that a pattern names, where it is named first."""
    seen, sections = {"index"}, {}
    for caption, patterns in SECTIONS.items():
        named = [path for pattern in patterns for path in sorted(HERE.glob(f"{pattern}.md"))]
        pages = dict.fromkeys(path.relative_to(HERE).with_suffix("").as_posix() for path in named)
        sections[caption] = [page for page in pages if page not in seen]
        seen.update(pages)
    return sections


def add_contents(app, page, source):
    """Puts the tables of contents at the end of the start page, where Sphinx looks for them."""
    if page == "index":
        for caption, pages in contents().items():
            lines = "\n".join(pages)
            if pages:
                source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def without_links_out(app, page, source):
    """Leaves the words alone of links to what is no part of the site: folders, and Markdown outside of docs/.

    Other files, such as examples, become downloads.
    """
    folder = (HERE / page).parent

    def words(link):
        target = (folder / link[2]).resolve()
        outside = HERE not in target.parents
        return link[1] if target.is_dir() or (outside and target.suffix == ".md") else link[0]

    source[0] = re.sub(r"\[([^]]*)\]\(([^)\s#:]+)(?:#[^)\s]*)?\)", words, source[0])


def setup(app):
    app.connect("source-read", without_links_out)
    app.connect("source-read", add_contents)

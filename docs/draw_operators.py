#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws which element goes where, a picture for each operator: docs/images/operator_<name>.svg.

docs/check.py says which of the files are not what this script writes.

Nothing is placed by hand but the tensors. Each operator is a function that computes its moves by the formula of its
page, element by element; colours, lines and the numbers of the output follow from the moves. To add one, write such a
function and put @picture above it.

The same file comes out everywhere, byte for byte: no fonts are measured, and all numbers are rounded.
"""

import itertools
import pathlib
from xml.sax.saxutils import escape

IMAGES = pathlib.Path(__file__).resolve().parent / "images"

CELL_WIDTH, CELL_HEIGHT = 38, 30
BETWEEN_TABLES = 14  # the gap between the tables of a tensor of rank 3
MARGIN = 22
PAPER, INK, FAINT_INK, FRAME, EMPTY = "#fdfdfb", "#24292f", "#6e7781", "#8c959f", "#eef0f2"
TEXT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
NUMBERS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# Fill and line of each colour, from the palette of Okabe and Ito; numbers and lines say the same without colours.
COLOURS = [
    ("#bfe0f5", "#0072b2"),
    ("#ffd9a8", "#c76b00"),
    ("#b9e6d3", "#00855f"),
    ("#f4cfe1", "#b0477f"),
    ("#f6eda0", "#8f8200"),
    ("#d5d2f2", "#5b52b5"),
]


def points(extents):
    """Every coordinate within the extents, in row-major order."""
    return itertools.product(*(range(extent) for extent in extents))


def counted(index, extent):
    """An index from the front: negative ones count from the end."""
    return index + extent if index < 0 else index


class Tensor:
    """A tensor and its place in the picture. Rank 1 is drawn as a row, rank 3 as tables below each other."""

    def __init__(self, name, extents, values, left, top):
        self.name, self.extents, self.left, self.top, self.note = name, extents, left, top, None
        self.values = dict(zip(points(extents), values, strict=True))
        self.colours = {}  # coordinates -> a number of COLOURS

    def __getitem__(self, point):
        return self.values[tuple(point)]

    def paint(self, colour):
        """Gives each element the colour that a function of its coordinates says."""
        self.colours = {point: colour(*point) for point in points(self.extents)}
        return self

    def cell(self, point):
        """Left and top of an element."""
        rank = len(self.extents)
        if rank == 1:
            row, column, gap = 0, point[0], 0
        elif rank == 2:
            (row, column), gap = point, 0
        else:
            row, column = point[0] * self.extents[1] + point[1], point[2]
            gap = point[0] * BETWEEN_TABLES
        return self.left + column * CELL_WIDTH, self.top + row * CELL_HEIGHT + gap

    def box(self):
        """Left, top, right and bottom of it all."""
        corners = [self.cell(point) for point in points(self.extents)]
        return (
            self.left,
            self.top,
            max(left for left, _ in corners) + CELL_WIDTH,
            max(top for _, top in corners) + CELL_HEIGHT,
        )

    @property
    def right(self):
        return self.box()[2]

    @property
    def bottom(self):
        return self.box()[3]


class Picture:
    def __init__(self, title, formula):
        self.title, self.formula = title, formula
        self.tensors, self.lines, self.outlines = [], [], []

    def add(self, *tensor):
        self.tensors.append(Tensor(*tensor))
        return self.tensors[-1]

    def move(self, source, source_point, destination, destination_point):
        """One element goes there: its colour and number with it."""
        destination.values[destination_point] = source[source_point]
        if source_point in source.colours:
            destination.colours[destination_point] = source.colours[source_point]

    def line(self, source, source_point, destination, destination_point):
        """From the right of one cell to the left of another, in their colour."""
        left, top = source.cell(source_point)
        self.arrow(
            (left + CELL_WIDTH, top), destination.cell(destination_point), COLOURS[source.colours[source_point]][1]
        )

    def line_of_rows(self, source, row, destination, destination_row):
        """From the right of one row to the left of another. The elements' own colours say where in it each goes."""
        top, end = source.cell((row, 0))[1], destination.cell((destination_row, 0))
        self.arrow((source.right + 6, top), end, FAINT_INK)

    def arrow(self, start, end, stroke):
        """From a point to another, both the upper ends of what they stand for."""
        (start_left, start_top), (end_left, end_top) = start, end
        self.lines.append((start_left, start_top + CELL_HEIGHT / 2, end_left - 3, end_top + CELL_HEIGHT / 2, stroke))

    def outline(self, tensor, first, last):
        """A dashed frame around the elements from one corner to another."""
        left, top = tensor.cell(first)
        right, bottom = tensor.cell(last)
        self.outlines.append((left, top, right + CELL_WIDTH, bottom + CELL_HEIGHT))

    def svg(self):
        # Room for the widest fonts that readers have, as no font is measured.
        width = max(max(tensor.right, tensor.left + 7.2 * len(tensor.note or "")) for tensor in self.tensors) + MARGIN
        width = max(width, 2 * MARGIN + 8.1 * len(self.formula))
        height = max(tensor.bottom + (20 if tensor.note else 0) for tensor in self.tensors) + MARGIN
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-labelledby="title">',
            "<!-- Drawn by docs/draw_operators.py: change that, and not this file. -->",
            f'<title id="title">{escape(self.title)}</title>',
            f'<rect x="0.5" y="0.5" width="{number(width - 1)}" height="{number(height - 1)}" rx="10" '
            f'fill="{PAPER}" stroke="#d0d7de"/>',
            text(MARGIN, 33, self.formula, size=13.5, font=NUMBERS),
        ]
        for tensor in self.tensors:
            out.append(text(tensor.left, tensor.top - 25, tensor.name))
            extents = ", ".join(map(str, tensor.extents))
            out.append(text(tensor.left, tensor.top - 9, f"{{{extents}}}", size=12, fill=FAINT_INK, font=NUMBERS))
            if tensor.note:
                out.append(text(tensor.left, tensor.bottom + 18, tensor.note, fill=FAINT_INK))
            for point in points(tensor.extents):
                left, top = tensor.cell(point)
                fill, ink = EMPTY, FAINT_INK
                if point in tensor.colours:
                    fill, ink = COLOURS[tensor.colours[point]][0], INK
                out.append(
                    f'<rect x="{left}" y="{top}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" fill="{fill}" '
                    f'stroke="{FRAME}"/>'
                )
                middle = left + CELL_WIDTH / 2
                out.append(text(middle, top + 20, str(tensor[point]), fill=ink, font=NUMBERS, anchor="middle"))
        for left, top, right, bottom in self.outlines:
            out.append(
                f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" '
                f'stroke="{INK}" stroke-width="2" stroke-dasharray="6 4"/>'
            )
        for start, first, end, last, stroke in self.lines:
            bend = (end - start) / 2
            out.append(
                f'<path d="M {number(start)} {number(first)} C {number(start + bend)} {number(first)} '
                f'{number(end - bend)} {number(last)} {number(end - 6)} {number(last)}" fill="none" '
                f'stroke="{stroke}" stroke-width="1.8"/>'
            )
            out.append(f'<path d="M {number(end)} {number(last)} l -8 -4 v 8 z" fill="{stroke}"/>')
        return "\n".join([*out, "</svg>"]) + "\n"


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text(x, y, words, size=13, fill=INK, font=TEXT, anchor="start"):
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{font}" font-size="{number(size)}" fill="{fill}" '
        f'text-anchor="{anchor}" xml:space="preserve">{escape(words)}</text>'
    )


PICTURES = {}


def picture(function):
    PICTURES[f"operator_{function.__name__}.svg"] = function
    return function


# Where the first tensors stand: below the formula and their own names.
TOP = 98


@picture
def gather_nd():
    drawing = Picture("gather_nd: rows of a table, each named by one index", "output[J, T] = input[indices[J, :], T]")
    table = drawing.add("input", (4, 3), range(12), MARGIN, TOP).paint(lambda row, _: row)
    indices = drawing.add("indices", (5, 1), [2, 0, 3, -1, 0], 250, TOP)
    output = drawing.add("output", (5, 3), [None] * 15, 330, TOP)
    for (j,) in points((5,)):
        row = counted(indices[j, 0], 4)
        for t in range(3):
            drawing.move(table, (row, t), output, (j, t))
        indices.colours[j, 0] = row
        drawing.line(table, (row, 2), indices, (j, 0))
    table.note = "-1 is the last row"
    return drawing


@picture
def gather_nd1():
    drawing = Picture(
        "gather_nd1 with one batch dimension: each item of the batch has indices of its own",
        "output[B, J, T] = input[B, indices[B, J, :], T]",
    )
    cache = drawing.add("input", (2, 3, 2), range(12), MARGIN, TOP).paint(lambda item, row, _: 3 * item + row)
    indices = drawing.add("indices", (2, 3, 1), [0, 0, 2, 1, 2, 1], 220, TOP)
    output = drawing.add("output", (2, 3, 2), [None] * 12, 318, TOP)
    for b, j in points((2, 3)):
        row = counted(indices[b, j, 0], 3)
        for t in range(2):
            drawing.move(cache, (b, row, t), output, (b, j, t))
        indices.colours[b, j, 0] = cache.colours[b, row, 0]
        drawing.line(cache, (b, row, 1), indices, (b, j, 0))
    return drawing


@picture
def slice1():
    extents, offsets, sizes, strides = (6, 8), (1, 1), (4, 6), (2, -2)
    drawing = Picture(
        "slice1: every second row of a window, and every second column from the right",
        "output[c] = input[start + stride * c]",
    )
    table = drawing.add("input", extents, range(48), MARGIN, TOP)
    output = drawing.add("output", (2, 3), [None] * 6, 412, TOP + CELL_HEIGHT * 2)
    start = tuple(o + (size - 1 if s < 0 else 0) for o, size, s in zip(offsets, sizes, strides, strict=True))
    for colour, c in enumerate(points(output.extents)):
        place = tuple(first + s * x for first, s, x in zip(start, strides, c, strict=True))
        table.colours[place] = colour
        drawing.move(table, place, output, c)
    for row in range(2):
        drawing.line_of_rows(table, start[0] + strides[0] * row, output, row)
    last = tuple(o + size - 1 for o, size in zip(offsets, sizes, strict=True))
    drawing.outline(table, offsets, last)
    table.note = "offsets {1, 1}, sizes {4, 6}, strides {2, -2}: start is {1, 6}"
    return drawing


@picture
def slice():  # noqa: A001, the operator's name
    drawing = Picture(
        "slice: from a start towards an end by steps, as Python counts them", "output[c] = input[start + step * c]"
    )
    extents, starts, ends, steps = (4, 8), (2, -2), (100, 0), (1, -2)
    table = drawing.add("input", extents, range(32), MARGIN, TOP)
    # Python's own slices clamp and count from the end.
    walks = [range(n)[s:e:t] for n, s, e, t in zip(extents, starts, ends, steps, strict=True)]
    sizes = tuple(len(walk) for walk in walks)
    output = drawing.add("output", sizes, [None] * (sizes[0] * sizes[1]), 412, TOP + CELL_HEIGHT)
    for colour, c in enumerate(points(sizes)):
        place = walks[0][c[0]], walks[1][c[1]]
        table.colours[place] = colour
        drawing.move(table, place, output, c)
    for row, source in enumerate(walks[0]):
        drawing.line_of_rows(table, source, output, row)
    table.note = "starts {2, -2}, ends {100, 0}, steps {1, -2}: 100 becomes 4, -2 is 6"
    return drawing


@picture
def slice_grad():
    extents, offsets, sizes, strides = (3, 4), (1, 0), (2, 3), (1, 2)
    drawing = Picture(
        "slice_grad: what a slice has taken goes back to its place, and all else is zero",
        "output = 0;  output[start + stride * c] = input[c]",
    )
    table = drawing.add("input", (2, 2), [1, 2, 3, 4], MARGIN, TOP).paint(lambda row, column: 2 * row + column)
    output = drawing.add("output", extents, [0] * 12, 220, TOP)
    start = tuple(o + (size - 1 if s < 0 else 0) for o, size, s in zip(offsets, sizes, strides, strict=True))
    for c in points(table.extents):
        place = tuple(first + s * x for first, s, x in zip(start, strides, c, strict=True))
        drawing.move(table, c, output, place)
    for row in range(2):
        drawing.line_of_rows(table, row, output, start[0] + strides[0] * row)
    last = tuple(o + size - 1 for o, size in zip(offsets, sizes, strict=True))
    drawing.outline(output, offsets, last)
    output.note = "offsets {1, 0}, sizes {2, 3}, strides {1, 2}"
    return drawing


@picture
def flip():
    drawing = Picture("flip along axis 1: columns in the opposite order", "output[i, j] = input[i, extent[1] - 1 - j]")
    table = drawing.add("input", (2, 4), range(8), MARGIN, TOP).paint(lambda _, column: column)
    output = drawing.add("output", (2, 4), [None] * 8, 270, TOP)
    for i, j in points(output.extents):
        drawing.move(table, (i, 3 - j), output, (i, j))
    for i in range(2):
        drawing.line_of_rows(table, i, output, i)
    return drawing


@picture
def take():
    drawing = Picture(
        "take along axis 1: columns of a table, each named by one index", "output[i, J] = input[i, indices[J]]"
    )
    table = drawing.add("input", (3, 4), range(12), MARGIN, TOP + CELL_HEIGHT + 50).paint(lambda _, column: column)
    indices = drawing.add("indices", (5,), [3, 0, 0, -2, 1], 270, TOP)
    output = drawing.add("output", (3, 5), [None] * 15, 270, table.top)
    for (j,) in points(indices.extents):
        column = counted(indices[j,], 4)
        indices.colours[j,] = column
        for i in range(3):
            drawing.move(table, (i, column), output, (i, j))
    for i in range(3):
        drawing.line_of_rows(table, i, output, i)
    return drawing


@picture
def gather_elements():
    drawing = Picture(
        "gather_elements along axis 1: each place of the output has an index of its own, within its row",
        "output[i, j] = input[i, indices[i, j]]",
    )
    table = drawing.add("input", (3, 4), range(12), MARGIN, TOP)
    indices = drawing.add("indices", (3, 2), [3, 0, 1, 1, -1, 2], 250, TOP)
    output = drawing.add("output", (3, 2), [None] * 6, 366, TOP)
    for colour, (i, j) in enumerate(points(indices.extents)):
        place = i, counted(indices[i, j], 4)
        table.colours.setdefault(place, colour)
        indices.colours[i, j] = table.colours[place]
        drawing.move(table, place, output, (i, j))
    for i in range(3):
        drawing.line_of_rows(table, i, indices, i)
    return drawing


def copy(drawing, table, output):
    for point in points(table.extents):
        drawing.move(table, point, output, point)


@picture
def scatter_nd():
    drawing = Picture(
        "scatter_nd: a copy of a table with rows replaced, each named by one index",
        "output = input;  output[indices[J, :], T] = updates[J, T]",
    )
    table = drawing.add("input", (5, 3), range(15), MARGIN, TOP)
    updates = drawing.add("updates", (3, 3), [20, 21, 22, 30, 31, 32, 40, 41, 42], 168, TOP)
    updates.paint(lambda row, _: row)
    indices = drawing.add("indices", (3, 1), [3, 0, -1], 306, TOP).paint(lambda row, _: row)
    output = drawing.add("output", (5, 3), [None] * 15, 434, TOP)
    copy(drawing, table, output)
    for (j,) in points((3,)):
        row = counted(indices[j, 0], 5)
        for t in range(3):
            drawing.move(updates, (j, t), output, (row, t))
        drawing.line(indices, (j, 0), output, (row, 0))
    return drawing


@picture
def scatter_elements():
    drawing = Picture(
        "scatter_elements along axis 0: each update stays in its column, and its index is the row",
        "output = input;  output[indices[i, j], j] = updates[i, j]",
    )
    table = drawing.add("input", (3, 3), [0] * 9, MARGIN, TOP)
    updates = drawing.add("updates", (2, 3), [10, 11, 12, 20, 21, 22], 168, TOP)
    updates.paint(lambda row, column: 3 * row + column)
    indices = drawing.add("indices", (2, 3), [1, 0, 2, 0, 2, 1], 314, TOP)
    indices.paint(lambda row, column: 3 * row + column)
    output = drawing.add("output", (3, 3), [None] * 9, 460, TOP)
    copy(drawing, table, output)
    for i, j in points((2, 3)):
        drawing.move(updates, (i, j), output, (counted(indices[i, j], 3), j))
    return drawing


def differences():
    """The names of the files that are not what would be written."""
    wrong = []
    for name, draw in sorted(PICTURES.items()):
        file = IMAGES / name
        if not file.is_file() or file.read_text(encoding="utf-8") != draw().svg():
            wrong.append(name)
    return wrong


def write():
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    write()

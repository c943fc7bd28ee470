#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of other libraries, and the calls of ndx that do the same.

coming_from.py table LIBRARY             the lines of docs/guide/coming_from.md, for docs/check.py
coming_from.py tensors                   the tensors that the calls work on
coming_from.py program                   a C++ program that carries out every call of ndx there is a line for
coming_from.py compare PROGRAM           runs it, and compares what it prints with NumPy and with every library whose
                                         calls can be run here, to the bit; --require numpy torch: these must be there

So no line of the page is written by hand twice: what stands in it is compiled, run and compared. The calls of libraries
that cannot be run are compared by the NumPy expression beside them.
"""

import argparse
import dataclasses
import importlib
import re
import subprocess
import sys

# name -> type, extents, elements in row-major order, what it is for (None: the numbers of the one before, as tuples)
TENSORS = {
    "x": ("float", (4, 3), range(12), "a table"),
    "b": ("float", (2, 3, 2), range(12), "a batch of two tables"),
    "n": ("int64", (4,), [2, 0, -1, 2], "rows of `x`; one counts from the end, one is there twice"),
    "n1": ("int64", (4, 1), [2, 0, -1, 2], None),
    "p": ("int64", (3,), [2, 0, 3], "rows that are different and not negative"),
    "p1": ("int64", (3, 1), [2, 0, 3], None),
    "w": ("int64", (3,), [2, 9, 0], "rows of which one is too large"),
    "w1": ("int64", (3, 1), [2, 9, 0], None),
    "m": ("int64", (3,), [2, -9, 7], "rows of which two are out of range"),
    "m1": ("int64", (3, 1), [2, -9, 7], None),
    "i": ("int64", (3,), [0, 3, 1], "row numbers"),
    "j": ("int64", (3,), [2, 0, 1], "column numbers"),
    "ij": ("int64", (3, 2), [0, 2, 3, 0, 1, 1], "the pairs of both"),
    "k": ("int64", (2, 2), [0, 2, 1, 1], "rows of each table of `b`"),
    "k1": ("int64", (2, 2, 1), [0, 2, 1, 1], None),
    "a": ("int64", (4, 2), [2, 0, 1, 2, 0, 1, 1, 0], "places along axis 1 of `x`, different in each row"),
    "u": ("float", (4, 3), range(100, 112), "rows for `n`"),
    "v": ("float", (3, 3), range(100, 109), "rows for `p` and `w`"),
    "s": ("float", (3,), range(100, 103), "elements for the pairs `ij`"),
    "g": ("float", (2, 2), range(100, 104), "a gradient of a window"),
    "e": ("float", (4, 2), range(-4, 4), "elements for `a`"),
}


@dataclasses.dataclass
class Case:
    library: str
    theirs: str  # an expression, or statements that change y, which begins as a copy of x
    ours: str
    due: tuple = None  # the extents of y; None: y begins as a copy of x; (): the call of ndx makes y
    numpy: str = None  # the same in NumPy, for libraries that may not be there
    note: str = ""


LAST = "{.duplicates = duplicates::last}"
CLAMP, WRAP = "{.bounds = bounds::clamp}", "{.bounds = bounds::wrap}"
EXCLUDED = ".include_self = false"
COPIES = "a view of the same memory in ndx"
ANY = "which of several updates of one element wins is open in both, unless ndx is asked for `duplicates::last`"
SLICED = "slice(policy, x, y, {.starts = {1, 2}, .ends = {4, 0}, .steps = {2, -1}})"


def reduced(operation, more=""):
    return f"{{.reduction = reduction::{operation}{more}}}"


def on_axis(more=""):
    return f"{{.axis = 1{more}}}"


CASES = [
    # NumPy
    Case("numpy", "x[n]", "gather_nd(policy, x, n1, y)", (4, 3)),
    Case("numpy", "np.take(x, n, axis=0)", "gather_nd(policy, x, n1, y)", (4, 3)),
    Case("numpy", "np.take(x, n, axis=0)", "take(policy, x, n, y)", (4, 3)),
    Case("numpy", "np.take(x, j, axis=1)", "take(policy, x, j, y, {.axis = 1})", (4, 3)),
    Case(
        "numpy",
        "np.take(x, w, axis=0, mode='clip')",
        f"gather_nd(policy, x, w1, y, {CLAMP})",
        (3, 3),
        note="NumPy's `clip` makes 0 of every negative index; ndx counts it from the end first",
    ),
    Case("numpy", "np.take(x, m, axis=0, mode='wrap')", f"gather_nd(policy, x, m1, y, {WRAP})", (3, 3)),
    Case("numpy", "x[i, j]", "gather_nd(policy, x, ij, y)", (3,)),
    Case("numpy", "b[np.arange(2)[:, None], k]", "gather_nd1(policy, b, k1, y, {.batch_dims = 1})", (2, 2, 2)),
    Case("numpy", "np.take_along_axis(x, a, axis=1)", "gather_elements(policy, x, a, y, {.axis = 1})", (4, 2)),
    Case("numpy", "x[1:4:2, 2:0:-1].copy()", SLICED, (2, 2)),
    Case(
        "numpy",
        "x[1:4:2, 2:0:-1].copy()",
        "slice1(policy, x, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (2, 2),
        note="a window instead of start and end: it has to lie within the tensor",
    ),
    Case(
        "numpy",
        "x[1:4:2, 2:0:-1]",
        "auto y = x.view().window({.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (),
        note="a view in both",
    ),
    Case("numpy", "np.flip(x, axis=1).copy()", "flip(policy, x, y, {.axes = {1}})", (4, 3)),
    Case("numpy", "np.flip(x, axis=1)", "auto y = x.view().reversed(1)", (), note="a view in both"),
    Case("numpy", "np.transpose(b, (2, 0, 1))", "auto y = b.view().permuted({2, 0, 1})", (), note="a view in both"),
    Case(
        "numpy",
        "np.broadcast_to(x, (2, 4, 3))",
        "tensor_view y(x.data(), {2, 4, 3}, {0, 3, 1})",
        (),
        note="stride 0; a view in both",
    ),
    Case(
        "numpy",
        "y[n] = u",
        f"scatter_nd(policy, y, n1, u, y, {LAST})",
        note="in place: input and output are the same tensor",
    ),
    Case("numpy", "y[i, j] = s", "scatter_nd(policy, y, ij, s, y)"),
    *(
        Case("numpy", f"np.{ufunc}.at(y, n, u)", f"scatter_nd(policy, y, n1, u, y, {reduced(operation)})", note=note)
        for ufunc, operation, note in [
            ("add", "add", "`y[n] += u` adds one of the duplicates alone; ndx adds all"),
            ("subtract", "sub", ""),
            ("multiply", "mul", ""),
            ("minimum", "min", "a NaN gives a NaN in both"),
            ("maximum", "max", "a NaN gives a NaN in both"),
        ]
    ),
    Case("numpy", "np.put_along_axis(y, a, e, axis=1)", f"scatter_elements(policy, y, a, e, y, {on_axis()})"),
    # PyTorch
    Case("torch", "x[n]", "gather_nd(policy, x, n1, y)", (4, 3)),
    Case(
        "torch",
        "torch.index_select(x, 0, p)",
        "gather_nd(policy, x, p1, y)",
        (3, 3),
        note="ndx takes negative indices, too",
    ),
    Case(
        "torch",
        "torch.index_select(x, 1, j)",
        "take(policy, x, j, y, {.axis = 1})",
        (4, 3),
        note="ndx takes negative indices, too",
    ),
    Case("torch", "torch.nn.functional.embedding(p, x)", "gather_nd(policy, x, p1, y)", (3, 3)),
    Case("torch", "x[i, j]", "gather_nd(policy, x, ij, y)", (3,)),
    Case("torch", "b[torch.arange(2)[:, None], k]", "gather_nd1(policy, b, k1, y, {.batch_dims = 1})", (2, 2, 2)),
    Case(
        "torch",
        "torch.gather(x, 1, a)",
        "gather_elements(policy, x, a, y, {.axis = 1})",
        (4, 2),
        note="ndx takes negative indices, too",
    ),
    Case(
        "torch",
        "x[1:4:2, 1:].contiguous()",
        "slice1(policy, x, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, 1}})",
        (2, 2),
        note="ndx takes negative steps, too",
    ),
    Case("torch", "torch.flip(x, [0, 1])", "flip(policy, x, y, {.axes = {0, 1}})", (4, 3)),
    Case("torch", "torch.flip(x, [1])", "auto y = x.view().reversed(1)", (), note=f"a copy in PyTorch, {COPIES}"),
    Case("torch", "b.permute(2, 0, 1)", "auto y = b.view().permuted({2, 0, 1})", (), note="a view in both"),
    Case("torch", "x.expand(2, 4, 3)", "tensor_view y(x.data(), {2, 4, 3}, {0, 3, 1})", (), note="a view in both"),
    Case("torch", "x.index_put((p,), v)", "scatter_nd(policy, x, p1, v, y)", (4, 3), note=ANY),
    Case("torch", "y.index_put_((i, j), s)", "scatter_nd(policy, y, ij, s, y)", note="in place in both"),
    Case(
        "torch", "x.index_put((n,), u, accumulate=True)", f"scatter_nd(policy, x, n1, u, y, {reduced('add')})", (4, 3)
    ),
    Case("torch", "x.index_copy(0, p, v)", "scatter_nd(policy, x, p1, v, y)", (4, 3)),
    Case("torch", "x.index_add(0, p, v)", f"scatter_nd(policy, x, p1, v, y, {reduced('add')})", (4, 3)),
    Case(
        "torch",
        "x.scatter(1, a, e)",
        f"scatter_elements(policy, x, a, e, y, {on_axis()})",
        (4, 3),
        note="ndx takes negative indices, too",
    ),
    Case(
        "torch",
        "x.scatter_add(1, a, e)",
        f"scatter_elements(policy, x, a, e, y, {on_axis(', .reduction = reduction::add')})",
        (4, 3),
    ),
    *(
        Case(
            "torch",
            f"x.scatter_reduce(1, a, e, '{theirs}')",
            f"scatter_elements(policy, x, a, e, y, {on_axis(f', .reduction = reduction::{ours}')})",
            (4, 3),
        )
        for theirs, ours in [("prod", "mul"), ("amin", "min"), ("amax", "max"), ("mean", "mean")]
    ),
    *(
        Case(
            "torch",
            f"x.scatter_reduce(1, a, e, '{theirs}', include_self=False)",
            f"scatter_elements(policy, x, a, e, y, {on_axis(f', .reduction = reduction::{ours}, {EXCLUDED}')})",
            (4, 3),
        )
        for theirs, ours in [("sum", "add"), ("prod", "mul"), ("amax", "max"), ("mean", "mean")]
    ),
    Case(
        "torch",
        "x.index_reduce(0, p, v, 'mean', include_self=False)",
        f"scatter_nd(policy, x, p1, v, y, {reduced('mean', f', {EXCLUDED}')})",
        (4, 3),
    ),
    # ONNX
    Case("onnx", "GatherND(x, n1)", "gather_nd(policy, x, n1, y)", (4, 3), "x[n]"),
    Case(
        "onnx",
        "GatherND(b, k1), batch_dims = 1",
        "gather_nd1(policy, b, k1, y, {.batch_dims = 1})",
        (2, 2, 2),
        "b[np.arange(2)[:, None], k]",
    ),
    Case("onnx", "Gather(x, j), axis = 1", "take(policy, x, j, y, {.axis = 1})", (4, 3), "x[:, j]"),
    Case(
        "onnx",
        "GatherElements(x, a), axis = 1",
        "gather_elements(policy, x, a, y, {.axis = 1})",
        (4, 2),
        "np.take_along_axis(x, a, axis=1)",
    ),
    Case("onnx", "Slice(x), starts = 1, 2, ends = 4, 0, steps = 2, -1", SLICED, (2, 2), "x[1:4:2, 2:0:-1]"),
    Case(
        "onnx",
        "Slice(x), starts = 1, 2, ends = 4, 0, steps = 2, -1",
        "slice1(policy, x, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (2, 2),
        "x[1:4:2, 2:0:-1]",
        note="ONNX clamps starts and ends to the tensor; a window has to lie within it",
    ),
    Case(
        "onnx",
        "ScatterND(x, p1, v)",
        "scatter_nd(policy, x, p1, v, y)",
        (4, 3),
        "y[p] = v",
        note="ONNX forbids duplicates without a reduction",
    ),
    Case(
        "onnx",
        "ScatterND(x, n1, u), reduction = add",
        f"scatter_nd(policy, x, n1, u, y, {reduced('add')})",
        (4, 3),
        "np.add.at(y, n, u)",
        note="likewise `mul`, `min` and `max`",
    ),
    Case(
        "onnx",
        "ScatterElements(x, a, e), axis = 1",
        f"scatter_elements(policy, x, a, e, y, {on_axis()})",
        (4, 3),
        "np.put_along_axis(y, a, e, axis=1)",
        note="`Scatter` in old models",
    ),
    # DirectML
    Case("directml", "GATHER_ND", "gather_nd(policy, x, ij, y)", (3,), "x[i, j]"),
    Case(
        "directml",
        "GATHER_ND1, BatchDimensionCount = 1",
        "gather_nd1(policy, b, k1, y, {.batch_dims = 1})",
        (2, 2, 2),
        "b[np.arange(2)[:, None], k]",
    ),
    Case("directml", "GATHER, Axis = 1", "take(policy, x, j, y, {.axis = 1})", (4, 3), "x[:, j]"),
    Case(
        "directml",
        "GATHER_ELEMENTS, Axis = 1",
        "gather_elements(policy, x, a, y, {.axis = 1})",
        (4, 2),
        "np.take_along_axis(x, a, axis=1)",
        note="extents of indices may be smaller beside the axis",
    ),
    Case(
        "directml",
        "SLICE1",
        "slice1(policy, x, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (2, 2),
        "x[1:4:2, 2:0:-1]",
        note="InputWindowOffsets, InputWindowSizes and InputWindowStrides, in this order",
    ),
    Case(
        "directml",
        "SLICE_GRAD",
        "slice_grad(policy, g, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (4, 3),
        "np.array([[0, 0, 0], [0, 101, 100], [0, 0, 0], [0, 103, 102]])",
    ),
    Case(
        "directml",
        "SCATTER_ND",
        "scatter_nd(policy, x, p1, v, y)",
        (4, 3),
        "y[p] = v",
        note="ndx has reductions, bounds modes and a rule for duplicates",
    ),
    Case(
        "directml",
        "SCATTER, SCATTER_ELEMENTS, Axis = 1",
        f"scatter_elements(policy, x, a, e, y, {on_axis()})",
        (4, 3),
        "np.put_along_axis(y, a, e, axis=1)",
        note="extents of indices may be smaller beside the axis",
    ),
    # TensorFlow
    Case(
        "tensorflow",
        "tf.gather(x, p)",
        "gather_nd(policy, x, p1, y)",
        (3, 3),
        "x[p]",
        note="ndx takes negative indices, too",
    ),
    Case("tensorflow", "tf.gather(x, j, axis=1)", "take(policy, x, j, y, {.axis = 1})", (4, 3), "x[:, j]"),
    Case(
        "tensorflow",
        "tf.gather_nd(x, ij)",
        "gather_nd(policy, x, ij, y)",
        (3,),
        "x[i, j]",
        note="out of range: an error on a CPU, 0 on a GPU; ndx throws on both",
    ),
    Case(
        "tensorflow",
        "tf.gather_nd(b, k1, batch_dims=1)",
        "gather_nd1(policy, b, k1, y, {.batch_dims = 1})",
        (2, 2, 2),
        "b[np.arange(2)[:, None], k]",
    ),
    Case("tensorflow", "x[1:4:2, 2:0:-1]", SLICED, (2, 2), "x[1:4:2, 2:0:-1]"),
    Case(
        "tensorflow",
        "x[1:4:2, 2:0:-1]",
        "slice1(policy, x, y, {.offsets = {1, 1}, .sizes = {3, 2}, .strides = {2, -1}})",
        (2, 2),
        "x[1:4:2, 2:0:-1]",
        note="`tf.strided_slice`",
    ),
    Case("tensorflow", "tf.reverse(x, [1])", "flip(policy, x, y, {.axes = {1}})", (4, 3), "x[:, ::-1]"),
    Case(
        "tensorflow",
        "tf.reverse(x, [1])",
        "auto y = x.view().reversed(1)",
        (),
        "x[:, ::-1]",
        note=f"a copy in TensorFlow, {COPIES}",
    ),
    Case(
        "tensorflow",
        "tf.tensor_scatter_nd_update(x, p1, v)",
        "scatter_nd(policy, x, p1, v, y)",
        (4, 3),
        "y[p] = v",
        note=ANY,
    ),
    *(
        Case(
            "tensorflow",
            f"tf.tensor_scatter_nd_{operation}(x, p1, v)",
            f"scatter_nd(policy, x, p1, v, y, {reduced(operation)})",
            (4, 3),
            f"np.{ufunc}.at(y, p, v)",
        )
        for operation, ufunc in [("add", "add"), ("min", "minimum"), ("max", "maximum")]
    ),
    # JAX
    Case(
        "jax",
        "x[n]",
        "gather_nd(policy, x, n1, y)",
        (4, 3),
        "x[n]",
        note="out of range: JAX takes the nearest element, as `bounds::clamp` does; ndx throws",
    ),
    Case("jax", "x[i, j]", "gather_nd(policy, x, ij, y)", (3,), "x[i, j]"),
    Case("jax", "x.at[w].get(mode='clip')", f"gather_nd(policy, x, w1, y, {CLAMP})", (3, 3), "x[np.minimum(w, 3)]"),
    Case(
        "jax",
        "x.at[w].get(mode='fill', fill_value=-9)",
        "gather_nd(policy, x, w1, y, {.bounds = bounds::ignore, .fill = -9})",
        (3, 3),
        "np.where((w < 4)[:, None], x[np.minimum(w, 3)], -9)",
        note="JAX fills with NaN by default, ndx with 0",
    ),
    Case(
        "jax",
        "x.at[n].get(mode='promise_in_bounds')",
        "gather_nd(policy, x, n1, y, {.bounds = bounds::trust})",
        (4, 3),
        "x[n]",
    ),
    Case(
        "jax",
        "b[jnp.arange(2)[:, None], k]",
        "gather_nd1(policy, b, k1, y, {.batch_dims = 1})",
        (2, 2, 2),
        "b[np.arange(2)[:, None], k]",
    ),
    Case(
        "jax",
        "jnp.take_along_axis(x, a, axis=1)",
        "gather_elements(policy, x, a, y, {.axis = 1})",
        (4, 2),
        "np.take_along_axis(x, a, axis=1)",
    ),
    Case(
        "jax",
        "jnp.take(x, j, axis=1)",
        "take(policy, x, j, y, {.axis = 1})",
        (4, 3),
        "x[:, j]",
        note="out of range: JAX fills with NaN; ndx throws",
    ),
    Case("jax", "x[1:4:2, 2:0:-1]", SLICED, (2, 2), "x[1:4:2, 2:0:-1]"),
    Case("jax", "jnp.flip(x, axis=1)", "flip(policy, x, y, {.axes = {1}})", (4, 3), "x[:, ::-1]"),
    Case(
        "jax",
        "x.at[p].set(v)",
        "scatter_nd(policy, x, p1, v, y)",
        (4, 3),
        "y[p] = v",
        note="out of range: JAX skips the update, as `bounds::ignore` does; ndx throws",
    ),
    Case(
        "jax",
        "x.at[w].set(v, mode='drop')",
        "scatter_nd(policy, x, w1, v, y, {.bounds = bounds::ignore})",
        (4, 3),
        "y[w[w < 4]] = v[w < 4]",
    ),
    *(
        Case(
            "jax",
            f"x.at[n].{theirs}(u)",
            f"scatter_nd(policy, x, n1, u, y, {reduced(ours)})",
            (4, 3),
            f"np.{ufunc}.at(y, n, u)",
        )
        for theirs, ours, ufunc in [
            ("add", "add", "add"),
            ("multiply", "mul", "multiply"),
            ("min", "min", "minimum"),
            ("max", "max", "maximum"),
        ]
    ),
]


def table(library):
    cases = [case for case in CASES if case.library == library]
    if not cases:
        sys.exit(f"no cases of {library}")
    noted = any(case.note for case in cases)
    lines = ["| call | in ndx |" + (" to know |" if noted else ""), "|---|---|" + ("---|" if noted else "")]
    for case in cases:
        lines.append(f"| `{case.theirs}` | `{case.ours}` |" + (f" {case.note} |" if noted else ""))
    return "\n".join(lines)


def used(tensor):
    """Is it in a line of the tables?"""
    return any(re.search(rf"\b{tensor}\b", f"{case.theirs} {case.ours}") for case in CASES)


def tensors():
    lines = ["| name | extents | what it holds |", "|---|---|---|"]
    for name, (_, extents, _, what) in TENSORS.items():
        if what and used(name):
            lines.append(f"| `{name}` | {{{', '.join(map(str, extents))}}} | {what} |")
    return "\n".join(lines)


def cpp_type(kind):
    return {"float": "float", "int64": "std::int64_t"}[kind]


def braces(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


def program():
    """Prints a line for each case: its number, the extents and the elements."""
    out = [
        "// Written by docs/coming_from.py: what stands in docs/guide/coming_from.md, as a program.",
        "#include <ndx/ndx.hpp>",
        "",
        "#include <cstdint>",
        "#include <cstdio>",
        "",
        "using namespace ndx;",
        "",
        "namespace {",
        "",
        "auto const& policy = simd;",
        "",
        "template <std::size_t Rank>",
        "void print(int number, tensor_view<float const, Rank> y) {",
        '  std::printf("%d;", number);',
        '  for (index_t extent : y.extents()) std::printf(" %d", static_cast<int>(extent));',
        '  std::printf(";");',
        "  tensor<float, Rank> packed(y.extents());",
        "  slice1(seq, y, packed, {.sizes = y.extents()});",
        '  for (float element : packed) std::printf(" %.9g", static_cast<double>(element));',
        '  std::printf("\\n");',
        "}",
        "",
    ]
    for name, (kind, extents, elements, _) in TENSORS.items():
        if any(re.search(rf"\b{name}\b", case.ours) for case in CASES):
            numbers = [f"{element}.0f" for element in elements] if kind == "float" else elements
            out.append(f"tensor<{cpp_type(kind)}, {len(extents)}> const {name}({braces(extents)}, {braces(numbers)});")
    out += ["", "}  // namespace", "", "int main() {"]
    for number, case in enumerate(CASES):
        out.append(f"  {{  // {case.library}: {case.theirs}")
        if case.due is None:
            out.append("    tensor<float, 2> y = x;")
        elif case.due:
            out.append(f"    tensor<float, {len(case.due)}> y({braces(case.due)});")
        made_by_call = case.due == ()
        seen = "y" if made_by_call else "y.view()"
        rank = len(case.due or ()) if not made_by_call else None
        out.append(f"    {case.ours};")
        out.append(f"    print<{'decltype(y)::rank()' if made_by_call else rank or 2}>({number}, {seen});")
        out.append("  }")
    out.append("}")
    return "\n".join(out)


class Library:
    """What the calls of a library see: its module, and the tensors."""

    def __init__(self, name, module, alias, make, copy):
        self.name, self.version = name, getattr(module, "__version__", "")
        self.names = {alias: module, name: module}
        for tensor, (kind, extents, elements, _) in TENSORS.items():
            self.names[tensor] = make(list(elements), {"float": "float32", "int64": "int64"}[kind], extents)
        self.copy = copy

    def result(self, call):
        names = dict(self.names, y=self.copy(self.names["x"]))
        try:
            code = compile(call, call, "eval")
        except SyntaxError:
            exec(call, names)  # noqa: S102, our own text
            return names["y"]
        value = eval(code, names)  # noqa: S307, our own text
        return names["y"] if value is None else value


def library(name):
    """One that is installed, else None."""
    try:
        if name == "numpy":
            import numpy as np

            return Library("numpy", np, "np", lambda v, t, e: np.array(v, t).reshape(e), lambda x: x.copy())
        if name == "torch":
            import torch

            return Library(
                "torch",
                torch,
                "torch",
                lambda v, t, e: torch.tensor(v, dtype=getattr(torch, t)).reshape(e),
                lambda x: x.clone(),
            )
        if name == "jax":
            import jax
            import jax.numpy as jnp

            return Library(
                "jax",
                jnp,
                "jnp",
                lambda v, t, e: jnp.array(v, "float32" if t == "float32" else "int32").reshape(e),
                lambda x: x,
            )
        if name == "tensorflow":
            tf = importlib.import_module("tensorflow")
            return Library("tensorflow", tf, "tf", lambda v, t, e: tf.reshape(tf.constant(v, t), e), tf.identity)
    except ImportError:
        return None
    return None


def compare(path, required):
    numpy = library("numpy")
    libraries = {name: library(name) for name in ["numpy", "torch", "jax", "tensorflow"]}
    missing = [name for name in ["numpy", *required] if libraries.get(name) is None]
    if missing:
        sys.exit(f"{sys.executable} has no {', '.join(dict.fromkeys(missing))}")
    import numpy as np

    done = subprocess.run([path], capture_output=True, text=True, check=True)
    printed = {}
    for line in done.stdout.splitlines():
        number, extents, elements = line.split(";")
        printed[int(number)] = np.array(elements.split(), "float32").reshape([int(e) for e in extents.split()])

    wrong, runs = 0, {}
    if sorted(printed) != list(range(len(CASES))):
        sys.exit(f"{path} does not print what this script wants: it was made of another version")
    for number, case in enumerate(CASES):
        calls = [("numpy", numpy, case.numpy)] if case.numpy else []
        if libraries.get(case.library):
            calls.append((case.library, libraries[case.library], case.theirs))
        if not calls:
            sys.exit(f"{case.library}: {case.theirs}: nothing to compare with")
        for name, of, call in calls:
            due = np.asarray(of.result(call), dtype="float32")
            if name == case.library:
                runs[name] = runs.get(name, 0) + 1
            if due.shape != printed[number].shape or due.tobytes() != printed[number].tobytes():
                wrong += 1
                print(f"{name}: {call}\ngives\n{due}\n{case.ours}\ngives\n{printed[number]}", file=sys.stderr)
    for name in dict.fromkeys(case.library for case in CASES):
        version = f" {libraries[name].version}" if libraries.get(name) else ""
        lines = sum(case.library == name for case in CASES)
        print(f"{name}{version}: {lines} lines, {runs.get(name, 0)} compared with the library itself")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("table").add_argument("library")
    commands.add_parser("tensors")
    commands.add_parser("program")
    comparison = commands.add_parser("compare")
    comparison.add_argument("program")
    comparison.add_argument("--require", nargs="*", default=[], metavar="LIBRARY")
    arguments = parser.parse_args()
    if arguments.command == "compare":
        return compare(arguments.program, arguments.require)
    print(table(arguments.library) if arguments.command == "table" else globals()[arguments.command]())
    return 0


if __name__ == "__main__":
    sys.exit(main())

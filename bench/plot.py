#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the sweeps over row widths and table sizes, and rows on a Vulkan device beside other libraries.

plot.py bench/results docs/images        the newest results in a folder, as SVG files in another
plot.py bench/results/FILE.json FOLDER   or those of one file that table.py --save wrote
plot.py --device FILE.json PEERS.json FOLDER   rows on a device, from what vulkan_table.py takes

The same results give the same files, byte for byte.
"""

import argparse
import json
import pathlib
import re
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(f"{sys.executable} has no matplotlib (in Debian: python3-matplotlib, for /usr/bin/python3)")

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "ndx"
# Text stays text, in the reader's own font: small files, which one can search.
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.family"] = "sans-serif"
matplotlib.rcParams["font.size"] = 11

from matplotlib import pyplot  # noqa: E402

UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

# The palette of Okabe and Ito, which keeps its differences for every kind of colour vision; the markers tell the ways
# apart without any.
WAYS = {
    "ndx par_simd": ("#0072B2", "o"),
    "ndx simd": ("#D55E00", "s"),
    "Eigen": ("#009E73", "^"),
    "plain loop": ("#000000", "D"),
}
LIMITS = {
    "all threads, streamed": ("#0072B2", "copy of memory, all threads"),
    "one thread, streamed": ("#D55E00", "copy of memory, one thread"),
}

PLOTS = {
    "row width": "Rows of a table of 256 MiB, by their width",
    "table size": "Rows of 64 B, by the size of the table",
}


def newest(place):
    """The file itself, or the one of the folder that was measured last and has a sweep."""
    place = pathlib.Path(place)
    files = sorted(place.glob("*.json")) if place.is_dir() else [place]
    contents = [json.loads(file.read_text()) for file in files]
    contents = [content for content in contents if "sweep" in content.get("operators", {})]
    if not contents:
        sys.exit(f"no results of a sweep in {place}")
    return max(contents, key=lambda content: content["machine"]["date"])


def in_bytes(text):
    number, unit = text.split()
    return int(number) * UNITS[unit]


def in_words(size):
    unit = max((unit for unit in UNITS if size >= UNITS[unit]), key=UNITS.get)
    return f"{size // UNITS[unit]} {unit}"


def lines(rows, sweep):
    """way -> sizes and GB/s."""
    result = {}
    for row in rows:
        found = re.fullmatch(rf"{sweep}: (\d+ \w+)", row["workload"])
        if found:
            result.setdefault(row["way"], []).append((in_bytes(found[1]), row["bytes_per_second"] / 1e9))
    return {way: zip(*sorted(points)) for way, points in result.items()}


def draw(content, sweep, path):
    machine, operators = content["machine"], content["operators"]
    figure, axes = pyplot.subplots(figsize=(8.5, 5.2), layout="constrained")
    figure.patch.set_facecolor("white")
    drawn = lines(operators["sweep"], sweep)
    sizes = set()
    for way in (way for way in WAYS if way in drawn):
        color, marker = WAYS[way]
        x, y = drawn[way]
        axes.plot(x, y, color=color, marker=marker, markersize=5, linewidth=1.8, label=way)
        sizes.update(x)
    limits = {row["way"]: row["bytes_per_second"] / 1e9 for row in operators.get("limits", [])}
    for way in (way for way in LIMITS if way in limits):
        color, label = LIMITS[way]
        axes.axhline(limits[way], color=color, linestyle=(0, (5, 3)), linewidth=1.3, label=label)

    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted(sizes)[::2], [in_words(size) for size in sorted(sizes)[::2]])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(sweep)
    axes.set_ylabel("GB/s of indices and rows, in and out")
    axes.grid(True, color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{PLOTS[sweep]}\n", loc="left", fontsize=13)
    cores = f"{machine['cores']} core{'s' if machine['cores'] != 1 else ''}"
    axes.text(0, 1.02, f"{machine['processor']}, {cores}, {machine['date'][:10]}", transform=axes.transAxes)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=3, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    print(path)


# The best of a library's ways counts.
LIBRARIES = {
    "ndx": ("#0072B2", "o"),
    "PyTorch": ("#D55E00", "s"),
    "CuPy": ("#009E73", "^"),
    "JAX": ("#CC79A7", "D"),
}
PREFIXES = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX"}
DEVICE_PLOTS = {
    "gather_rows": "Rows gathered from a table of 4 GiB, by their bytes",
    "scatter_rows": "Rows scattered into a table of 4 GiB in place, by their bytes",
}


def rows_of(ours, peers, operator):
    """library -> bytes of a row and GB/s, for 64-bit indices: ndx's bytes over each one's time.

    A row that only ndx was run on would draw a line of its own beside those of the others, so it is left out.
    """
    result = {}
    for workload, entry in ours["results"].items():
        found = re.fullmatch(rf"{operator}/(\d+)B/i64", workload)
        if not found or workload not in peers["results"]:
            continue
        times = {"ndx": entry["us"]}
        for way, peer in peers["results"][workload].items():
            library = PREFIXES[way.split()[0]]
            times[library] = min(peer["us"], times.get(library, peer["us"]))
        for library, time in times.items():
            result.setdefault(library, []).append((int(found[1]), entry["gbs"] * entry["us"] / time))
    return {library: list(zip(*sorted(points))) for library, points in result.items()}


def draw_device(ours, peers, operator, path):
    figure, axes = pyplot.subplots(figsize=(8.5, 5.2), layout="constrained")
    figure.patch.set_facecolor("white")
    drawn = rows_of(ours, peers, operator)
    for library in (library for library in LIBRARIES if library in drawn):
        color, marker = LIBRARIES[library]
        axes.plot(*drawn[library], color=color, marker=marker, markersize=5, linewidth=1.8, label=library)
    copy = ours["results"]["copy/4GiB"]["gbs"]
    axes.axhline(copy, color="#555555", linestyle=(0, (5, 3)), linewidth=1.3, label="copy of 4 GiB by ndx")
    axes.set_xscale("log", base=2)
    sizes = [4 << 2 * step for step in range(6)]
    axes.set_xticks(sizes, [in_words(size) for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("bytes of a row; indices of 64 bits")
    axes.set_ylabel("GB/s of indices and rows, in and out")
    axes.grid(True, color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{DEVICE_PLOTS[operator]}\n", loc="left", fontsize=13)
    axes.text(0, 1.02, f"{ours['device']}, {ours['driver']}, {ours['date'][:10]}", transform=axes.transAxes)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=5, frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", action="store_true", help="rows on a device")
    parser.add_argument("results", help="a file, or a folder of files")
    parser.add_argument("peers", nargs="?", help="with --device: other libraries' results of the same workloads")
    parser.add_argument("folder", type=pathlib.Path, help="where the plots go")
    arguments = parser.parse_args()
    if arguments.device != bool(arguments.peers):
        parser.error("--device goes with two files of results")
    if arguments.device:
        ours, peers = (json.loads(pathlib.Path(file).read_text()) for file in (arguments.results, arguments.peers))
        for operator in DEVICE_PLOTS:
            draw_device(ours, peers, operator, arguments.folder / f"device-{operator.replace('_', '-')}.svg")
        return
    content = newest(arguments.results)
    for sweep in PLOTS:
        draw(content, sweep, arguments.folder / f"gather-{sweep.replace(' ', '-')}.svg")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/benchmarks.md, from results that are committed; docs/check.py puts them into the page.

pages.py machine FILE.json              what a result was measured on
pages.py plain FILE.json                times of the plain loop over those of simd and par_simd
pages.py peers FILE.md                  times of the best of other libraries over those of simd and par_simd
pages.py device-groups NAME             the same on a Vulkan device, by groups of workloads
pages.py device NAME                    all workloads of a Vulkan device
pages.py small NAME                     small calls there
pages.py start NAME                     from the start of a process to its first result there

NAME, such as 2026-11-27-nvidia-h200, stands for NAME.json and NAME-peers.json in bench/results/vulkan.
"""

import json
import pathlib
import re
import sys

import vulkan_table
from table import load, markdown, number

WORDS = {
    "small/queued": "one of many in a batch, none needs another",
    "small/queued_one_after_another": "one of many in a batch, each needs the one before",
    "small/queued_scatter": "a scatter, one of many in a batch, none needs another",
    "small/queued_scatter_of_the_last": "the same, the last of duplicates stands",
    "small/queued_scatter_with_copy": "the same, into a copy",
    "small/synchronous": "a direct call, waited for",
    "small/host_tensors": "a direct call on tensors of the host",
    "small/batch_of_1": "a batch of 1, for each operator",
    "small/batch_of_10": "a batch of 10, for each operator",
    "small/batch_of_100": "a batch of 100, for each operator",
    "small/on_device": "on the device alone, by its own clock",
    "no_cache": "no pipeline cache",
    "makes_cache": "a pipeline cache file is made",
    "has_cache": "the pipeline cache file is there",
    "drivers_cache": "the driver's own cache is warm",
}


def report(path):
    return json.loads(pathlib.Path(path).read_text())


def of_device(name):
    """The results of a device, and those of other libraries there."""
    folder = pathlib.Path(__file__).resolve().parent / "results/vulkan"
    return report(folder / f"{name}.json"), report(folder / f"{name}-peers.json")


def machine(path):
    about = report(path)["machine"]
    caches = ", ".join(
        f"L{cache['level']} {cache['bytes'] // 1024} KiB" for cache in about["caches"] if cache["type"] != "Instruction"
    )
    return (
        f"{about['processor']}, {about['cores']} cores{f' ({caches})' if caches else ''}, "  # not every system tells
        f"{about['memory_bytes'] / 2**30:.0f} GiB of memory, "
        f"{about['system']}, {about['compiler']['version']}, `{about['compiler']['flags']}`, {about['date'][:10]}."
    )


def plain(path):
    operators, _ = load(path)

    def in_us(value):
        return number(value) if value >= 1 else f"{value:.3f}"

    lines = [["operator", "workload", "plain loop, us", "`simd`, us", "times", "`par_simd`, us", "times"]]
    for operator, results in operators.items():
        for workload in dict.fromkeys(workload for workload, _ in results):
            ways = [results.get((workload, way)) for way in ("plain loop", "ndx simd", "ndx par_simd")]
            if operator == "sweep" or None in ways[:2]:
                continue
            times = [way["microseconds"] if way else None for way in ways]
            line = [f"`{operator}`", workload, in_us(times[0])]
            for time in times[1:]:
                line += [in_us(time), f"{times[0] / time:.2f}"] if time else ["-", "-"]
            lines.append(line)
    return markdown_with({0, 1}, lines)


def peers(path):
    """The summary that the comparison prints, less what only its own exploratory kernels are good for."""
    text = pathlib.Path(path).read_text()
    workloads = [line.strip().strip("|").strip() for line in text.splitlines() if line.startswith("| W")]
    rows = [re.split(r"\s*\|\s*", line) for line in workloads]
    lines = [
        [
            "workload",
            "best peer, one thread",
            "`simd`, ms",
            "times",
            "best peer, two threads",
            "`par_simd`, ms",
            "times",
        ]
    ]
    for row in rows:
        lines.append([row[0], f"{row[1]} ms", row[2], row[3], f"{row[5]} ms", row[6], row[7]])
    fixed = [[cell.removesuffix(" ms") if cell.endswith("ns ms") else cell for cell in line] for line in lines]
    means = re.search(r"geomean ratio T1 ([\d.]+), T2 ([\d.]+)", text)
    return f"Geometric means: {means[1]} on one thread, {means[2]} on two.\n\n{markdown_with({0, 1, 4}, fixed)}"


def markdown_with(text_columns, lines):
    """Like markdown(), but with these columns of text instead of the first alone, and as narrow as can be."""
    rows = markdown(lines).split("\n")
    rows[1] = "|" + "|".join("---" if column in text_columns else "--:" for column in range(len(lines[0]))) + "|"
    return "\n".join(re.sub(r"  +", " ", row) for row in rows)


def device_tables(name):
    own, beside = of_device(name)
    own["results"] = {name: entry for name, entry in own["results"].items() if not name.startswith("start/")}
    return vulkan_table.table(own, beside)


def device_groups(name):
    return device_tables(name).split("\n\n")[2]


def device(name):
    rows = device_tables(name).split("\n\n")[0].split("\n")
    return "\n".join(re.sub(r"  +", " ", row) for row in rows if "| small/" not in row)


def small(name):
    own, beside = of_device(name)
    lines = [["an operator on a handful of elements", "ndx, us", "PyTorch, us"]]
    for workload, entry in own["results"].items():
        if workload.startswith("small/"):
            peer = beside["results"].get(workload, {})
            best = min((entry["us"] for entry in peer.values()), default=None)
            lines.append([WORDS[workload], number(entry["us"]), number(best) if best else "-"])
    return markdown(lines)


def start(name):
    results = of_device(name)[0]["results"]
    stages = ["device", "first_call", "second_call", "to_first_result"]
    lines = [
        ["", "the device is made, ms", "first call, ms", "second call, ms", "from the start to the first result, ms"]
    ]
    for cache in dict.fromkeys(name.split("/")[1] for name in results if name.startswith("start/")):
        lines.append([WORDS[cache], *(number(results[f"start/{cache}/{stage}"]["us"] / 1000) for stage in stages)])
    return markdown(lines)


COMMANDS = {
    "machine": machine,
    "plain": plain,
    "peers": peers,
    "device-groups": device_groups,
    "device": device,
    "small": small,
    "start": start,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    print(COMMANDS[sys.argv[1]](*sys.argv[2:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns results of bench_vulkan into a Markdown table, beside those of other libraries on the same device.

vulkan_table.py FILE.json                              what bench_vulkan --json or --save wrote
vulkan_table.py FILE.json PEERS.json                   and other libraries' times of the same workloads
vulkan_table.py FILE.json --save bench/results/vulkan  and keeps them, if another machine made them
vulkan_table.py --run build/bench/bench/vulkan/bench_vulkan [--arguments="--scale=64"] [--save bench/results/vulkan]

PEERS.json: {"device": ..., "results": {workload: {library: {"us": microseconds}}}}
"""

import argparse
import json
import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from table import first_line, markdown, number


def run(program, arguments):
    """What the program reports; it prints the workloads as it goes."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "results.json"
        command = [str(pathlib.Path(program).resolve()), *arguments, f"--json={file}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if not file.exists():
            sys.exit(f"{program} ended with status {done.returncode}")
        return json.loads(file.read_text())


def save(folder, report):
    device = re.sub(r"[^a-z0-9]+", "-", report["device"].lower()).strip("-")
    scale = f"-scale-{report['scale']}" if report["scale"] != 1 else ""
    path = pathlib.Path(folder) / f"{report['date'][:10]}-{device}{scale}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n")
    return path


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def table(ours, peers):
    """Microseconds, GB/s, and that over the plain copy's; with peers, how many times as long as ndx the best takes."""
    results = ours["results"]
    beside = peers is not None
    copy = next((entry["gbs"] for workload, entry in results.items() if workload.startswith("copy/")), None)
    lines = [["workload", "ndx, us", "GB/s", "of copy"] + (["best peer, us", "which", "peer / ndx"] if beside else [])]
    ratios = {}
    for workload in list(results) + [name for name in (peers or {}).get("results", {}) if name not in results]:
        own = results.get(workload)
        moves = own and own["gbs"] > 0 and not workload.startswith("small/")
        line = [workload, number(own["us"]) if own else "-", number(own["gbs"]) if moves else "-"]
        line.append(f"{own['gbs'] / copy:.2f}" if moves and copy else "-")
        if beside:
            times = {name: entry["us"] for name, entry in peers["results"].get(workload, {}).items()}
            best = min(times, key=times.get, default=None)
            line += [number(times[best]), best] if best else ["-", "-"]
            if own and best:
                ratios[workload] = times[best] / own["us"]
                line.append(f"{ratios[workload]:.2f}")
            else:
                line.append("-")
        lines.append(line)
    text = markdown(lines)
    if ratios:
        groups = {}
        for workload, ratio in ratios.items():
            groups.setdefault(workload.split("/")[0], []).append(ratio)
        rows = [["workloads", "how many", "geometric mean of peer / ndx", "ndx is not slower", "worst"]]
        for name, all_of in [*groups.items(), ("all", list(ratios.values()))]:
            level = sum(ratio >= 0.98 for ratio in all_of)
            rows.append([name, str(len(all_of)), f"{mean(all_of):.2f}", f"{level}", f"{min(all_of):.2f}"])
        text += "\n\nNot slower: at most 2 % above the best peer's time.\n\n" + markdown(rows)
        text += "\n\nFurthest behind: " + ", ".join(
            f"{workload} {ratio:.2f}" for workload, ratio in sorted(ratios.items(), key=lambda item: item[1])[:10]
        )
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="results to print")
    parser.add_argument("peers", nargs="?", help="other libraries' results of the same workloads")
    parser.add_argument("--run", metavar="PROGRAM", help="run this bench_vulkan")
    parser.add_argument("--arguments", default="", help="arguments for it")
    parser.add_argument("--save", metavar="FOLDER", help="write the results to a file <date>-<device>.json in FOLDER")
    arguments = parser.parse_args()
    if bool(arguments.run) == bool(arguments.file):
        parser.error("either a file or --run")

    if arguments.run:
        report = run(arguments.run, shlex.split(arguments.arguments))
        report["commit"] = first_line(["git", "describe", "--always", "--dirty"])
        report["command"] = "python3 bench/vulkan_table.py " + shlex.join(sys.argv[1:])
    else:
        report = json.loads(pathlib.Path(arguments.file).read_text())
    peers = json.loads(pathlib.Path(arguments.peers).read_text()) if arguments.peers else None
    if arguments.save and not report["wrong"]:
        print(f"{save(arguments.save, report)}\n")

    print(f"{report['device']}, {report['driver']}")
    if peers:
        print(f"peers: {', '.join(f'{key} {value}' for key, value in peers.items() if key != 'results')}")
        if peers.get("device") not in (None, report["device"]):
            print("The peers ran on another device: the ratios mean nothing.")
    print(f"\n{table(report, peers)}")
    for workload, why in report["skipped"].items():
        print(f"skipped: {workload}: {why}")
    for workload, why in report["wrong"].items():
        print(f"error: {workload}: {why}", file=sys.stderr)
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

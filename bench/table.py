#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns results of the benchmarks into a Markdown table.

table.py FILE.json ...                      results of Google Benchmark, or files that --save wrote
table.py --run build/bench/bench            runs every program there is in the folder
table.py --run ... --save bench/results     and keeps the medians, with a description of the machine
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

# One workload at a time, and within it the repetitions of all ways take turns in random order: what disturbs the machine
# for a while disturbs all of them alike, and ratios of medians from one run mean something.
FLAGS = [
    "--benchmark_enable_random_interleaving=true",
    "--benchmark_repetitions=7",
    "--benchmark_min_time=0.02",
    "--benchmark_report_aggregates_only=true",
    "--benchmark_out_format=json",
]

# A sweep is read for its shape, and has many workloads.
FLAGS_OF_SWEEPS = ["--benchmark_repetitions=3"]

ORDER = [
    "memcpy",
    "plain loop",
    "Eigen",
    "xtensor",
    "libtorch",
    "libtorch, all threads",
    "ndx seq",
    "ndx simd baseline",
    "ndx simd avx2",
    "ndx simd avx512",
    "ndx simd",
    "ndx simd, last",
    "ndx simd, trust",
    "ndx par_simd",
    "ndx par_simd, last",
]


def output_of(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}{command[0]} ended with status {done.returncode}")
    return done.stdout


def run(folder, pattern):
    """Runs the programs; returns what they report, operator by operator."""
    programs = sorted(pathlib.Path(folder).resolve().glob("*.bench"))
    if not programs:
        sys.exit(f"no benchmark programs in {folder}")
    reports = {}
    for program in programs:
        names = output_of([str(program), "--benchmark_list_tests=true"]).split("\n")
        workloads = dict.fromkeys(name.split("/")[0] for name in names if "/" in name)
        for workload in workloads:
            if pattern and not re.search(pattern, workload):
                continue
            print(f"{program.stem}: {workload}", file=sys.stderr, flush=True)
            with tempfile.NamedTemporaryFile(suffix=".json") as out:
                flags = FLAGS + (FLAGS_OF_SWEEPS if program.stem == "sweep" else [])
                output_of([str(program), *flags, f"--benchmark_out={out.name}", f"--benchmark_filter=^{workload}/"])
                report = json.load(out)
            reports.setdefault(program.stem, report | {"benchmarks": []})["benchmarks"] += report["benchmarks"]
    return reports


def medians(report):
    """(workload, way) -> {"time": microseconds, "cv": ..., "bytes_per_second": ...}, and what went wrong."""
    results, errors = {}, []
    for entry in report["benchmarks"]:
        name = entry["run_name"].removesuffix("/real_time")
        workload, way = name.rsplit("/", 1)
        if entry.get("error_occurred"):
            errors.append(f"{name}: {entry['error_message']}")
        elif entry.get("aggregate_name") == "median":
            result = results.setdefault((workload, way), {})
            result["microseconds"] = entry["real_time"]
            result["bytes_per_second"] = entry["bytes_per_second"]
        elif entry.get("aggregate_name") == "cv":
            results.setdefault((workload, way), {})["variation"] = entry["real_time"]
    return results, sorted(set(errors))


def of_processor(field):
    """What the system says of the first processor; None where it says nothing."""
    try:
        values = re.findall(rf"^{field}\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        values = []
    return values[0].strip() if values else None


def first_line(command):
    here = pathlib.Path(__file__).resolve().parent
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=here).stdout.split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return None


def compiler(folder):
    """The compiler and the flags that the programs in `folder` were built with."""
    for parent in pathlib.Path(folder).resolve().parents:
        cache = parent / "CMakeCache.txt"
        if cache.exists():
            entries = dict(re.findall(r"^([A-Z_]+):[A-Z]+=(.*)$", cache.read_text(), re.MULTILINE))
            flags = entries.get("CMAKE_CXX_FLAGS_" + entries.get("CMAKE_BUILD_TYPE", "").upper(), "")
            version = first_line([entries.get("CMAKE_CXX_COMPILER", "c++"), "--version"])
            return {"version": version, "flags": flags}
    return None


def describe(folder, reports):
    context = next(iter(reports.values()))["context"]
    system = platform.freedesktop_os_release() if hasattr(platform, "freedesktop_os_release") else {}
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": first_line(["git", "describe", "--always", "--dirty"]),
        "command": "python3 bench/table.py " + " ".join(sys.argv[1:]),
        "benchmark_flags": FLAGS,
        "benchmark_flags_of_sweeps": FLAGS_OF_SWEEPS,
        "processor": of_processor("model name") or platform.machine(),
        "processor_family": of_processor("cpu family"),
        "processor_model": of_processor("model"),
        "cores": os.cpu_count(),
        "caches": [
            {"level": cache["level"], "type": cache["type"], "bytes": cache["size"], "shared_by": cache["num_sharing"]}
            for cache in context["caches"]
        ],
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": system.get("PRETTY_NAME", platform.system()),
        "compiler": compiler(folder),
        "load_average": context["load_avg"],
    }


def as_rows(results):
    return [{"workload": workload, "way": way, **result} for (workload, way), result in results.items()]


def save(folder, description, operators):
    # Virtual machines call different processors by one name.
    kind = "".join(f"-{part}-{description[f'processor_{part}']}" for part in ("family", "model")
                   if description[f"processor_{part}"] is not None)
    machine = re.sub(r"[^a-z0-9]+", "-", description["processor"].lower().replace("(r)", "")).strip("-")
    name = f"{description['date'][:10]}-{machine}{kind}-{description['cores']}-cores.json"
    path = pathlib.Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"machine": description, "operators": {name: as_rows(rows) for name, rows in operators.items()}}
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path


def load(path):
    """operator -> results, of a file that Google Benchmark or --save wrote."""
    content = json.loads(pathlib.Path(path).read_text())
    if "operators" in content:
        return {
            operator: {(row.pop("workload"), row.pop("way")): row for row in rows}
            for operator, rows in content["operators"].items()
        }, []
    results, errors = medians(content)
    return {pathlib.Path(path).stem: results}, errors


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def markdown(lines):
    """A table whose first line is the heading and whose first column is text."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join(
        "| " + " | ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]) + " |"
        for line in [lines[0], rule, *lines[1:]]
    )


def table(results):
    """GB/s of every way, and how many times faster than the plain loop simd and par_simd are."""
    workloads = list(dict.fromkeys(workload for workload, _ in results))
    present = {way for _, way in results}
    ways = [way for way in ORDER if way in present] + sorted(present - set(ORDER))

    def ratio(workload, way):
        plain, ours = results.get((workload, "plain loop")), results.get((workload, way))
        return number(plain["microseconds"] / ours["microseconds"]) if plain and ours else "-"

    lines = [["GB/s", "plain loop, us", *ways, "simd / plain", "par_simd / plain"]]
    for workload in workloads:
        plain = results.get((workload, "plain loop"))
        cells = [workload, number(plain["microseconds"]) if plain else "-"]
        for way in ways:
            result = results.get((workload, way))
            cells.append(number(result["bytes_per_second"] / 1e9) if result else "-")
        lines.append([*cells, ratio(workload, "ndx simd"), ratio(workload, "ndx par_simd")])

    return markdown(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="results to print")
    parser.add_argument("--run", metavar="FOLDER", help="run the benchmark programs in FOLDER")
    parser.add_argument("--filter", metavar="REGEX", help="only the workloads whose name matches")
    parser.add_argument("--save", metavar="FOLDER", help="write a file <date>-<machine>.json into FOLDER")
    arguments = parser.parse_args()
    if bool(arguments.run) == bool(arguments.files):
        parser.error("either files or --run")
    if arguments.save and not arguments.run:
        parser.error("--save goes with --run: a result without its machine says nothing")

    operators, errors = {}, []
    if arguments.run:
        reports = run(arguments.run, arguments.filter)
        for operator, report in reports.items():
            operators[operator], wrong = medians(report)
            errors += [f"{operator}: {error}" for error in wrong]
    for file in arguments.files:
        loaded, wrong = load(file)
        operators.update(loaded)
        errors += wrong

    if arguments.save and not errors:
        path = save(arguments.save, describe(arguments.run, reports), operators)
        print(f"{path}\n")
    for operator, results in operators.items():
        print(f"### {operator.removesuffix('.bench')}\n\n{table(results)}\n")
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Widths, interval scores and conditional coverage on the paper's five real data sets, by the program alone.

Per seed the rows are shuffled; 60 % train, 20 % calibrate, 20 % test; figures are in units of mean |y| of the training rows.
Every method sees the same rows. Needs only Python's standard library.

    bench/protocol_p.py [--taut build/taut] [--data DIR] [--seeds 5] [--sets energy,homes] [--methods default,size] [-o FILE.md]
"""
import argparse
import csv
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SETS = {
    "energy": ("Y2", ["Y1"]),
    "concrete": ("Concrete compressive strength(MPa, megapascals)", []),
    "homes": ("price", ["id", "date"]),
    "CASP": ("RMSD", []),
    "facebook_1": ("y", []),
}
METHODS = {
    "default": [],
    "size": ["--objective", "size"],
    "focus 0.9": ["--focus", "0.9"],
    "fixed": ["--localizer", "none"],
}
FIGURES = ["coverage", "mean_width", "interval_score", "ert"]


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def split(count, seed, max_rows=0):
    """Which of `count` rows train, calibrate and test. With `max_rows` > 0 at most that many rows are used."""
    order = list(range(count))
    random.Random(seed).shuffle(order)
    order = order[:max_rows or None]
    cut1, cut2 = round(0.6 * len(order)), round(0.8 * len(order))
    return {"train": order[:cut1], "calibrate": order[cut1:cut2], "test": order[cut2:]}


def write_parts(folder, header, rows, parts):
    for name, part in parts.items():
        write(folder / f"{name}.csv", header, [rows[i] for i in part])


def one_run(taut, folder, header, rows, target, drop, seed, methods, levels):
    parts = split(len(rows), seed)
    write_parts(folder, header, rows, parts)
    at = header.index(target)
    unit = sum(abs(float(rows[i][at])) for i in parts["train"]) / len(parts["train"])
    results = {}
    for name in methods:
        fit = [taut, "fit", folder / "train.csv", "--target", target, "--calibrate-with", folder / "calibrate.csv", "--seed", str(seed),
               "-o", folder / "m.taut", *METHODS[name]] + (["--drop", ",".join(drop)] if drop else [])
        subprocess.run(fit, check=True, stderr=subprocess.DEVNULL)
        evaluate = [taut, "evaluate", folder / "m.taut", folder / "test.csv", "--confidence", ",".join(levels), "--json"]
        report = json.loads(subprocess.run(evaluate, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
        for level in report["levels"]:
            for figure in ("mean_width", "median_width", "interval_score"):
                level[figure] = level[figure] / unit
        results[name] = report["levels"]
    return results


def mean_and_error(values):
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1))
    return mean, spread / math.sqrt(len(values))


def table(results, levels):
    lines = []
    for i, level in enumerate(levels):
        lines += [f"\nConfidence {level}\n", "| set | method | " + " | ".join(FIGURES) + " | outside its band |", "|---|---|" + "---|" * (len(FIGURES) + 1)]
        for set_name, runs in results.items():
            for method in runs[0]:
                reports = [run[method][i] for run in runs]
                cells = ["{:.4f} ± {:.4f}".format(*mean_and_error([report[f] for report in reports])) for f in FIGURES]
                outside = sum(not report["coverage_low"] <= report["coverage"] <= report["coverage_high"] for report in reports)
                lines.append(f"| {set_name} | {method} | " + " | ".join(cells) + f" | {outside} of {len(reports)} |")
    return "\n".join(lines)


def common_arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--data", default=os.environ.get("TAUT_DATA", str(HERE.parent.parent / "shared" / "data")))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--sets", default=",".join(SETS))
    return parser


def main():
    parser = common_arguments(__doc__)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--levels", default="0.68,0.9,0.95")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    levels = options.levels.split(",")
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for set_name in options.sets.split(","):
            target, drop = SETS[set_name]
            header, rows = read(pathlib.Path(options.data) / f"{set_name}.csv.gz")
            for seed in range(options.seeds):
                print(f"{set_name}, seed {seed}", file=sys.stderr, flush=True)
                run = one_run(options.taut, pathlib.Path(folder), header, rows, target, drop, seed, options.methods.split(","), levels)
                results.setdefault(set_name, []).append(run)
            print(table({set_name: results[set_name]}, levels), flush=True)
    if options.output:
        pathlib.Path(options.output).write_text(table(results, levels) + "\n")


if __name__ == "__main__":
    main()

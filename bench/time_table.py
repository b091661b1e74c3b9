#!/usr/bin/env python3
"""Intervals along time: `taut stream` and its peers on series in time order; the tables of docs/notes/time.md.

    bench/time_table.py [--data DIR] [--taut build/taut] [--sets etth1,bike,wander,regimes] [--pid DIR] [--runs FILE] [--tables-only]
    bench/time_table.py --rehearse --taut-only      uses the training rows only, split in the same way, to try changes without using the test rows

The first 60 % of the rows train. The others are streamed: each row is predicted before its target is known, and learnt from afterwards. All methods have the same
inputs: the columns, the target 1, 2 and 24 rows before, its mean and spread over the last 24 rows, and hour, weekday, month and year where there are dates.
Taut computes those of earlier rows itself (--lags, --rolling). Figures at confidence 0.9: coverage, the worst coverage of 500 consecutive rows, mean width, interval score.
The peers are in time_peers.py, the two synthetic series in time_series.py; for these the table also has the optimal intervals, from the true distribution.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import pandas as pd

import time_peers
from time_series import DRAWN

HERE = pathlib.Path(__file__).resolve().parent
LEVEL, WINDOW, TRAINED = 0.9, 500, 0.6
LAGS, ROLLING = [1, 2, 24], 24
REAL = {"etth1": ("OT", []), "bike": ("count", ["casual", "registered"])}
WAYS = {
    "taut, as calibrated": ["--controller", "none", "--scorecast", "no", "--recentre", "no", "--window", "1000000"],
    "taut, window of 1,000": ["--controller", "none", "--scorecast", "no", "--recentre", "no", "--window", "1000"],
    "taut stream --recentre no": ["--recentre", "no"],
    "taut stream": [],
    "taut stream --controller pid": ["--controller", "pid"],
    "taut stream --history": ["--history", "train.csv"],
    "taut stream --refit-every 1000 --recentre no": ["--refit-every", "1000", "--history", "train.csv", "--recentre", "no"],
    "taut stream --refit-every 1000": ["--refit-every", "1000", "--history", "train.csv"],
}


def judged(y, low, high):
    """The figures of the intervals. An interval may be empty (NaN), which covers nothing, or the whole line."""
    covered = (low <= y) & (y <= high)
    sums = np.concatenate([[0], np.cumsum(covered)])
    width = np.maximum(high - low, 0)
    score = width + 2 / (1 - LEVEL) * (np.maximum(0, low - y) + np.maximum(0, y - high))
    return {"coverage": covered.mean(), "worst": (sums[WINDOW:] - sums[:-WINDOW]).min() / WINDOW, "width": width.mean(), "score": score.mean()}


def series(name, data):
    """The table, its target, and the ends of the best possible intervals where they are known."""
    if name in DRAWN:
        return DRAWN[name](LEVEL)
    target, drop = REAL[name]
    return pd.read_csv(data / f"{name}.csv.gz").drop(columns=drop), target, None


def with_past(table, target):
    """The inputs that `taut fit --lags 1,2,24 --rolling 24` computes, and a date as numbers, for the peers."""
    result = table.copy()
    for lag in LAGS:
        result[f"lag {lag}"] = table[target].shift(lag)
    before = table[target].shift(1).rolling(ROLLING, min_periods=1)
    result["mean"], result["spread"] = before.mean(), before.std()
    if "datetime" in table:
        when = pd.to_datetime(result.pop("datetime")).dt
        for part in ("hour", "weekday", "month", "year"):
            result[part] = getattr(when, part)
    return result.drop(columns=target).to_numpy(float)


def of_taut(taut, table, target, cut):
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            return subprocess.run([taut, *arguments], cwd=folder, check=True, capture_output=True, text=True)

        table[:cut].to_csv(pathlib.Path(folder, "train.csv"), index=False)
        table[cut:].to_csv(pathlib.Path(folder, "new.csv"), index=False)
        order = ["--order-by", "datetime"] if "datetime" in table else ["--in-order"]
        run("fit", "train.csv", "--target", target, *order, "--lags", ",".join(map(str, LAGS)), "--rolling", str(ROLLING), "-o", "m.taut")
        for name, options in WAYS.items():
            run("stream", "m.taut", "new.csv", "-o", "out.csv", *options)
            found = pd.read_csv(pathlib.Path(folder, "out.csv"))
            yield name, (found["lower_0.9"].to_numpy(), found["upper_0.9"].to_numpy())


def run_set(name, given, done):
    """Yields the figures of one group of methods after another, except those in `done`."""
    table, target, best = series(name, given.data)
    if given.rehearse:
        table = table[:round(TRAINED * len(table))]
    cut = round(TRAINED * len(table))
    X, y = with_past(table, target), table[target].to_numpy(float)
    groups = {"taut": lambda: of_taut(given.taut, table, target, cut)}
    for peer, method in [] if given.taut_only else time_peers.PEERS.items():
        groups[peer] = lambda method=method: method(X, y, cut, LEVEL)
    if given.pid and not given.taut_only:
        groups["pid"] = lambda: time_peers.pid(X, y, cut, LEVEL, given.pid)
    if best and not given.rehearse:
        groups["distribution"] = lambda: [("oracle, knows the distribution", (best[0][cut:], best[1][cut:]))]
    for group, method in groups.items():
        if group not in done:
            yield group, {way: judged(y[cut:], low, high) for way, (low, high) in method()}


def print_tables(runs):
    for name, groups in runs.items():
        print(f"\n| {name} | coverage | worst 500 rows | mean width | interval score |\n|---|---|---|---|---|")
        for found in groups.values():
            for way, figures in found.items():
                print(f"| {way} | {figures['coverage']:.3f} | {figures['worst']:.3f} | {figures['width']:.4g} | {figures['score']:.4g} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parent.parent / "shared" / "data")
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--sets", default=",".join([*REAL, *DRAWN]))
    parser.add_argument("--pid", type=pathlib.Path, help="a copy of github.com/aangelopoulos/conformal-time-series, the released code of conformal PID")
    parser.add_argument("--runs", type=pathlib.Path, default=HERE.parent / "build" / "time_table.json")
    parser.add_argument("--tables-only", action="store_true")
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--taut-only", action="store_true")
    given = parser.parse_args()
    given.taut = str(pathlib.Path(given.taut).resolve())
    runs = json.loads(given.runs.read_text()) if given.runs.exists() else {}
    for name in [] if given.tables_only else given.sets.split(","):
        runs.setdefault(name, {})
        for group, found in run_set(name, given, runs[name]):
            runs[name][group] = {way: {key: float(value) for key, value in figures.items()} for way, figures in found.items()}
            given.runs.write_text(json.dumps(runs, indent=1))
            print(name, group, "done", flush=True)
    print_tables(runs)


if __name__ == "__main__":
    main()

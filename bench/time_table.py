#!/usr/bin/env python3
"""Intervals along time: Taut's stream beside a fixed law, a plain window and MAPIE's TimeSeriesRegressor, on sets in time order.

The first 60 % of the rows fit (parts in order), the rest is streamed: each row is predicted before its target is known. Figures at confidence 0.9:
coverage, the worst coverage of 500 rows in turn, mean width, interval score. Peers have the same trees of ours where they take a model: none of the
differences is the predictor's. MAPIE is left out where it is not installed.

    bench/time_table.py [--data DIR] [--taut build/taut] [--sets etth1,bike] [--delay 0] [--peers]
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
LEVEL, WINDOW = 0.9, 500
SETS = {"etth1": ("OT", []), "bike": ("count", ["casual", "registered", "datetime"])}
WAYS = {
    "fixed level and scores": None,
    "window of 1,000, fixed level": ["--controller", "none", "--window", "1000", "--scorecast", "no"],
    "aci": ["--controller", "aci", "--scorecast", "no"],
    "pid": ["--controller", "pid"],
    "dtaci without scorecast": ["--scorecast", "no"],
    "taut stream": [],
}


def judged(y, low, high):
    covered = (low <= y) & (y <= high)
    sums = np.concatenate([[0], np.cumsum(covered)])
    width = high - low
    score = width + 2 / (1 - LEVEL) * (np.maximum(0, low - y) + np.maximum(0, y - high))
    return {"coverage": covered.mean(), "worst": (sums[WINDOW:] - sums[:-WINDOW]).min() / WINDOW, "width": width.mean(), "score": score.mean()}


def run_taut(taut, *arguments):
    return subprocess.run([taut, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def intervals_of(text):
    table = np.genfromtxt(text.splitlines(), delimiter=",", names=True, deletechars="")
    return table["lower_0.9"], table["upper_0.9"]


def of_taut(taut, folder, y, target, drop, delay):
    model = folder / "m.taut"
    run_taut(taut, "fit", folder / "train.csv", "--target", target, "--in-order", "-o", model, *(["--drop", ",".join(drop)] if drop else []))
    for name, options in WAYS.items():
        command = ["predict", model, folder / "new.csv"] if options is None else ["stream", model, folder / "new.csv", "--delay", delay, *options]
        yield name, judged(y, *intervals_of(run_taut(taut, *command)))


def of_mapie(folder, target, drop):
    """EnbPI and ACI around gradient boosting, updated row by row in steps of 24."""
    import pandas as pd
    from mapie.regression import TimeSeriesRegressor
    from mapie.subsample import BlockBootstrap
    from sklearn.ensemble import HistGradientBoostingRegressor

    train, new = (pd.read_csv(folder / name).drop(columns=drop).select_dtypes("number") for name in ("train.csv", "new.csv"))
    X, y = train.drop(columns=target).to_numpy(), train[target].to_numpy()
    X_new, y_new = new.drop(columns=target).to_numpy(), new[target].to_numpy()
    for method in ("enbpi", "aci"):
        model = TimeSeriesRegressor(HistGradientBoostingRegressor(random_state=0), method=method,
                                    cv=BlockBootstrap(n_resamplings=10, n_blocks=10, overlapping=False, random_state=0), agg_function="mean")
        model.fit(X, y)
        ends = np.empty((len(y_new), 2))
        for begin in range(0, len(y_new), 24):
            part = slice(begin, begin + 24)
            ends[part] = model.predict(X_new[part], confidence_level=LEVEL, ensemble=True, allow_infinite_bounds=True)[1][:, :, 0]
            if method == "aci":
                model.adapt_conformal_inference(X_new[part], y_new[part], gamma=0.02, confidence_level=LEVEL)
            model.update(X_new[part], y_new[part], ensemble=True, confidence_level=LEVEL)
        yield f"MAPIE {method}", judged(y_new, ends[:, 0], ends[:, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parent.parent / "shared" / "data")
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--delay", type=int, default=0)
    parser.add_argument("--peers", action="store_true", help="MAPIE too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    for name in given.sets.split(","):
        target, drop = SETS[name]
        with gzip.open(given.data / f"{name}.csv.gz", "rt") as file:
            header, *lines = file.read().splitlines()
        cut = round(0.6 * len(lines))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "train.csv").write_text("\n".join([header, *lines[:cut]]) + "\n")
            (folder / "new.csv").write_text("\n".join([header, *lines[cut:]]) + "\n")
            position = [cell.strip('"') for cell in header.split(",")].index(target)
            y = np.array([float(line.split(",")[position]) for line in lines[cut:]])
            found = dict(of_taut(given.taut, folder, y, target, drop, given.delay))
            if given.peers:
                found.update(of_mapie(folder, target, drop))
        if given.json:
            print(json.dumps({"set": name, "delay": given.delay, "found": found}))
            continue
        print(f"\n| {name} | coverage | worst 500 rows | mean width | interval score |\n|---|---|---|---|---|")
        for way, figures in found.items():
            print(f"| {way} | {figures['coverage']:.3f} | {figures['worst']:.3f} | {figures['width']:.2f} | {figures['score']:.2f} |")


if __name__ == "__main__":
    main()

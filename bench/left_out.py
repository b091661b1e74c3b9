#!/usr/bin/env python3
"""Rows unlike the training rows: coverage at .9 where a tail of a column or a region of the inputs was left out of training.

    bench/left_out.py [--taut NAME=PATH]... [--sets a,b] [--seeds 2] [--data DIR] [--runs RUNS.jsonl] [-o FILE.md]

Nothing promises coverage on such rows; a model that knows where it is ignorant loses less. Of each set at most 4,000 rows are drawn (by
the seed). A tenth of them is left out: the largest or the smallest cells of the number that has the largest rank correlation with the
target (`high`, `low`), the rows next to a random row in ranks of all numbers (`region`), or random rows (`random`, for comparison). The
others are fitted by `taut fit` with the options of --method. Needs numpy, pandas and scipy.
"""
import argparse
import pathlib
import shlex
import tempfile

import boards
import interval_runs
import numpy as np
from interval_runs import geometric, interval_score
from scipy.stats import rankdata, spearmanr

LEVEL, ROWS, SHARE = 0.9, 4000, 0.1
KINDS = ("random", "high", "low", "region")


def left_out(x, y, kind, random):
    """A mask of the rows that do not train."""
    numbers = x.select_dtypes("number")
    numbers = numbers.loc[:, numbers.nunique() > 10].fillna(numbers.median())
    if kind == "random" or numbers.empty:
        order = random.random(len(y))
    elif kind == "region":
        ranks = np.column_stack([rankdata(column) for column in numbers.to_numpy(float).T])
        order = np.abs(ranks - ranks[random.integers(len(y))]).sum(axis=1)
    else:
        cells = max(numbers.to_numpy(float).T, key=lambda column: abs(spearmanr(column, y).statistic))
        order = cells if kind == "low" else -cells
    # Equal cells are kept or left out by chance.
    return np.lexsort((random.random(len(y)), order)).argsort() < SHARE * len(y)


def parts_of(x, y, kind, seed):
    random = np.random.default_rng(seed)
    rows = random.permutation(len(y))[:ROWS]
    x, y = x.iloc[rows].reset_index(drop=True), y[rows]
    is_out = left_out(x, y, kind, random)
    return {"train": (x[~is_out], y[~is_out]), "test": (x[is_out], y[is_out])}


def measure(options, runs, programs, methods, name, kind, seed):
    wanted = runs.missing(name, kind, seed, ways=interval_runs.ways(programs, methods))
    if not wanted:
        return
    parts = parts_of(*boards.load(options.data, boards.SETS["scoring"][name]), kind, seed)
    y = parts["test"][1]
    with tempfile.TemporaryDirectory() as folder:
        for part, rows in parts.items():
            interval_runs.write_rows(pathlib.Path(folder) / f"{part}.csv", *rows)
        for program, method in wanted:
            ends, spent = interval_runs.taut_intervals(programs[program], folder, seed, [LEVEL], shlex.split(methods[method]),
                                                       options.threads, calibrate=False)
            low, high = ends[LEVEL].T
            runs.add(name, kind, seed, program, method, coverage=((low <= y) & (y <= high)).mean(),
                     score=interval_score(y, low, high, LEVEL), **spent)


def table(runs, sets, seeds, ways):
    """One row for each kind of rows; the ratio of scores is to the first way."""
    lines = ["| left out | " + " | ".join(f"{' '.join(way)}: coverage | lowest | score" for way in ways) + " |",
             "|---|" + "---:|---:|---:|" * len(ways)]
    for kind in KINDS:
        cells = []
        for way in ways:
            found = {name: [runs.get(name, kind, seed, *way) for seed in range(seeds)] for name in sets}
            first = {name: [runs.get(name, kind, seed, *ways[0]) for seed in range(seeds)] for name in sets}
            done = [name for name in sets if all(found[name]) and all(first[name])]
            if not done:
                cells += ["", "", ""]
                continue
            covered = [np.mean([run["coverage"] for run in found[name]]) for name in done]
            ratios = [np.mean([a["score"] for a in found[name]]) / np.mean([b["score"] for b in first[name]]) for name in done]
            cells += [f"{np.mean(covered):.3f}", f"{min(covered):.3f}", f"{geometric(ratios)[0]:.3f}"]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=2)
    interval_runs.add_sets(parser, "all")
    options = parser.parse_args()
    sets = interval_runs.sets_of(parser, options, boards.SETS["scoring"])
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    runs = interval_runs.Runs(options.runs, ("set", "kind", "seed", "program", "method"))
    for name in sets if not options.tables_only else ():
        for kind in KINDS:
            for seed in range(options.seeds):
                measure(options, runs, programs, methods, name, kind, seed)
    interval_runs.show(table(runs, sets, options.seeds, interval_runs.ways(programs, methods)), options.output)


if __name__ == "__main__":
    main()

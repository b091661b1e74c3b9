#!/usr/bin/env python3
"""What L1-ERT is where nothing is wrong: coverage drawn at random, the same for every x. It tells which differences of a table are chance.

    PYTHONPATH=build/python bench/ert_noise.py [--sets energy,power] [--draws 20] [--data DIR] [-o FILE.md]

The rows are the test rows of protocol P (bench/edge_table.py). `exact`: each row is covered with probability 0.9. `calibrated`: with the
probability that as many calibration rows give, which differs from one split to the next (Beta distribution). Mean and standard deviation over draws.
"""
import argparse
import sys

import interval_runs
import numpy as np
from distribution_table import SETS, read_numbers
from edge_table import BY_ROWS, LEVEL, split

from taut import exact_rank, metrics


def drawn_ends(y, covered):
    """Intervals that cover exactly these rows."""
    return np.where(covered[:, None], np.c_[y - 1, y + 1], np.c_[y + 1, y + 2])


def measure(x, y, draws, threads):
    """Mean and standard deviation of L1-ERT over draws, for coverage that is exact and for that of calibrated intervals."""
    found = {"exact": [], "calibrated": []}
    for seed in range(draws):
        parts = split(x, y, seed, 0)
        random, (test, y_test) = np.random.default_rng([seed, 1]), parts["test"]
        rows = len(parts["calibrate"][1])
        rank = exact_rank(rows, LEVEL)
        for name, coverage in (("exact", LEVEL), ("calibrated", random.beta(rank, rows + 1 - rank))):
            ends = drawn_ends(y_test, random.random(len(y_test)) < coverage)
            found[name].append(float(metrics.ert(test, y_test, ends, LEVEL, n_jobs=threads)))
    return {name: (np.mean(values), np.std(values, ddof=1)) for name, values in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_sets(parser, "all of protocol P but qsar and etth1")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("-o", "--output", help="a file to write the table to, besides standard output")
    options = parser.parse_args()
    default = [name for name in BY_ROWS if name not in ("qsar", "etth1")]  # 24 test rows; a series
    lines = ["| set | test rows | exact | its deviation | calibrated | its deviation |", "|---|---:|---:|---:|---:|---:|"]
    for name in interval_runs.sets_of(parser, options, SETS, default):
        x, y = read_numbers(options.data, name)
        (exact, of_exact), (calibrated, of_calibrated) = measure(x, y, options.draws, options.threads).values()
        lines.append(f"| {name} | {len(split(x, y, 0, 0)['test'][1]):,} | {exact:.3f} | {of_exact:.3f} | {calibrated:.3f} | {of_calibrated:.3f} |")
        print(name, file=sys.stderr, flush=True)
    interval_runs.show("\n".join(lines), options.output)


if __name__ == "__main__":
    main()

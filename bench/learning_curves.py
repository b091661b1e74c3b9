#!/usr/bin/env python3
"""Does the learning curve of half of the rows predict the interval score of all of them?

Of each set a fifth of the rows are test rows. `taut plan` gets half of the others and predicts, with a band, the interval score of twice as many rows.
Then a model is fitted to all of the others with the same effort and evaluated on the test rows. The band is correct if it contains that interval score.
Needs numpy and pandas.

    bench/learning_curves.py [--taut build/taut] [--sets energy,homes] [--seeds 1] [--data DIR] [--runs RUNS.jsonl [--tables-only]] [-o FILE.md]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import interval_runs
import numpy as np
from edge_table import BY_ROWS
from distribution_table import SETS, USUAL, read_numbers

HERE = pathlib.Path(__file__).resolve().parent
LEVEL = 0.9


def expected(taut, table, seed):
    """The band for twice as many rows as the table has."""
    command = [taut, "plan", table, "--target", interval_runs.TARGET, "--confidence", str(LEVEL), "--seed", str(seed), "--json"]
    level = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["levels"][0]
    return level["expected_interval_score"][1], level["found"][-1]["interval_score"]


def measure(taut, data, set_name, seed):
    x, y = read_numbers(data, set_name)
    order = np.random.default_rng(seed).permutation(len(y))
    tests, others = np.split(order, [len(y) // 5])
    with tempfile.TemporaryDirectory() as folder:
        parts = {"half": others[:len(others) // 2], "train": others, "test": tests}
        for name, part in parts.items():
            interval_runs.write_rows(pathlib.Path(folder) / f"{name}.csv", x.iloc[part], y[part])
        band, at_half = expected(taut, pathlib.Path(folder) / "half.csv", seed)
        effort = ["--effort", "quick"]  # the effort that plan uses
        answers, _ = interval_runs.taut_intervals(taut, folder, seed, [LEVEL], effort, threads=0, calibrate=False)
    found = interval_runs.figures(y[tests], answers[LEVEL][:, 0], answers[LEVEL][:, 1], LEVEL)["interval_score"]
    return {"rows": len(others), "at_half": at_half, "low": band["low"], "value": band["value"], "high": band["high"], "found": found}


def table(runs, sets, seeds):
    lines = ["| set | rows | score with 40 % of them | expected with all | band | found | inside |", "|---|---:|---:|---:|---:|---:|---|"]
    inside = total = 0
    for set_name in sets:
        for seed in range(seeds):
            run = runs.get(set_name, seed)
            if not run:
                continue
            holds = run["low"] <= run["found"] <= run["high"]
            inside, total = inside + holds, total + 1
            lines.append("| {} | {:,} | {:.4g} | {:.4g} | {:.4g} – {:.4g} | {:.4g} | {} |".format(
                set_name, run["rows"], *(run[figure] for figure in ("at_half", "value", "low", "high", "found")), "yes" if holds else "no"))
    return "\n".join([*lines, "", f"{inside} of {total} bands contain the score that was found."])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    interval_runs.add_sets(parser, "those of distribution_table.py")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--runs", help="a file to which each run is appended; runs that it has are not repeated")
    parser.add_argument("--tables-only", action="store_true")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    sets = interval_runs.sets_of(parser, options, SETS, [name for name in BY_ROWS if name in USUAL])
    runs = interval_runs.Runs(options.runs, ["set", "seed"])
    for set_name in sets:
        for seed in range(options.seeds):
            if not options.tables_only and not runs.has(set_name, seed):
                runs.add(set_name, seed, **measure(options.taut, options.data, set_name, seed))
    interval_runs.show(table(runs, sets, options.seeds), options.output)


if __name__ == "__main__":
    sys.exit(main())

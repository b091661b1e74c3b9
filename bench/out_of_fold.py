#!/usr/bin/env python3
"""Programs or options of `taut fit` compared on rows that no table of results tests on: how defaults are chosen.

    bench/out_of_fold.py --taut before=build/taut.before --taut after=build/taut [--method NAME=OPTIONS]... [--sets a,b] [--seeds 2]
                         [--rows 0] [--data DIR] [--runs RUNS.jsonl [--tables-only]] [-o FILE.md]

Rows of each set are shuffled by `default_rng(seed).permutation`; only the first 60 %, the training rows of protocol P, are used. Four fifths of
them fit, the fifth calibrates and is scored: coverage is that of the level by construction, so that differences show the intervals and not
the luck of a calibration set. Ratios are to the first program and method. Needs numpy and pandas; L1-ERT needs the package taut
(PYTHONPATH=build/python).
"""
import argparse
import pathlib
import resource
import shlex
import tempfile

import boards
import interval_runs
import numpy as np
import pandas as pd
from interval_runs import TARGET, geometric, interval_score, quiet

SCORED = [0.68, 0.9, 0.95]
QUANTILES = [i / 20 for i in range(1, 20)]
RATIOS = ["rmse", "mae", "score .68", "score .9", "score .95", "crps", "processor", "bytes"]


def parts_of(x, y, seed, rows):
    order = np.random.default_rng(seed).permutation(len(y))[:6 * len(y) // 10][:rows or None]
    fit, scored = np.split(order, [4 * len(order) // 5])
    return (x.iloc[fit], y[fit]), (x.iloc[scored], y[scored])


def ert(x, y, ends, threads):
    try:
        from taut import metrics
    except ImportError:
        return None
    codes = x.apply(lambda column: column if column.dtype.kind in "biuf" else column.astype("category").cat.codes)
    return float(metrics.ert(codes.to_numpy(float), y, ends, 0.9, n_jobs=threads))


def run(taut, folder, scored, seed, extra, threads):
    model, answers, spent = folder / "model.taut", folder / "answers.csv", {}
    on = ["--threads", str(threads)]
    with interval_runs.cost(resource.RUSAGE_CHILDREN, spent):
        quiet([taut, "fit", folder / "fit.csv", "--target", TARGET, "--calibrate-with", folder / "scored.csv", "--seed", str(seed), "-o", model, *on, *extra])
    quiet([taut, "predict", model, folder / "scored.csv", "--confidence", ",".join(map(str, SCORED)), "-o", answers, *on])
    found = pd.read_csv(answers).to_numpy(float)
    quiet([taut, "predict", model, folder / "scored.csv", "--quantiles", ",".join(map(str, QUANTILES)), "-o", answers, *on])
    x, y = scored
    f, ends = found[:, 0], {level: found[:, 1 + 2 * i:3 + 2 * i] for i, level in enumerate(SCORED)}
    figures = {"rmse": np.sqrt(((y - f) ** 2).mean()), "mae": np.abs(y - f).mean(),
               "crps": boards.crps(y, pd.read_csv(answers).to_numpy(float)[:, -len(QUANTILES):], QUANTILES), "ert": ert(x, y, ends[0.9], threads)}
    for level, of_level in ends.items():
        figures[f"score {str(level)[1:]}"] = interval_score(y, of_level[:, 0], of_level[:, 1], level)
    return {**figures, **spent, "bytes": model.stat().st_size}


def measure(options, runs, programs, methods, name, seed):
    wanted = runs.missing(name, options.rows, seed, ways=interval_runs.ways(programs, methods))
    if not wanted:
        return
    fit, scored = parts_of(*boards.load(options.data, boards.SETS["scoring"][name]), seed, options.rows)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for part, rows in (("fit", fit), ("scored", scored)):
            interval_runs.write_rows(folder / f"{part}.csv", *rows)
        for program, method in wanted:
            found = run(programs[program], folder, scored, seed, shlex.split(methods[method]), options.threads)
            runs.add(name, options.rows, seed, program, method, fitted=len(fit[1]), **found)


def table(runs, sets, rows, seeds, first, way):
    """The figures of one way over those of the first: for each set the geometric mean over seeds, and over all sets."""
    lines = [f"{' '.join(way)} / {' '.join(first)}", "", "| set | rows | " + " | ".join(RATIOS) + " | L1-ERT |", "|---|---:|" + "---:|" * (len(RATIOS) + 1)]
    columns = {figure: [] for figure in RATIOS}
    differences = []
    for name in sets:
        pairs = [(runs.get(name, rows, seed, *way), runs.get(name, rows, seed, *first)) for seed in range(seeds)]
        pairs = [pair for pair in pairs if all(pair)]
        if not pairs:
            continue
        cells = []
        for figure in RATIOS:
            ratio = geometric([new[figure] / old[figure] for new, old in pairs])[0]
            columns[figure].append(ratio)
            cells.append(f"{ratio:.3f}")
        erts = [new["ert"] - old["ert"] for new, old in pairs if new.get("ert") is not None and old.get("ert") is not None]
        if erts:
            differences.append(np.mean(erts))
        lines.append(f"| {name} | {pairs[0][0]['fitted']:,} | " + " | ".join(cells) + f" | {f'{differences[-1]:+.3f}' if erts else ''} |")
    means = [f"{geometric(ratios)[0]:.4f}" if ratios else "" for ratios in columns.values()]
    return "\n".join([*lines, "| geometric mean | | " + " | ".join(means) + f" | {f'{np.mean(differences):+.4f}' if differences else ''} |"])


def figures_table(runs, sets, rows, seeds, way):
    figures = [*RATIOS, "ert"]
    lines = [" ".join(way), "", "| set | " + " | ".join(figures) + " |", "|---|" + "---:|" * len(figures)]
    for name in sets:
        found = [run for run in (runs.get(name, rows, seed, *way) for seed in range(seeds)) if run]
        if found:
            cells = [np.mean([run[figure] for run in found]) if found[0].get(figure) is not None else float("nan") for figure in figures]
            lines.append(f"| {name} | " + " | ".join(f"{cell:.4g}" for cell in cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=2)
    interval_runs.add_sets(parser, "all")
    parser.add_argument("--rows", type=int, default=0, help="use no more rows of a set than these; 0: all")
    options = parser.parse_args()
    sets = interval_runs.sets_of(parser, options, boards.SETS["scoring"])
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    runs = interval_runs.Runs(options.runs, ("set", "cap", "seed", "program", "method"))
    for seed in range(0 if options.tables_only else options.seeds):
        for name in sets:
            measure(options, runs, programs, methods, name, seed)
    first, *others = interval_runs.ways(programs, methods)
    tables = [table(runs, sets, options.rows, options.seeds, first, way) for way in others]
    interval_runs.show("\n\n".join([*tables, figures_table(runs, sets, options.rows, options.seeds, first)]), options.output)


if __name__ == "__main__":
    main()

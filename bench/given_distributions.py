#!/usr/bin/env python3
"""Predictive distributions of other libraries as base of Taut: the CRPS after `taut fit --quantile-columns` beside that of the distributions as
they are, on twelve sets.

    bench/given_distributions.py [--data DIR] [--sets a,b] [--sources catboost,quantile-forest,ngboost] [--taut [NAME=]PATH]...
                                 [--method NAME=OPTIONS]... [--threads 2] [--runs RUNS.jsonl [--tables-only]] [--predictions DIR] [-o FILE.md]

A fifth of the rows, at most 2,000, test. Of the others the source is trained on one half, at most --rows, and Taut on as many of the other
half, with the source's quantiles of them at 0.05, 0.10, ..., 0.95 and all columns; it splits its rows itself. The CRPS is twice the integral of
the pinball loss over these levels. --predictions keeps the quantiles of the sources. Needs numpy, pandas, scikit-learn, catboost,
quantile-forest and ngboost.
"""
import argparse
import os
import pathlib
import shlex
import tempfile
import time

import boards
import interval_runs
import numpy as np
import pandas as pd
from interval_runs import geometric, quiet

SETS = list(boards.SETS["scoring"])[:12]
LEVELS = [round(k / 20, 2) for k in range(1, 20)]
MAX_TEST = 2000


def catboost(x, y, new, seed, threads):
    from catboost import CatBoostRegressor

    model = CatBoostRegressor(iterations=150, learning_rate=0.15, depth=4, loss_function="MultiQuantile:alpha=" + ",".join(map(str, LEVELS)),
                              random_seed=seed, thread_count=threads, verbose=False, allow_writing_files=False)
    return model.fit(x, y).predict(new)


def quantile_forest(x, y, new, seed, threads):
    from quantile_forest import RandomForestQuantileRegressor

    model = RandomForestQuantileRegressor(n_estimators=200, min_samples_leaf=5, random_state=seed, n_jobs=threads)
    return np.asarray(model.fit(x, y).predict(new, quantiles=LEVELS))


def ngboost(x, y, new, seed, threads):
    from ngboost import NGBRegressor

    model = NGBRegressor(n_estimators=300, learning_rate=0.05, random_state=seed, verbose=False).fit(x, y)
    return model.pred_dist(new).ppf(np.array(LEVELS)[:, None]).T


SOURCES = {"catboost": catboost, "quantile-forest": quantile_forest, "ngboost": ngboost}


def parts_of(y, seed, max_rows):
    """Rows that train the source, that train Taut, and that test."""
    order = np.random.default_rng(seed).permutation(len(y))
    test, rest = order[:min(len(y) // 5, MAX_TEST)], order[len(y) // 5:]
    rows = min(len(rest) // 2, max_rows)
    return rest[:rows], rest[rows:2 * rows], test


def codes_of(x):
    codes = x.copy()
    for column in codes.select_dtypes(exclude="number"):
        codes[column] = codes[column].astype("category").cat.codes
    return codes.fillna(codes.median()).to_numpy(float)


def quantiles_of(options, name, source, x, y, seed):
    """The source's quantiles of Taut's rows and of the test rows."""
    kept = pathlib.Path(options.predictions) / f"{name}-{source}-{seed}-{options.rows}.npy" if options.predictions else None
    if kept is not None and kept.exists():
        return np.load(kept)
    base, own, test = parts_of(y, seed, options.rows)
    codes = codes_of(x)
    quantiles = np.asarray(SOURCES[source](codes[base], y[base], codes[np.concatenate([own, test])], seed, options.threads), dtype=float)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, quantiles)
    return quantiles


def measure(options, runs, programs, methods, name, source, seed):
    wanted = runs.missing(name, source, seed, ways=interval_runs.ways(programs, methods))
    if not wanted:
        return
    x, y = boards.load(options.data, boards.SETS["scoring"][name])
    _, own, test = parts_of(y, seed, options.rows)
    quantiles = quantiles_of(options, name, source, x, y, seed)
    raw = np.sort(quantiles[len(own):], axis=1)
    columns = {f"base_q{level}": quantiles[:, k] for k, level in enumerate(LEVELS)}
    table = x.iloc[np.concatenate([own, test])].reset_index(drop=True).assign(**columns, target=y[np.concatenate([own, test])])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table.iloc[:len(own)].to_csv(folder / "train.csv", index=False)
        table.iloc[len(own):].to_csv(folder / "test.csv", index=False)
        for program, method in wanted:
            started = time.time()
            quiet([programs[program], "fit", folder / "train.csv", "--target", "target", "--quantile-columns", "base_q*", "--seed", str(seed),
                   "--threads", str(options.threads), "-o", folder / "m.taut", *shlex.split(methods[method])])
            spent = time.time() - started
            quiet([programs[program], "predict", folder / "m.taut", folder / "test.csv", "--confidence", "0.9", "--quantiles",
                   ",".join(map(str, LEVELS)), "--threads", str(options.threads), "-o", folder / "answers.csv"])
            answers = pd.read_csv(folder / "answers.csv")
            ends, ours = answers[["lower_0.9", "upper_0.9"]].to_numpy(float), answers.to_numpy(float)[:, -len(LEVELS):]
            inside = (ends[:, 0] <= y[test]) & (y[test] <= ends[:, 1])
            raw_inside = (raw[:, 0] <= y[test]) & (y[test] <= raw[:, -1])
            form = next((line for line in quiet_lines([programs[program], "info", folder / "m.taut"]) if "distribution" in line), "")
            runs.add(name, source, seed, program, method, crps=boards.crps(y[test], ours, LEVELS), raw=boards.crps(y[test], raw, LEVELS),
                     coverage=inside.mean(), raw_coverage=raw_inside.mean(), rows=len(own), seconds=spent, form=form.strip())


def quiet_lines(command):
    import subprocess

    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout.splitlines()


def table_of(runs, sets, sources, ways, seeds):
    lines = ["| set | source | rows | CRPS as given | " + " | ".join(f"{' '.join(way)} | ratio | coverage .9" for way in ways) + " |",
             "|---|---|---:|---:|" + "---:|" * (3 * len(ways))]
    ratios = {way: [] for way in ways}
    for name in sets:
        for source in sources:
            for seed in seeds:
                found = {way: runs.get(name, source, seed, *way) for way in ways}
                if not all(found.values()):
                    continue
                cells = []
                for way, run in found.items():
                    ratios[way].append(run["crps"] / run["raw"])
                    cells += [f"{run['crps']:.4g}", f"{ratios[way][-1]:.4f}", f"{run['coverage']:.3f}"]
                first = next(iter(found.values()))
                lines.append(f"| {name} | {source} | {first['rows']:,} | {first['raw']:.4g} | " + " | ".join(cells) + " |")
    means = [cell for found in ratios.values() for cell in (["", f"{geometric(found)[0]:.4f} (highest {max(found):.4f})", ""] if found else [""] * 3)]
    lines.append("| geometric mean | | | | " + " | ".join(means) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=1)
    interval_runs.add_sets(parser, "the first twelve of the board `scoring`")
    parser.add_argument("--sources", help="default: all three")
    parser.add_argument("--rows", type=int, default=4000, help="maximum number of rows of each half")
    parser.add_argument("--predictions", help="a folder for the quantiles of the sources")
    options = parser.parse_args()
    sets = interval_runs.sets_of(parser, options, boards.SETS["scoring"], SETS)
    sources = interval_runs.chosen(parser, "source", options.sources, SOURCES) if options.sources else list(SOURCES)
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    runs = interval_runs.Runs(options.runs, ("set", "source", "seed", "program", "method"))
    seeds = range(options.seeds)
    for name in sets if not options.tables_only else ():
        for source in sources:
            for seed in seeds:
                measure(options, runs, programs, methods, name, source, seed)
    interval_runs.show(table_of(runs, sets, sources, interval_runs.ways(programs, methods), seeds), options.output)


if __name__ == "__main__":
    main()

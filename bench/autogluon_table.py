#!/usr/bin/env python3
"""Taut and AutoGluon with the same time and threads: RMSE, and interval score at .9 after conformal calibration.

    build/autogluon/bin/python bench/autogluon_table.py [--seconds 60] [--threads 1] [--sets a,b] [--seeds 1] [--data DIR]
                                                        [--taut [NAME=]PATH]... [--method NAME=OPTIONS]... [--runs RUNS.jsonl] [-o FILE.md]

Rows and columns are those of edge_table.py. AutoGluon (`best_quality`, its tree, linear and neighbour models; no downloaded weights) is fitted
twice: once for the mean, once for quantiles, which the calibration rows conformalize (CQR). `budget` is `taut fit --time SECONDS`, `default` has no
limit. Times in the table are of one fit, on the clock. `tools/setup autogluon` installs what this needs.
"""
import argparse
import logging
import pathlib
import shlex
import tempfile
import time
import warnings

import interval_runs
import numpy as np
from distribution_table import SETS, read_numbers
from edge_table import split
from interval_runs import TARGET, conformal_quantile, geometric, interval_score

LEVEL = 0.9


def autogluon_fit(rows, folder, seconds, threads, **task):
    from autogluon.tabular import TabularPredictor

    def fit(place, **how):
        return TabularPredictor(TARGET, path=str(place), verbosity=0, **task).fit(
            rows, time_limit=seconds, presets="best_quality", num_cpus=threads, num_gpus=0, **how)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return fit(folder)
        except AssertionError:  # "Learner is already fit", after its trial of stacking ran out of time
            return fit(folder.with_name(folder.name + "-again"), dynamic_stacking=False)


def autogluon(parts, folder, seconds, threads):
    tables = {name: x.assign(**{TARGET: y}) for name, (x, y) in parts.items()}
    start = time.perf_counter()
    mean = autogluon_fit(tables["train"], folder / "mean", seconds, threads, problem_type="regression", eval_metric="root_mean_squared_error")
    spent = time.perf_counter() - start
    levels = [(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2]
    quantiles = autogluon_fit(tables["train"], folder / "quantiles", seconds, threads, problem_type="quantile", quantile_levels=levels)

    def ends(name):
        return quantiles.predict(tables[name].drop(columns=TARGET)).to_numpy(float)[:, [0, 2]]

    low, high = ends("calibrate").T
    y = parts["calibrate"][1]
    margin = conformal_quantile(np.maximum(low - y, y - high), LEVEL)
    low, high = ends("test").T
    return mean.predict(tables["test"].drop(columns=TARGET)).to_numpy(float), low - margin, np.maximum(high + margin, low - margin), spent


def taut(program, folder, seed, extra, threads):
    answers, spent = interval_runs.fit_and_ask(program, folder, seed, interval_runs.confidence([LEVEL]), extra, threads)
    return *answers.to_numpy(float).T, spent["seconds"]


def measure(options, runs, programs, methods, name, seed):
    wanted = runs.missing(name, seed, options.seconds, options.threads, ways=interval_runs.ways(programs, methods, ["AutoGluon"]))
    if not wanted:
        return
    parts = split(*read_numbers(options.data, name), seed, 0)
    y = parts["test"][1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for part, rows in parts.items():
            interval_runs.write_rows(folder / f"{part}.csv", *rows)
        for program, method in wanted:
            if program == "peer":
                f, low, high, seconds = autogluon(parts, folder, options.seconds, options.threads)
            else:
                f, low, high, seconds = taut(programs[program], folder, seed, shlex.split(methods[method]), options.threads)
            runs.add(name, seed, options.seconds, options.threads, program, method, rmse=np.sqrt(((y - f) ** 2).mean()),
                     score=interval_score(y, low, high, LEVEL), coverage=((low <= y) & (y <= high)).mean(), took=seconds)


def table(runs, sets, options, ways):
    lines = ["| set | AutoGluon, s | " + " | ".join(f"{' '.join(way)}, s | RMSE | score" for way in ways) + " |",
             "|---|---:|" + "---:|---:|---:|" * len(ways)]
    ratios = {way: [] for way in ways}
    for name in sets:
        def mean(way, figure):
            found = [runs.get(name, seed, options.seconds, options.threads, *way) for seed in range(options.seeds)]
            return float(np.mean([run[figure] for run in found])) if all(found) else None

        peer = ("peer", "AutoGluon")
        if mean(peer, "took") is None:
            continue
        cells = [f"{mean(peer, 'took'):.0f}"]
        for way in ways:
            if mean(way, "took") is None:
                cells += ["", "", ""]
                continue
            pair = [mean(way, figure) / mean(peer, figure) for figure in ("rmse", "score")]
            ratios[way].append(pair)
            cells += [f"{mean(way, 'took'):.1f}", *(f"{value:.3f}" for value in pair)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    means = [[geometric(column)[0] for column in zip(*found)] or [np.nan] * 2 for found in ratios.values()]
    lines.append("| geometric mean | | " + " | ".join(f"| {rmse:.3f} | {score:.3f}" for rmse, score in means) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=1)
    parser.add_argument("--seconds", type=int, default=60, help="for each fit")
    interval_runs.add_sets(parser, "all but etth1, which is a series")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    sets = interval_runs.sets_of(parser, options, SETS, [name for name in SETS if name != "etth1"])
    programs = interval_runs.programs(options)
    methods = interval_runs.methods(options, {"budget": f"--time {options.seconds}s"})
    runs = interval_runs.Runs(options.runs, ("set", "seed", "limit", "threads", "program", "method"))
    for name in sets if not options.tables_only else ():
        for seed in range(options.seeds):
            measure(options, runs, programs, methods, name, seed)
    interval_runs.show(table(runs, sets, options, interval_runs.ways(programs, methods)), options.output)


if __name__ == "__main__":
    main()

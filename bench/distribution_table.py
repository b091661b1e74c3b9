#!/usr/bin/env python3
"""Pinball loss and CRPS of predictive distributions on twelve data sets: Taut's default against MAPIE, crepes and LightGBM, on the same rows.

Rows are those of protocol_p.py: shuffled by the seed, 60 % train, 20 % calibrate, 20 % test, figures in units of mean |y| of the training rows. All
methods get the same numeric columns: ordered codes for the categories of diamonds, codes by name for those of other sets; hour, weekday, month
and year for the date of bike.

- Taut: `ConformalRegressor().fit(train).calibrate(calibrate)`, without other options.
- LightGBM: one quantile regression for each level of the grid, sorted; rate .05, the number of rounds (at most 500) by early stopping on 15 % of the
  training rows, then trained on all of them. It has no coverage guarantee and does not use the calibration rows.
- MAPIE: conformalized quantile regression with these models, one pair of levels after the other; the median is LightGBM's.
- crepes: ConformalPredictiveSystem on a LightGBM mean; sigmas from the out-of-fold residuals of the 25 nearest training rows.

The pinball loss is the mean over LEVELS. The CRPS is twice the integral of the pinball loss over the level by the trapezoid rule on GRID, the same for
every method; a further column has Taut's exact CRPS. Needs the Python packages taut, mapie, crepes and lightgbm.

    bench/distribution_table.py [--data DIR] [--seeds 5] [--sets energy,homes] [--rows 10000] [--jobs 1] [--runs RUNS.jsonl] [-o FILE.md]

With --runs each finished run is appended to a file; runs that the file has are not repeated.
"""
import argparse
import json
import logging
import math
import os
import pathlib
import sys
import time
import warnings

import numpy as np
import pandas as pd
import protocol_p

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
GRID = [i / 20 for i in range(1, 20)]
METHODS = ["Taut", "MAPIE", "crepes", "LightGBM"]
FIGURES = ["pinball", "crps"]
ORDERED = {
    "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
    "color": list("JIHGFED"),
    "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
}
# set: (target, columns to leave out)
SETS = {
    **protocol_p.SETS,
    "california": ("median_house_value", []),
    "bike": ("count", ["casual", "registered"]),
    "kin8nm": ("y", []),
    "power": ("PE", []),
    "star_cqr": ("y", []),
    "diamonds": ("price", []),
    "etth1": ("OT", []),
}
USUAL = list(SETS)  # those of most tables
SETS.update({name: ("y", []) for name in ("socmob", "moneyball", "space_ga", "parkinsons", "miami", "pol", "elevators", "cps88wages", "qsar")})


def read_numbers(data, set_name):
    """Inputs as a table of numbers, and the target."""
    target, drop = SETS[set_name]
    table = pd.read_csv(pathlib.Path(data) / f"{set_name}.csv.gz").drop(columns=drop)
    y = table.pop(target).to_numpy(float)
    if "datetime" in table:
        moment = pd.to_datetime(table.pop("datetime")).dt
        table = table.assign(hour=moment.hour, weekday=moment.weekday, month=moment.month, year=moment.year)
    for name, words in ORDERED.items():
        if name in table:
            table[name] = table[name].map(words.index)
    for name in table.select_dtypes(exclude="number"):
        table[name] = table[name].astype("category").cat.codes
    return table, y


def load(data, set_name):
    """Inputs (rows, columns) and the target."""
    table, y = read_numbers(data, set_name)
    return table.to_numpy(float), y


def split(x, y, seed, most_rows=0):
    """(inputs, target) of the training, the calibration and the test rows."""
    return [(x[part], y[part]) for part in protocol_p.split(len(y), seed, most_rows).values()]


def pinball(y, quantiles, levels):
    """The mean loss at each level; quantiles (rows, levels)."""
    over = y[:, None] - quantiles
    return np.maximum(np.array(levels) * over, (np.array(levels) - 1) * over).mean(axis=0)


def figures(y, quantiles):
    """From quantiles at the levels of GRID. The loss is 0 at the levels 0 and 1, so that the trapezoid rule is a plain sum."""
    losses = pinball(y, quantiles, GRID)
    return {"pinball": losses[[GRID.index(level) for level in LEVELS]].mean(), "crps": 2 * losses.sum() / (len(GRID) + 1)}


def fit_lightgbm(x, y, seed, jobs, **loss):
    """Early stopping finds the number of rounds on a part of the rows; the model is trained on all."""
    import lightgbm

    settings = {"learning_rate": 0.05, "n_jobs": jobs, "random_state": seed, "verbosity": -1, **loss}
    cut = round(0.85 * len(y))  # the rows are shuffled
    trial = lightgbm.LGBMRegressor(n_estimators=500, **settings)
    trial.fit(x[:cut], y[:cut], eval_set=[(x[cut:], y[cut:])], callbacks=[lightgbm.early_stopping(30, verbose=False)])
    return lightgbm.LGBMRegressor(n_estimators=max(1, trial.best_iteration_), **settings).fit(x, y)


def of_taut(train, calibrate, test, seed, jobs):
    from taut import ConformalRegressor

    model = ConformalRegressor(random_state=seed, n_jobs=jobs).fit(*train, calibrate=False).calibrate(*calibrate)
    found = figures(test[1], model.predict_quantiles(test[0], GRID))
    return {**found, "exact crps": model.predict_distribution(test[0]).crps(test[1]).mean()}


def of_mapie(models, calibrate, test):
    """One MAPIE model for each pair of levels, as its users would call it."""
    from mapie.regression import ConformalizedQuantileRegressor

    quantiles = [models[0.5].predict(test[0])]
    for low, high in zip(GRID, reversed(GRID)):
        if low >= 0.5:
            break
        model = ConformalizedQuantileRegressor([models[low], models[high], models[0.5]], confidence_level=round(high - low, 2), prefit=True)
        _, ends = model.conformalize(*calibrate).predict_interval(test[0])
        quantiles += [ends[:, 0, 0], ends[:, 1, 0]]
    return figures(test[1], np.sort(np.column_stack(quantiles), axis=1))


def of_crepes(train, calibrate, test, seed, jobs):
    from crepes import ConformalPredictiveSystem
    from crepes.extras import DifficultyEstimator
    from sklearn.model_selection import KFold
    from sklearn.preprocessing import StandardScaler

    x, y = train
    residuals = np.empty(len(y))
    for fitted, held in KFold(5).split(x):
        residuals[held] = y[held] - fit_lightgbm(x[fitted], y[fitted], seed, jobs).predict(x[held])
    f = fit_lightgbm(x, y, seed, jobs)
    unit = residuals.std()  # the `beta` of crepes is an absolute number: use 1 % of this
    scaler = StandardScaler().fit(x)
    size = DifficultyEstimator().fit(X=scaler.transform(x), residuals=residuals / unit, k=25, beta=0.01)
    sigmas = [size.apply(scaler.transform(part[0])) for part in (calibrate, test)]
    f_calibrate, f_test = f.predict(calibrate[0]) / unit, f.predict(test[0]) / unit
    system = ConformalPredictiveSystem().fit(calibrate[1] / unit - f_calibrate, sigmas=sigmas[0])
    percentiles = [100 * level for level in GRID]
    answers = system.predict_percentiles(f_test, sigmas=sigmas[1], lower_percentiles=[p for p in percentiles if p <= 50],
                                         higher_percentiles=[p for p in percentiles if p > 50])
    return figures(test[1], np.sort(answers * unit, axis=1))


def one_run(x, y, seed, rows, jobs):
    train, calibrate, test = split(x, y, seed, rows)
    unit = np.abs(train[1]).mean()
    found, seconds = {}, {}

    def timed(name, work):
        start = time.perf_counter()
        answer = work()
        seconds[name] = round(time.perf_counter() - start, 1)
        return answer

    found["Taut"] = timed("Taut", lambda: of_taut(train, calibrate, test, seed, jobs))
    found["crepes"] = timed("crepes", lambda: of_crepes(train, calibrate, test, seed, jobs))
    models = timed("LightGBM", lambda: {level: fit_lightgbm(*train, seed, jobs, objective="quantile", alpha=level) for level in GRID})
    found["LightGBM"] = figures(test[1], np.sort(np.column_stack([models[level].predict(test[0]) for level in GRID]), axis=1))
    found["MAPIE"] = timed("MAPIE", lambda: of_mapie(models, calibrate, test))
    return {"rows": len(train[1]) + len(calibrate[1]) + len(test[1]), "seconds": seconds,
            "found": {method: {name: value / unit for name, value in report.items()} for method, report in found.items()}}


def mean_of(runs, method, figure):
    return sum(run["found"][method][figure] for run in runs) / len(runs)


def table(results, figure):
    """Means over the seeds; `±` is the standard error of the ratio over the seeds, on the logarithm's scale."""
    peers = METHODS[1:]
    exact = ["Taut, exact"] if figure == "crps" else []
    lines = ["| set | rows | seeds | " + " | ".join([*METHODS, *exact]) + " | best peer | Taut / best peer |",
             "|---|---:|---:|" + "---:|" * (len(METHODS) + len(exact)) + "---|---:|"]
    ratios = {}
    for set_name, runs in results.items():
        means = {method: mean_of(runs, method, figure) for method in METHODS}
        best = min(peers, key=means.get)
        ratios[set_name] = {peer: means["Taut"] / means[peer] for peer in peers} | {"best": means["Taut"] / means[best]}
        cells = [f"{means[method]:.5f}" for method in METHODS] + [f"{mean_of(runs, 'Taut', 'exact crps'):.5f}" for _ in exact]
        logs = [math.log(run["found"]["Taut"][figure] / run["found"][best][figure]) for run in runs]
        error = f" ± {np.std(logs, ddof=1) / math.sqrt(len(logs)):.3f}" if len(logs) > 1 else ""
        lines.append(f"| {set_name} | {runs[0]['rows']:,} | {len(runs)} | " + " | ".join(cells) + f" | {best} | {ratios[set_name]['best']:.3f}{error} |")

    def row(words, summary):
        cells = ["", *(summary([found[peer] for found in ratios.values()]) for peer in peers), *[""] * len(exact)]
        lines.append(f"| {words} | | | " + " | ".join(cells) + f" | | {summary([found['best'] for found in ratios.values()])} |")

    row("geometric mean of Taut / peer", lambda found: f"{math.exp(sum(map(math.log, found)) / len(found)):.3f}")
    row("sets where Taut is at least as good", lambda found: f"{sum(ratio <= 1 for ratio in found)} of {len(found)}")
    return "\n".join(lines)


def document(results):
    return "\n\n".join([f"Mean pinball loss over the levels {', '.join(map(str, LEVELS))}", table(results, "pinball"),
                        f"CRPS: twice the pinball loss, integrated over the levels {GRID[0]}, {GRID[1]}, … {GRID[-1]} (trapezoid rule)",
                        table(results, "crps")]) + "\n"


def known_runs(path):
    if not path or not pathlib.Path(path).exists():
        return {}
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    return {(line["set"], line["seed"], line["most_rows"]): line for line in lines}


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("TAUT_DATA", str(HERE.parent.parent / "shared" / "data")))
    parser.add_argument("--sets", default=",".join(USUAL))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=0, help="take no more rows of a set than these; 0: all")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("-o", "--output")
    return parser


def silence():
    """Hides repeated warnings: MAPIE's about crossing quantiles, LightGBM's about a renamed argument, Taut's that star_cqr needs no localizer."""
    warnings.simplefilter("ignore")
    logging.disable(logging.INFO)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--runs", help="a file that keeps each run")
    options = parser.parse_args()
    silence()
    runs = known_runs(options.runs)
    for seed in range(options.seeds):  # all sets with the first seed, then with the next
        for set_name in options.sets.split(","):
            key = (set_name, seed, options.rows)
            if key in runs:
                continue
            runs[key] = {"set": set_name, "seed": seed, "most_rows": options.rows,
                         **one_run(*load(options.data, set_name), seed, options.rows, options.jobs)}
            print(f"{set_name}, seed {seed}: {runs[key]['seconds']}", file=sys.stderr, flush=True)
            if options.runs:
                with open(options.runs, "a") as file:
                    file.write(json.dumps(runs[key]) + "\n")
    results = {}
    for set_name in options.sets.split(","):
        found = [runs[set_name, seed, options.rows] for seed in range(options.seeds) if (set_name, seed, options.rows) in runs]
        if found:
            results[set_name] = found
    print(document(results))
    if options.output:
        pathlib.Path(options.output).write_text(document(results))


if __name__ == "__main__":
    main()

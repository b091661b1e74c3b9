#!/usr/bin/env python3
"""Does a location shift m(x), the median of the signed out-of-fold residual, improve the law around a mean-like f? And would validation rows know?

Rows, columns and units are those of law_table.py. f is Taut's own predictor, cross-fitted on the training rows: five models, each row predicted by the one
that has not seen it, new rows by the mean of the five. m is LightGBM's median regression of y − f on (x, f), cross-fitted over the same folds. Then
Taut with given predictions, f or f + m: the transformation from the training rows, calibration rows calibrate, test rows judge. As a control, f + mean
takes the squared loss instead: what it gains as well is a better f, and no gain of the median.

Inside the training rows the same is done with out-of-fold predictions (80 % fit and calibrate, 20 % validate): `validation` is the ratio of CRPS
there, and where it is below 1 validation rows would take the shift. The last rows are what test rows get by each way to decide.

    bench/location_study.py [--data DIR] [--seeds 2] [--sets energy,homes] [--rows 10000] [--margin 0.01] [--jobs 1] [--runs RUNS.jsonl] [-o FILE.md]
"""
import json
import math
import pathlib
import sys

import numpy as np
from law_table import arguments, known_runs, load, silence, split
from sklearn.model_selection import KFold

ALPHA = 0.1
LOSSES = {"f": {}, "f + m": {"objective": "quantile", "alpha": 0.5}, "f + mean": {"objective": "l2"}}


def cross_fitted(fit, x, y, others):
    """Predictions for the rows by models that have not seen them, and for other rows by the mean of these models."""
    inside, outside = np.empty(len(y)), [np.zeros(len(rows)) for rows in others]
    folds = list(KFold(5).split(x))  # the rows are shuffled
    for fitted, held in folds:
        predict = fit(x[fitted], y[fitted])
        inside[held] = predict(x[held])
        for total, rows in zip(outside, others):
            total += predict(rows) / len(folds)
    return inside, outside


def predictor(seed, jobs):
    from taut import ConformalRegressor

    return lambda x, y: ConformalRegressor(localizer="none", random_state=seed, n_jobs=jobs).fit(x, y, calibrate=False).predict


def correction(seed, jobs, **loss):
    """Small trees, stopped early: the centre of what f has left over is mostly noise."""
    import lightgbm

    def fit(x, residual):
        cut = round(0.85 * len(residual))
        model = lightgbm.LGBMRegressor(n_estimators=500, learning_rate=0.05, num_leaves=15, min_child_samples=40, n_jobs=jobs, random_state=seed,
                                       verbosity=-1, **loss)
        model.fit(x[:cut], residual[:cut], eval_set=[(x[cut:], residual[cut:])], callbacks=[lightgbm.early_stopping(30, verbose=False)])
        return model.predict
    return fit


def judge(model, x, y, f, unit):
    """CRPS and interval score at 0.9."""
    crps = model.predict_distribution(x, y_pred=f).crps(y).mean()
    ends = model.predict_interval(x, 1 - ALPHA, y_pred=f)[1][:, :, 0]
    missed = np.maximum(ends[:, 0] - y, 0) + np.maximum(y - ends[:, 1], 0)
    return {"crps": crps / unit, "score": (ends[:, 1] - ends[:, 0] + 2 / ALPHA * missed).mean() / unit}


def one_run(x, y, seed, rows, jobs):
    """Figures on test rows, and on validation rows out of the training rows, with f, f + m and f + mean."""
    from taut import ConformalRegressor

    (x_train, y_train), (x_calibrate, y_calibrate), (x_test, y_test) = split(x, y, seed, rows)
    f, others = cross_fitted(predictor(seed, jobs), x_train, y_train, [x_calibrate, x_test])
    f = [f, *others]
    seen = [np.column_stack(pair) for pair in zip((x_train, x_calibrate, x_test), f)]
    cut, unit = round(0.8 * len(y_train)), np.abs(y_train).mean()
    found = {"rows": len(y_train) + len(y_calibrate) + len(y_test)}
    for name, loss in LOSSES.items():
        predictions = f
        if loss:
            shift, others = cross_fitted(correction(seed, jobs, **loss), seen[0], y_train - f[0], seen[1:])
            predictions = [sum(pair) for pair in zip(f, [shift, *others])]
        model = ConformalRegressor(prefit=True, random_state=seed, n_jobs=jobs)
        model.fit(x_train, y_train, y_pred=predictions[0], calibrate=False).calibrate(x_calibrate, y_calibrate, y_pred=predictions[1])
        found[name] = {"test": judge(model, x_test, y_test, predictions[2], unit)}
        trial = ConformalRegressor(prefit=True, random_state=seed, n_jobs=jobs)
        trial.fit(x_train[:cut], y_train[:cut], y_pred=predictions[0][:cut])
        found[name]["validation"] = judge(trial, x_train[cut:], y_train[cut:], predictions[0][cut:], unit)
    return found


def ratio(run, rows, figure, prediction="f + m"):
    return run[prediction][rows][figure] / run["f"][rows][figure]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table(results, margin):
    lines = ["| set | rows | seed | CRPS, f | f + m | ratio | f + mean, ratio | interval score at 0.9, f | f + m | ratio | f + mean, ratio | "
             "validation | taken | rightly |", "|---|---:|---:|" + "---:|" * 9 + "---|---|"]
    for set_name, seed, run in results:
        cells = []
        for figure in ("crps", "score"):
            cells += [f"{run['f']['test'][figure]:.5f}", f"{run['f + m']['test'][figure]:.5f}", f"{ratio(run, 'test', figure):.3f}",
                      f"{ratio(run, 'test', figure, 'f + mean'):.3f}" if "f + mean" in run else ""]
        taken = ratio(run, "validation", "crps") < 1
        right = taken == (ratio(run, "test", "crps") < 1)
        lines.append(f"| {set_name} | {run['rows']:,} | {seed} | " + " | ".join(cells) +
                     f" | {ratio(run, 'validation', 'crps'):.3f} | {'yes' if taken else 'no'} | {'yes' if right else 'no'} |")
    return "\n".join([*lines, *policies([run for _, _, run in results], margin)]) + "\n"


def policies(runs, margin):
    """What test rows get by each way to decide: geometric means of the ratios, 1 where f stays as it is."""
    validation = [ratio(run, "validation", "crps") for run in runs]
    decisions = {"always m": [True] * len(runs), "m where validation rows say so": [v < 1 for v in validation],
                 f"m where they say so by {100 * margin:g} %": [v < 1 - margin for v in validation],
                 "m where test rows would (not to be had)": [ratio(run, "test", "crps") < 1 for run in runs]}
    with_mean = [run for run in runs if "f + mean" in run]
    for words, taken in decisions.items():
        means = [geometric_mean([ratio(run, "test", figure) if take else 1 for run, take in zip(runs, taken)]) for figure in ("crps", "score")]
        control = ["", ""]
        if words == "always m" and with_mean:
            control = [f"{geometric_mean([ratio(run, 'test', figure, 'f + mean') for run in with_mean]):.3f}" for figure in ("crps", "score")]
        yield f"| {words} | | | | | {means[0]:.3f} | {control[0]} | | | {means[1]:.3f} | {control[1]} | | {sum(taken)} of {len(runs)} | |"


def main():
    parser = arguments(__doc__)
    parser.set_defaults(seeds=2, rows=10_000)
    parser.add_argument("--margin", type=float, default=0.01)
    parser.add_argument("--runs", help="a file that keeps each run, so that it is not run again")
    options = parser.parse_args()
    silence()
    runs = known_runs(options.runs)
    wanted = [(set_name, seed, options.rows) for seed in range(options.seeds) for set_name in options.sets.split(",")]
    for key in wanted:
        set_name, seed, rows = key
        if key in runs:
            continue
        runs[key] = {"set": set_name, "seed": seed, "most_rows": rows, **one_run(*load(options.data, set_name), seed, rows, options.jobs)}
        print(f"{set_name}, seed {seed}: {ratio(runs[key], 'test', 'crps'):.4f}", file=sys.stderr, flush=True)
        if options.runs:
            with open(options.runs, "a") as file:
                file.write(json.dumps(runs[key]) + "\n")
    text = table([(key[0], key[1], runs[key]) for key in sorted(wanted, key=lambda key: options.sets.split(",").index(key[0]))], options.margin)
    print(text)
    if options.output:
        pathlib.Path(options.output).write_text(text)


if __name__ == "__main__":
    main()

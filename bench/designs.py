#!/usr/bin/env python3
"""`taut fit` against baselines with the correct model: synthetic designs whose correct model is known and simple.

Each design samples n rows and 2,000 test rows from one distribution. Taut gets the n rows only (`taut fit rows.csv --target target`, its own split).
The baseline is the correct model of that design, trained on four fifths of the same rows, with settings by cross-validation, and calibrated by split conformal
prediction (or conformalized quantile regression) on the last fifth. The table shows Taut's interval score at 0.9 divided by the baseline's: the geometric mean
over the seeds, with its standard error. Needs numpy, pandas and scikit-learn.

    bench/designs.py [--taut [NAME=]build/taut]... [--method NAME=OPTIONS]... [--designs sparse,additive] [--seeds 10] [--runs RUNS.jsonl] [-o FILE.md]
"""
import argparse
import pathlib
import shlex
import tempfile
import warnings

import interval_runs
import numpy as np
import pandas as pd
from interval_runs import conformal_quantile, geometric, numbered
from sklearn.linear_model import LassoCV, QuantileRegressor, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, SplineTransformer, StandardScaler

LEVEL, TEST, CALIBRATE = 0.9, 2000, 0.2
PENALTIES = np.logspace(-4, 4, 25)


# Each design is a function of the random generator and the number of rows. It samples the coefficients first, then the rows.

def category(draw, rows):
    """One column with 500 categories, whose effects are five times as large as the noise, and one numeric column."""
    effect = draw.normal(size=500)
    which, x = draw.integers(500, size=rows), draw.normal(size=rows)
    table = pd.DataFrame({"place": np.char.add("place ", which.astype(str)), "x": x})
    return table, effect[which] + 0.5 * x + 0.2 * draw.normal(size=rows)


def sparse(draw, rows):
    """1,000 columns, of which ten have a linear effect; the noise is a third of the signal."""
    slopes = draw.choice([-1.0, 1.0], size=10)
    x = draw.normal(size=(rows, 1000)).round(3)  # short cells, because the file has millions of them
    return numbered(x), x[:, ::100] @ slopes + draw.normal(size=rows)


def additive(draw, rows):
    """A sum of smooth functions of eight columns."""
    x = draw.uniform(-1, 1, size=(rows, 8))
    f = (np.sin(np.pi * x[:, 0]) + x[:, 1] ** 2 + np.exp(x[:, 2]) + np.cos(2 * np.pi * x[:, 3]) + x[:, 4] + 2 / (1 + np.exp(-5 * x[:, 5])) + x[:, 6] ** 3
         + np.sin(2 * x[:, 7]))
    return numbered(x), f + 0.2 * draw.normal(size=rows)


def linear(columns, draw, rows):
    """The signal is about twice the noise."""
    slopes = 2 / np.sqrt(columns) * draw.normal(size=columns)
    x = draw.normal(size=(rows, columns))
    return numbered(x), x @ slopes + draw.normal(size=rows)


def linear_50(draw, rows):
    """50 columns, all with a linear effect."""
    return linear(50, draw, rows)


def few_rows(draw, rows):
    """Five columns, all with a linear effect."""
    return linear(5, draw, rows)


def prices(draw, rows):
    """log y is linear in eight columns, with a spread of about .6 and noise of .3."""
    slopes = 0.2 * draw.normal(size=8)
    x = draw.normal(size=(rows, 8))
    return numbered(x), np.exp(5 + x @ slopes + 0.3 * draw.normal(size=rows))


def two_humps(draw, rows):
    """y is linear in five columns, plus or minus a distance that is linear too, with little noise."""
    x = draw.uniform(-1, 1, size=(rows, 5))
    sign = draw.choice([-1.0, 1.0], size=rows)
    return numbered(x), x[:, 0] + x[:, 1] + sign * (1 + 0.8 * x[:, 2]) + 0.1 * draw.normal(size=rows)


# Each baseline is a function of the training rows and the calibration rows. It returns a function from new inputs to (lower, upper).

def split_conformal(model, train, calibrate):
    model.fit(*train)
    q = conformal_quantile(np.abs(calibrate[1] - model.predict(calibrate[0])), LEVEL)
    return lambda x: (model.predict(x) - q, model.predict(x) + q)


def one_hot_ridge(train, calibrate):
    from sklearn.compose import make_column_transformer
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["place"]), remainder="passthrough")
    return split_conformal(make_pipeline(columns, RidgeCV(PENALTIES)), train, calibrate)


def lasso(train, calibrate):
    return split_conformal(make_pipeline(StandardScaler(), LassoCV(cv=5, n_jobs=1)), train, calibrate)


def spline_ridge(train, calibrate):
    return split_conformal(make_pipeline(SplineTransformer(n_knots=8, extrapolation="linear"), RidgeCV(PENALTIES)), train, calibrate)


def ridge(train, calibrate):
    return split_conformal(make_pipeline(StandardScaler(), RidgeCV(PENALTIES)), train, calibrate)


def ridge_on_log(train, calibrate):
    low_and_high = ridge((train[0], np.log(train[1])), (calibrate[0], np.log(calibrate[1])))
    return lambda x: tuple(map(np.exp, low_and_high(x)))


def linear_cqr(train, calibrate):
    low, high = (QuantileRegressor(quantile=share, alpha=0).fit(*train) for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    q = conformal_quantile(np.maximum(low.predict(calibrate[0]) - calibrate[1], calibrate[1] - high.predict(calibrate[0])), LEVEL)
    return lambda x: (low.predict(x) - q, high.predict(x) + q)


# design: (function that samples rows, number of rows, baseline)
DESIGNS = {
    "category": (category, (2000, 5000, 20000), one_hot_ridge),
    "sparse": (sparse, (100, 200, 400), lasso),
    "additive": (additive, (500, 2000, 8000), spline_ridge),
    "linear_50": (linear_50, (250, 500, 2000), ridge),
    "few_rows": (few_rows, (60, 120, 240), ridge),
    "prices": (prices, (500, 2000, 8000), ridge_on_log),
    "two_humps": (two_humps, (500, 2000, 8000), linear_cqr),
}


def score(rows, ends):
    return interval_runs.figures(rows[1], *ends, LEVEL)


def run_design(runs, programs, methods, design, count, seed, threads):
    wanted = runs.missing(design, count, seed, ways=[*interval_runs.ways(programs, methods), ("baseline", "")])
    if not wanted:
        return
    draw, _, baseline = DESIGNS[design]
    x, y = draw(np.random.default_rng([seed, count]), count + TEST)
    rows, test = (x.iloc[:count], y[:count]), (x.iloc[count:], y[count:])
    with tempfile.TemporaryDirectory() as folder:
        interval_runs.write_rows(pathlib.Path(folder) / "train.csv", *rows)
        interval_runs.write_rows(pathlib.Path(folder) / "test.csv", *test)
        for program, method in wanted:
            if program == "baseline":
                cut = count - round(CALIBRATE * count)
                predict = baseline((x.iloc[:cut], y[:cut]), (x.iloc[cut:count], y[cut:count]))
                found, spent = score(test, predict(test[0])), {}
            else:
                answers, spent = interval_runs.taut_intervals(programs[program], folder, seed, [LEVEL], shlex.split(methods[method]), threads, calibrate=False)
                found = score(test, answers[LEVEL].T)
            runs.add(design, count, seed, program, method, **found, **spent)


def table(runs, programs, methods, designs, seeds):
    columns = interval_runs.ways(programs, methods)
    titles = [f"{program}, {method}" if method != "default" else program for program, method in columns]
    lines = ["| design | rows | seeds | baseline | its score | " + " | ".join(f"{title} / baseline" for title in titles) +
             " | coverage | fit, s of processor |",
             "|---|---:|---:|---|---:|" + "---:|" * (len(columns) + 2)]
    for design in designs:
        _, counts, baseline = DESIGNS[design]
        for count in counts:
            kept = [seed for seed in range(seeds) if all(runs.has(design, count, seed, *key) for key in [*columns, ("baseline", "")])]
            if not kept:
                continue
            base = [runs.get(design, count, seed, "baseline", "")["interval_score"] for seed in kept]
            cells = []
            for key in columns:
                ours = [runs.get(design, count, seed, *key)["interval_score"] for seed in kept]
                cells.append("{:.3f} ± {:.3f}".format(*geometric(np.array(ours) / np.array(base))))
            last = [runs.get(design, count, seed, *columns[-1]) for seed in kept]
            lines.append(f"| {design} | {count:,} | {len(kept)} | {baseline.__name__.replace('_', ' ')} | {np.mean(base):.4g} | " + " | ".join(cells) +
                         f" | {np.mean([run['coverage'] for run in last]):.3f} | {np.mean([run['processor'] for run in last]):.1f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=10)
    parser.add_argument("--designs", default=",".join(DESIGNS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # LassoCV warns in every fold that its path stopped early
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    designs = interval_runs.chosen(parser, "design", options.designs, DESIGNS)
    runs = interval_runs.Runs(options.runs, ("design", "rows", "seed", "program", "method"))
    for seed in range(0 if options.tables_only else options.seeds):
        for design in designs:
            for count in DESIGNS[design][1]:
                run_design(runs, programs, methods, design, count, seed, options.threads)
    interval_runs.show(table(runs, programs, methods, designs, options.seeds), options.output)


if __name__ == "__main__":
    main()

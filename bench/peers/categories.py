#!/usr/bin/env python3
"""LightGBM and CatBoost with their built-in categories, and normalised split conformal intervals: the peers of bench/categories.py.

f is trained with early stopping on a tenth of the training rows; a second model of the same kind learns the size of out-of-fold residuals
over five folds, as a logarithm, from the same inputs and f; calibration rows set the quantile of |y − f| / size. Both get the parts of a date as
numbers. Prints one JSON object: for each library the interval score, the mean width and the coverage on the test rows.

    categories.py FOLDER TARGET CATEGORIES DATES SEED   # FOLDER has train.csv, calibrate.csv, test.csv; names with commas between them
"""
import json
import pathlib
import sys

import lightgbm
import numpy as np
import pandas as pd
from catboost import CatBoostRegressor
from sklearn.model_selection import KFold, train_test_split

LEVEL = 0.9


def inputs(table, target, categories, dates):
    x = table.drop(columns=[target])
    for name in dates:
        moment = pd.to_datetime(x.pop(name))
        for part in ("year", "month", "day", "day_of_week", "day_of_year"):
            x[f"{name} {part}"] = getattr(moment.dt, part)
        x[f"{name} hour"] = moment.dt.hour + moment.dt.minute / 60
        x[f"{name} elapsed"] = (moment - pd.Timestamp("2000-01-01")).dt.total_seconds() / 86400
    for name in categories:
        x[name] = x[name].astype(str)
    return x


def fit_lightgbm(x, y, categories, seed, loss):
    kinds = {name: pd.CategoricalDtype(sorted(x[name].unique())) for name in categories}
    typed = x.astype(kinds)
    train, stop = train_test_split(np.arange(len(y)), test_size=0.1, random_state=seed)
    model = lightgbm.LGBMRegressor(n_estimators=3000, learning_rate=0.05, objective=loss, random_state=seed, n_jobs=2, verbose=-1)
    model.fit(typed.iloc[train], y[train], eval_set=[(typed.iloc[stop], y[stop])], callbacks=[lightgbm.early_stopping(50, verbose=False)])
    return lambda new: model.predict(new.astype(kinds))


def fit_catboost(x, y, categories, seed, loss):
    train, stop = train_test_split(np.arange(len(y)), test_size=0.1, random_state=seed)
    model = CatBoostRegressor(iterations=2000, learning_rate=0.1, loss_function={"l2": "RMSE"}[loss], cat_features=categories, random_seed=seed,
                              thread_count=2, verbose=False, allow_writing_files=False)
    model.fit(x.iloc[train], y[train], eval_set=(x.iloc[stop], y[stop]), early_stopping_rounds=50)
    return model.predict


def intervals(fit, train, calibrate, test, categories, seed):
    (x, y), (x_calibrate, y_calibrate), (x_test, _) = train, calibrate, test
    out_of_fold = np.empty(len(y))
    for fit_rows, held in KFold(5, shuffle=True, random_state=seed).split(x):
        out_of_fold[held] = fit(x.iloc[fit_rows], y[fit_rows], categories, seed, "l2")(x.iloc[held])
    f = fit(x, y, categories, seed, "l2")
    residual = np.abs(y - out_of_fold)
    log_size = fit(x.assign(f=out_of_fold), np.log(residual + 0.01 * residual.mean()), categories, seed, "l2")

    def predict(new):
        center = f(new)
        return center, np.exp(log_size(new.assign(f=center)))

    center, size = predict(x_calibrate)
    scores = np.sort(np.abs(y_calibrate - center) / size)
    q = scores[int(np.ceil((len(scores) + 1) * LEVEL)) - 1]
    center, size = predict(x_test)
    return center - q * size, center + q * size


def main():
    folder, target, categories, dates, seed = sys.argv[1:]
    categories, dates = ([name for name in names.split(",") if name] for names in (categories, dates))
    parts = []
    for name in ("train", "calibrate", "test"):
        table = pd.read_csv(pathlib.Path(folder) / f"{name}.csv")
        parts.append((inputs(table, target, categories, dates), table[target].to_numpy(float)))
    y, result = parts[2][1], {}
    for name, fit in (("LightGBM", fit_lightgbm), ("CatBoost", fit_catboost)):
        low, high = intervals(fit, *parts, categories, int(seed))
        score = high - low + 2 / (1 - LEVEL) * np.maximum(0, np.maximum(low - y, y - high))
        result[name] = {"interval_score": score.mean(), "mean_width": (high - low).mean(), "coverage": ((low <= y) & (y <= high)).mean()}
    print(json.dumps(result))


if __name__ == "__main__":
    main()

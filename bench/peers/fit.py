"""A calibrated adaptive model with MAPIE or crepes, each in its usual form.   fit.py TRAIN.csv CALIBRATE.csv TARGET DROPPED WAY [TEST.csv]

Ways: mapie_cqr, crepes_neighbours, crepes_residual_model. Two threads; the time excludes reading the files. All models take 500 rounds at a
rate of .05, XGBoost with depth 6, LightGBM with its default number of leaves. With TEST.csv it also prints the interval score of its rows at .9; the time excludes this too.
"""
import resource
import sys

import lightgbm
import numpy
import pandas
import xgboost
from crepes import ConformalRegressor
from crepes.extras import DifficultyEstimator
from mapie.regression import ConformalizedQuantileRegressor
from sklearn.model_selection import KFold
from timing import answer, clocked

THREADS = 2
LEVEL = 0.9


def boosted():
    return xgboost.XGBRegressor(n_estimators=500, learning_rate=0.05, max_depth=6, tree_method="hist", n_jobs=THREADS)


def mapie_cqr(x, y, x_cal, y_cal):
    quantile = lightgbm.LGBMRegressor(objective="quantile", alpha=0.5, n_estimators=500, learning_rate=0.05, n_jobs=THREADS, verbose=-1)
    predict = ConformalizedQuantileRegressor(quantile, confidence_level=LEVEL).fit(x, y).conformalize(x_cal, y_cal).predict_interval
    return lambda new: predict(new)[1][:, :, 0]


def out_of_fold(x, y):
    """f trained on all rows, and the out-of-fold residuals."""
    residuals = numpy.empty(len(y))
    for seen, held in KFold(5, shuffle=True, random_state=0).split(x):
        residuals[held] = y[held] - boosted().fit(x[seen], y[seen]).predict(x[held])
    return boosted().fit(x, y), residuals


def crepes_neighbours(x, y, x_cal, y_cal):
    f, residuals = out_of_fold(x, y)
    return by_crepes(f, DifficultyEstimator().fit(X=x, residuals=residuals, scaler=True).apply, x_cal, y_cal)


def crepes_residual_model(x, y, x_cal, y_cal):
    f, residuals = out_of_fold(x, y)
    size = boosted().fit(x, numpy.abs(residuals))
    floor = 0.01 * numpy.abs(residuals).mean()
    return by_crepes(f, lambda new: numpy.maximum(size.predict(new), floor), x_cal, y_cal)


def by_crepes(f, difficulty, x_cal, y_cal):
    calibrated = ConformalRegressor().fit(y_cal - f.predict(x_cal), sigmas=difficulty(x_cal))
    return lambda new: calibrated.predict_int(f.predict(new), sigmas=difficulty(new), confidence=LEVEL)


def interval_score(ends, y):
    below, above = numpy.maximum(ends[:, 0] - y, 0), numpy.maximum(y - ends[:, 1], 0)
    return float(numpy.mean(ends[:, 1] - ends[:, 0] + 2 / (1 - LEVEL) * (below + above)))


def read(path, target, drop):
    frame = pandas.read_csv(path).drop(columns=drop)
    return frame.drop(columns=[target]).to_numpy(numpy.float32), frame[target].to_numpy(float)


def main():
    train, calibrate, target, drop, way, *test = sys.argv[1:]
    drop = [name for name in drop.split(",") if name]
    rows = [*read(train, target, drop), *read(calibrate, target, drop)]
    figures, intervals = clocked(lambda: globals()[way](*rows))
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # includes the tables, as for Taut
    if test:
        x, y = read(test[0], target, drop)
        figures["score"] = interval_score(intervals(x), y)
    answer(figures, memory=memory)


if __name__ == "__main__":
    main()

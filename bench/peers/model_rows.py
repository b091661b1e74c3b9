"""Predictions and intervals for new rows from a fitted model.   model_rows.py FOLDER taut|crepes [make ROWS QUERIES]

crepes: XGBoost as f and crepes' own difficulty estimator, the nearest neighbours' residuals, calibrated as in its documentation.
"""
import pickle
import sys

import numpy
from timing import answer, clocked


def fit_taut(x, y):
    from taut import ConformalRegressor
    return ConformalRegressor(random_state=0).fit(x, y)


def fit_crepes(x, y):
    import xgboost
    from crepes import ConformalRegressor
    from crepes.extras import DifficultyEstimator
    f = xgboost.XGBRegressor(n_estimators=200, max_depth=4, n_jobs=2).fit(x, y)
    difficulty = DifficultyEstimator().fit(X=x, residuals=y - f.predict(x), scaler=True)
    some = slice(0, 2000)  # enough: more calibration rows would only take longer
    return f, difficulty, ConformalRegressor().fit(y[some] - f.predict(x[some]), sigmas=difficulty.apply(x[some]))


def intervals_crepes(model, x):
    f, difficulty, conformal = model
    return conformal.predict_int(f.predict(x), sigmas=difficulty.apply(x), confidence=0.9)


def main():
    folder, side = sys.argv[1], sys.argv[2]
    if len(sys.argv) > 3:
        rows, queries = map(int, sys.argv[4:])
        draw = numpy.random.default_rng(0)
        x = draw.normal(size=(rows, 10))
        y = x[:, 0] * x[:, 1] + numpy.abs(x[:, 2]) * draw.normal(size=rows)
        numpy.save(f"{folder}/queries.npy", draw.normal(size=(queries, 10)))
        with open(f"{folder}/{side}.pickle", "wb") as file:
            pickle.dump({"taut": fit_taut, "crepes": fit_crepes}[side](x, y), file)
        return
    with open(f"{folder}/{side}.pickle", "rb") as file:
        model = pickle.load(file)
    x = numpy.load(f"{folder}/queries.npy")
    if side == "taut":
        model.predict_interval(x[:100], 0.9)
        figures, _ = clocked(lambda: model.predict_interval(x, 0.9), 3)
    else:
        figures, _ = clocked(lambda: intervals_crepes(model, x))
    answer(figures)


if __name__ == "__main__":
    main()

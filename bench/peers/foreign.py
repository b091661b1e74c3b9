"""Predictions of a model of another library, by the library and by Taut, which has imported its trees.

    foreign.py FOLDER make LIBRARY ROWS | foreign.py FOLDER taut|library LIBRARY many|one
"""
import pickle
import sys

import numpy
from timing import answer, clocked

TREES = 300


def model_of(library):
    if library == "xgboost":
        import xgboost
        return xgboost.XGBRegressor(n_estimators=TREES, max_depth=6, n_jobs=2)
    if library == "lightgbm":
        import lightgbm
        return lightgbm.LGBMRegressor(n_estimators=TREES, verbose=-1, n_jobs=2)
    if library == "catboost":
        import catboost
        return catboost.CatBoostRegressor(iterations=TREES, verbose=0, allow_writing_files=False, thread_count=2)
    from sklearn.ensemble import HistGradientBoostingRegressor
    return HistGradientBoostingRegressor(max_iter=TREES, early_stopping=False)


def make(folder, library, rows):
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(20_000, 20))
    y = x[:, 0] * x[:, 1] + numpy.sin(x[:, 2]) + 0.3 * x[:, 3:].sum(axis=1) + draw.normal(size=len(x))
    with open(f"{folder}/foreign-{library}.pickle", "wb") as file:
        pickle.dump((model_of(library).fit(x, y), x, y, draw.normal(size=(rows, 20))), file)


def predictor(side, model, x, y):
    if side == "library":
        return model.predict
    from taut import ConformalRegressor
    regressor = ConformalRegressor(model, prefit=True, localizer="none", n_jobs=2, random_state=0).fit(x[:1000], y[:1000])
    assert regressor.model_.imported
    return regressor.predict


def main():
    folder, what, library, *rest = sys.argv[1:]
    if what == "make":
        return make(folder, library, int(rest[0]))
    with open(f"{folder}/foreign-{library}.pickle", "rb") as file:
        model, x, y, rows = pickle.load(file)
    predict = predictor(what, model, x, y)
    predict(rows[:1])
    if rest[0] == "many":
        return answer(clocked(lambda: predict(rows), 3)[0])
    count = 200
    clock, _ = clocked(lambda: [predict(rows[i:i + 1]) for i in range(count)], 3)
    return answer({name: seconds / count for name, seconds in clock.items()})


main()

"""A pipeline that a practitioner could build in an hour from three boosting libraries: a peer of bench/edge_table.py.

1. f: CatBoost, XGBoost and LightGBM, five fold models each, with early stopping on the left-out fold. Their blend has non-negative weights,
   fitted to y on the out-of-fold predictions. A new row gets the mean of the fold models.
2. s: XGBoost with the loss of the gamma distribution, on |y - f| of the out-of-fold predictions, over the same folds; inputs x and f.
3. Q: LightGBM's quantile regressions of (y - f) / s at (1 - level) / 2 and (1 + level) / 2, over the same folds; inputs x, f and log s.
4. Conformalized quantile regression: calibration rows move both ends of f + s Q by the same multiple of s.

    practitioner.py FOLDER LEVEL SEED   # FOLDER has train.csv, calibrate.csv and test.csv with a column `target`; prints one JSON object
"""
import json
import pathlib
import resource
import sys

import catboost
import lightgbm
import numpy as np
import pandas as pd
import xgboost
from scipy.optimize import nnls
from sklearn.model_selection import KFold

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from interval_runs import TARGET, conformal_quantile, cost, figures  # noqa: E402

ROUNDS, RATE, PATIENCE = 5000, 0.05, 100


def fit_catboost(train, stop, seed, threads):
    model = catboost.CatBoostRegressor(iterations=ROUNDS, learning_rate=RATE, random_seed=seed, thread_count=threads, verbose=False,
                                       allow_writing_files=False)
    return model.fit(*train, eval_set=stop, early_stopping_rounds=PATIENCE).predict


def fit_xgboost(train, stop, seed, threads, objective="reg:squarederror", depth=6):
    model = xgboost.XGBRegressor(n_estimators=ROUNDS, learning_rate=RATE, max_depth=depth, subsample=0.8, colsample_bytree=0.8, min_child_weight=5,
                                 objective=objective, early_stopping_rounds=PATIENCE, random_state=seed, n_jobs=threads)
    return model.fit(*train, eval_set=[stop], verbose=False).predict


def fit_lightgbm(train, stop, seed, threads, **loss):
    model = lightgbm.LGBMRegressor(n_estimators=ROUNDS, learning_rate=RATE, subsample=0.8, subsample_freq=1, colsample_bytree=0.8, random_state=seed,
                                   n_jobs=threads, verbosity=-1, **loss)
    return model.fit(*train, eval_set=[stop], callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)]).predict


def cross_fit(fit, x, y, folds):
    """Out-of-fold predictions of the rows, and the mean of the fold models for new ones."""
    out_of_fold, models = np.empty(len(y)), []
    for rows, held in folds:
        models.append(fit((x[rows], y[rows]), (x[held], y[held])))
        out_of_fold[held] = models[-1](x[held])
    return out_of_fold, lambda new: np.mean([model(new) for model in models], axis=0)


class Blend:
    def __init__(self, x, y, folds, seed, threads):
        members = [cross_fit(lambda train, stop, fit=fit: fit(train, stop, seed, threads), x, y, folds)
                   for fit in (fit_catboost, fit_xgboost, fit_lightgbm)]
        self.models = [model for _, model in members]
        out_of_fold = np.column_stack([predictions for predictions, _ in members])
        self.weights, _ = nnls(out_of_fold, y)
        self.out_of_fold = out_of_fold @ self.weights

    def __call__(self, new):
        return np.column_stack([model(new) for model in self.models]) @ self.weights


def intervals(train, calibrate, x_test, level, seed, threads):
    """(rows, 2)."""
    x, y = train
    unit = np.abs(y).mean()
    folds = list(KFold(5, shuffle=True, random_state=seed).split(x))
    f = Blend(x, y / unit, folds, seed, threads)
    residual = y / unit - f.out_of_fold
    seen = np.column_stack([x, f.out_of_fold])
    least = 1e-3 * np.abs(residual).mean()  # the gamma distribution excludes 0
    s_out_of_fold, s = cross_fit(lambda train, stop: fit_xgboost(train, stop, seed, threads, "reg:gamma", depth=4), seen,
                                 np.maximum(np.abs(residual), least), folds)
    seen = np.column_stack([seen, np.log(s_out_of_fold)])
    quantiles = [cross_fit(lambda train, stop: fit_lightgbm(train, stop, seed, threads, objective="quantile", alpha=share, num_leaves=15), seen,
                           residual / s_out_of_fold, folds)[1] for share in ((1 - level) / 2, (1 + level) / 2)]

    def parts(new):
        center = f(new)
        scale = s(np.column_stack([new, center]))
        inputs = np.column_stack([new, center, np.log(scale)])
        return center, scale, *(quantile(inputs) for quantile in quantiles)

    center, scale, low, high = parts(calibrate[0])
    z = (calibrate[1] / unit - center) / scale
    q = conformal_quantile(np.maximum(low - z, z - high), level)
    center, scale, low, high = parts(x_test)
    return unit * np.column_stack([center + scale * (low - q), center + scale * (high + q)])


def main():
    folder, level, seed = pathlib.Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    parts = []
    for name in ("train", "calibrate", "test"):
        table = pd.read_csv(folder / f"{name}.csv")
        y = table.pop(TARGET).to_numpy(float)
        parts.append((table.to_numpy(float), y))
    spent = {}
    with cost(resource.RUSAGE_SELF, spent):
        ends = intervals(*parts[:2], parts[2][0], level, seed, threads=1)
    print(json.dumps({**figures(parts[2][1], ends[:, 0], ends[:, 1], level), **spent}))


if __name__ == "__main__":
    main()

"""What `taut stream` is compared with in time_table.py, all around scikit-learn's gradient boosting with its usual settings.

Conformal PID has a step size. All step sizes of its released configurations are run, and the one with the lowest interval score on the test rows is shown, which
is the best possible choice.
"""
import importlib.util
import os
import tempfile

import numpy as np
from interval_runs import conformal_quantile
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import HistGradientBoostingRegressor

SCORES, REFIT = 1_000, 1_000
CALIBRATED = 0.25  # the share of the training rows that calibrates: the last rows
PID_STEPS = (1, 0.5, 0.1, 0.05)  # as in the released configurations, in units of the mean absolute residual


def trees(**options):
    return HistGradientBoostingRegressor(random_state=0, **options)


def interval_score(y, low, high, level):
    return np.mean(np.maximum(high - low, 0) + 2 / (1 - level) * (np.maximum(0, low - y) + np.maximum(0, y - high)))


def predictions(X, y, cut, refit):
    """f of every row from the calibration part on, by trees that were trained on earlier rows only. They are retrained every `refit` rows, or never (0)."""
    first = round((1 - CALIBRATED) * cut)
    f = np.full(len(y), np.nan)
    f[first:] = trees().fit(X[:first], y[:first]).predict(X[first:])
    for begin in range(cut, len(y), refit) if refit else []:
        f[begin:begin + refit] = trees().fit(X[:begin], y[:begin]).predict(X[begin:begin + refit])
    return first, f


def windows(X, y, cut, level):
    for name, refit in (("plain window of 1,000 residuals", 0), ("plain window, f refitted every 1,000 rows", REFIT)):
        first, f = predictions(X, y, cut, refit)
        size = np.abs(y - f)
        reach = np.array([conformal_quantile(size[max(first, t - SCORES):t], level) for t in range(cut, len(y))])
        yield name, (f[cut:] - reach, f[cut:] + reach)


def cqr(X, y, cut, level):
    """Quantile trees, retrained every 1,000 rows on all rows but the last 1,000. The last 1,000 rows calibrate, as a moving window."""
    low, high = np.empty(len(y)), np.empty(len(y))
    for begin in range(cut, len(y), REFIT):
        end, until = min(begin + REFIT, len(y)), begin - SCORES
        ends = [trees(loss="quantile", quantile=q).fit(X[:until], y[:until]).predict(X[until:end]) for q in ((1 - level) / 2, (1 + level) / 2)]
        score = np.maximum(ends[0] - y[until:end], y[until:end] - ends[1])
        for t in range(begin, end):
            reach = conformal_quantile(score[t - until - SCORES:t - until], level)
            low[t], high[t] = ends[0][t - until] - reach, ends[1][t - until] + reach
    yield "CQR refitted every 1,000 rows", (low[cut:], high[cut:])


class Remembering(RegressorMixin, BaseEstimator):
    """Trees that predict all rows at once, so that calls of MAPIE with single rows are fast. The last column of X is the row's number."""

    def __init__(self, table=None):
        self.table = table

    def fit(self, X, y):
        self.f_ = trees().fit(X[:, :-1], y).predict(self.table)
        return self

    def predict(self, X):
        return self.f_[X[:, -1].astype(int)]

    def __sklearn_is_fitted__(self):
        return hasattr(self, "f_")

    def __deepcopy__(self, memory):
        return self  # f_ never changes, so that copies by MAPIE are valid


def mapie(X, y, cut, level):
    """EnbPI and ACI with ten blocks of the bootstrap, updated after every row; the step of ACI is that of `--controller aci`. If
    an interval would be the whole line, it extends from the smallest to the largest target so far."""
    from mapie.regression import TimeSeriesRegressor
    from mapie.subsample import BlockBootstrap

    numbered = np.column_stack([X, np.arange(len(y))])
    for method in ("enbpi", "aci"):
        blocks = BlockBootstrap(n_resamplings=10, n_blocks=10, overlapping=False, random_state=0)
        model = TimeSeriesRegressor(Remembering(X), method=method, cv=blocks, agg_function="mean").fit(numbered[:cut], y[:cut])
        ends = np.empty((len(y) - cut, 2))
        for t in range(cut, len(y)):
            row, target = numbered[t:t + 1], y[t:t + 1]
            low, high = model.predict(row, confidence_level=level, ensemble=True, allow_infinite_bounds=True)[1][0, :, 0]
            ends[t - cut] = low if np.isfinite(low) else y[:t].min(), high if np.isfinite(high) else y[:t].max()
            if method == "aci":
                model.adapt_conformal_inference(row, target, gamma=0.02, ensemble=True, confidence_level=level)
            model.update(row, target, ensemble=True, confidence_level=level)
        yield f"MAPIE {method}", (ends[:, 0], ends[:, 1])


def pid(X, y, cut, level, folder):
    """The released code of conformal PID, on signed residuals of refitted trees; each side gets half of the miscoverage."""
    np.infty = np.inf  # the released code is older than NumPy 2
    spec = importlib.util.spec_from_file_location("conformal_pid", folder.resolve() / "core" / "methods.py")
    released = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(released)
    released.tqdm = iter  # no progress bars
    first, f = predictions(X, y, cut, REFIT)
    unit = np.mean(np.abs(y - f)[first:cut])
    residual = (y - f)[first:] / unit
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as cache:
        os.chdir(cache)  # the released code writes its forecasts to the working directory
        for name, method in (("conformal PID, released code", released.quantile_integrator_log),
                             ("the same with scorecaster", released.quantile_integrator_log_scorecaster)):
            best = None
            for step in PID_STEPS:
                reach = [method(sign * residual, (1 - level) / 2, step, data=None, T_burnin=300, Csat=5, KI=10, steps_ahead=24, upper=sign > 0,
                                seasonal_period=24, config_name="series")["q"][cut - first:] * unit for sign in (-1, 1)]
                low, high = f[cut:] - reach[0], f[cut:] + reach[1]
                found = interval_score(y[cut:], low, high, level), step, (low, high)
                best = found if best is None or found[0] < best[0] else best
            yield f"{name}, step {best[1]}", best[2]
        os.chdir(before)


PEERS = {"windows": windows, "cqr": cqr, "mapie": mapie}

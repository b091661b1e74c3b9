"""What a ConformalRegressor can be asked besides intervals: bounds, quantiles, whole laws, p-values."""
import numpy as np

from . import alarms
from ._numbers import levels_of
from .distribution import Distribution

ALTERNATIVES = ("two-sided", "less", "greater")


class LawQuestions:
    """The part of ConformalRegressor that reads answers off the law of each row."""

    def predict_quantiles(self, X, quantiles, *, y_pred=None, groups=None, sample_weight=None):
        """Quantiles of y, (rows, quantiles): they never cross, and an interval between two of them keeps what it promises."""
        return self.predict_distribution(X, y_pred=y_pred, groups=groups, sample_weight=sample_weight).ppf(np.atleast_1d(quantiles))

    def predict_bound(self, X, side, confidence_level=0.9, *, y_pred=None, groups=None, sample_weight=None):
        """One bound: with side="upper" y is at most it, with "lower" at least, with the given confidence. (rows,) for one level,
        (rows, levels) for several; infinite where there are too few calibration rows."""
        if side not in ("upper", "lower"):
            raise ValueError(f"side must be 'upper' or 'lower', got {side!r}")
        levels = levels_of(confidence_level)
        distribution = self.predict_distribution(X, y_pred=y_pred, groups=groups, sample_weight=sample_weight)
        bounds = distribution._ask([f"{side}:{level!r}" for level in levels])
        return bounds if np.ndim(confidence_level) > 0 else bounds[:, 0]

    def ask(self, X, ask, *, values=None, smooth=None, seed=0, y_pred=None, groups=None, sample_weight=None):
        """Answers to any questions that `taut lists` names, (rows, columns): ask="mean", ["quantile:0.9", "upper:0.95"] or
        "mean,crps". `values`: one a row, for questions about given values (cdf, crps, p-value)."""
        names = [name.strip() for one in np.atleast_1d(ask) for name in str(one).split(",")]
        rows, _ = self._law_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight})
        given = None if values is None else np.ascontiguousarray(values, dtype=float)
        return rows(names, given, seed, smooth)

    def predict_distribution(self, X, *, y_pred=None, groups=None, sample_weight=None):
        """The law of y at every row: a `Distribution` with cdf, ppf, mean, crps, rvs, as in scipy.stats. `groups` and
        `sample_weight` as in `predict_interval`."""
        return Distribution(*self._law_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight}))

    def quantile_estimator(self, quantile=0.5):
        """A regressor of scikit-learn whose `predict` is this quantile of y: for pipelines that want one number a row. It needs no
        fit of its own; `clone` and `fit` leave it as it is."""
        from .quantile_estimator import QuantileEstimator

        return QuantileEstimator(self, quantile)

    def p_values(self, X, y, *, y_pred=None, smooth=None, alternative="two-sided", groups=None, sample_weight=None):
        """How surprising each y is: the share of scores at least as far out, (rows,). For exchangeable rows at most p with a
        probability of at most p; uniform with a seed in `smooth`, whatever ties there are.

        alternative : "less" is small where y is surprisingly low, "greater" where it is surprisingly high, "two-sided" where
            either holds
        """
        if alternative not in ALTERNATIVES:
            raise ValueError(f"alternative must be one of {', '.join(map(repr, ALTERNATIVES))}, got {alternative!r}")
        self._check_fitted()
        X, y = self._check(X, y, reset=False)
        ask, _ = self._law_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight})
        return ask([f"p-value:{alternative}"], np.ascontiguousarray(y, dtype=float), 0, smooth)[:, 0]

    def _equal_tailed(self, X, levels, y_pred, further=None):
        """Predictions, and intervals (rows, 2, levels) each of whose tails keeps its promise."""
        ask, rows = self._law_of_rows(X, y_pred, further)
        f, ends = ask([f"equal:{level!r}" for level in levels], with_predictions=True)
        return f, ends.reshape(rows, len(levels), 2).transpose(0, 2, 1)

    def _law_of_rows(self, X, y_pred, further=None):
        """A function that answers questions as `taut lists` names them, (rows, columns), and the number of rows."""
        table = self._rows_table(X, given=y_pred, further=further or {"groups": None, "sample_weight": None})
        alarms.of_findings(self.model_.input_alarms(table))

        def ask(questions, values=None, seed=0, smoothing=None, with_predictions=False):
            f, answers, found = self.model_.ask(table, questions, [] if values is None else values, smoothing, seed, False,
                                                self._threads())
            alarms.of_findings(found)
            alarms.of_findings(self.model_.too_few(questions))
            return (f, answers) if with_predictions else answers

        return ask, table.rows

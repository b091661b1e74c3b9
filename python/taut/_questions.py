"""Questions to a ConformalRegressor besides intervals: bounds, quantiles, predictive distributions, p-values."""
import numpy as np

from . import alarms
from ._numbers import levels_of, shown
from .distribution import Distribution

ALTERNATIVES = ("two-sided", "less", "greater")


class DistributionQuestions:
    """The methods of ConformalRegressor that use the predictive distribution of each row."""

    def predict_quantiles(self, X, quantiles, *, y_pred=None, groups=None, sample_weight=None):
        """Quantiles of y, (rows, quantiles). They never cross, and the interval between two of them keeps its coverage guarantee."""
        return self.predict_distribution(X, y_pred=y_pred, groups=groups, sample_weight=sample_weight).ppf(np.atleast_1d(quantiles))

    def predict_bound(self, X, side, confidence_level=0.9, *, y_pred=None, groups=None, sample_weight=None):
        """One-sided bounds: with side="upper" y is at most the bound, with "lower" at least, with the given confidence. (rows,) for one
        level, (rows, levels) for several; infinite if there are too few calibration rows."""
        if side not in ("upper", "lower"):
            raise ValueError(f"side must be 'upper' or 'lower', got {shown(side)}")
        levels = levels_of(confidence_level)
        distribution = self.predict_distribution(X, y_pred=y_pred, groups=groups, sample_weight=sample_weight)
        bounds = distribution._ask([f"{side}:{level!r}" for level in levels])
        return bounds if np.ndim(confidence_level) > 0 else bounds[:, 0]

    def ask(self, X, ask, *, values=None, smooth=None, seed=0, y_pred=None, groups=None, sample_weight=None):
        """Answers to any questions with the names of `taut lists`, (rows, columns): ask="mean", ["quantile:0.9", "upper:0.95"] or
        "mean,crps". `values`: one for each row, for questions about given values (cdf, crps, p-value)."""
        names = [name.strip() for one in np.atleast_1d(ask) for name in str(one).split(",")]
        rows, _ = self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight})
        given = None if values is None else np.ascontiguousarray(values, dtype=float)
        return rows(names, given, seed, smooth)

    def predict_distribution(self, X, *, y_pred=None, groups=None, sample_weight=None):
        """The predictive distribution of y for every row: a `Distribution` with cdf, ppf, mean, crps, rvs, as in scipy.stats. `groups` and
        `sample_weight` as in `predict_interval`."""
        return Distribution(*self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight}))

    def quantile_estimator(self, quantile=0.5):
        """A scikit-learn regressor whose `predict` returns this quantile of y, for pipelines that need one number for each row. It is
        already fitted; `clone` and `fit` do not change it."""
        from .quantile_estimator import QuantileEstimator

        return QuantileEstimator(self, quantile)

    def p_values(self, X, y, *, y_pred=None, smooth=None, alternative="two-sided", groups=None, sample_weight=None):
        """Conformal p-values (rows,): the share of scores that are at least as extreme as that of y. For exchangeable rows a p-value is at
        most p with probability at most p; with a seed in `smooth` it is exactly uniform, also with ties.

        alternative : p-values are small for surprisingly low y ("less"), for surprisingly high y ("greater"), or for both ("two-sided")
        """
        if alternative not in ALTERNATIVES:
            raise ValueError(f"alternative must be one of {', '.join(map(repr, ALTERNATIVES))}, got {shown(alternative)}")
        self._check_fitted()
        X, y = self._check(X, y, reset=False)
        ask, _ = self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight})
        return ask([f"p-value:{alternative}"], np.ascontiguousarray(y, dtype=float), 0, smooth)[:, 0]

    def _equal_tailed(self, X, levels, y_pred, further=None):
        """Predictions, and equal-tailed intervals (rows, 2, levels)."""
        ask, rows = self._distribution_of_rows(X, y_pred, further)
        f, ends = ask([f"equal:{level!r}" for level in levels], with_predictions=True)
        return f, ends.reshape(rows, len(levels), 2).transpose(0, 2, 1)

    def _distribution_of_rows(self, X, y_pred, further=None):
        """A function that answers questions with the names of `taut lists`, (rows, columns), and the number of rows."""
        table = self._rows_table(X, given=y_pred, further=further or {"groups": None, "sample_weight": None})
        alarms.of_findings(self.model_.input_alarms(table))

        def ask(questions, values=None, seed=0, smoothing=None, with_predictions=False):
            f, answers, found = self.model_.ask(table, questions, [] if values is None else values, smoothing, seed, False,
                                                self._threads())
            alarms.of_findings(found)
            alarms.of_findings(self.model_.too_few(questions))
            return (f, answers) if with_predictions else answers

        return ask, table.rows

"""Questions to a ConformalRegressor besides intervals: bounds, quantiles, predictive distributions, p-values."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _core, alarms
from ._frames import index_of, named
from ._several import JointRegions
from ._numbers import levels_of, shown
from ._types import ArrayLike, FloatArray, Levels, Literal, Mapping, Names, Rows
from .distribution import Distribution

if TYPE_CHECKING:
    from .quantile_estimator import QuantileEstimator

ALTERNATIVES = ("two-sided", "less", "greater")


class DistributionQuestions(JointRegions):
    """The methods of ConformalRegressor that use the predictive distribution of each row."""

    def predict_quantiles(self, X: Rows | None, quantiles: Levels, *, weights: ArrayLike | Mapping[str, float] | None = None,
                          sum: str | None = None, y_pred: ArrayLike | None = None, groups: ArrayLike | None = None,
                          sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> FloatArray:
        """Quantiles of y, (rows, quantiles); after `set_output` a frame with the columns q0.1, ... They never cross, and the interval between
        two of them keeps its coverage guarantee.

        For several targets: quantiles of a linear combination, (rows, quantiles), given by `weights`, one number for each target or a mapping
        from names, or as a text, sum="y1 + 2*y2"; without either those of each target, (rows, targets, quantiles). They are read off the
        joint distribution of the calibration rows, an estimate without a guarantee for the combination.
        """
        self._check_fitted()
        if self._is_several():
            if y_pred is not None:
                self._require_one_target("predict_quantiles(y_pred=...)", "leave it out")
            return self._quantiles_of_targets(X, quantiles, weights, sum, {"groups": groups, "sample_weight": sample_weight})
        if weights is not None or sum is not None:
            raise ValueError(f"{'sum' if weights is None else 'weights'} is for several targets, and this model was fitted with one")
        return self._asked(X, [f"quantile:{float(p)!r}" for p in np.atleast_1d(quantiles)], y_pred, groups, sample_weight, exposure=exposure)

    def predict_bound(self, X: Rows | None, side: Literal["upper", "lower"], confidence_level: Levels = 0.9, *, y_pred: ArrayLike | None = None,
                      groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> FloatArray:
        """One-sided bounds: with side="upper" y is at most the bound, with "lower" at least, with the given confidence. (rows,) for one
        level, (rows, levels) for several, after `set_output` a frame of them; infinite if there are too few calibration rows."""
        if side not in ("upper", "lower"):
            raise ValueError(f"side must be 'upper' or 'lower', got {shown(side)}")
        questions = [f"{side}:{level!r}" for level in levels_of(confidence_level)]
        if np.ndim(confidence_level) > 0:
            return self._asked(X, questions, y_pred, groups, sample_weight, exposure=exposure)
        return self.predict_distribution(X, y_pred=y_pred, groups=groups, sample_weight=sample_weight, exposure=exposure)._ask(questions)[:, 0]

    def ask(self, X: Rows | None, ask: Names, *, values: ArrayLike | None = None, smooth: int | None = None, seed: int = 0,
            y_pred: ArrayLike | None = None, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> FloatArray:
        """Answers to any questions with the names of `taut lists`, (rows, columns): ask="mean", ["quantile:0.9", "upper:0.95"] or
        "mean,crps"; after `set_output` a frame with the columns of `taut predict`. `values`: one for each row, for questions about given
        values (cdf, crps, p-value)."""
        names = [name.strip() for one in np.atleast_1d(np.asarray(ask)) for name in str(one).split(",")]
        given = None if values is None else np.ascontiguousarray(values, dtype=float)
        return self._asked(X, names, y_pred, groups, sample_weight, given, seed, smooth, exposure)

    def _asked(self, X, questions, y_pred, groups, sample_weight, values=None, seed=0, smooth=None, exposure=None):
        """The answers as an array (rows, columns) or, after `set_output`, as a frame."""
        ask, _ = self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight}, exposure)
        answers = ask(questions, values, seed, smooth)
        frame = self._frame_or_none(X, lambda: named(_core.question_columns(questions), answers))
        return answers if frame is None else frame

    def predict_distribution(self, X: Rows | None, *, y_pred: ArrayLike | None = None, groups: ArrayLike | None = None,
                             sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> Distribution:
        """The predictive distribution of y for every row: a `Distribution` with cdf, ppf, mean, crps, rvs, as in scipy.stats. `groups`,
        `sample_weight` and `exposure` as in `predict_interval`."""
        ask, rows = self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight}, exposure)
        return Distribution(ask, rows, index_of(X))

    def quantile_estimator(self, quantile: float = 0.5) -> QuantileEstimator:
        """A scikit-learn regressor whose `predict` returns this quantile of y, for pipelines that need one number for each row. It is
        already fitted; `clone` and `fit` do not change it."""
        from .quantile_estimator import QuantileEstimator

        return QuantileEstimator(self, quantile)

    def p_values(self, X: Rows | None, y: ArrayLike, *, y_pred: ArrayLike | None = None, smooth: int | None = None,
                 alternative: Literal["two-sided", "less", "greater"] = "two-sided", groups: ArrayLike | None = None,
                 sample_weight: ArrayLike | None = None, exposure: ArrayLike | None = None) -> FloatArray:
        """Conformal p-values (rows,): the share of scores that are at least as extreme as that of y. For exchangeable rows a p-value is at
        most p with probability at most p; with a seed in `smooth` it is exactly uniform, also with ties.

        Parameters
        ----------
        X, y : rows and their targets, as in `fit`
        y_pred, groups, sample_weight, exposure : array of shape (rows,), optional
            As in `predict_interval`.
        smooth : int, optional
            A seed for randomized ranks.
        alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
            P-values are small for surprisingly low y ("less"), for surprisingly high y ("greater"), or for both ("two-sided").
        """
        if alternative not in ALTERNATIVES:
            raise ValueError(f"alternative must be one of {', '.join(map(repr, ALTERNATIVES))}, got {shown(alternative)}")
        self._check_fitted()
        if self._is_several():
            if alternative != "two-sided" or smooth is not None or y_pred is not None:
                wrong = "alternative" if alternative != "two-sided" else "smooth" if smooth is not None else "y_pred"
                self._require_one_target(f"p_values({wrong}=...)", "leave it out")
            if self.model_.calibration["kind"] == "overlapping":
                raise ValueError("p_values: this model was calibrated for overlapping groups, which have thresholds without ranks, so there are no "
                                 "p-values; contains(X, y, level) tells whether regions hold the targets")
            return self._contained(self._joint_table(X, groups, sample_weight), y, [])[1]
        X, y = self._check(X, y, reset=False)
        ask, _ = self._distribution_of_rows(X, y_pred, {"groups": groups, "sample_weight": sample_weight}, exposure)
        p: FloatArray = ask([f"p-value:{alternative}"], np.ascontiguousarray(y, dtype=float), 0, smooth)[:, 0]
        return p

    def _equal_tailed(self, X, levels, y_pred, further=None, exposure=None):
        """Predictions, and equal-tailed intervals (rows, 2, levels)."""
        ask, rows = self._distribution_of_rows(X, y_pred, further, exposure)
        f, ends = ask([f"equal:{level!r}" for level in levels], with_predictions=True)
        return f, ends.reshape(rows, len(levels), 2).transpose(0, 2, 1)

    def _distribution_of_rows(self, X, y_pred, further=None, exposure=None):
        """A function that answers questions with the names of `taut lists`, (rows, columns), and the number of rows."""
        self._require_one_target("this question", "ask predict_interval, predict_region, contains, p_values, sample or predict_quantiles")
        table = self._rows_table(X, given=y_pred, further=further or {"groups": None, "sample_weight": None}, exposure=exposure)
        alarms.of_findings(self.model_.input_alarms(table))

        def ask(questions, values=None, seed=0, smoothing=None, with_predictions=False):
            f, answers, found = self.model_.ask(table, questions, [] if values is None else values, smoothing, seed, False,
                                                self._threads())
            alarms.of_findings(found)
            alarms.of_findings(self.model_.too_few(questions))
            return (f, answers) if with_predictions else answers

        return ask, table.rows

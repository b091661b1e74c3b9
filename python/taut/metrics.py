"""Metrics of intervals: those of `taut evaluate` and some more, for any arrays.

Intervals are (rows, 2) or (rows, 2, levels), as `predict_interval` returns them: one level gives a number, several an array with
one number for each. Ends may be infinite; (nan, nan) is the empty set.
"""
from __future__ import annotations

import numpy as np

from . import _core
from ._numbers import column, levels_of, numbers
from ._options import seed_of, threads_of
from ._scorers import IntervalScorer, last_step
from ._types import Any, ArrayLike, FloatArray, Levels, RandomState, Sequence

__all__ = [
    "coverage", "coverage_band", "coverage_by_value", "coverage_gap", "coverage_scorer", "ert", "gaussian_crps", "hsic", "interval_score",
    "interval_score_scorer", "mean_width", "mean_width_scorer", "median_width", "negative_crps", "pinball_loss", "size_stratified_coverage",
    "step_crps", "unbounded_share", "worst_slab_coverage", "worst_slab_coverage_scorer",
]


def coverage(y: ArrayLike, intervals: ArrayLike) -> Any:
    """Share of rows whose interval contains y."""
    return _each_level(intervals, lambda lower, upper, _: _core.coverage(lower, upper, column("y", y)))


def mean_width(intervals: ArrayLike) -> Any:
    """Mean full width, infinite if a set has an infinite end; empty sets count as 0."""
    return _each_level(intervals, lambda lower, upper, _: _core.mean_width(lower, upper))


def unbounded_share(intervals: ArrayLike) -> Any:
    """Share of sets with an infinite end. Look at it before any width: one such set makes mean width and interval score infinite."""
    return _each_level(intervals, lambda lower, upper, _: _core.unbounded_share(lower, upper))


def median_width(intervals: ArrayLike) -> Any:
    """Median full width, infinite if half of the sets have an infinite end; empty sets count as 0."""
    return _each_level(intervals, lambda lower, upper, _: _core.median_width(lower, upper))


def interval_score(y: ArrayLike, intervals: ArrayLike, confidence_level: Levels) -> Any:
    """Winkler's score: the width plus 2 / (1 - level) times the distance of y from the interval; mean over rows.

    Infinite if a set has an infinite end or is empty: a mean over the other rows would reward methods that fail on hard rows.
    """
    levels = _levels_for(intervals, confidence_level)
    return _each_level(intervals, lambda lower, upper, i: _core.interval_score(lower, upper, column("y", y), 1 - levels[i]))


def worst_slab_coverage(X: ArrayLike, y: ArrayLike, intervals: ArrayLike, *, delta: float = 0.1, directions: int = 1000, held_out: bool = True,
                        random_state: RandomState | None = 0, n_jobs: int | None = -1) -> Any:
    """Coverage in the worst slab that contains a share `delta` of the rows, over random directions.

    `held_out`: the slab is found on one half of the rows and its coverage measured on the other half, as in `evaluate`, so that it is not
    too low by chance.
    """
    X, seed, threads = numbers("X", X, (2,)), seed_of(random_state), threads_of(n_jobs)
    return _each_level(intervals, lambda lower, upper, _: _core.worst_slab_coverage(
        X, lower, upper, column("y", y), delta, directions, seed, held_out, threads))


def ert(X: ArrayLike, y: ArrayLike, intervals: ArrayLike, confidence_level: Levels, *, folds: int = 5, random_state: RandomState | None = 0,
        n_jobs: int | None = -1) -> Any:
    """L1-ERT: the mean absolute difference between the coverage given x, as estimated by boosted trees, and the level; 0 is ideal."""
    levels, X, seed, threads = _levels_for(intervals, confidence_level), numbers("X", X, (2,)), seed_of(random_state), threads_of(n_jobs)
    return _each_level(intervals, lambda lower, upper, i: _core.ert(
        X, lower, upper, column("y", y), levels[i], seed, folds, threads))


def hsic(y: ArrayLike, intervals: ArrayLike, *, kernel_sizes: Sequence[float] | None = None) -> Any:
    """Dependence of width and coverage (Hilbert-Schmidt independence criterion); 0 if they are independent.

    `kernel_sizes`: those of the Gaussian kernels of width and coverage; by default, as in `evaluate`, the squared median width of the finite
    sets and 1.
    """

    def measure(lower, upper, _):
        sizes = kernel_sizes or (_core.median_finite_width(lower, upper) ** 2, 1)
        return _core.hsic(lower, upper, column("y", y), sizes[0] if sizes[0] > 0 else 1, sizes[1])

    return _each_level(intervals, measure)


def size_stratified_coverage(y: ArrayLike, intervals: ArrayLike, *, bins: int = 3) -> list[Any]:
    """Coverage in groups of similar width, narrow ones first: a list of (smallest width, largest width, rows, coverage)."""
    return _each_level(intervals, lambda lower, upper, _: _core.coverage_by_width(lower, upper, column("y", y), bins), plain=True)


def coverage_by_value(values: ArrayLike, y: ArrayLike, intervals: ArrayLike, *, bins: int = 10) -> list[Any]:
    """Coverage in groups of similar `values`, for example of a feature or of the predictions."""
    return _each_level(intervals, lambda lower, upper, _: _core.coverage_by_value(
        column("values", values), lower, upper, column("y", y), bins), plain=True)


def coverage_gap(groups: ArrayLike, y: ArrayLike, intervals: ArrayLike, confidence_level: Levels) -> Any:
    """Mean over groups of |coverage in the group - level|."""
    levels = _levels_for(intervals, confidence_level)
    counted = np.unique(np.asarray(groups), return_inverse=True)[1].astype(np.int64).reshape(-1)
    return _each_level(intervals, lambda lower, upper, i: _core.coverage_gap(counted, lower, upper, column("y", y), levels[i]))


def coverage_band(rows: int, calibration_rows: int, confidence_level: float, *, probability: float = 0.99) -> tuple[float, float]:
    """The band (low, high) that contains the coverage of `rows` test rows with this probability, by the exact beta-binomial distribution."""
    return _core.coverage_band(rows, calibration_rows, _core.exact_rank(calibration_rows, confidence_level), probability)


def gaussian_crps(mean: ArrayLike, deviation: ArrayLike, y: ArrayLike) -> FloatArray:
    """Continuous ranked probability score of normal distributions, one for each row."""
    return np.array([_core.gaussian_crps(*row) for row in zip(column("mean", mean), column("deviation", deviation), column("y", y))])


def step_crps(points: ArrayLike, y: ArrayLike) -> FloatArray:
    """Continuous ranked probability score of distributions with equal steps at `points`: (rows, points), or (points,) for all rows."""
    y = column("y", y)
    points = numbers("points", points, (1, 2)).astype(np.float64, copy=False)
    points = np.broadcast_to(points, (len(y), points.shape[-1]))
    return np.array([_core.step_crps(row, value) for row, value in zip(points, y)])


def pinball_loss(y: ArrayLike, quantiles: ArrayLike, probabilities: Levels) -> FloatArray:
    """Mean pinball loss of each quantile: p for each unit by which it is too low, 1 - p for each unit by which it is too high.

    `quantiles` (rows, probabilities), as `predict_quantiles` gives them; one number for each probability.
    """
    probabilities = np.array(levels_of(probabilities))
    quantiles, y = numbers("quantiles", quantiles, (2,)), column("y", y)
    if quantiles.shape != (len(y), len(probabilities)):
        raise ValueError(f"quantiles: expected an array of shape ({len(y)}, {len(probabilities)}), one column for each probability, got "
                         f"{quantiles.shape}")
    above = y[:, None] - quantiles
    return np.where(above < 0, (probabilities - 1) * above, probabilities * above).mean(axis=0)


# Scorers are for `scoring=` of GridSearchCV, cross_val_score and cross_validate, where greater is better.


def interval_score_scorer(confidence_level: float = 0.9) -> IntervalScorer:
    """Scorer: minus `interval_score`, -inf if an interval is infinite. The usual scorer for choosing options."""
    return IntervalScorer(interval_score, confidence_level, sign=-1)


def mean_width_scorer(confidence_level: float = 0.9) -> IntervalScorer:
    """Scorer: minus `mean_width`, -inf if an interval is infinite. Coverage is guaranteed, so the narrowest intervals may be chosen."""
    return IntervalScorer(mean_width, confidence_level, sign=-1)


def coverage_scorer(confidence_level: float = 0.9) -> IntervalScorer:
    """Scorer: `coverage`, to report in addition to others. Choosing by it would select the widest intervals."""
    return IntervalScorer(coverage, confidence_level)


def worst_slab_coverage_scorer(confidence_level: float = 0.9) -> IntervalScorer:
    """Scorer: `worst_slab_coverage`, for intervals with the same coverage everywhere; inputs must be numbers."""
    return IntervalScorer(worst_slab_coverage, confidence_level)


def negative_crps(estimator: Any, X: Any, y: ArrayLike) -> float:
    """Scorer, used directly (`scoring=metrics.negative_crps`): minus the mean CRPS, which evaluates all levels at once."""
    regressor, X = last_step(estimator, X)
    return -float(regressor.predict_distribution(X).crps(y).mean())


def _ends(intervals):
    intervals = numbers("intervals", intervals, (2, 3)).astype(np.float64, copy=False)
    if intervals.shape[1] != 2:
        raise ValueError(f"intervals: expected an array (rows, 2) or (rows, 2, levels), got one of shape {intervals.shape}")
    return intervals


def _levels_for(intervals, confidence_level):
    intervals, levels = _ends(intervals), levels_of(confidence_level)
    wanted = 1 if intervals.ndim == 2 else intervals.shape[2]
    if len(levels) != wanted:
        raise ValueError(f"confidence_level: expected {wanted}, one for each level of the intervals, got {len(levels)}")
    return levels


def _each_level(intervals, measure, plain=False):
    intervals = _ends(intervals)
    if intervals.ndim == 2:
        return measure(intervals[:, 0], intervals[:, 1], 0)
    values = [measure(intervals[:, 0, i], intervals[:, 1, i], i) for i in range(intervals.shape[2])]
    return values if plain else np.array(values)

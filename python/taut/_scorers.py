"""Metrics of intervals as scikit-learn scorers: callables (estimator, X, y) -> number; greater is better."""
from __future__ import annotations

import inspect

import numpy as np

from ._numbers import levels_of
from ._types import Any, ArrayLike


class IntervalScorer:
    """The metric `measure` of the intervals of a fitted ConformalRegressor, or of a pipeline that ends with one, at one level.

    The sign is -1 for measures of which less is better. One infinite interval makes such a measure infinite, and the score -inf.
    """

    def __init__(self, measure: Any, confidence_level: float, sign: int = 1) -> None:
        levels = levels_of(confidence_level)
        if len(levels) != 1:
            raise ValueError(f"a scorer takes one confidence level, got {len(levels)}; make a scorer for each")
        self.confidence_level = levels[0]
        self.measure = measure
        self.sign = sign

    def __call__(self, estimator: Any, X: Any, y: ArrayLike) -> float:
        regressor, X = last_step(estimator, X)
        ends = regressor._intervals(X, [self.confidence_level])[1][:, :, 0]
        given = {"X": X, "y": np.asarray(y, dtype=np.float64), "intervals": ends, "confidence_level": self.confidence_level}
        wanted = inspect.signature(self.measure).parameters
        return float(self.sign * self.measure(**{name: value for name, value in given.items() if name in wanted}))

    def __repr__(self) -> str:
        return f"<{'-' if self.sign < 0 else ''}{self.measure.__name__} of intervals at confidence {self.confidence_level:g}>"


def last_step(estimator, X):
    """The regressor at the end of the pipeline, and X transformed by the steps before it."""
    if hasattr(estimator, "_intervals"):
        return estimator, X
    if hasattr(estimator, "steps") and hasattr(estimator[-1], "_intervals"):
        return estimator[-1], estimator[:-1].transform(X)
    raise TypeError(f"expected a ConformalRegressor or a pipeline that ends with one, got {type(estimator).__name__}: it has no intervals "
                    "to score")

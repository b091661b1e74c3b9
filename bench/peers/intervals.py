"""Intervals at 90 % for new rows from predictions and scales that are given.   intervals.py floor|taut|crepes|mapie ROWS

`floor` is a lower bound of the time: NumPy does only the arithmetic, into a new array, without checks and with a known quantile.
"""
import sys
import warnings

import numpy
from timing import answer, clocked

CALIBRATION = 10_000
draw = numpy.random.default_rng(0)
residuals, sigmas_cal = draw.normal(size=CALIBRATION), draw.uniform(0.5, 2, CALIBRATION)


def floor(y_pred, sigmas):
    quantile = numpy.partition(numpy.abs(residuals) / sigmas_cal, 9000)[9000]

    def work():
        ends = numpy.empty((len(y_pred), 2))
        reach = quantile * sigmas
        numpy.subtract(y_pred, reach, out=ends[:, 0])
        numpy.add(y_pred, reach, out=ends[:, 1])
        return ends
    return work


def taut(y_pred, sigmas):
    from taut import intervals_from_residuals
    return lambda: intervals_from_residuals(residuals, y_pred, 0.9, sigmas_cal=sigmas_cal, sigmas=sigmas)


def crepes(y_pred, sigmas):
    from crepes import ConformalRegressor
    fitted = ConformalRegressor().fit(residuals, sigmas=sigmas_cal)
    return lambda: fitted.predict_int(y_pred, sigmas=sigmas, confidence=0.9)


class Given:
    """A fitted model that returns given predictions."""
    def __init__(self, column):
        self.column = column

    def fit(self, x, y):
        return self

    def predict(self, x):
        return x[:, self.column]

    def __sklearn_is_fitted__(self):
        return True


def mapie(y_pred, sigmas):
    from mapie.conformity_scores import ResidualNormalisedScore
    from mapie.regression import SplitConformalRegressor
    from sklearn.base import BaseEstimator, RegressorMixin
    column = type("Column", (Given, RegressorMixin, BaseEstimator), {})
    score = ResidualNormalisedScore(residual_estimator=column(1), prefit=True)
    model = SplitConformalRegressor(column(0), confidence_level=0.9, conformity_score=score, prefit=True)
    model.conformalize(numpy.column_stack([numpy.zeros(CALIBRATION), sigmas_cal]), residuals)
    x = numpy.column_stack([y_pred, sigmas])
    return lambda: model.predict_interval(x)


def main():
    warnings.simplefilter("ignore")
    rows = int(sys.argv[2])
    work = globals()[sys.argv[1]](draw.normal(size=rows), draw.uniform(0.5, 2, rows))
    work()
    figures, _ = clocked(work, 15)
    answer(figures)


if __name__ == "__main__":
    main()

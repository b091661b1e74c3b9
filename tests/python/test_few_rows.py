"""No rows, one row, a few rows: results of the right shape, and no guarantee that does not hold."""
import math

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows
from sklearn.linear_model import LinearRegression

import taut
from taut import ConformalRegressor

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}
KINDS = {
    "own": lambda X, y: ConformalRegressor(**PLAIN).fit(X, y),
    "trained": lambda X, y: ConformalRegressor(**QUICK).fit(X, y),
    "estimator": lambda X, y: ConformalRegressor(LinearRegression(), localizer="none", random_state=0).fit(X, y),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("container", [
    np.asarray,
    lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
    lambda X: pytest.importorskip("polars").DataFrame(X, schema=["a", "b", "c"])], ids=["numpy", "pandas", "polars"])
def test_no_rows_have_no_intervals(kind, container, rows):
    X, y = container(rows[0]), rows[1]
    cr = KINDS[kind](X, y)
    empty = X[:0]
    y_pred, intervals = cr.predict_interval(empty, [0.8, 0.9])
    assert y_pred.shape == (0,) and intervals.shape == (0, 2, 2)
    assert cr.predict(empty).shape == (0,)
    assert cr.check_shift(empty) == []
    table = cr.set_output(transform="pandas").predict_interval(empty)
    assert list(table.columns) == ["prediction", "lower_0.9", "upper_0.9"] and len(table) == 0
    for needs_rows in (cr.evaluate, cr.calibrate):
        with pytest.raises(ValueError, match="0 sample"):
            needs_rows(empty, y[:0])


def test_no_rows_of_given_predictions(rows):
    X, y = rows
    cr = taut.conformalize(X, y + 1, y, localizer="none", random_state=0)
    y_pred, intervals = cr.predict_interval(X[:0], y_pred=y[:0])
    assert y_pred.shape == (0,) and intervals.shape == (0, 2, 1)


def numbers_of(level):
    return [value for value in level.values() if value is not None]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_evaluation_of_few_rows_has_numbers_or_none(kind, count, rows, fresh):
    X, y = fresh
    told = KINDS[kind](*rows).evaluate(X[:count], y[:count], [0.5, 0.9])
    assert told["rows"] == count
    for level in told["levels"]:
        assert all(math.isfinite(value) for value in numbers_of(level)), level
        assert level["coverage"] in [held / count for held in range(count + 1)]
        assert level["mean_width"] > 0 and level["coverage_low"] is not None
        assert level["ert"] is None  # the trees of ERT need 50 rows


def test_infinite_widths_are_infinite(rows, fresh):
    with pytest.warns(taut.TooFewRowsWarning):
        level, = KINDS["own"](*rows).evaluate(*fresh, 0.999)["levels"]
    assert level["mean_width"] == math.inf and level["interval_score"] == math.inf
    assert level["infinite"] == 200 and level["unbounded"] == 1


@pytest.mark.parametrize("count", range(4, 18))
def test_a_handful_of_rows_is_fitted_and_says_what_it_cannot_do(count):
    X, y = make_rows(count)
    fitted = [ConformalRegressor(random_state=0).fit(X, y), ConformalRegressor(LinearRegression(), random_state=0).fit(X, y)]
    for cr in fitted:
        calibration = cr.record_["calibration_rows"]
        assert calibration == max(1, min(count // 2, count - 3))
        assert cr.record_["rows"] == count
        with pytest.warns(taut.TooFewRowsWarning, match=rf"{calibration} calibration row(s are| is) too few for confidence 0\.9"):
            y_pred, intervals = cr.predict_interval(X, [0.5, 0.9])
        assert np.isfinite(y_pred).all() and np.isfinite(intervals[:, :, 0]).all() and np.isinf(intervals[:, :, 1]).all()
    assert len(fitted[1].estimators_) == min(5, count - fitted[1].record_["calibration_rows"])


def test_how_many_rows_serve_the_usual_level():
    """The number that docs/python.md gives."""
    for count, enough in ((17, False), (18, True)):
        X, y = make_rows(count)
        _, intervals = ConformalRegressor(**PLAIN).fit(X, y).predict_interval(X, 0.9)
        assert np.isfinite(intervals).all() == enough

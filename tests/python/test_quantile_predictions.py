"""y_pred with two columns: a lower and an upper quantile prediction."""
import warnings

import numpy as np
import pytest

import taut
from taut import ConformalRegressor


def data(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 1, size=(rows, 1))
    y = 3 * X[:, 0] + (0.1 + X[:, 0]) * rng.normal(size=rows)
    return X, y, np.column_stack([3 * X[:, 0] - 1, 3 * X[:, 0] + 1])


def test_every_method_and_the_file(tmp_path):
    X, y, ends = data(400, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", taut.TautWarning)
        cr = taut.conformalize(X, ends, y, random_state=0)
    X_new, y_new, new = data(100, 1)
    expected = cr.predict_interval(X_new, 0.9, y_pred=new)[1]
    assert (np.diff(cr.predict_quantiles(X_new, [0.1, 0.5, 0.9], y_pred=new)) >= 0).all()
    assert cr.evaluate(X_new, y_new, y_pred=new)["rows"] == 100
    assert cr.predict_bound(X_new, "upper", y_pred=new).shape == (100,)
    cr.save(tmp_path / "m.taut")
    np.testing.assert_array_equal(taut.load(tmp_path / "m.taut").predict_interval(X_new, 0.9, y_pred=new)[1], expected)
    cr.calibrate(X_new, y_new, y_pred=new)
    assert cr.record_["calibration_rows"] == 100


def test_crossed_predictions_are_a_warning_and_taken_in_order():
    X, y, ends = data(400, 0)
    cr = taut.conformalize(X, ends, y, random_state=0)
    with pytest.warns(taut.CrossedPredictionsWarning, match="400 of 400 rows have their lower prediction"):
        exchanged = cr.predict_interval(X, 0.9, y_pred=ends[:, ::-1])[1]
    np.testing.assert_array_equal(exchanged, cr.predict_interval(X, 0.9, y_pred=ends)[1])


def test_as_many_predictions_as_the_model_was_fitted_with():
    X, y, ends = data(200, 0)
    two = taut.conformalize(X, ends, y, random_state=0)
    one = taut.conformalize(X, ends[:, 0], y, random_state=0)
    with pytest.raises(ValueError, match="fitted with two predictions"):
        two.predict_interval(X, y_pred=ends[:, 0])
    with pytest.raises(ValueError, match="fitted with one prediction"):
        one.predict_interval(X, y_pred=ends)


def test_own_trees_are_those_of_the_command_line():
    X, y, _ = data(400, 0)
    cr = ConformalRegressor(predictor="quantile:0.05,0.95", effort="quick", random_state=0).fit(X, y)
    assert np.isfinite(cr.predict_interval(X, 0.9)[1]).all()
    with pytest.raises(ValueError, match="quantile:0.05,0.95"):
        ConformalRegressor(predictor="quantile:0.9,0.1").fit(X, y)

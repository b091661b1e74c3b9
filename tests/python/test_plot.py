"""Pictures show what was computed, on the axes that were given."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows

from taut import ConformalRegressor, metrics, plot


@pytest.fixture(scope="module")
def fitted():
    X, y = make_rows(200)
    return ConformalRegressor(**QUICK).fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)


@pytest.fixture
def test_rows():
    X, y = make_rows(80, seed=1)
    yield pd.DataFrame(X, columns=["a", "b", "c"]), y
    plt.close("all")


def test_intervals(fitted, test_rows):
    X, y = test_rows
    display = plot.intervals(fitted, X, y, confidence_level=[0.8, 0.9], feature="b")
    assert display.ax_.get_xlabel() == "b" and display.figure_ is display.ax_.figure
    line = display.ax_.lines[0]
    np.testing.assert_array_equal(line.get_xdata(), np.sort(X["b"]))
    np.testing.assert_array_equal(line.get_ydata(), fitted.predict(X)[np.argsort(X["b"], kind="stable")])
    assert [text.get_text() for text in display.ax_.get_legend().texts] == ["90 % interval", "80 % interval", "prediction", "target"]


def test_widths_on_given_axes_and_any_output(fitted, test_rows):
    X, _ = test_rows
    _, ax = plt.subplots()
    _, ends = fitted.predict_interval(X, [0.8, 0.9])
    fitted.set_output(transform="pandas")
    display = plot.widths(fitted, X, confidence_level=[0.8, 0.9], ax=ax)
    assert isinstance(fitted.predict_interval(X), pd.DataFrame)  # as before
    fitted.set_output(transform="default")
    assert display.ax_ is ax
    np.testing.assert_array_equal(display.data_["widths"], ends[:, 1] - ends[:, 0])
    assert sum(bar.get_height() for bar in ax.patches) == 160


def test_calibration_curve(fitted, test_rows):
    X, y = test_rows
    display = plot.calibration_curve(fitted, X, y, confidence_level=[0.5, 0.9])
    np.testing.assert_array_equal(display.data_["coverage"], metrics.coverage(y, fitted.predict_interval(X, [0.5, 0.9])[1]))
    assert (display.data_["band"][:, 0] < [0.5, 0.9]).all() and (display.data_["band"][:, 1] > [0.5, 0.9]).all()
    assert len(plot.calibration_curve(fitted, X, y).data_["levels"]) == 19


def test_arrays_and_features_that_are_no_numbers(test_rows):
    X, y = test_rows
    cr = ConformalRegressor(**QUICK).fit(X.assign(kind="k"), y)
    with pytest.raises(ValueError, match="'kind' is no column of numbers"):
        plot.intervals(cr, X.assign(kind="k"), feature="kind")
    plain = ConformalRegressor(**QUICK).fit(X.to_numpy(), y)
    assert plot.intervals(plain, X.to_numpy(), feature=2).ax_.get_xlabel() == "x2"

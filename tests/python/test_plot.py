"""Plots show the computed numbers, on the given axes."""
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


def legend_of(display):
    return [text.get_text() for text in display.ax_.get_legend().texts]


def colours_of(artists):
    return {tuple(artist.get_facecolor()[0] if artist.get_facecolor().size else artist.get_colors()[0]) for artist in artists}


def test_intervals_of_several_inputs_are_a_bar_for_each_row(fitted, test_rows):
    X, y = test_rows
    display = plot.intervals(fitted, X, y, confidence_level=[0.8, 0.9], feature="b")
    assert display.ax_.get_xlabel() == "b" and display.figure_ is display.ax_.figure
    assert not display.ax_.lines  # no line joins the rows
    y_pred, ends = fitted.predict_interval(X, [0.8, 0.9])
    order = np.argsort(X["b"], kind="stable")
    wide, narrow, predictions, targets = display.artists_
    for bars, level in ((wide, 1), (narrow, 0)):  # the higher level is drawn first, below the lower
        drawn = np.array(bars.get_segments())
        np.testing.assert_array_equal(drawn[:, :, 0], np.column_stack([X["b"], X["b"]])[order])
        np.testing.assert_array_equal(drawn[:, :, 1], ends[order, :, level])
    np.testing.assert_array_equal(predictions.get_offsets(), np.column_stack([X["b"], y_pred])[order])
    np.testing.assert_array_equal(targets.get_offsets(), np.column_stack([X["b"], y])[order])
    assert legend_of(display) == ["90 % interval", "80 % interval", "prediction", "target"]
    assert len(colours_of([wide, narrow])) == 2 and display.ax_.get_legend().get_title().get_text() == ""


def test_of_many_rows_some_are_drawn_and_the_legend_says_so(fitted, test_rows):
    X, y = test_rows
    display = plot.intervals(fitted, X, y, feature="b", max_rows=20)
    shown = display.data_["shown"]
    order = np.argsort(X["b"].to_numpy(), kind="stable")
    assert len(set(shown)) == 20 and shown[0] == order[0] and shown[-1] == order[-1]
    assert len(display.artists_[0].get_segments()) == len(display.artists_[-1].get_offsets()) == 20
    assert display.ax_.get_legend().get_title().get_text() == "20 of 80 rows"
    with pytest.warns(DeprecationWarning, match="most_rows is now called max_rows"):
        assert list(plot.intervals(fitted, X, y, feature="b", most_rows=20).data_["shown"]) == list(shown)


def test_intervals_of_one_input_are_a_band_for_each_level(test_rows):
    X, y = make_rows(200)
    cr = ConformalRegressor(**QUICK).fit(X[:, 1:2], y)
    new = test_rows[0].to_numpy()[:, 1:2]
    display = plot.intervals(cr, new, test_rows[1], confidence_level=[0.8, 0.9])
    line, = display.ax_.lines
    np.testing.assert_array_equal(line.get_xdata(), np.sort(new[:, 0]))
    np.testing.assert_array_equal(line.get_ydata(), cr.predict(new)[np.argsort(new[:, 0], kind="stable")])
    assert legend_of(display) == ["90 % interval", "80 % interval", "prediction", "target"]
    assert len(colours_of(display.artists_[:2])) == 2


def test_rows_without_the_feature_are_left_out(fitted, test_rows):
    X, y = test_rows
    X = X.assign(b=X["b"].mask(X["a"] > 0))
    display = plot.intervals(fitted, X, y, feature="b")
    assert len(display.artists_[0].get_segments()) == X["b"].notna().sum() < 80


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
    with pytest.raises(ValueError, match="'kind' is not a numeric column"):
        plot.intervals(cr, X.assign(kind="k"), feature="kind")
    plain = ConformalRegressor(**QUICK).fit(X.to_numpy(), y)
    assert plot.intervals(plain, X.to_numpy(), feature=2).ax_.get_xlabel() == "x2"

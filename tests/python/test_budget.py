"""repeats=, time=: f is trained several times, a fixed number or as often as there is time for."""
import numpy as np
import pytest
from conftest import QUICK, make_rows
from sklearn.base import clone
from sklearn.linear_model import LinearRegression

from taut import ConformalRegressor


def test_repeats_are_those_of_the_program():
    X, y = make_rows(200)
    once, twice = (ConformalRegressor(predictor="boost", repeats=repeats, **QUICK).fit(X, y) for repeats in (1, 2))
    assert once.model_.options["repeats"] == 1 and twice.model_.options["repeats"] == 2
    assert not np.array_equal(once.predict(X), twice.predict(X))
    assert clone(twice).get_params()["repeats"] == 2


@pytest.mark.parametrize("time", [1, 0.5, "0.01m", np.float32(0.5)])
def test_a_budget_chooses_options_that_give_the_same_model(time):
    X, y = make_rows(200)
    timed = ConformalRegressor(predictor="linear", localizer="none", random_state=0, time=time).fit(X, y)
    chosen = {name: timed.model_.options[name] for name in ("effort", "repeats")}
    named = ConformalRegressor(predictor="linear", localizer="none", random_state=0, **chosen).fit(X, y)
    np.testing.assert_array_equal(timed.predict_interval(X)[1], named.predict_interval(X)[1])
    assert timed.model_.options["time"] == ""


def test_what_is_refused():
    X, y = make_rows(200)
    for wrong, words in [({"time": "soon"}, "time 'soon' is no time"), ({"time": 0}, "is no time"), ({"repeats": 0}, "repeats is a number from 1 to 1,000"),
                         ({"time": 5, "repeats": 2}, "exclude each other"), ({"repeats": 2, "in_order": True}, "neighbours in time"),
                         ({"time": 5, "split": "cv+"}, "it fits many models")]:
        with pytest.raises(ValueError, match=words):
            ConformalRegressor(**wrong).fit(X, y)
    with pytest.raises(ValueError, match="repeats is about predictors that Taut trains"):
        ConformalRegressor(LinearRegression(), repeats=2).fit(X, y)

"""Messages name X, y and the arguments of the call, no internal names and no types of numpy."""
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows
from sklearn.linear_model import LinearRegression

import taut
from taut import ConformalClassifier, ConformalRegressor

LEAKS = re.compile(r"the arrays|\by_\b|\bprediction_\b|np\.\w+\(|--[a-z]|'taut [a-z]")
PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


@pytest.fixture(scope="module")
def frame():
    """A table that has columns of the usual internal names."""
    X, y = make_rows(120)
    return pd.DataFrame({"y": X[:, 0], "prediction": X[:, 1], "group": X[:, 2], "sample_weight": 1.0 + np.arange(120)}), y


@pytest.fixture(scope="module")
def model(frame):
    return ConformalRegressor(**PLAIN).fit(*frame)


def with_cell(values, row, value):
    changed = np.array(values, dtype=float)
    changed[row] = value
    return changed


MISTAKES = {
    "few rows": lambda X, y, m: ConformalRegressor().fit(X[:3], y[:3]),
    "constant target": lambda X, y, m: ConformalRegressor(**PLAIN).fit(X, y * 0),
    "infinite target": lambda X, y, m: ConformalRegressor(**PLAIN).fit(X, with_cell(y, 5, np.inf)),
    "no inputs": lambda X, y, m: ConformalRegressor(**PLAIN, drop=list(X.columns)).fit(X, y),
    "missing prediction": lambda X, y, m: taut.conformalize(X, with_cell(y, 3, np.nan), y, random_state=0),
    "infinite estimator": lambda X, y, m: ConformalRegressor(lambda rows: np.full(len(rows), np.inf), prefit=True).fit(X, y),
    "group that is absent": lambda X, y, m: ConformalRegressor(**PLAIN, by="region").fit(X, y),
    "group of no scale": lambda X, y, m: ConformalRegressor(**PLAIN, by="scale:5").fit(X, y),
    "group to calibrate": lambda X, y, m: ConformalRegressor(**PLAIN).fit(X, y).calibrate(X, y, by=[np.str_("region")]),
    "group to evaluate": lambda X, y, m: m.evaluate(X, y, by="region"),
    "group to report": lambda X, y, m: m.report(X, y, by="region"),
    "column that is absent": lambda X, y, m: m.predict(X.drop(columns="group")),
    "weights": lambda X, y, m: ConformalRegressor(**PLAIN).fit(X, y).calibrate(X, y, sample_weight=-np.ones(len(y))),
    "level": lambda X, y, m: m.predict_interval(X, np.float64(1.5)),
    "levels": lambda X, y, m: m.evaluate(X, y, np.array([0.9, 0.0])),
    "tails": lambda X, y, m: m.predict_interval(X, tails=np.float64(0.0)),
    "side": lambda X, y, m: m.predict_bound(X, np.str_("left")),
    "alternative": lambda X, y, m: m.p_values(X, y, alternative=np.int64(1)),
    "question": lambda X, y, m: m.ask(X, "nonsense"),
    "container": lambda X, y, m: ConformalRegressor().set_output(transform=np.str_("arrow")),
    "seed": lambda X, y, m: ConformalRegressor(random_state=np.float64(0.5)).fit(X, y),
    "jobs": lambda X, y, m: ConformalRegressor(n_jobs=np.float64(2.0), random_state=0).fit(X, y),
    "depth": lambda X, y, m: ConformalRegressor(depth=np.float64(2.5), random_state=0).fit(X, y),
    "depths": lambda X, y, m: ConformalRegressor(hidden=[np.float64(2.5)], random_state=0).fit(X, y),
    "a text for a number": lambda X, y, m: ConformalRegressor(rate=np.str_("fast"), random_state=0).fit(X, y),
    "split": lambda X, y, m: ConformalRegressor(LinearRegression(), split=np.str_("0.5"), random_state=0).fit(X, y),
    "estimator": lambda X, y, m: ConformalRegressor(np.float64(0.0)).fit(X, y),
    "fitted estimator": lambda X, y, m: ConformalRegressor(np.float64(0.0), prefit=True).fit(X, y),
    "one class": lambda X, y, m: ConformalClassifier().fit(X, np.zeros(len(y))),
    "classifier": lambda X, y, m: ConformalClassifier(np.float64(0.0)).fit(X, y > 0),
    "format": lambda X, y, m: m.export("nothing", format=np.str_("x")),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_errors(mistake, frame, model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ValueError, TypeError)) as told:
            MISTAKES[mistake](*frame, model)
    assert not LEAKS.search(str(told.value)), told.value


def test_messages_of_a_fit(frame):
    X, _ = frame
    cr = ConformalRegressor(**QUICK).fit(X.assign(id=[f"n{i}" for i in range(120)]), np.arange(120) % 9)
    assert cr.messages_ and not LEAKS.search("\n".join(cr.messages_)), cr.messages_
    assert cr.model_.options["target"] == "target"


def test_numbers_of_numpy_are_options(frame):
    X, y = frame
    given = {"y_min": np.float64(-9), "sure": np.float64(0.0), "in_order": np.bool_(False), "gap": np.int64(0), "effort": np.str_("quick")}
    plain = {"y_min": -9.0, "sure": 0.0, "in_order": False, "gap": 0, "effort": "quick"}
    one, other = (ConformalRegressor(**PLAIN, **options).fit(X, y) for options in (given, plain))
    assert one.model_.to_bytes() == other.model_.to_bytes()

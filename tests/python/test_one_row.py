"""One row as a Series of pandas or as a dict: the same numbers as a table of one row, and clear errors."""
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK, make_rows
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from taut import ConformalClassifier, ConformalRegressor, load, look


def mixed(rows=200, seed=0):
    X, y = make_rows(rows, seed)
    frame = pd.DataFrame({
        "number": X[:, 0], "whole": np.round(10 * X[:, 1]).astype(int), "yes": X[:, 2] > 0, "text": np.where(X[:, 0] > 0, "ä", "b"),
        "kind": pd.Categorical(np.where(X[:, 1] > 0, "2", "10")), "when": pd.date_range("2024-01-01", periods=rows, freq="D"),
        "gaps": pd.array([None if i % 3 == 0 else i for i in range(rows)], dtype="Int64")}, index=[f"r{i}" for i in range(rows)])
    return frame, y


@pytest.fixture(scope="module")
def fitted():
    return ConformalRegressor(**QUICK).fit(*mixed())


@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_row_of_mixed_types_is_the_row_of_the_table(fitted, place):
    X, _ = mixed(10, seed=1)
    alone, dictionary = X.iloc[place], X.iloc[place].to_dict()
    assert alone.dtype == object
    for row in (alone, dictionary, dict(reversed(dictionary.items())), pl.DataFrame(X).row(place, named=True)):
        np.testing.assert_array_equal(fitted.predict(row), fitted.predict(X)[place:place + 1])
        np.testing.assert_array_equal(fitted.predict_interval(row)[1], fitted.predict_interval(X)[1][place:place + 1])
    np.testing.assert_array_equal(fitted.predict_quantiles(alone, [0.1, 0.9]), fitted.predict_quantiles(X, [0.1, 0.9])[place:place + 1])
    assert len(fitted.predict_distribution(alone)) == 1 and len(fitted.explain(alone).prediction) == 1


def test_frames_keep_the_name_of_the_row(tmp_path, fitted):
    X, _ = mixed(5, seed=2)
    fitted.save(tmp_path / "m.taut")
    named = load(tmp_path / "m.taut").set_output(transform="pandas")
    assert list(named.predict_interval(X.iloc[2]).index) == ["r2"]
    assert list(named.predict_interval(X.iloc[2].to_dict()).index) == [0]
    assert list(named.predict_distribution(X.iloc[2]).to_frame().index) == ["r2"]


def test_a_row_of_numbers_and_other_estimators():
    X, y = mixed()
    labels = np.where(y > 0, "up", "down")
    cc = ConformalClassifier(random_state=0, effort="quick").fit(X, labels)
    np.testing.assert_array_equal(cc.predict_set(X.iloc[4]), cc.predict_set(X)[4:5])
    assert cc.predict(X.iloc[4]).shape == (1,)
    model = make_pipeline(make_column_transformer((OneHotEncoder(), ["text"]), remainder="drop"), LinearRegression())
    outside = ConformalRegressor(model, **QUICK).fit(X, y)
    np.testing.assert_array_equal(outside.predict(X.iloc[4]), outside.predict(X)[4:5])
    numbers = X[["number", "whole"]]
    plain = ConformalRegressor(predictor="linear", **QUICK).fit(numbers, y)
    assert numbers.iloc[1].dtype == float
    np.testing.assert_array_equal(plain.predict(numbers.iloc[1]), plain.predict(numbers)[1:2])


def test_what_is_not_a_row_is_refused(fitted):
    X, y = mixed(10, seed=3)
    with pytest.raises(ValueError, match=r"X is a Series, which is read as one row .* lacks 'number', 'whole'.* and others; its names begin "
                                         r"with r0, r1, r2.*frame\.iloc\[0\]"):
        fitted.predict(X["number"])
    with pytest.raises(ValueError, match="it lacks 'text'"):
        fitted.predict(X.iloc[0].drop("text"))
    with pytest.raises(ValueError, match="feature names"):  # the message of scikit-learn for tables
        fitted.predict(pd.concat([X.iloc[0], pd.Series({"more": 1})]))
    with pytest.raises(ValueError, match="'number' has several cells"):
        fitted.predict(X.to_dict("list"))
    with pytest.raises(ValueError, match="it is empty"):
        fitted.predict({})
    with pytest.raises(ValueError, match="a name stands twice"):
        fitted.predict(pd.concat([X.iloc[0], X.iloc[0]]))
    with pytest.raises(ValueError, match=r"one column; give X.to_frame\(\)"):
        ConformalRegressor().fit(X["number"], y)
    with pytest.raises(TypeError, match=r"pandas.DataFrame\(X\)"):
        ConformalRegressor().fit(X.to_dict("list"), y)
    with pytest.raises(TypeError, match="look takes a table or an array of two dimensions, got Series"):
        look(X["number"])
    array = ConformalRegressor(predictor="linear", **QUICK).fit(*make_rows(100))
    with pytest.raises(ValueError, match="fitted without names of columns"):
        array.predict(pd.Series([1.0, 2.0, 3.0]))

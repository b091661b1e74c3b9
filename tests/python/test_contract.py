"""scikit-learn's contract: its own checks, and common uses of an estimator."""
import inspect
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, RANDOM_SPLITS, make_rows, slow
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from taut import ConformalRegressor, _core, _options


@pytest.mark.parametrize("regressor", [
    slow(ConformalRegressor()),
    ConformalRegressor(LinearRegression(), epochs=20),
    ConformalRegressor(predictor="knn", localizer="mlp", hidden=(4,), epochs=2),
], ids=["own", "outside", "paper"])
def test_check_estimator(regressor):
    results = check_estimator(regressor, on_fail=None, on_skip=None, expected_failed_checks=RANDOM_SPLITS)
    assert len(results) > 40
    assert {"check_sample_weights_shape", "check_sample_weights_list", "check_sample_weights_not_overwritten"} <= \
        {result["check_name"] for result in results if result["status"] == "passed"}
    assert [(result["check_name"], repr(result["exception"])) for result in results if result["status"] == "failed"] == []


def test_every_option_is_a_parameter_with_its_default_and_its_help():
    signature = inspect.signature(ConformalRegressor).parameters
    assert set(signature) == {*_options.LISTED, "estimator", "prefit", "region", "y_range", "loss", "n_jobs", "verbose"}
    assert {option["name"] for option in _core.options()} == \
        {option["name"] for option in _options.LISTED.values()} | {"target", "prediction", "lower_prediction", "upper_prediction", "sample_weight", "exposure"}
    means_none = ("", 0, float("inf"), -float("inf"), [])  # values that mean "not set" in C++
    documented = " ".join(ConformalRegressor.__doc__.split())
    for name, option in _options.LISTED.items():
        default = signature[name].default
        if default is None:
            assert option["default"] in means_none, name
        else:
            assert (list(default) if isinstance(default, tuple) else default) == option["default"], name
        assert " ".join(option["help"].split()) in documented, name


def test_parameters_of_the_wrong_type_are_type_errors(rows):
    for options in ({"rate": "fast"}, {"epochs": 2.5}, {"hidden": 10}, {"transform": 3}, {"depth": True}, {"n_jobs": "all"}):
        with pytest.raises(TypeError, match=next(iter(options))):
            ConformalRegressor(**options).fit(*rows)
    ConformalRegressor(predictor="linear", localizer="none", knn_rows=np.int64(50)).fit(*rows)


def test_clone_get_params_and_repr():
    cr = ConformalRegressor(LinearRegression(fit_intercept=False), transform="linear", focus=0.9)
    copied = clone(cr)
    assert copied.get_params(deep=False).keys() == cr.get_params(deep=False).keys()
    assert copied.get_params()["transform"] == "linear" and copied.get_params()["estimator__fit_intercept"] is False
    assert copied.set_params(estimator__fit_intercept=True, transform="exp").estimator.fit_intercept
    assert repr(cr) == "ConformalRegressor(estimator=LinearRegression(fit_intercept=False), focus=0.9,\n" \
                       "                   transform='linear')"
    assert is_regressor(cr) and not hasattr(cr, "transform")
    assert get_tags(ConformalRegressor()).input_tags.allow_nan and not get_tags(cr).input_tags.allow_nan


def test_a_clone_of_prefit_keeps_the_fitted_model(rows):
    fitted = LinearRegression().fit(*make_rows(100, seed=7))
    scores = cross_val_score(ConformalRegressor(fitted, prefit=True, **QUICK), *rows, cv=2)
    assert np.isfinite(scores).all()
    assert clone(ConformalRegressor(fitted, prefit=True).set_output(transform="pandas")).estimator is fitted


def test_pipeline_grid_search_and_cross_validation(rows):
    X, y = rows
    inside = make_pipeline(StandardScaler(), ConformalRegressor(LinearRegression(), **QUICK)).fit(X, y)
    assert inside[-1].predict_interval(inside[:-1].transform(X))[1].shape == (300, 2, 1)
    around = ConformalRegressor(make_pipeline(StandardScaler(), LinearRegression()), **QUICK).fit(X, y)
    np.testing.assert_allclose(around.predict(X), inside.predict(X), rtol=1e-9)
    search = GridSearchCV(ConformalRegressor(LinearRegression(), localizer="none", random_state=0),
                          {"estimator__fit_intercept": [True, False], "transform": ["exp", "linear"]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"estimator__fit_intercept", "transform"}
    alone = cross_val_score(ConformalRegressor(predictor="linear", localizer="none", random_state=0), X, y, cv=3)
    beside = cross_val_score(ConformalRegressor(predictor="linear", localizer="none", random_state=0), X, y, cv=3, n_jobs=2)
    np.testing.assert_array_equal(alone, beside)


def test_pickle_and_joblib_keep_every_bit(rows, tmp_path):
    X, y = rows
    for cr in (ConformalRegressor(**QUICK).fit(X, y), ConformalRegressor(LinearRegression(), **QUICK).fit(X, y)):
        buffer = io.BytesIO()
        joblib.dump(cr, buffer)
        buffer.seek(0)
        for copied in (pickle.loads(pickle.dumps(cr)), joblib.load(buffer)):
            np.testing.assert_array_equal(copied.predict_interval(X, [0.5, 0.9])[1], cr.predict_interval(X, [0.5, 0.9])[1])
            assert copied.record_ == cr.record_


def test_sample_weight_of_a_score(rows):
    X, y = rows
    cr = ConformalRegressor(LinearRegression(), **QUICK)
    MultiOutputRegressor(cr).fit(X, np.column_stack([y, y]), sample_weight=np.ones(len(y)))
    assert cr.fit(X, y).score(X, y, sample_weight=np.arange(len(y))) != cr.score(X, y)


@pytest.mark.parametrize("make", [
    LogisticRegression,
    lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    lambda: GridSearchCV(LogisticRegression(), {"C": [1]}),
    lambda: pytest.importorskip("lightgbm").LGBMClassifier(verbose=-1, n_estimators=2),
    lambda: pytest.importorskip("xgboost").XGBClassifier(n_estimators=2)], ids=["plain", "pipeline", "search", "lightgbm", "xgboost"])
def test_a_classifier_is_refused(make, rows):
    classifier, X, y = make(), rows[0], (rows[1] > 0).astype(int)
    words = f"takes a regressor, which predicts numbers; got the classifier {type(classifier).__name__}"
    with pytest.raises(TypeError, match=words):
        ConformalRegressor(classifier).fit(X, y)
    fitted = classifier.fit(X, y)
    for estimator in (fitted, [LinearRegression().fit(X, y), fitted]):
        with pytest.raises(TypeError, match=words):
            ConformalRegressor(estimator, prefit=True).fit(X, y)


def test_random_state(rows):
    X, y = rows

    def lower(random_state):
        return ConformalRegressor(LinearRegression(), localizer="none", random_state=random_state).fit(X, y).predict_interval(X)[1]

    np.testing.assert_array_equal(lower(3), lower(3))
    assert (lower(3) != lower(4)).any()
    np.testing.assert_array_equal(lower(np.random.RandomState(3)), lower(np.random.RandomState(3)))
    np.testing.assert_array_equal(lower(np.random.default_rng(3)), lower(np.random.default_rng(3)))
    np.random.seed(1)
    first = lower(None)
    assert (first != lower(None)).any()
    np.random.seed(1)
    np.testing.assert_array_equal(first, lower(None))
    with pytest.raises(ValueError, match="random_state"):
        lower("zero")


def test_feature_names(rows):
    X, y = rows
    named = pd.DataFrame(X, columns=["a", "b", "c"])
    cr = ConformalRegressor(**QUICK).fit(named, y)
    assert list(cr.feature_names_in_) == ["a", "b", "c"] and cr.n_features_in_ == 3
    with pytest.raises(ValueError, match="feature names"):
        cr.predict(named[["c", "b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_array_equal(cr.predict(X), cr.predict(named))
    plain = ConformalRegressor(**QUICK).fit(X, y)
    assert not hasattr(plain, "feature_names_in_")
    np.testing.assert_array_equal(plain.predict(X), cr.predict(named))
    with pytest.raises(ValueError, match="'a' (is there )?2 times"):
        ConformalRegressor().fit(named.rename(columns={"b": "a"}), y)


def test_set_output(rows):
    X, y = rows
    named = pd.DataFrame(X, columns=["a", "b", "c"], index=range(1000, 1300))
    cr = ConformalRegressor(**QUICK).fit(named, y)
    y_pred, intervals = cr.predict_interval(named, [0.8, 0.95])
    table = cr.set_output(transform="pandas").predict_interval(named, [0.8, 0.95])
    assert list(table.columns) == ["prediction", "lower_0.8", "upper_0.8", "lower_0.95", "upper_0.95"]
    assert list(table.index) == list(named.index)
    np.testing.assert_array_equal(table["upper_0.95"], intervals[:, 1, 1])
    polars = cr.set_output(transform="polars").predict_interval(named, 0.8)
    np.testing.assert_array_equal(polars["prediction"].to_numpy(), y_pred)
    assert clone(cr)._container == "polars"
    assert len(cr.set_output(transform="default").predict_interval(named)) == 2
    with pytest.raises(ValueError, match="set_output"):
        cr.set_output(transform="excel")


def test_not_fitted(rows):
    X, y = rows
    for call in ("predict", "predict_interval", "calibrate", "evaluate", "save", "report"):
        arguments = {"save": ["m.taut"], "predict": [X], "predict_interval": [X], "report": [X, y, "r.html"]}.get(call, [X, y])
        with pytest.raises(NotFittedError):
            getattr(ConformalRegressor(), call)(*arguments)

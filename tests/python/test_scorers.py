"""Scorers: metrics of intervals for model selection in scikit-learn."""
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import taut
from taut import ConformalRegressor, metrics

SCORERS = [name for name in metrics.__all__ if name.endswith("_scorer")]
BY_HAND = {
    "interval_score_scorer": lambda X, y, intervals: -metrics.interval_score(y, intervals, 0.8),
    "mean_width_scorer": lambda X, y, intervals: -metrics.mean_width(intervals),
    "coverage_scorer": lambda X, y, intervals: metrics.coverage(y, intervals),
    "worst_slab_coverage_scorer": lambda X, y, intervals: metrics.worst_slab_coverage(X, y, intervals),
}
PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


@pytest.mark.parametrize("name", SCORERS)
def test_they_are_the_metrics_with_their_sign(name, rows, fresh):
    X, y = fresh
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    scorer = getattr(metrics, name)(0.8)
    expected = BY_HAND[name](X, y, cr.predict_interval(X, 0.8)[1][:, :, 0])
    assert scorer(cr, X, y) == expected
    assert pickle.loads(pickle.dumps(scorer))(cr, X, pd.Series(y)) == expected
    assert scorer(cr.set_output(transform="pandas"), X, y) == expected
    assert "0.8" in repr(scorer)


@pytest.mark.parametrize("name", SCORERS)
def test_cross_validation_takes_them(name, rows):
    X, y = rows
    cv = KFold(3)
    scores = cross_val_score(ConformalRegressor(**PLAIN), X, y, cv=cv, scoring=getattr(metrics, name)(0.8), error_score="raise")
    for score, (train, test) in zip(scores, cv.split(X)):
        cr = ConformalRegressor(**PLAIN).fit(X[train], y[train])
        assert score == BY_HAND[name](X[test], y[test], cr.predict_interval(X[test], 0.8)[1][:, :, 0])
    np.testing.assert_array_equal(scores, cross_val_score(
        ConformalRegressor(**PLAIN), X, y, cv=cv, scoring=getattr(metrics, name)(0.8), n_jobs=2))


def test_grid_search_chooses_an_option_that_r2_cannot_see():
    X, y = make_rows(600)
    grid = {"localizer": ["none", "boost"]}
    search = GridSearchCV(ConformalRegressor(predictor="linear", **QUICK), grid, cv=3, error_score="raise",
                          scoring=metrics.interval_score_scorer(0.9)).fit(X, y)
    assert search.best_params_ == {"localizer": "boost"}  # noise grows with |x1|
    assert search.cv_results_["mean_test_score"][1] == search.best_score_ > search.cv_results_["mean_test_score"][0]
    blind = GridSearchCV(ConformalRegressor(predictor="linear", **QUICK), grid, cv=3).fit(X, y)
    assert len(set(blind.cv_results_["mean_test_score"])) == 1


def test_several_at_once_and_in_a_pipeline(rows):
    X, y = rows
    pipeline = make_pipeline(StandardScaler(), ConformalRegressor(LinearRegression(), localizer="none", random_state=0))
    scoring = {name: getattr(metrics, name)(0.9) for name in SCORERS}
    results = cross_validate(pipeline, X, y, cv=3, scoring=scoring, error_score="raise")
    cv = KFold(3)
    for fold, (train, test) in enumerate(cv.split(X)):
        fitted = pipeline.fit(X[train], y[train])
        _, intervals = fitted[-1].predict_interval(fitted[:-1].transform(X[test]), 0.9)
        assert results["test_coverage_scorer"][fold] == metrics.coverage(y[test], intervals[:, :, 0])


@pytest.mark.parametrize("name", ["interval_score_scorer", "mean_width_scorer"])
def test_the_whole_line_is_the_worst_not_the_narrowest(name, rows, fresh):
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with pytest.warns(taut.TooFewRowsWarning):
        assert getattr(metrics, name)(0.999)(cr, *fresh) == -np.inf


def test_misuse(rows):
    with pytest.raises(TypeError, match="got LinearRegression: it has no intervals to score"):
        metrics.coverage_scorer(0.9)(LinearRegression().fit(*rows), *rows)
    with pytest.raises(ValueError, match="0 and 1"):
        metrics.coverage_scorer(1.5)
    with pytest.raises(ValueError, match="one confidence level"):
        metrics.coverage_scorer([0.8, 0.9])

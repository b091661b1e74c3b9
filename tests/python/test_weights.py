"""Weights of rows and exposures in Python."""
import numpy as np
import pandas as pd
import pytest
import sklearn
from conftest import QUICK
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from taut import ConformalClassifier, ConformalRegressor

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


@pytest.fixture
def weights():
    return np.random.default_rng(1).choice([0, 0.5, 1, 4], size=300)


def test_zero_is_absence(rows, weights):
    (X, y), kept = rows, weights > 0
    for options in (PLAIN, QUICK):
        all_rows = ConformalRegressor(**options).fit(X, y, sample_weight=weights)
        some = ConformalRegressor(**options).fit(X[kept], y[kept], sample_weight=weights[kept])
        np.testing.assert_array_equal(all_rows.predict_interval(X)[1], some.predict_interval(X)[1])
    assert (all_rows.predict(X) != ConformalRegressor(**QUICK).fit(X[kept], y[kept]).predict(X)).any()


def test_weights_of_a_column_of_a_frame(rows, weights):
    X, y = rows
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(w=weights)
    named = ConformalRegressor(**PLAIN).fit(frame, y, sample_weight="w")
    array = ConformalRegressor(**PLAIN).fit(frame[["a", "b", "c"]], y, sample_weight=list(weights))
    np.testing.assert_array_equal(named.predict(frame), array.predict(frame[["a", "b", "c"]]))
    assert {fact["name"]: fact["use"] for fact in named.columns_}["w"] == "left out"
    with pytest.raises(ValueError, match="X has no column 'v'"):
        ConformalRegressor(**PLAIN).fit(frame, y, sample_weight="v")
    with pytest.raises(ValueError, match="the estimator would see the column 'w'"):
        ConformalRegressor(LinearRegression(), **QUICK).fit(frame, y, sample_weight="w")
    with pytest.raises(ValueError, match="a number for each of the 300 rows"):
        ConformalRegressor(**PLAIN).fit(X, y, sample_weight=weights[:-1])


def test_estimators_get_the_weights(rows, weights):
    (X, y), seen = rows, []

    class Recorded(LinearRegression):
        def fit(self, X, y, sample_weight=None):
            seen.append((len(y), None if sample_weight is None else np.array(sample_weight)))
            return super().fit(X, y, sample_weight)

    ConformalRegressor(Recorded(), **QUICK).fit(X, y, sample_weight=weights)
    assert len(seen) == 5 and all(len(w) == count and (w > 0).all() for count, w in seen)
    with pytest.raises(ValueError, match="KNeighborsRegressor takes no weights"):
        ConformalRegressor(KNeighborsRegressor(), **QUICK).fit(X, y, sample_weight=weights)
    weights[3] = -1
    seen.clear()
    with pytest.raises(ValueError, match="row 3.*not negative"):
        ConformalRegressor(Recorded(), **QUICK).fit(X, y, sample_weight=weights)
    assert seen == []


def test_metadata_routing(rows, weights):
    X, y = rows
    with sklearn.config_context(enable_metadata_routing=True):
        model = ConformalRegressor(**PLAIN).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        inside = make_pipeline(scaler, model).fit(X, y, sample_weight=weights)
        alone = ConformalRegressor(**PLAIN).fit(inside[:-1].transform(X), y, sample_weight=weights)
        np.testing.assert_array_equal(inside.predict(X), alone.predict(inside[:-1].transform(X)))
        search = GridSearchCV(make_pipeline(scaler, model), {"conformalregressor__transform": ["exp", "fixed"]}, cv=2)
        search.fit(X, y, sample_weight=weights + 0.1)
        routed = make_pipeline(scaler, LinearRegression().set_fit_request(sample_weight=True))
        around = ConformalRegressor(routed, **QUICK).fit(X, y, sample_weight=weights)
        assert (around.predict(X) != ConformalRegressor(routed, **QUICK).fit(X, y).predict(X)).any()
    assert np.isfinite(alone.score(X, y, sample_weight=weights))


def test_calibrate_by_weight(rows, weights):
    X, y = rows
    cr = ConformalRegressor(calibrate_by_weight=True, **PLAIN).fit(X, y, sample_weight=weights)
    assert cr.model_.calibration["kind"] == "weighted"
    with pytest.raises(ValueError, match="give sample_weight"):
        cr.predict_interval(X)
    _, intervals = cr.predict_interval(X[:2], 0.8, sample_weight=[1, 1e9])
    assert np.isfinite(intervals[0]).all() and np.isinf(intervals[1]).all()
    with pytest.raises(ValueError, match="calibrate_by_weight needs"):
        ConformalRegressor(calibrate_by_weight=True, **PLAIN).fit(X, y)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_evaluate_by_weight(rows, weights):
    X, y = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y)
    found = cr.evaluate(X, y, [0.5, 0.9], sample_weight=weights)["weighted"]
    _, intervals = cr.predict_interval(X, [0.5, 0.9])
    covered = (intervals[:, 0] <= y[:, None]) & (y[:, None] <= intervals[:, 1])
    np.testing.assert_allclose([level["coverage"] for level in found["levels"]], np.average(covered, axis=0, weights=weights), rtol=1e-12)
    assert found["effective_rows"] == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert "weighted" not in cr.evaluate(X, y)
    cc = ConformalClassifier(random_state=0, effort="quick").fit(X, y > 0)
    assert 0 < cc.evaluate(X, y > 0, sample_weight=weights)["weighted"]["levels"][0]["coverage"] <= 1


def test_classifier(rows, weights):
    X, y = rows[0], np.where(rows[1] > 0, "up", "down")
    kept = weights > 0
    for estimator in (None, LogisticRegression()):
        make = lambda: ConformalClassifier(estimator, random_state=0, effort="quick")  # noqa: E731
        some, everything = make().fit(X[kept], y[kept], sample_weight=weights[kept]), make().fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(some.predict_proba(X), everything.predict_proba(X))
    up = make().fit(X, y, sample_weight=np.where(y == "up", 5, 1)).predict_proba(X)[:, 1].mean()
    assert up > make().fit(X, y).predict_proba(X)[:, 1].mean() + 0.05


def test_exposure():
    rng = np.random.default_rng(3)
    X, years = rng.uniform(size=(400, 2)), rng.choice([0.25, 1.0, 4.0], size=400)
    y = rng.poisson(years * (10 + 5 * X[:, 0])).astype(float)
    make = lambda: ConformalRegressor(effort="quick", random_state=0, y_min=0, y_step=1)  # noqa: E731
    cr = make().fit(X, y, exposure=years)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(years=years)
    named = make().fit(frame, y, exposure="years")
    np.testing.assert_array_equal(cr.predict(X, exposure=years), named.predict(frame))
    np.testing.assert_array_equal(cr.predict_interval(X, exposure=years)[1], named.predict_interval(frame)[1])
    np.testing.assert_allclose(cr.predict(X, exposure=4 * years), 4 * cr.predict(X, exposure=years))
    intervals = named.predict_interval(frame)[1][:, :, 0]
    assert ((intervals == np.round(intervals)) & (intervals >= 0)).all()
    assert np.mean((intervals[:, 0] <= y) & (y <= intervals[:, 1])) > 0.85
    quantiles = named.predict_quantiles(frame, [0.1, 0.9])
    assert (quantiles[:, 0] <= quantiles[:, 1]).all()
    with pytest.raises(ValueError, match="fitted with exposures"):
        cr.predict(X)
    with pytest.raises(ValueError, match="above 0"):
        make().fit(X, y, exposure=np.zeros(400))
    with pytest.raises(ValueError, match="leave the estimator out"):
        ConformalRegressor(LinearRegression()).fit(X, y, exposure=years)
    with pytest.raises(ValueError, match="fitted without exposures"):
        make().fit(X, y).predict(X, exposure=years)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rows_of_weight_zero_may_lack_a_target(rows, weights):
    (X, y), kept = rows, weights > 0
    holes = np.where(kept, y, np.nan)
    for make in (lambda: ConformalRegressor(**PLAIN), lambda: ConformalRegressor(LinearRegression(), **QUICK)):
        some, everything = make().fit(X[kept], y[kept], sample_weight=weights[kept]), make().fit(X, holes, sample_weight=weights)
        np.testing.assert_array_equal(some.predict_interval(X)[1], everything.predict_interval(X)[1])
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(w=weights)
    named = ConformalRegressor(**PLAIN).fit(frame, holes, sample_weight="w")
    expected = ConformalRegressor(**PLAIN).fit(frame, y, sample_weight="w").calibrate(frame[kept], y[kept]).predict_interval(frame)[1]
    np.testing.assert_array_equal(named.calibrate(frame, holes).predict_interval(frame)[1], expected)
    found = named.evaluate(frame, holes, sample_weight=weights)["weighted"]
    assert found == named.evaluate(frame[kept], y[kept], sample_weight=weights[kept])["weighted"]
    with pytest.raises(ValueError, match="have no target"):
        ConformalRegressor(**PLAIN).fit(X, np.where(np.arange(300) == np.flatnonzero(kept)[0], np.nan, y), sample_weight=weights)
    labels = np.where(kept, np.where(y > 0, "up", "down").astype(object), None)
    cc = ConformalClassifier(random_state=0, effort="quick")
    one, other = cc.fit(X, labels, sample_weight=weights).predict_proba(X), cc.fit(X[kept], labels[kept], sample_weight=weights[kept]).predict_proba(X)
    np.testing.assert_array_equal(one, other)


def test_an_array_beside_a_column_is_refused(rows, weights):
    X, y = rows
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(w=weights + 1)
    cr = ConformalRegressor(calibrate_by_weight=True, **PLAIN).fit(frame, y, sample_weight="w")
    with pytest.raises(ValueError, match="sample_weight: X has the column 'w'; give one of them"):
        cr.predict_interval(frame, sample_weight=np.ones(300))
    cr = ConformalRegressor(**QUICK).fit(frame, np.abs(y), exposure="w")
    for ask in (lambda: cr.predict(frame, exposure=np.ones(300)), lambda: cr.predict_interval(frame, exposure=np.ones(300)),
                lambda: cr.calibrate(frame, np.abs(y), exposure=np.ones(300)), lambda: cr.evaluate(frame, np.abs(y), exposure=np.ones(300))):
        with pytest.raises(ValueError, match="exposure: X has the column 'w'; give one of them"):
            ask()
    with pytest.raises(ValueError, match="fitted with the column 'w', got 'a'"):
        cr.predict(frame, exposure="a")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_question_takes_exposures():
    rng = np.random.default_rng(3)
    X, years = pd.DataFrame(rng.uniform(size=(300, 2)), columns=["a", "b"]), rng.choice([0.25, 1.0, 4.0], size=300)
    y = years * (10 + 5 * X["a"]) + np.sqrt(years) * rng.normal(size=300)
    options = {"effort": "quick", "random_state": 0}
    cr, named = ConformalRegressor(**options).fit(X, y, exposure=years), ConformalRegressor(**options).fit(X.assign(years=years), y, exposure="years")
    frame = X.assign(years=years)
    questions = [lambda m, X, **e: m.predict_quantiles(X, [0.1, 0.9], **e), lambda m, X, **e: m.predict_bound(X, "upper", **e),
                 lambda m, X, **e: m.ask(X, "mean", **e), lambda m, X, **e: m.predict_distribution(X, **e).mean(), lambda m, X, **e: m.p_values(X, y, **e),
                 lambda m, X, **e: m.predict_interval(X, tails="equal", **e)[1]]
    for ask in questions:
        np.testing.assert_array_equal(ask(cr, X, exposure=years), ask(named, frame))
        np.testing.assert_array_equal(ask(cr, X.assign(exposure=years)), ask(named, frame))  # the column that the message names
        with pytest.raises(ValueError, match="give exposure=..., a number for each row, or a column 'exposure' of X"):
            ask(cr, X)
    assert cr.check_shift(X, exposure=years) == named.check_shift(frame)
    with pytest.raises(ValueError, match="give towards_exposure="):
        cr.calibrate(X, y, exposure=years, towards=X)
    cr.calibrate(X, y, exposure=years, towards=X, towards_exposure=years)
    for refused in (lambda: cr.explain(X), lambda: cr.distil(X), lambda: cr.update(X, y), lambda: cr.stream(X, y), lambda: cr.report(X, y)):
        with pytest.raises(ValueError, match="cannot take a model with exposures"):
            refused()

"""One predictive distribution per row: quantiles, bounds, distributions and p-values, compared with other libraries on the same residuals."""
import pickle

import joblib
import numpy as np
import pytest
from conftest import make_rows
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_pinball_loss
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from taut import ConformalRegressor, TooFewRowsWarning, metrics

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    return ConformalRegressor(**PLAIN).fit(*make_rows(500)), *make_rows(200, seed=1)


def test_any_listed_question_can_be_asked(fitted):
    cr, X, y = fitted
    distribution = cr.predict_distribution(X)
    np.testing.assert_array_equal(cr.ask(X, "mean")[:, 0], distribution.mean())
    np.testing.assert_array_equal(cr.ask(X, ask=["quantile:0.9", "upper:0.9"]), cr.ask(X, "quantile:0.9,upper:0.9"))
    np.testing.assert_array_equal(cr.ask(X, "cdf,crps", values=y), np.column_stack([distribution.cdf(y), distribution.crps(y)]))
    with pytest.raises(ValueError, match="crsp"):
        cr.ask(X, "crsp")


def test_answers_agree(fitted):
    cr, X, y = fitted
    quantiles = cr.predict_quantiles(X, [0.05, 0.1, 0.5, 0.9, 0.95])
    assert quantiles.shape == (200, 5) and (np.diff(quantiles) >= 0).all()
    np.testing.assert_array_equal(quantiles[:, 3], cr.predict_bound(X, "upper", 0.9))
    np.testing.assert_array_equal(quantiles[:, 1], cr.predict_bound(X, "lower", 0.9))
    distribution = cr.predict_distribution(X)
    np.testing.assert_array_equal(distribution.ppf(0.9), quantiles[:, 3])
    np.testing.assert_array_equal(distribution.interval(0.9), cr.predict_interval(X, 0.9)[1][:, :, 0])
    rising = np.column_stack([distribution.cdf(value) for value in np.linspace(-4, 4, 9)])
    assert (np.diff(rising) >= 0).all() and (rising >= 0).all() and (rising <= 1).all()
    assert abs(distribution.cdf(y).mean() - 0.5) < 0.1
    assert distribution.rvs(7, random_state=1).shape == (200, 7)
    np.testing.assert_array_equal(distribution.rvs(7, random_state=1), distribution.rvs(7, random_state=1))


def test_numbers_of_an_empirical_distribution(fitted):
    cr, X, y = fitted
    distribution, scores = cr.predict_distribution(X), np.sort(cr.model_.scores)
    f = cr.predict(X)
    draws = distribution.rvs(20_000, random_state=3)[0]
    for value in np.quantile(draws, [0.1, 0.3, 0.5, 0.8, 0.95]):  # the share of random values up to v is cdf(v)
        assert abs((draws <= value).mean() - distribution.cdf(value)[0]) < 0.02 + 1 / len(scores)
    values = np.concatenate([distribution.ppf(np.arange(1, len(scores) + 1) / (len(scores) + 1))[0]])
    np.testing.assert_allclose(distribution.mean()[0], values.mean(), rtol=1e-9)
    crps = np.abs(values - y[0]).mean() - np.abs(values[:, None] - values).mean() / 2
    np.testing.assert_allclose(distribution.crps(y)[0], crps, rtol=1e-9)


def test_p_values(fitted):
    cr, X, y = fitted
    p, smooth = cr.p_values(X, y), cr.p_values(X, y, smooth=1)
    assert ((0 <= smooth) & (smooth <= p) & (p <= 1)).all()
    inside = cr.predict_interval(X, 0.9)[1][:, :, 0]
    np.testing.assert_array_equal((inside[:, 0] <= y) & (y <= inside[:, 1]), p > 0.1 - 1e-12)


def test_one_sided_p_values(fitted):
    cr, X, y = fitted
    less, greater = (cr.p_values(X, y, alternative=side) for side in ("less", "greater"))
    np.testing.assert_array_equal(less <= 0.1 - 1e-12, y < cr.predict_bound(X, "lower", 0.9))
    np.testing.assert_array_equal(greater <= 0.1 - 1e-12, y > cr.predict_bound(X, "upper", 0.9))
    np.testing.assert_array_equal(cr.p_values(X, y, alternative="two-sided"), cr.p_values(X, y))
    n = cr.record_["calibration_rows"]
    np.testing.assert_allclose(less + greater, (n + 2) / (n + 1))  # without ties the row itself is counted on both sides


def test_equal_tails(fitted):
    cr, X, y = fitted
    f, intervals = cr.predict_interval(X, [0.8, 0.9], tails="equal")
    assert intervals.shape == (200, 2, 2)
    np.testing.assert_array_equal(f, cr.predict(X))
    for i, bound in enumerate([0.9, 0.95]):
        np.testing.assert_array_equal(intervals[:, 0, i], cr.predict_bound(X, "lower", bound))
        np.testing.assert_array_equal(intervals[:, 1, i], cr.predict_bound(X, "upper", bound))
    frame = ConformalRegressor(**PLAIN).fit(*make_rows(500)).set_output(transform="pandas").predict_interval(X, 0.8, tails="equal")
    np.testing.assert_array_equal(frame["upper_0.8"], intervals[:, 1, 0])
    assert cr.predict_interval(X[:0], 0.9, tails="equal")[1].shape == (0, 2, 1)


def test_too_few_rows_are_a_warning_with_the_number_that_serves():
    X, y = make_rows(16)
    cr = ConformalRegressor(**PLAIN).fit(X, y)  # 8 calibration rows
    for ask, words in [(lambda: cr.predict_bound(X, "upper", 0.95), "the upper bound at 0.95"),
                       (lambda: cr.predict_quantiles(X, [0.05]), "the quantile 0.05"),
                       (lambda: cr.predict_interval(X, 0.9, tails="equal"), "each tail of an interval at 0.9")]:
        with pytest.warns(TooFewRowsWarning, match=f"8 calibration rows are too few for {words}, .* at least 19 are needed"):
            answer = ask()
        assert np.isinf(answer[1] if isinstance(answer, tuple) else answer).all()


def test_quantile_estimator(fitted):
    """The contract of an estimator that is already fitted: like FrozenEstimator, fit and clone keep it."""
    cr, X, y = fitted
    p90 = cr.quantile_estimator(0.9)
    expected = cr.predict_quantiles(X, [0.9])[:, 0]
    np.testing.assert_array_equal(p90.predict(X), expected)
    assert is_regressor(p90) and p90.n_features_in_ == X.shape[1]
    for same in (clone(p90), pickle.loads(pickle.dumps(p90)), p90.fit(X, y), type(p90)(**p90.get_params())):
        np.testing.assert_array_equal(same.predict(X), expected)
    assert clone(p90).get_params() == {"regressor": cr, "quantile": 0.9}
    np.testing.assert_array_equal(clone(p90).set_params(quantile=0.1).predict(X), cr.predict_quantiles(X, [0.1])[:, 0])
    assert p90.score(X, y) == -mean_pinball_loss(y, expected, alpha=0.9)
    pipeline = make_pipeline(StandardScaler(), cr.quantile_estimator(0.5))
    assert pipeline.fit(X, y).predict(X).shape == (200,)
    assert len(cross_val_score(p90, X, y, cv=3, error_score="raise")) == 3
    with pytest.raises(NotFittedError):
        ConformalRegressor().quantile_estimator(0.9).fit(X, y)
    with pytest.raises(NotFittedError):
        ConformalRegressor().quantile_estimator(0.9).predict(X)
    with pytest.raises(ValueError, match="between 0 and 1"):
        cr.quantile_estimator(1.0).predict(X)


def test_quantile_estimator_of_an_outside_model_and_joblib(tmp_path):
    X, y = make_rows(300)
    estimator = ConformalRegressor(LinearRegression(), localizer="none", random_state=0).fit(X, y).quantile_estimator(0.8)
    joblib.dump(estimator, tmp_path / "q.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "q.joblib").predict(X), estimator.predict(X))


def test_evaluate_tells_the_distribution(fitted):
    cr, X, y = fitted
    distribution, told = cr.predict_distribution(X), cr.evaluate(X, y)["distribution"]
    probabilities = [quantile["p"] for quantile in told["quantiles"]]
    assert probabilities == [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    np.testing.assert_allclose(told["crps"], distribution.crps(y).mean(), rtol=1e-12)
    assert metrics.negative_crps(cr, X, y) == -distribution.crps(y).mean()
    quantiles = cr.predict_quantiles(X, probabilities)
    losses = metrics.pinball_loss(y, quantiles, probabilities)
    np.testing.assert_allclose([quantile["pinball"] for quantile in told["quantiles"]], losses, rtol=1e-12)
    np.testing.assert_allclose(losses, [mean_pinball_loss(y, q, alpha=p) for q, p in zip(quantiles.T, probabilities)], rtol=1e-12)
    np.testing.assert_allclose(told["pinball"], losses.mean(), rtol=1e-12)
    assert [quantile["at_or_below"] for quantile in told["quantiles"]] == list((y[:, None] <= quantiles).mean(axis=0))
    smooth = cr.p_values(X, y, smooth=0)  # the seed of the fit
    assert [limit["share"] for limit in told["p_values"]] == [(smooth <= limit["at_most"]).mean() for limit in told["p_values"]]


def test_bad_questions(fitted):
    cr, X, y = fitted
    for call, words in [(lambda: cr.p_values(X, y, alternative="more"), "'two-sided', 'less', 'greater', got 'more'"),
                        (lambda: cr.predict_interval(X, 0.9, tails="one"), "'both' or 'equal', got 'one'"),
                        (lambda: cr.predict_interval(X, 0.9, tails="equal", smooth=1), "tails='both'"),
                        (lambda: metrics.pinball_loss(y, np.zeros((3, 2)), [0.1, 0.9]), r"\(200, 2\)")]:
        with pytest.raises(ValueError, match=words):
            call()
    for call in [lambda: cr.predict_bound(X, "both", 0.9), lambda: cr.predict_quantiles(X, [0.0]), lambda: cr.predict_quantiles(X, 1.5),
                 lambda: cr.predict_distribution(X).cdf(np.zeros(3)), lambda: cr.predict_distribution(X).cdf(np.inf),
                 lambda: cr.predict_distribution(X).rvs(0)]:
        with pytest.raises(ValueError):
            call()


def test_percentiles_and_p_values_of_crepes():
    """With a constant width our ranks are those of crepes' predictive systems on the same signed residuals. Our `cdf` is calibrated at values instead."""
    base = pytest.importorskip("crepes.base")
    rng = np.random.default_rng(5)
    X, f, y = rng.normal(size=(99, 1)), rng.normal(size=99), rng.normal(size=99)
    cr = ConformalRegressor(prefit=True, localizer="none", split="0,0,0,1").fit(X, y, y_pred=f)
    system = base.ConformalPredictiveSystem().fit(y - f)
    new, value = rng.normal(size=20), rng.normal(size=20)
    ours = cr.predict_quantiles(np.zeros((20, 1)), [0.1, 0.2, 0.8, 0.9], y_pred=new)
    theirs = system.predict_percentiles(new, lower_percentiles=[10, 20], higher_percentiles=[80, 90])
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    below = cr.p_values(np.zeros((20, 1)), value, y_pred=new, alternative="less")
    np.testing.assert_allclose(below, system.predict_p(new, value, smoothing=False), rtol=1e-12)

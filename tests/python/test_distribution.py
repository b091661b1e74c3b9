"""One law a row: quantiles, bounds, distributions, p-values, beside the peers on the same residuals."""
import numpy as np
import pytest
from conftest import make_rows

from taut import ConformalRegressor

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    return ConformalRegressor(**PLAIN).fit(*make_rows(500)), *make_rows(200, seed=1)


def test_answers_agree(fitted):
    cr, X, y = fitted
    quantiles = cr.predict_quantiles(X, [0.05, 0.1, 0.5, 0.9, 0.95])
    assert quantiles.shape == (200, 5) and (np.diff(quantiles) >= 0).all()
    np.testing.assert_array_equal(quantiles[:, 3], cr.predict_bound(X, "upper", 0.9))
    np.testing.assert_array_equal(quantiles[:, 1], cr.predict_bound(X, "lower", 0.9))
    law = cr.predict_distribution(X)
    np.testing.assert_array_equal(law.ppf(0.9), quantiles[:, 3])
    np.testing.assert_array_equal(law.interval(0.9), cr.predict_interval(X, 0.9)[1][:, :, 0])
    step = 1 / (cr.record_["calibration_rows"] + 1)
    assert (np.abs(law.cdf(law.ppf(0.9)) - 0.9) <= step).all()
    assert law.rvs(7, random_state=1).shape == (200, 7)
    np.testing.assert_array_equal(law.rvs(7, random_state=1), law.rvs(7, random_state=1))


def test_numbers_of_an_empirical_law(fitted):
    cr, X, y = fitted
    law, scores = cr.predict_distribution(X), np.sort(cr.model_.scores)
    f = cr.predict(X)
    draws = np.sort(law.rvs(20_000, random_state=3)[0] - f[0])
    assert set(np.round(np.abs(draws), 9)) <= set(np.round(scores, 9))  # one width everywhere: residuals of calibration rows
    values = np.concatenate([law.ppf(np.arange(1, len(scores) + 1) / (len(scores) + 1))[0]])
    np.testing.assert_allclose(law.mean()[0], values.mean(), rtol=1e-9)
    crps = np.abs(values - y[0]).mean() - np.abs(values[:, None] - values).mean() / 2
    np.testing.assert_allclose(law.crps(y)[0], crps, rtol=1e-9)


def test_p_values(fitted):
    cr, X, y = fitted
    p, smooth = cr.p_values(X, y), cr.p_values(X, y, smooth=1)
    assert ((0 <= smooth) & (smooth <= p) & (p <= 1)).all()
    inside = cr.predict_interval(X, 0.9)[1][:, :, 0]
    np.testing.assert_array_equal((inside[:, 0] <= y) & (y <= inside[:, 1]), p > 0.1 - 1e-12)


def test_bad_questions(fitted):
    cr, X, y = fitted
    for call in [lambda: cr.predict_bound(X, "both", 0.9), lambda: cr.predict_quantiles(X, [0.0]), lambda: cr.predict_quantiles(X, 1.5),
                 lambda: cr.predict_distribution(X).cdf(np.zeros(3)), lambda: cr.predict_distribution(X).cdf(np.inf),
                 lambda: cr.predict_distribution(X).rvs(0)]:
        with pytest.raises(ValueError):
            call()


def test_percentiles_and_p_values_of_crepes():
    """Without adaptation our law is that of crepes' predictive systems on the same signed residuals."""
    base = pytest.importorskip("crepes.base")
    rng = np.random.default_rng(5)
    X, f, y = rng.normal(size=(99, 1)), rng.normal(size=99), rng.normal(size=99)
    cr = ConformalRegressor(prefit=True, localizer="none", split="0,0,0,1").fit(X, y, y_pred=f)
    system = base.ConformalPredictiveSystem().fit(y - f)
    new, value = rng.normal(size=20), rng.normal(size=20)
    ours = cr.predict_quantiles(np.zeros((20, 1)), [0.1, 0.2, 0.8, 0.9], y_pred=new)
    theirs = system.predict_percentiles(new, lower_percentiles=[10, 20], higher_percentiles=[80, 90])
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    cdf = cr.predict_distribution(np.zeros((20, 1)), y_pred=new).cdf(value)
    np.testing.assert_allclose(cdf + 0.005, system.predict_p(new, value, smoothing=False), rtol=1e-12)  # the upper end of the band

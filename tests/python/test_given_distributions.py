"""Models that predict distributions as the base: recognised by their methods, or quantiles by level in y_pred."""
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import QuantileRegressor

import taut
from taut import ConformalRegressor, _distributions

OPTIONS = {"random_state": 0, "transform": "exp"}


def data(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 1, size=(rows, 2))
    return X, 3 * X[:, 0] + (0.1 + X[:, 0]) * rng.normal(size=rows)


def quantiles(X, levels):
    """Logistic quantiles around the true middle, with constant noise."""
    levels = np.asarray(levels, dtype=float)
    return 3 * np.asarray(X)[:, :1] + 0.3 * np.log(levels / (1 - levels))


# Stand-ins with the interfaces of packages that need not be installed.


class LikeTabPFN:
    def predict(self, X, *, output_type="mean", quantiles=None):
        if output_type == "mean":
            return 3 * X[:, 0]
        return [column for column in globals()["quantiles"](X, quantiles).T]  # a list, one array for each level


class LikeTabICL:
    def predict(self, X, output_type="mean", alphas=None):
        return 3 * X[:, 0] if output_type == "mean" else quantiles(X, alphas)


class LikeSkpro:
    def predict(self, X):
        return 3 * X[:, 0]

    def predict_quantiles(self, X, alpha):
        return pd.DataFrame(quantiles(X, alpha))


class LikeNGBoost:
    class Distribution:
        def __init__(self, X):
            self.X = X

        def ppf(self, level):
            return quantiles(self.X, [level])[:, 0]

    def predict(self, X):
        return 3 * X[:, 0]

    def pred_dist(self, X):
        return self.Distribution(X)


class LikeQuantileForest:
    def predict(self, X, quantiles=None):
        return 3 * X[:, 0] if quantiles is None else globals()["quantiles"](X, quantiles)


class LikeCatBoost:
    def get_all_params(self):
        return {}

    def get_param(self, name):
        return "MultiQuantile:alpha=0.9,0.1,0.5"

    def predict(self, X):
        return quantiles(X, [0.9, 0.1, 0.5])


FLEXIBLE = [LikeTabPFN(), LikeTabICL(), LikeSkpro(), LikeNGBoost(), LikeQuantileForest()]


@pytest.mark.parametrize("model", FLEXIBLE, ids=lambda model: type(model).__name__)
def test_every_interface_gives_the_same_answers(model):
    X, y = data(200, 0)
    new, _ = data(20, 1)
    cr = ConformalRegressor(model, prefit=True, **OPTIONS).fit(X, y)
    assert _distributions.levels_in(cr.model_.options) == _distributions.LEVELS
    expected = ConformalRegressor(prefit=True, **OPTIONS).fit(
        X, y, y_pred={level: quantiles(X, [level])[:, 0] for level in _distributions.LEVELS})
    y_pred, intervals = cr.predict_interval(new, [0.5, 0.9])
    given = quantiles(new, _distributions.LEVELS)
    np.testing.assert_array_equal(intervals, expected.predict_interval(new, [0.5, 0.9], y_pred=given)[1])
    np.testing.assert_allclose(y_pred, 3 * new[:, 0])
    np.testing.assert_array_equal(cr.predict(new), y_pred)


def test_models_of_fixed_levels():
    X, y = data(300, 0)
    new, _ = data(20, 1)
    levels = (0.1, 0.5, 0.9)
    fixed = ConformalRegressor(LikeCatBoost(), prefit=True, **OPTIONS).fit(X, y)
    assert _distributions.levels_in(fixed.model_.options) == levels
    by_level = ConformalRegressor({level: lambda X, level=level: quantiles(X, [level])[:, 0] for level in levels}, prefit=True, **OPTIONS).fit(X, y)
    np.testing.assert_array_equal(fixed.predict_interval(new)[1], by_level.predict_interval(new)[1])


@pytest.mark.parametrize("make", [
    lambda level: QuantileRegressor(quantile=level, alpha=0, solver="highs"),
    lambda level: HistGradientBoostingRegressor(loss="quantile", quantile=level, max_iter=10),
    lambda level: GradientBoostingRegressor(loss="quantile", alpha=level, n_estimators=10),
], ids=["linear", "histograms", "trees"])
def test_lists_of_quantile_regressors_of_scikit_learn(make):
    X, y = data(200, 0)
    X_fresh, y_fresh = data(200, 1)
    models = [make(level).fit(X, y) for level in (0.9, 0.1, 0.5)]
    cr = ConformalRegressor(models, prefit=True, **OPTIONS).fit(X_fresh, y_fresh)
    assert _distributions.levels_in(cr.model_.options) == (0.1, 0.5, 0.9)
    np.testing.assert_allclose(cr.predict(X_fresh), np.median([model.predict(X_fresh) for model in models], axis=0))
    same = ConformalRegressor(models[:1] * 2, prefit=True, **OPTIONS).fit(X_fresh, y_fresh)
    assert not same.model_.options["quantile_columns"]  # a mean of two models, as ever


def test_the_file_lacks_the_model_and_takes_it_again(tmp_path):
    X, y = data(200, 0)
    cr = ConformalRegressor(LikeNGBoost(), prefit=True, **OPTIONS).fit(X, y)
    with pytest.raises(ValueError, match="a model file cannot contain"):
        cr.save(tmp_path / "m.taut")
    cr.save(tmp_path / "m.taut", without_estimator=True)
    expected = cr.predict_interval(X)[1]
    loaded = taut.load(tmp_path / "m.taut", estimator=LikeNGBoost())
    np.testing.assert_array_equal(loaded.predict_interval(X)[1], expected)
    alone = taut.load(tmp_path / "m.taut")
    np.testing.assert_array_equal(alone.predict_interval(X, y_pred=quantiles(X, _distributions.LEVELS))[1], expected)
    with pytest.raises(ValueError, match="contains no predictor"):
        alone.predict_interval(X)


def test_columns_of_the_table():
    X, y = data(200, 0)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(**{f"q{level}": quantiles(X, [level])[:, 0] for level in (0.1, 0.5, 0.9)})
    cr = ConformalRegressor(quantile_columns="q*", **OPTIONS).fit(frame, y)
    assert cr.model_.options["quantile_columns"] == ["q0.1=0.1", "q0.5=0.5", "q0.9=0.9"]
    expected = ConformalRegressor(prefit=True, **OPTIONS).fit(X, y, y_pred={level: quantiles(X, [level])[:, 0] for level in (0.1, 0.5, 0.9)})
    np.testing.assert_array_equal(cr.predict_interval(frame)[1], expected.predict_interval(X, y_pred=quantiles(X, (0.1, 0.5, 0.9)))[1])
    np.testing.assert_array_equal(cr.predict(frame), frame["q0.5"])
    with pytest.raises(ValueError, match="names columns of X"):
        ConformalRegressor(LikeNGBoost(), prefit=True, quantile_columns="q*", **OPTIONS).fit(frame, y)


def test_a_second_fit_forgets_the_first():
    X, y = data(200, 0)
    cr = ConformalRegressor(LikeCatBoost(), prefit=True, **OPTIONS).fit(X, y)
    cr.set_params(estimator=LikeNGBoost()).fit(X, y)
    assert _distributions.levels_in(cr.model_.options) == _distributions.LEVELS
    with pytest.raises(ValueError, match="at least two different levels"):
        cr.set_params(estimator=None).fit(X, y, y_pred={0.5: y})
    assert _distributions.levels_in(cr.model_.options) == _distributions.LEVELS  # a failed fit changes nothing
    cr.fit(X, y, y_pred=3 * X[:, 0])
    assert not cr.model_.options["quantile_columns"]


def test_wrong_shapes_and_levels_are_refused():
    X, y = data(100, 0)
    fit = ConformalRegressor(prefit=True, **OPTIONS).fit
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit(X, y, y_pred={0.5: y, 1.5: y})
    with pytest.raises(ValueError, match="one number for each of 100 rows"):
        fit(X, y, y_pred={0.1: y, 0.5: y[:5]})
    cr = fit(X, y, y_pred={0.1: y - 1, 0.5: y, 0.9: y + 1})
    with pytest.raises(ValueError, match="quantiles at 3 levels"):
        cr.predict_interval(X, y_pred=y)
    with pytest.raises(ValueError, match="levels 0.9 are missing"):
        cr.predict_interval(X, y_pred={0.1: y - 1, 0.5: y})


def test_calibrate_evaluate_and_questions():
    X, y = data(200, 0)
    new, y_new = data(100, 1)
    cr = ConformalRegressor(LikeTabICL(), prefit=True, **OPTIONS).fit(X, y)
    cr.calibrate(new, y_new)
    assert cr.record_["calibration_rows"] == 100
    assert cr.evaluate(X, y)["rows"] == 200
    assert (np.diff(cr.predict_quantiles(new, [0.1, 0.5, 0.9])) >= 0).all()
    with pytest.raises(ValueError, match="cannot be exported"):
        cr.export("m.onnx")

"""Any estimator: the roles of rows, kinds of predictors, and files next to estimators."""
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows
from scipy.stats import betabinom
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression

import taut
from taut import ConformalRegressor, _core, load


class Recorder:
    """A minimal model, like wrappers of networks: only fit and predict. It remembers its training rows."""

    def fit(self, X, y):
        self.seen = set(X[:, -1])
        self.slope = float(np.mean(X[:, 0] * y) / np.mean(X[:, 0] ** 2))

    def predict(self, X):
        return (self.slope * X[:, :1]).astype(np.float32)  # a column, as networks give it


def numbered(rows, seed=0):
    X, y = make_rows(rows, seed)
    return np.column_stack([X, np.arange(rows)]), y


def test_cross_fitting_never_uses_a_row_twice():
    X, y = numbered(200)
    cr = ConformalRegressor(Recorder(), **QUICK).fit(X, y)
    seen = [member.seen for member in cr.estimators_]
    assert len(seen) == 5 and cr.record_["calibration_rows"] == 40
    assert len(set.union(*seen)) == 160  # calibration rows trained nothing
    for row in set.union(*seen):
        assert sum(row in rows for rows in seen) == 4  # every other row is left out of one fold
    mean = np.mean([member.predict(X)[:, 0].astype(float) for member in cr.estimators_], axis=0)
    np.testing.assert_allclose(cr.predict(X), mean, rtol=1e-15)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_an_error_of_the_estimator_says_where_it_comes_from():
    X, y = make_rows(60)
    frame = pd.DataFrame(X).rename(columns=str).assign(day="2024-05-01")
    with pytest.raises(ValueError, match="could not convert") as raised:
        ConformalRegressor(LinearRegression(), **QUICK).fit(frame, y)
    note, = raised.value.__notes__
    assert "LinearRegression" in note and "pipeline" in note
    ConformalRegressor(**QUICK, drop="day").fit(frame, y)


def test_the_scores_are_those_of_out_of_fold_residuals_and_calibration_rows():
    X, y = numbered(100)
    cr = ConformalRegressor(Recorder(), localizer="none", random_state=3).fit(X, y)
    trained = set.union(*(member.seen for member in cr.estimators_))
    held_out = np.array([row for row in range(100) if row not in trained])
    half = (cr.predict_interval(X, 0.9)[1][:, 1, 0] - cr.predict(X))[0]
    residuals = np.sort(np.abs(y - cr.predict(X))[held_out])
    np.testing.assert_allclose(half, residuals[taut.exact_rank(20, 0.9) - 1], rtol=1e-12)


def test_prefit_shares_and_calibration_from_elsewhere():
    fitted = LinearRegression().fit(*make_rows(100, seed=8))
    X, y = make_rows(400)
    X_cal, y_cal = make_rows(150, seed=2)
    alone = ConformalRegressor(fitted, prefit=True, **QUICK).fit(X, y)
    assert [alone.record_[part] for part in ("transform_rows", "validation_rows", "calibration_rows")] == [320, 320, 80]
    again = ConformalRegressor(fitted, prefit=True, **QUICK).fit(X, y).calibrate(X_cal, y_cal)
    assert again.record_["calibration_rows"] == 150
    whole = ConformalRegressor(fitted, prefit=True, **QUICK).fit(X, y, calibrate=False)
    assert whole.record_["transform_rows"] == whole.record_["validation_rows"] == 400
    with pytest.warns(UserWarning, match="0 calibration rows are too few"):
        assert np.isinf(whole.predict_interval(X_cal)[1]).all()
    whole.calibrate(X_cal, y_cal)
    assert np.isfinite(whole.predict_interval(X_cal)[1]).all()
    for own in (ConformalRegressor(**QUICK), ConformalRegressor(LinearRegression(), **QUICK)):
        own.fit(X, y, calibrate=False).calibrate(X_cal, y_cal)
        assert own.record_["transform_rows"] == 400 and own.record_["calibration_rows"] == 150


def models():
    yield "histogram trees", HistGradientBoostingRegressor(max_iter=10)
    yield "plain object", Recorder()
    for package, name, options in [("xgboost", "XGBRegressor", {"n_estimators": 10}),
                                   ("lightgbm", "LGBMRegressor", {"n_estimators": 10, "verbose": -1}),
                                   ("catboost", "CatBoostRegressor", {"iterations": 10, "verbose": False, "allow_writing_files": False})]:
        yield package, (package, name, options)


@pytest.mark.parametrize("name, model", list(models()), ids=[name for name, _ in models()])
def test_every_kind_of_estimator(name, model):
    if isinstance(model, tuple):
        package = pytest.importorskip(model[0], reason=f"{model[0]} is not installed: not shown for it")
        model = getattr(package, model[1])(**model[2])
    X, y = make_rows(200)
    X_test, y_test = make_rows(300, seed=1)
    crossed = ConformalRegressor(model, **QUICK).fit(X, y)
    trained = model.fit(X, y)
    prefit = ConformalRegressor(model if trained is None else trained, prefit=True, **QUICK).fit(*make_rows(200, seed=2))
    for cr in (crossed, prefit):
        level = cr.evaluate(X_test, y_test)["levels"][0]
        calibration_rows_and_one = round(level["rank"] / level["delivered"])
        distribution = betabinom(len(y_test), level["rank"], calibration_rows_and_one - level["rank"])
        covered = round(level["coverage"] * len(y_test))
        assert distribution.ppf(1e-6) <= covered <= distribution.isf(1e-6)


def test_functions_lists_and_frozen_estimators(rows, fresh):
    X, y = rows
    function = ConformalRegressor(lambda X: X[:, 0], prefit=True, **QUICK).fit(X, y).predict_interval(fresh[0])
    several = ConformalRegressor([lambda X: X[:, 0] - 1, lambda X: X[:, 0] + 1], prefit=True, **QUICK).fit(X, y)
    np.testing.assert_allclose(several.predict_interval(fresh[0])[1], function[1], rtol=1e-6)
    frozen = FrozenEstimator(LinearRegression().fit(*make_rows(100, seed=8)))
    ConformalRegressor(frozen, **QUICK).fit(X, y).predict_interval(fresh[0])
    for refused, error in [(lambda X: X[:, 0], TypeError), (3, TypeError)]:
        with pytest.raises(error):
            ConformalRegressor(refused).fit(X, y)
    with pytest.raises(ValueError, match="one number for each of 300 rows, got an array of shape"):
        ConformalRegressor(lambda X: X, prefit=True).fit(X, y)
    with pytest.raises(ValueError, match="the prediction must be a finite number"):
        ConformalRegressor(lambda X: X[:, 0] * np.inf, prefit=True).fit(X, y)
    with pytest.raises(ValueError, match="an estimator is cross-fitted"):
        ConformalRegressor(LinearRegression(), split="0.4,0.3,0.1,0.2").fit(X, y)
    with pytest.raises(ValueError, match="prefit=True needs a fitted estimator"):
        ConformalRegressor(prefit=True).fit(X, y)


def test_a_file_beside_its_estimator(rows, fresh, tmp_path):
    X, y = rows
    cr = ConformalRegressor(LinearRegression(), **QUICK).fit(X, y)
    cr.save(tmp_path / "m.taut", without_estimator=True)
    beside = load(tmp_path / "m.taut", estimator=cr.estimators_)
    np.testing.assert_array_equal(beside.predict_interval(fresh[0])[1], cr.predict_interval(fresh[0])[1])
    assert beside.get_params()["random_state"] == 0 and beside.get_params()["epochs"] == 20
    alone = load(tmp_path / "m.taut")
    np.testing.assert_array_equal(alone.predict_interval(fresh[0], y_pred=cr.predict(fresh[0]))[1],
                                  cr.predict_interval(fresh[0])[1])
    with pytest.raises(ValueError, match=r"load\(path, estimator=model\)"):
        alone.predict_interval(fresh[0])
    ConformalRegressor(**QUICK).fit(X, y).save(tmp_path / "own.taut")
    with pytest.raises(ValueError, match="has a predictor of its own"):
        load(tmp_path / "own.taut", estimator=LinearRegression())


def test_a_file_that_is_not_there_is_said_as_python_does(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.taut"):
        taut.load(tmp_path / "nothing.taut")


def test_a_loaded_model_can_be_fitted_again(rows, tmp_path):
    cr = ConformalRegressor(objective="size", sides="two", **QUICK).fit(*rows)
    cr.save(tmp_path / "m.taut")
    loaded = load(tmp_path / "m.taut")
    again = loaded.fit(*rows)
    np.testing.assert_array_equal(again.predict_interval(rows[0])[1], cr.predict_interval(rows[0])[1])


def test_arrays_alone(rows, fresh):
    X, y = rows
    f = X[:, 0]
    cr = taut.conformalize(X, f, y, objective="size", **QUICK)
    y_pred, intervals = cr.predict_interval(fresh[0], [0.8, 0.9], y_pred=fresh[0][:, 0])
    np.testing.assert_array_equal(y_pred, fresh[0][:, 0])
    assert (intervals[:, 0, 0] >= intervals[:, 0, 1]).all() and (intervals[:, 1, 0] <= intervals[:, 1, 1]).all()
    without = taut.conformalize(None, f, y, **QUICK)
    assert without.predict_interval(None, y_pred=f[:7])[1].shape == (7, 2, 1)
    with pytest.raises(ValueError, match="y_pred: expected one number for each of 200 rows, got 3"):
        cr.predict_interval(fresh[0], y_pred=f[:3])
    with pytest.raises(ValueError, match="y_pred"):
        ConformalRegressor(**QUICK).fit(X, y).predict_interval(X, y_pred=f)


def test_residuals_alone():
    residuals = np.arange(-4, 6)  # sizes 0 1 1 2 2 3 3 4 4 5
    assert taut.exact_rank(10, 0.9) == 10 and taut.min_calibration_rows(0.9) == 9
    with pytest.warns(DeprecationWarning, match="now called min_calibration_rows"):
        assert taut.least_calibration_rows(0.9) == 9
    assert taut.exact_rank(9, 0.9) == 9 and taut.exact_rank(74, 0.68) == 51  # where floating point is off by one
    ends = taut.intervals_from_residuals(residuals, [0.0, 10.0], [0.5, 0.9])
    np.testing.assert_array_equal(ends, [[[-3, -5], [3, 5]], [[7, 5], [13, 15]]])
    scaled = taut.intervals_from_residuals(residuals, [0.0, 10.0], 0.9, sigmas_cal=np.full(10, 2.0), sigmas=[1, 4], y_min=-1)
    np.testing.assert_array_equal(scaled[:, :, 0], [[-1, 2.5], [0, 20]])
    with pytest.warns(UserWarning, match="at least 19 are needed"):
        assert np.isinf(taut.intervals_from_residuals(residuals, [0.0], 0.95)).all()
    for wrong in ({"sigmas": [1.0]}, {"sigmas": [0.0], "sigmas_cal": np.ones(10)}, {"sigmas": [1.0], "sigmas_cal": [1.0]}):
        with pytest.raises(ValueError, match="sigmas"):
            taut.intervals_from_residuals(residuals, [0.0], **wrong)
    with pytest.raises(ValueError, match="finite"):
        taut.intervals_from_residuals([1, np.nan], [0.0])
    with pytest.raises(ValueError, match="y_pred.*row 1"):
        taut.intervals_from_residuals(residuals, [0.0, np.inf])


def test_intervals_of_residuals_are_arithmetic():
    draw = np.random.default_rng(1)
    residuals, f, sigmas = draw.normal(size=100), draw.normal(size=60)[::2], draw.uniform(1, 2, 30)
    ends = taut.intervals_from_residuals(residuals, f, [0.5, 0.9, 0.99], sigmas_cal=np.full(100, 2.0), sigmas=sigmas, y_min=-1, y_max=1.5)
    quantiles = np.sort(np.abs(residuals) / 2)[[50, 90, 99]]  # ranks 51, 91, 100
    reach = quantiles * sigmas[:, None]
    np.testing.assert_array_equal(ends, np.clip(np.stack([f[:, None] - reach, f[:, None] + reach], axis=1), -1, 1.5))


def test_counts_ranges_and_smoothing(rows):
    X, y = rows
    counts = np.round(np.abs(3 * y))
    cr = ConformalRegressor(y_step=1, y_min=0, **QUICK).fit(X, counts)
    ends = cr.predict_interval(X)[1]
    held = ends[np.isfinite(ends).all(axis=(1, 2))]
    assert (held == np.round(held)).all() and (held >= 0).all()
    assert ConformalRegressor(**QUICK).fit(X, counts).messages_[0].startswith("all 240 values of the target in training rows are whole")
    smooth = cr.predict_interval(X, smooth=1)[1]
    np.testing.assert_array_equal(smooth, cr.predict_interval(X, smooth=1)[1])
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        cr.predict_interval(X, 90)


def test_what_validation_rows_chose_among(rows):
    cr = ConformalRegressor(LinearRegression(), transform="auto", **QUICK).fit(*rows)
    candidates = cr.record_["candidates"]
    assert len({candidate["transform"] for candidate in candidates}) > 1
    assert sum(candidate["kept"] for candidate in candidates) <= 1


def test_report(rows, fresh, tmp_path):
    cr = ConformalRegressor(LinearRegression(), **QUICK).fit(*rows)
    page = tmp_path / "report.html"
    if _core.can_report():
        cr.report(*fresh, page, confidence_level=0.8, unit="EUR", title="A page from Python")
        assert "A page from Python" in page.read_text(encoding="utf-8")
    else:
        with pytest.raises(ValueError, match="node"):
            cr.report(*fresh, page)


def test_columns_of_frames(rows):
    X, y = rows
    frame = pd.DataFrame({"number": X[:, 0], "small": X[:, 1].astype(np.float32), "yes": X[:, 2] > 0})
    frame["whole"] = pd.array([None if i % 7 == 0 else i % 5 for i in range(300)], dtype="Int64")
    frame["text"] = np.where(X[:, 0] > 0, "a", "b")
    frame["category"] = pd.Categorical(np.where(X[:, 1] > 0, 2, 1))
    frame["digits"] = [str(i % 3) for i in range(300)]
    cr = ConformalRegressor(**QUICK).fit(frame, y)
    kinds = dict(cr.model_.columns)
    assert [name for name, levels in kinds.items() if levels is None] == ["number", "small", "yes", "whole", "digits"]
    assert [sorted(kinds[name]) for name in ("category", "text")] == [["1", "2"], ["a", "b"]]
    assert np.isfinite(cr.predict_interval(frame.assign(text="never seen"))[1]).all()
    with pytest.raises(TypeError, match="column 'when': a column holds numbers, texts, booleans, dates or categories, got period"):
        ConformalRegressor().fit(frame.assign(when=pd.Period("2026-01")), y)
    # In models of version 0.1 booleans were texts; booleans match these texts.
    words = ConformalRegressor(**QUICK).fit(frame.assign(yes=frame["yes"].map({True: "True", False: "False"}).astype("category")), y)
    assert sorted(dict(words.model_.columns)["yes"]) == ["false", "true"]  # in any spelling
    np.testing.assert_array_equal(words.predict(frame), words.predict(frame.assign(yes=frame["yes"].map({True: "True", False: "False"}))))
    np.testing.assert_array_equal(cr.predict(frame.assign(number="much")), cr.predict(frame.assign(number=np.nan)))

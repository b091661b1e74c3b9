"""Models around cross-fitted estimators in files: imported trees predict the same bits in another process; other estimators are refused."""
import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from taut import ConformalRegressor, _foreign, load

READ = """
import sys
import numpy as np
import taut
X = np.load(sys.argv[1] + "/X.npy")
model = taut.load(sys.argv[1] + "/m.taut")
_, intervals = model.predict_interval(X, [0.8, 0.9])
np.savez(sys.argv[1] + "/read.npz", f=model.predict(X), intervals=intervals, one=model.predict(X[:1]))
assert not {"xgboost", "lightgbm", "catboost"} & set(sys.modules)
"""


def estimator_of(library):
    if library == "xgboost":
        return pytest.importorskip("xgboost").XGBRegressor(n_estimators=8, max_depth=3, n_jobs=1)
    if library == "lightgbm":
        return pytest.importorskip("lightgbm").LGBMRegressor(n_estimators=8, n_jobs=1, verbose=-1)
    if library == "catboost":
        return pytest.importorskip("catboost").CatBoostRegressor(iterations=8, depth=3, verbose=0, thread_count=1, allow_writing_files=False)
    return {"histograms": HistGradientBoostingRegressor(max_iter=8), "forest": RandomForestRegressor(4, random_state=0),
            "extra": ExtraTreesRegressor(4, random_state=0)}[library]


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "histograms", "forest", "extra"])
def test_a_file_predicts_the_same_bits_in_another_process(library, tmp_path):
    X, y = make_rows(200, seed=3)
    cr = ConformalRegressor(estimator_of(library), **QUICK).fit(X, y)
    assert len(cr.estimators_) == 5 and "the mean of 5 models of" in cr.model_.imported
    new, _ = make_rows(70, seed=4)
    total = sum((np.asarray(one.predict(new), dtype=np.float64) for one in cr.estimators_), 0.0)
    np.testing.assert_array_equal(cr.predict(new), total / 5)
    cr.save(tmp_path / "m.taut")
    np.save(tmp_path / "X.npy", new)
    subprocess.run([sys.executable, "-c", READ, str(tmp_path)], check=True, env=os.environ)
    read = np.load(tmp_path / "read.npz")
    np.testing.assert_array_equal(read["f"], cr.predict(new))
    np.testing.assert_array_equal(read["one"], cr.predict(new)[:1])
    np.testing.assert_array_equal(read["intervals"], cr.predict_interval(new, [0.8, 0.9])[1])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(cr)).predict(new), cr.predict(new))


def called(estimator):
    """The same estimator behind a class that Taut does not know, so that it is called."""

    class Called(LinearRegression):
        def fit(self, X, y):
            self.own_ = _clone(estimator).fit(X, y)
            return self

        def predict(self, X):
            return self.own_.predict(X)

    return Called()


def _clone(estimator):
    from sklearn.base import clone

    return clone(estimator)


@pytest.mark.parametrize("library", ["xgboost", "histograms"])
def test_intervals_are_those_of_the_estimator_that_is_called(library):
    """The transformation learns from the same out-of-fold residuals, and the same rows calibrate."""
    X, y = make_rows(300, seed=5)
    y[::50] = np.nan
    taken = ConformalRegressor(estimator_of(library), skip_missing_target=True, **QUICK).fit(X, y)
    other = ConformalRegressor(called(estimator_of(library)), skip_missing_target=True, **QUICK).fit(X, y)
    assert taken.model_.imported and not other.model_.imported
    np.testing.assert_array_equal(taken.predict_interval(X, [0.5, 0.9])[1], other.predict_interval(X, [0.5, 0.9])[1])
    assert taken.record_["calibration_rows"] == other.record_["calibration_rows"]


def test_categories_are_those_of_the_frame(tmp_path):
    lgb = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"k": pd.Categorical(rng.choice(list("zyxw"), 300), categories=list("zxyw")), "a": rng.normal(size=300), "one": 1.0})
    y = frame["a"] + frame["k"].cat.codes * 2 + rng.normal(size=300)
    cr = ConformalRegressor(lgb.LGBMRegressor(n_estimators=8, n_jobs=1, verbose=-1), **QUICK).fit(frame, y)
    assert cr.model_.imported
    cr.save(tmp_path / "m.taut")
    np.testing.assert_array_equal(load(tmp_path / "m.taut").predict(frame.astype({"k": object})),
                                  sum((one.predict(frame) for one in cr.estimators_), 0.0) / 5)


def test_categories_that_one_fold_lacks_are_not_mixed_up(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"k": pd.Categorical(["rare", *rng.choice(["u", "v"], 199)]), "a": rng.normal(size=200)})
    cr = ConformalRegressor(HistGradientBoostingRegressor(max_iter=4, categorical_features="from_dtype"), **QUICK)
    cr.fit(frame, frame["a"] + rng.normal(size=200))
    np.testing.assert_array_equal(cr.predict(frame), sum((one.predict(frame) for one in cr.estimators_), 0.0) / 5)
    try:
        cr.save(tmp_path / "m.taut")
    except ValueError as error:
        assert "different columns, or categories" in str(error) and not cr.model_.imported
    else:
        np.testing.assert_array_equal(load(tmp_path / "m.taut").predict(frame), cr.predict(frame))


def refused(cr, path, *words):
    with pytest.raises(ValueError) as told:
        cr.save(path)
    for word in ("joblib.dump(model, path)", "without_estimator=True", *words):
        assert word in str(told.value)
    assert not os.path.exists(path)


def test_what_a_file_cannot_contain_is_refused(tmp_path, monkeypatch):
    X, y = make_rows(120, seed=6)
    path = tmp_path / "m.taut"
    cr = ConformalRegressor(LinearRegression(), **QUICK).fit(X, y)
    refused(cr, path, "the predictions come from your LinearRegression", "trees of LinearRegression are not known")
    refused(ConformalRegressor(make_pipeline(RandomForestRegressor(2)), **QUICK).fit(X, y), path, "Pipeline")
    refused(ConformalRegressor(LinearRegression().fit(X, y), prefit=True, **QUICK).fit(X, y), path, "LinearRegression")
    refused(ConformalRegressor(lambda rows: rows[:, 0], prefit=True, **QUICK).fit(X, y), path, "function")
    path.write_text("before")
    with pytest.raises(ValueError, match="joblib"):
        cr.save(path)
    assert path.read_text() == "before"
    cr.save(path, without_estimator=True)
    np.testing.assert_array_equal(load(path, estimator=cr.estimators_).predict(X), cr.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(cr)).predict(X), cr.predict(X))
    monkeypatch.setattr(_foreign, "MAX_NODES", 10)
    refused(ConformalRegressor(RandomForestRegressor(2), **QUICK).fit(X, y), tmp_path / "large.taut", "more than 10 nodes")


def test_files_that_need_predictions_by_design_are_written(tmp_path):
    X, y = make_rows(120, seed=7)
    cr = ConformalRegressor(prefit=True, **QUICK).fit(X, y, y_pred=X[:, 0])
    cr.save(tmp_path / "m.taut")
    np.testing.assert_array_equal(load(tmp_path / "m.taut").predict_interval(X, y_pred=X[:, 0])[1], cr.predict_interval(X, y_pred=X[:, 0])[1])


def test_a_second_fit_forgets_the_first(tmp_path):
    X, y = make_rows(120, seed=8)
    cr = ConformalRegressor(LinearRegression(), **QUICK).fit(X, y)
    cr.set_params(estimator=HistGradientBoostingRegressor(max_iter=3)).fit(X, y).save(tmp_path / "m.taut")
    cr.set_params(estimator=LinearRegression()).fit(X, y)
    refused(cr, tmp_path / "n.taut", "LinearRegression")
    cr.set_params(estimator=None, predictor="linear").fit(X, y).save(tmp_path / "n.taut")


@pytest.mark.parametrize("options", [{"max_rows": 200}, {"max_rows": 200, "in_order": True}, {"keep_together": "shop"}, {"keep_together": "number"},
                                     {"keep_together": "shop", "max_rows": 200}])
def test_calibration_rows_are_new_to_every_member(options):
    """The trees know the targets of their rows by heart, and the targets are noise: a member that had seen calibration rows would make intervals
    a fifth as wide as they must be."""
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(rng.normal(size=(700, 2)), columns=["a", "b"])
    frame["shop"], frame["number"] = [f"s{i}" for i in rng.permutation(700) % 350], rng.permutation(700) % 350 - 100.0
    y = rng.normal(size=700)
    together = options.get("keep_together")
    given = {} if together is None else {"keep_together": frame[together]}
    rest = {name: value for name, value in options.items() if name != "keep_together"}
    cr = ConformalRegressor(ExtraTreesRegressor(3, random_state=0), transform="fixed", random_state=0, **rest).fit(frame[["a", "b"]], y, **given)
    X_new, y_new = pd.DataFrame(rng.normal(size=(2000, 2)), columns=["a", "b"]), rng.normal(size=2000)
    _, intervals = cr.predict_interval(X_new, 0.9)
    assert 0.75 < np.mean((intervals[:, 0, 0] <= y_new) & (y_new <= intervals[:, 1, 0]))
    if "max_rows" in options:
        known = {value for one in cr.estimators_ for value in np.round(one.estimators_[0].tree_.value.ravel(), 12)}
        assert sum(value in known for value in np.round(y, 12)) < 200, "only sampled rows train"

"""Imported models of other libraries: the same bits, from files and from fitted objects; damaged files are refused."""
import json
import pickle

import foreign_models
import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows, slow

from taut import ConformalRegressor, _core, _foreign, load

MODELS = 200  # of each library
BLOCK = 20


def ulps(a, b):
    """The number of doubles between two doubles of the same sign."""
    return np.abs(np.asarray(a).view(np.int64) - np.asarray(b).view(np.int64))


def predicted(model, rows):
    return np.array(model.predict(np.ascontiguousarray(rows, dtype=np.float64)))


@pytest.mark.parametrize("first", [0, *map(slow, range(BLOCK, MODELS, BLOCK))])
@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost", "sklearn"])
def test_random_models_predict_the_same_bits(library, first):
    pytest.importorskip(library)
    for seed in range(first, first + BLOCK):
        model, rows, wanted = getattr(foreign_models, f"{library}_model")(seed)
        model = _core.ForeignModel.read(model, "m") if isinstance(model, bytes) else _foreign.trees_of(model)
        found = predicted(model, rows)
        # Two libraries have their own exponential function, which differs from the C library's in the last bits.
        own_exponential = library in ("catboost", "sklearn") and foreign_models.is_positive(seed)
        worst = ulps(found, wanted).max()
        assert worst <= (4 if own_exponential else 0), f"{library} {seed}: {worst} ulps apart"
        assert np.array_equal(predicted(model, rows[:1]), found[:1])  # single rows use another code path


def fitted_models():
    X, y = make_rows(400, seed=5)
    import lightgbm as lgb
    import xgboost as xgb
    from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor

    yield xgb.XGBRegressor(n_estimators=20, max_depth=3).fit(X, y)
    yield lgb.LGBMRegressor(n_estimators=20, verbose=-1).fit(X, y)
    yield HistGradientBoostingRegressor(max_iter=20).fit(X, y)
    yield RandomForestRegressor(10, random_state=0).fit(X, y)
    yield ExtraTreesRegressor(10, random_state=0).fit(X, y)


def test_prefit_takes_trees_over_and_saves_them(tmp_path):
    pytest.importorskip("xgboost")
    pytest.importorskip("lightgbm")
    X, y = make_rows(300, seed=6)
    for estimator in fitted_models():
        cr = ConformalRegressor(estimator, prefit=True, **QUICK).fit(X, y)
        assert not hasattr(cr, "estimators_") and type(estimator).__name__ in cr.model_.imported
        assert any("trees taken over" in sentence for sentence in cr.messages_)
        wanted = np.asarray(estimator.predict(X), dtype=np.float64)
        np.testing.assert_array_equal(cr.predict(X), wanted)
        # Calling the estimator instead gives the same intervals, to the last bit.
        called = ConformalRegressor(lambda rows: estimator.predict(rows), prefit=True, **QUICK).fit(X, y)
        np.testing.assert_array_equal(cr.predict_interval(X)[1], called.predict_interval(X)[1])
        cr.save(tmp_path / "m.taut")
        back = load(tmp_path / "m.taut")
        np.testing.assert_array_equal(back.predict_interval(X)[1], cr.predict_interval(X)[1])
        assert back.model_.imported == cr.model_.imported
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(cr)).predict(X), wanted)


def test_categories_by_text():
    lgb, xgb = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    from sklearn.ensemble import HistGradientBoostingRegressor

    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=600), "k": pd.Categorical(rng.choice(list("zyxw"), 600), categories=list("zxyw"))})
    frame.loc[::17, "k"] = np.nan
    y = frame["a"] + frame["k"].cat.codes * 2 + rng.normal(size=600)
    for estimator in (lgb.LGBMRegressor(n_estimators=20, verbose=-1), xgb.XGBRegressor(n_estimators=20, enable_categorical=True),
                      HistGradientBoostingRegressor(max_iter=20, categorical_features="from_dtype")):
        estimator.fit(frame[:300], y[:300])
        cr = ConformalRegressor(estimator, prefit=True, **QUICK).fit(frame[300:], y[300:])
        assert cr.model_.imported
        np.testing.assert_array_equal(cr.predict(frame), np.asarray(estimator.predict(frame), dtype=np.float64))
        # Plain texts are the same categories.
        texts = frame.assign(k=frame["k"].astype(object))
        np.testing.assert_array_equal(cr.predict(texts), cr.predict(frame))


def test_what_cannot_be_taken_is_called_or_refused():
    xgb, lgb = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    X, y = make_rows(300, seed=6)
    linear = lgb.LGBMRegressor(n_estimators=5, linear_tree=True, verbose=-1).fit(X, y)
    cr = ConformalRegressor(linear, prefit=True, **QUICK).fit(X, y)
    assert cr.estimators_ == [linear]
    np.testing.assert_array_equal(cr.predict(X), linear.predict(X))
    with pytest.raises(_foreign.NotTaken, match="linear leaves"):
        _foreign.trees_of(linear)
    odd = xgb.XGBRegressor(n_estimators=5, missing=-999.0).fit(X, y)
    with pytest.raises(_foreign.NotTaken, match="missing"):
        _foreign.trees_of(odd)
    for objective, words in [("binary:logistic", "classification"), ("survival:cox", "survival")]:
        classes = xgb.train({"objective": objective}, xgb.DMatrix(X, y > 0), 2)
        with pytest.raises(ValueError, match=words):
            _core.ForeignModel.read(bytes(classes.save_raw("json")), "m.json")
    ranked = lgb.train({"objective": "lambdarank", "verbose": -1}, lgb.Dataset(X, (y > 0).astype(int), group=[150, 150]), 2)
    with pytest.raises(ValueError, match="ranking"):
        _core.ForeignModel.read(ranked.model_to_string().encode(), "m.txt")
    both = xgb.XGBRegressor(n_estimators=2, multi_strategy="multi_output_tree").fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="several"):
        _core.ForeignModel.read(bytes(both.get_booster().save_raw("json")), "m.json")
    gblinear = xgb.XGBRegressor(n_estimators=2, booster="gblinear").fit(X, y)
    with pytest.raises(ValueError, match="no trees"):
        _core.ForeignModel.read(bytes(gblinear.get_booster().save_raw("json")), "m.json")


def test_catboost_with_categories_is_refused():
    cb = pytest.importorskip("catboost")
    frame = pd.DataFrame({"a": np.arange(200.0), "k": ["u", "v"] * 100})
    model = cb.CatBoostRegressor(iterations=3, verbose=0, cat_features=["k"], allow_writing_files=False).fit(frame, frame["a"])
    with pytest.raises(_foreign.NotTaken, match="'k' is a categorical feature"):
        _foreign.trees_of(model)


def test_a_booster_alone_is_a_model():
    xgb = pytest.importorskip("xgboost")
    X, y = make_rows(300, seed=6)
    booster = xgb.train({"max_depth": 3}, xgb.DMatrix(X, y), 15, evals=[(xgb.DMatrix(X[:50], np.roll(y[:50], 3)), "v")], early_stopping_rounds=2,
                        verbose_eval=False)
    cr = ConformalRegressor(booster, prefit=True, **QUICK).fit(X, y)
    np.testing.assert_array_equal(cr.predict(X), booster.predict(xgb.DMatrix(X)).astype(np.float64))


def refused(data):
    """A damaged file is refused, or is a model that predicts without a crash."""
    try:
        model = _core.ForeignModel.read(data, "m")
    except ValueError as error:
        assert str(error)
        return True
    predicted(model, np.zeros((2, model.columns)))
    return False


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost"])
def test_damaged_and_truncated_files(library):
    pytest.importorskip(library)
    rng = np.random.default_rng(3)
    for seed in (0, 1, 2):
        data, _, _ = getattr(foreign_models, f"{library}_model")(seed)
        end = data.find(b"end of trees") if library == "lightgbm" else len(data) - 1
        for cut in rng.integers(0, end, 40):
            assert refused(data[:cut]), f"cut at {cut} of {len(data)}"
        for _ in range(200):
            broken = bytearray(data)
            for place in rng.integers(0, len(data), int(rng.integers(1, 4))):
                broken[place] = rng.choice([0x30, 0x2D, 0x39, 0x2C, 0xFF, 0x00, 0x7D, 0x5D])
            refused(bytes(broken))


def test_circles_and_wild_numbers_are_refused():
    pytest.importorskip("xgboost")
    data, _, _ = foreign_models.xgboost_model(0)
    for change in [{"left_children": 0}, {"right_children": 10**6}, {"split_indices": 99}, {"left_children": -7}]:
        document = json.loads(data)
        tree = next(tree for tree in document["learner"]["gradient_booster"]["model"]["trees"] if len(tree["left_children"]) > 1)
        for name, value in change.items():
            tree[name][0] = value
        with pytest.raises(ValueError, match="damaged"):
            _core.ForeignModel.read(json.dumps(document).encode(), "m.json")
    with pytest.raises(ValueError, match="too many small values"):
        _core.ForeignModel.read(b'{"learner":[' + b"[]," * 1_000_000 + b"[]]}", "m.json")
    with pytest.raises(ValueError, match="deep"):
        _core.ForeignModel.read(b'{"learner":' + b"[" * 100_000, "m.json")

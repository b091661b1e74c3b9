"""The shared code of engines, in one process: imported trees of XGBoost keep every bit, a score distribution by counting equals that of all rows, and every
row has one fold."""
import types

import numpy as np
import pytest
from engines_data import fitted, frame

pa = pytest.importorskip("pyarrow")

import taut  # noqa: E402
import taut.arrow  # noqa: E402
from taut.engines import fitting, keys, training  # noqa: E402
from taut.engines.batches import table_of  # noqa: E402
from taut.engines.engine import LocalEngine  # noqa: E402


def arrow(rows):
    return pa.Table.from_pandas(rows, preserve_index=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return fitted(tmp_path_factory.mktemp("engines") / "m.taut")


def fit(rows, **options):
    pytest.importorskip("xgboost")
    return fitting.fit(LocalEngine([arrow(rows)]), None, "y", key="id", **{"folds": 2, "predictor": {"rounds": 30}, "localizer": {"rounds": 20}, **options})


@pytest.mark.parametrize("sides", ["one", "two"])
def test_trees_of_xgboost_keep_every_bit(monkeypatch, sides):
    """f of the file equals the prediction of XGBoost, and log s equals its margin."""
    xgb = pytest.importorskip("xgboost")
    grown, rows = [], frame(800, seed=21)
    original = training.trees_of
    monkeypatch.setattr(training, "trees_of", lambda booster, rounds: grown.append((booster, rounds)) or original(booster, rounds))
    model = fit(rows, sides=sides).core
    x = taut._core.tree_inputs(model, table_of(arrow(rows), ["a", "b", "town", "y"]))
    margins = [booster.predict(xgb.DMatrix(x), output_margin=True, iteration_range=(0, rounds)).astype(float) if rounds else np.zeros(len(x))
               for booster, rounds in grown[:2]]
    y = rows["y"].to_numpy()
    order = np.argsort(keys.of_batch(arrow(rows), "id"))
    centre = y[order].sum() / len(y)
    unit = np.abs(y[order] - centre).sum() / len(y)
    f = model.predict(table_of(arrow(rows), ["a", "b", "town"]))
    assert np.array_equal(f, centre + unit * ((margins[0] + margins[1]) / 2))
    assert len(grown) == 2 + 2 * (1 if sides == "one" else 2) and all(rounds > 0 for _, rounds in grown)
    score, above = taut._core.row_scores(model, table_of(arrow(rows), ["a", "b", "town", "y"]))
    assert np.array_equal(above == 1, y >= f) and np.isfinite(score).all()


def test_no_fold_trains_what_predicts_it():
    """Other targets in a fold change every member except the one of this fold. Of g, the member of this fold changes only in its number of trees."""
    xgb = pytest.importorskip("xgboost")
    draw = np.random.default_rng(0)
    x = draw.normal(size=(600, 3)).astype(np.float32)
    rows = types.SimpleNamespace(x=x, y=x[:, 0] + (0.1 + np.abs(x[:, 1])) * draw.normal(size=600), fold=np.arange(600) % 3,
                                 held=lambda fold: (np.arange(600) + fold) % 7 == 0, hash=np.arange(600).astype(np.uint64))
    plan = training.Plan(b"", "id", folds=3, predictor={"rounds": 15, "patience": 15}, localizer={"rounds": 15, "patience": 15, "min_child_weight": 1})
    changed = types.SimpleNamespace(**{**vars(rows), "y": np.where(rows.fold == 1, 3 * rows.y, rows.y)})
    f, out_of_fold = training._train_f(xgb, plan, rows, 600, 0.0, 1.0)
    other, moved = training._train_f(xgb, plan, changed, 600, 0.0, 1.0)
    assert [same_trees(a, b) for a, b in zip(f, other)] == [False, True, False]
    assert np.array_equal(out_of_fold[rows.fold == 1], moved[rows.fold == 1]) and not np.array_equal(out_of_fold, moved)
    one, _ = training._train_g(xgb, plan, rows, 600, out_of_fold, rows.y - out_of_fold, 1.0)
    two, _ = training._train_g(xgb, plan, rows, 600, out_of_fold, changed.y - out_of_fold, 1.0)
    assert [same_trees(a["sides"][0], b["sides"][0]) for a, b in zip(one["one"], two["one"])] == [False, True, False]


def test_rows_that_stop_a_fold_train_others():
    """One row in eight is for early stopping of a fold, with different rows in each fold, so that every row trains some member."""
    rows = types.SimpleNamespace(hash=training.keys.mixed(np.arange(20_000, dtype=np.uint64)))
    held = np.array([training.Rows.held(rows, fold) for fold in range(5)])
    assert np.all(np.abs(held.mean(axis=1) - 1 / 8) < 0.01)
    together = [(held[a] & held[b]).mean() for a in range(5) for b in range(a)]
    assert np.all(np.abs(np.array(together) - 1 / 64) < 0.004) and held.all(axis=0).sum() <= 5


def same_trees(a, b):
    """Whether the common trees are equal."""
    trees = min(len(a["sizes"]), len(b["sizes"]))
    nodes = a["sizes"][:trees].sum()
    return trees > 0 and np.array_equal(a["sizes"][:trees], b["sizes"][:trees]) and np.array_equal(a["value"][:nodes], b["value"][:nodes])


def test_how_rows_arrive_changes_nothing():
    rows = frame(900, seed=23)
    shuffled = rows.sample(frac=1, random_state=0)
    pytest.importorskip("xgboost")
    options = {"folds": 2, "sides": "one", "predictor": {"rounds": 20}, "localizer": {"rounds": 10}}
    one = fitting.fit(LocalEngine([arrow(rows)]), None, "y", key="id", **options)
    other = fitting.fit(LocalEngine([arrow(shuffled[:100]), arrow(shuffled[:0]), arrow(shuffled[100:])]), None, "y", key="id", **options)
    assert one.to_bytes() == other.to_bytes()


def test_any_model_predicts_over_batches_with_the_bits_of_python(model):
    rows = frame(500, seed=24)
    y_pred, intervals = taut.load(model).predict_interval(rows[["a", "b", "town"]], [0.8, 0.9])
    out = pa.Table.from_batches(list(taut.arrow.predict(model, arrow(rows).to_batches(max_chunksize=77), [0.8, 0.9]))).to_pandas()
    assert np.array_equal(out["prediction"], y_pred)
    for i, level in enumerate([0.8, 0.9]):
        assert np.array_equal(out[[f"lower_{level}", f"upper_{level}"]].to_numpy(), intervals[:, :, i])


def test_a_counted_distribution_answers_like_all_rows(model):
    """1,999 rows, 99 points: every multiple of a hundredth, for intervals and for bounds on both sides."""
    rows, new = frame(1999, seed=25), table_of(arrow(frame(50, seed=26)), ["a", "b", "town"])
    every = taut.arrow.calibrate(model, arrow(rows))
    few = taut.arrow.calibrate(model, [arrow(rows[:1500]), arrow(rows[:0]), arrow(rows[1500:])], key="id", max_rows=1000, distribution_points=99)
    assert few.calibration_ == {"rows": 1999, "used": 1999, "method": "counted", "distribution_points": 99, "passes": few.calibration_["passes"],
                                "fetched": few.calibration_["fetched"]}
    assert few.core.record["calibration_rows"] == 99
    questions = [f"{name}:{percent / 100}" for name in ("interval", "upper", "lower") for percent in (50, 75, 90, 99)]
    assert np.array_equal(few.core.ask(new, questions)[1], every.core.ask(new, questions)[1])
    again = taut._core.Regressor.from_bytes(few.to_bytes())
    assert again.to_bytes() == few.to_bytes() and again.check_shift(new)[1] == []


def test_law_points_is_a_deprecated_name_of_distribution_points(model):
    rows = arrow(frame(300, seed=25))
    with pytest.warns(DeprecationWarning, match="law_points is now called distribution_points; version 0.3 removes") as caught:
        old = taut.arrow.calibrate(model, rows, key="id", max_rows=100, law_points=49)
    assert [warning.filename for warning in caught if warning.category is DeprecationWarning] == [__file__]
    assert old.to_bytes() == taut.arrow.calibrate(model, rows, key="id", max_rows=100, distribution_points=49).to_bytes()
    with pytest.raises(TypeError, match="give only distribution_points"):
        taut.arrow.calibrate(model, rows, law_points=49, distribution_points=49)


def test_evaluation_agrees_with_that_of_a_model(model):
    rows = frame(700, seed=27)
    found = taut.arrow.evaluate(model, [arrow(rows[:10]), arrow(rows[10:])], [0.8, 0.95], by=["town"])
    regressor = taut.load(model)
    expected = regressor.evaluate(rows[["a", "b", "town"]], rows["y"], [0.8, 0.95])
    for own, other in zip(found["levels"], expected["levels"]):
        for name in ("confidence", "rank", "delivered", "coverage", "coverage_low", "coverage_high", "unbounded", "empty", "infinite"):
            assert own[name] == other[name], name
        for name in ("mean_width", "interval_score"):
            assert own[name] == pytest.approx(other[name], rel=1e-12)
    assert sum(group["rows"] for group in found["by_group"][0]["groups"]) == 700


def test_coverage_outside_its_band_is_a_warning(model):
    rows = frame(700, seed=28)
    rows["y"] += 5
    with pytest.warns(taut.CoverageWarning, match="chance explains"):
        taut.arrow.evaluate(model, arrow(rows), 0.9)


def test_hashes_depend_on_values_alone():
    values = [5, -1, 2**40, None]
    wide = pa.table({"k": pa.array(values, type=pa.int64())})
    assert np.array_equal(keys.of_batch(wide.slice(0, 2), "k"), keys.of_batch(pa.table({"k": pa.array(values[:2], type=pa.int8())}), "k"))
    texts = pa.table({"k": ["a", "b", None, "a"]})
    hashes = keys.of_batch(texts, "k")
    assert hashes[0] == hashes[3] and len(set(hashes.tolist())) == 3
    assert np.array_equal(hashes, keys.of_batch(texts.set_column(0, "k", texts["k"].dictionary_encode()), "k"))
    assert not np.array_equal(hashes, keys.of_batch(texts, "k", seed=1))
    many = keys.of_batch(pa.table({"k": np.arange(200_000)}), "k")
    shares = keys.share_of(many, keys.DRAW)
    assert abs(shares.mean() - 0.5) < 0.005 and abs(np.corrcoef(shares, keys.share_of(many, keys.HOLD))[0, 1]) < 0.01
    with pytest.raises(ValueError, match="no column 'id'"):
        keys.of_batch(texts, "id")


@pytest.mark.parametrize("options, words", [({"objective": "best"}, "power:P"), ({"sides": "both"}, "'auto'"), ({"folds": 1}, "2 to 100"),
                                            ({"columns": ["c"]}, "no column 'c'")])
def test_what_fit_does_not_take_is_said(options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        fitting.fit(LocalEngine([arrow(frame(50))]), None, "y", key="id", **options)


def test_objectives_are_exponents():
    assert [fitting.exponent_of(name) for name in ("conditional", "power:0.5", "size")] == [1.0, 1 / 1.5, 0.5]


def test_predictions_are_not_written_over_columns(model):
    rows = frame(10).assign(prediction=1.0)
    with pytest.raises(ValueError, match="already have a column 'prediction'"):
        list(taut.arrow.predict(model, arrow(rows)))
    assert list(next(taut.arrow.predict(model, arrow(rows), keep=["id"])).schema.names) == ["id", "prediction", "lower_0.9", "upper_0.9"]

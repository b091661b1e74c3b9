"""Results that show themselves: evaluations, distributions and explanations as tables, frames and dicts; frames of set_output."""
import copy
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK, make_rows
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from test_notebook import Balanced

from taut import ConformalClassifier, ConformalRegressor, Evaluation, load


def table(rows=300, seed=0):
    X, y = make_rows(rows, seed)
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=[f"row {i}" for i in range(rows)])
    frame["side"] = np.where(X[:, 2] > 0, "<left>", "right")
    return frame, y


@pytest.fixture(scope="module")
def fitted():
    return ConformalRegressor(predictor="linear", **QUICK).fit(*table())


@pytest.fixture(scope="module")
def sets():
    X, y = table()
    return ConformalClassifier(random_state=0, effort="quick").fit(X, np.where(y > 0, "up", "down"))


@pytest.fixture(scope="module")
def evaluation(fitted):
    return fitted.evaluate(*table(200, seed=1), [0.8, 0.9], by="side")


def test_an_evaluation_is_the_dict_that_it_was(fitted, evaluation):
    assert isinstance(evaluation, dict)
    assert evaluation == fitted.model_.evaluate(fitted._rows_table(*table(200, seed=1)), [0.8, 0.9], 1, ["side"])
    assert evaluation["levels"][1]["confidence"] == 0.9
    assert json.loads(json.dumps(evaluation))["rows"] == 200
    for copied in (pickle.loads(pickle.dumps(evaluation)), copy.deepcopy(evaluation)):
        assert copied == evaluation and type(copied) is Evaluation
    plain = evaluation.to_dict()
    assert type(plain) is dict and plain == evaluation
    plain["levels"][0]["coverage"] = -1
    assert evaluation["levels"][0]["coverage"] != -1


def test_an_evaluation_prints_a_short_table(evaluation):
    lines = repr(evaluation).splitlines()
    assert str(evaluation) == repr(evaluation)
    assert lines[0] == "evaluation of 200 rows, 60 calibration rows"
    assert len(lines) < 15 and max(map(len, lines)) < 130
    head, first = (line.split("  ") for line in lines[1:3])
    assert [cell.strip() for cell in head if cell][:3] == ["confidence", "promised", "coverage"]
    assert float(first[0]) == 0.8
    assert any(line.startswith("<left>") for line in lines) and any(line.startswith("CRPS") for line in lines)
    page = Balanced(evaluation._repr_html_())
    assert "<left>" in page.words and "table" in page.tags


def test_an_evaluation_as_frames(evaluation, sets):
    levels = evaluation.to_frame()
    assert list(levels["confidence"]) == [0.8, 0.9]
    assert levels["coverage"].tolist() == [level["coverage"] for level in evaluation["levels"]]
    groups = evaluation.to_frame("groups", library="polars")
    assert isinstance(groups, pl.DataFrame) and groups["name"].to_list() == [group["name"] for each in evaluation["by_group"] for group in each["groups"]]
    assert evaluation.to_frame("quantiles")["p"].tolist() == [each["p"] for each in evaluation["distribution"]["quantiles"]]
    assert len(evaluation.to_frame("p_values")) == 4
    assert list(evaluation.to_frame("alarms")) == [] if not evaluation["alarms"] else ["kind", "words"]
    with pytest.raises(ValueError, match="this evaluation has no labels; it has: 'levels', 'groups'"):
        evaluation.to_frame("labels")
    with pytest.raises(ValueError, match="part must be one of 'levels'"):
        evaluation.to_frame("level")
    with pytest.raises(ValueError, match="library must be"):
        evaluation.to_frame(library="excel")
    X, y = table(200, seed=1)
    of_sets = sets.evaluate(X, np.where(y > 0, "up", "down"))
    assert sorted(of_sets.to_frame("labels")["name"]) == ["down", "up"]
    assert "mean size" in repr(of_sets) and "accuracy" in repr(of_sets)


def test_alarms_are_in_the_table_too(fitted):
    X, y = table(200, seed=1)
    with pytest.warns(UserWarning):
        found = fitted.evaluate(X, y + 100)
    assert "alarm: " in repr(found)
    assert found.to_frame("alarms")["kind"].tolist() == [alarm["kind"] for alarm in found["alarms"]]


def test_an_evaluation_without_rank_or_band_is_shown():
    X, y = table()
    grouped = ConformalRegressor(predictor="linear", by="side", **QUICK).fit(X, y).evaluate(*table(100, seed=2))
    assert "None" not in repr(grouped) and "nan" not in repr(grouped)


def test_a_distribution_shows_means_and_quantiles(fitted):
    X, _ = table(8, seed=3)
    distribution = fitted.predict_distribution(X)
    lines = repr(distribution).splitlines()
    assert lines[0] == "predictive distributions of 8 rows" and lines[-1] == "and 3 more"
    assert lines[1].split() == ["row", "mean", "q0.05", "q0.25", "q0.5", "q0.75", "q0.95"]
    assert lines[2].startswith("row 0") and f"{distribution.mean()[0]:.4g}" in lines[2]
    frame = distribution.to_frame([0.1, 0.9])
    assert list(frame) == ["mean", "q0.1", "q0.9"] and list(frame.index) == list(X.index)
    np.testing.assert_array_equal(frame["q0.9"], distribution.ppf(0.9))
    assert distribution.to_frame(library="polars").shape == (8, 6)
    np.testing.assert_array_equal(distribution.to_dict([0.5])["q0.5"], distribution.median())
    Balanced(distribution._repr_html_())


def test_showing_a_distribution_never_fails_or_warns(fitted):
    X, y = table(30)
    few = ConformalRegressor(LinearRegression(), localizer="none", random_state=0).fit(X[["a", "b", "c"]], y)
    none = ConformalRegressor(predictor="linear", localizer="none", random_state=0).fit(X, y, calibrate=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        repr(few.predict_distribution(X[["a", "b", "c"]]))
        assert repr(none.predict_distribution(X)).startswith("predictive distributions of 30 rows")
        assert repr(fitted.predict_distribution(X[:0])) == "predictive distributions of 0 rows"
        large = pd.concat([X] * 400)
        assert repr(fitted.predict_distribution(large)) == "predictive distributions of 12,000 rows; to_frame() has means and quantiles"


def test_an_explanation_shows_its_columns(fitted):
    X, _ = table(40, seed=4)
    explanation = fitted.explain(X)
    lines = repr(explanation).splitlines()
    assert lines[0] == "explanation of 40 rows" and lines[2].startswith("a ")
    frame = explanation.to_frame()
    assert frame["column"].tolist()[:4] == [name for name, _ in explanation.prediction.importance()]
    assert frame["prediction"].iloc[0] == explanation.prediction.importance()[0][1]
    shares = explanation.prediction.to_frame()
    assert list(shares.index) == list(X.index) and list(shares) == explanation.feature_names
    np.testing.assert_allclose(shares.sum(axis=1) + explanation.prediction.base_values, explanation.prediction.total)
    assert explanation.to_dict()["prediction"]["values"] is explanation.prediction.values
    assert repr(explanation.prediction).splitlines()[2].startswith("a ")
    Balanced(explanation._repr_html_())
    if explanation.width is not None:
        width = dict(explanation.width.importance())
        assert frame.set_index("column")["width"]["b"] == pytest.approx(np.exp(width["b"]))


def test_frames_of_every_method_with_named_columns(fitted):
    X, y = table(20, seed=5)
    named = clone(fitted).set_output(transform="pandas").fit(*table())
    calls = {
        "predict_quantiles": (([0.1, 0.5],), {}, ["q0.1", "q0.5"]),
        "predict_bound": (("lower", [0.8, 0.9]), {}, ["lower_bound_0.8", "lower_bound_0.9"]),
        "ask": (("mean,interval:0.9,crps",), {"values": y}, ["mean", "lower_0.9", "upper_0.9", "crps"]),
    }
    for method, (arguments, keywords, columns) in calls.items():
        frame = getattr(named, method)(X, *arguments, **keywords)
        assert list(frame) == columns and list(frame.index) == list(X.index), method
        np.testing.assert_array_equal(frame.to_numpy(), getattr(fitted, method)(X, *arguments, **keywords))
    assert named.predict_bound(X, "upper", 0.9).shape == (20,) and isinstance(named.predict(X), np.ndarray)
    assert isinstance(named.set_output(transform="polars").predict_quantiles(X, [0.5]), pl.DataFrame)
    with pytest.raises(ValueError, match="two columns have the name 'lower_0.9'"):
        named.ask(X, "interval:0.9,equal:0.9")


def test_frames_of_sets(sets, tmp_path):
    X, y = table(20, seed=6)
    sets.save(tmp_path / "sets.taut")
    named = load(tmp_path / "sets.taut").set_output(transform="pandas")
    frame, members = named.predict_set(X, [0.8, 0.9]), sets.predict_set(X, [0.8, 0.9])
    assert list(frame) == ["prediction", "probability", "set_0.8_down", "set_0.8_up", "size_0.8", "set_0.9_down", "set_0.9_up", "size_0.9"]
    assert list(frame.index) == list(X.index) and frame["set_0.9_up"].dtype == bool
    np.testing.assert_array_equal(frame["set_0.9_up"], members[:, 1, 1])
    np.testing.assert_array_equal(frame["size_0.8"], members[:, :, 0].sum(axis=1))
    np.testing.assert_array_equal(frame["prediction"], sets.predict(X))
    np.testing.assert_array_equal(frame["probability"], sets.predict_proba(X).max(axis=1))
    assert isinstance(named.predict_proba(X), np.ndarray)
    assert list(named.stream(X, np.where(y > 0, "up", "down"))) == ["set_0.9_down", "set_0.9_up", "size_0.9"]
    assert named.predict_set(X[:0]).shape == (0, 5)
    assert clone(named)._container == "pandas"


def test_frames_of_sets_are_those_of_the_command_line(sets, tmp_path, program):
    X, _ = table(20, seed=7)
    sets.save(tmp_path / "sets.taut")
    X.to_csv(tmp_path / "new.csv", index=False)
    program("predict", "sets.taut", "new.csv", "--confidence", "0.8,0.9", "--wide", "-o", "out.csv")
    written = pd.read_csv(tmp_path / "out.csv")
    frame = clone(sets).set_output(transform="pandas")
    frame.__dict__.update({name: value for name, value in vars(sets).items() if name.endswith("_") or name in ("_texts", "_prefix")})
    ours = frame.predict_set(X, [0.8, 0.9]).reset_index(drop=True)
    assert list(written) == list(ours)
    for name in ours:
        values = ours[name].astype(int) if ours[name].dtype == bool else ours[name]
        assert values.tolist() == (pytest.approx(written[name].tolist()) if name == "probability" else written[name].tolist()), name

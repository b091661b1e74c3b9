"""taut export --onnx, run by onnxruntime: the same leaves, and intervals that contain those of Taut and are wider by the stated amount."""
import json
import os
import pathlib
import subprocess
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from conftest import slow

from taut import __version__, load

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TAUT", str(ROOT / "build" / "taut"))
LEVELS = [0.5, 0.9, 0.99]


def taut(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def make_frame(rows, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": np.round(rng.normal(size=rows), 1), "b": rng.normal(size=rows) * 1000, "k": rng.choice(["u", "v", "w"], rows)})
    y = frame["a"] + (frame["k"] == "v") + rng.normal(size=rows) * (0.2 + np.abs(frame["a"]))
    frame.loc[rng.random(rows) < 0.1, "a"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "k"] = np.nan
    return frame.assign(y=y)


def cells_of(cr, frame):
    """The inputs of the graph: numbers, and categories as codes."""
    columns = []
    for name, categories in cr.model_.columns:
        values = frame[name]
        if categories is not None:
            known = {text: float(i) for i, text in enumerate(categories)}
            values = [np.nan if pd.isna(value) else known.get(value, float(len(known))) for value in values]
        columns.append(np.asarray(values, dtype=np.float64))
    return np.column_stack(columns)


def compare(folder, frame):
    onnxruntime = pytest.importorskip("onnxruntime")
    taut("export", folder / "m.taut", "--onnx", folder / "m.onnx", "--confidence", ",".join(map(str, LEVELS)))
    cr = load(folder / "m.taut")
    session = onnxruntime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
    f, lower, upper = session.run(["prediction", "lower", "upper"], {"cells": cells_of(cr, frame)})
    wanted, ends = cr.predict_interval(frame, LEVELS)
    widths = ends[:, 1, 1] - ends[:, 0, 1]
    width = np.median(widths)
    own_width = np.maximum(width, np.where(np.isfinite(widths), widths, 0))[:, None]
    assert np.abs(f[:, 0] - wanted).max() < 1e-3 * width
    finite = np.isfinite(ends[:, 0])
    assert (lower <= ends[:, 0])[finite].all() and (upper >= ends[:, 1])[finite].all()  # moved outward, never inward
    assert (np.isneginf(lower) == np.isneginf(ends[:, 0])).all() and (np.isposinf(upper) == np.isposinf(ends[:, 1])).all()
    assert ((ends[:, 0] - lower) / own_width)[finite].max() < 0.01 and ((upper - ends[:, 1]) / own_width)[finite].max() < 0.01
    return session


@pytest.mark.parametrize("options", [
    ["--predictor", "boost"], slow(["--predictor", "symmetric", "--transform", "exp", "--sides", "one"]), slow(["--predictor", "elastic", "--sides", "two"]),
    ["--predictor", "linear", "--localizer", "none"], slow(["--predictor", "additive"]), slow(["--predictor", "gp"]), slow(["--predictor", "network"]),
    slow(["--predictor", "boost", "--transform", "curve", "--sides", "two"]), slow(["--predictor", "boost", "--focus", "0.9", "--y-min", "-2", "--y-max", "3"]),
    ["--predictor", "linear", "--split", "0.5,0.2,0.1,0.2", "--transform", "exp"]])
def test_graphs_of_our_predictors(tmp_path, options):
    frame = make_frame(900)
    if "--y-min" in options:
        frame["y"] = frame["y"].clip(-2, 3)
    frame.to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "-o", tmp_path / "m.taut", *options)
    compare(tmp_path, make_frame(2000, seed=1).drop(columns="y"))


def test_metadata_name_columns_codes_and_levels(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    frame = make_frame(400)
    frame["k"] = frame["k"].map({"u": 'a "quoted" one', "v": "été\\n", "w": "w"})
    frame["when"] = pd.date_range("2020-01-01", periods=400, freq="D").strftime("%Y-%m-%d")
    frame["flag"] = np.where(np.arange(400) % 3 > 0, "yes", "no")
    frame.to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", "linear", "--localizer", "none", "-o", tmp_path / "m.taut")
    taut("export", tmp_path / "m.taut", "--onnx", tmp_path / "m.onnx", "--confidence", "0.5,0.90")
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    told = json.loads(session.get_modelmeta().custom_metadata_map["taut"])
    cr = load(tmp_path / "m.taut")
    assert told["target"] == "y" and told["levels"] == [0.5, 0.9] and told["version"] == __version__
    assert told["calibration_rows"] == 80 == cr.record_["calibration_rows"]
    columns = {column["name"]: column for column in told["columns"]}
    assert list(columns) == ["a", "b", "k", "when", "flag"] == [name for name, _ in cr.model_.columns]
    assert [columns[name]["kind"] for name in columns] == ["number", "number", "category", "date", "boolean"]
    assert columns["k"]["categories"] == dict(cr.model_.columns)["k"] and columns["k"]["other"] == 3
    # A caller who knows nothing but the file predicts the same.
    cells = [float(columns["k"]["categories"].index("w")) if name == "k" else 1.0 for name in columns]
    f = session.run(["prediction"], {"cells": np.array([cells])})[0][0, 0]
    row = pd.DataFrame({"a": [1.0], "b": [1.0], "k": ["w"], "when": ["1970-01-01T00:00:01"], "flag": ["yes"]})
    assert f == pytest.approx(cr.predict(row)[0], rel=1e-3)
    if find_spec("onnx"):
        import onnx

        assert {entry.key: entry.value for entry in onnx.load(tmp_path / "m.onnx").metadata_props} == session.get_modelmeta().custom_metadata_map


def test_limits_of_predictions(tmp_path):
    frame = make_frame(900)
    frame["y"] = np.exp(frame["y"] / frame["y"].abs().max() * 4)
    frame.to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "-o", tmp_path / "m.taut", "--predictor", "elastic", "--target-scale", "log")
    taut("export", tmp_path / "m.taut", "--json", tmp_path / "m.json")
    assert '"upper_limit"' in (tmp_path / "m.json").read_text()
    new = make_frame(500, seed=1).drop(columns="y")
    numbers = new.select_dtypes("number").columns
    new.loc[:99, numbers] *= 1e3
    compare(tmp_path, new)


@pytest.mark.slow
def test_curves_that_begin_with_lines(tmp_path):
    def humps(rows, seed):
        rng = np.random.default_rng(seed)
        frame = make_frame(rows, seed)
        frame["c"] = 3.0  # a constant column
        sign, b = rng.choice([-1, 1], rows), frame["b"].clip(-2500, 2500) / 1000
        return frame.assign(y=0.3 * b + sign * (1 + 0.3 * b) + 0.05 * rng.normal(size=rows))

    humps(500, 0).to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", "linear", "-o", tmp_path / "m.taut")
    taut("export", tmp_path / "m.taut", "--json", tmp_path / "m.json")
    assert '"slopes"' in (tmp_path / "m.json").read_text()
    new = humps(2000, 1).drop(columns="y")
    new.loc[:3, "b"] = [np.inf, -np.inf, 1e300, np.nan]
    compare(tmp_path, new)


@pytest.mark.slow
def test_a_skewed_target(tmp_path):
    frame = make_frame(900)
    frame["y"] = np.exp(frame["y"] / 2)
    frame.to_csv(tmp_path / "d.csv", index=False)
    for scale in ("log", "root"):
        taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "--predictor", "boost", "--target-scale", scale, "-o", tmp_path / "m.taut")
        compare(tmp_path, make_frame(1000, seed=1).drop(columns="y"))


@pytest.mark.parametrize("options", [
    ["log", "--predictor", "boost"], ["root", "--predictor", "linear", "--localizer", "none"], slow(["log", "--predictor", "linear", "--transform", "exp"]),
    slow(["root", "--predictor", "network"]), slow(["log", "--predictor", "gp", "--y-min", "0", "--y-max", "4"]),
    slow(["log", "--predictor", "boost", "--transform", "shift"])])
def test_scores_on_another_scale(tmp_path, options):
    frame = make_frame(900)
    frame["y"] = np.exp(frame["y"] / frame["y"].abs().max() * 2)
    if "--y-max" in options:
        frame["y"] = frame["y"].clip(0.01, 4)
    frame.to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "-o", tmp_path / "m.taut", "--score-scale", *options)
    new = make_frame(1000, seed=1).drop(columns="y")
    numbers = new.select_dtypes("number").columns
    new.loc[:99, numbers] *= -1e2  # predictions of a linear model below 0
    compare(tmp_path, new)


@pytest.mark.parametrize("library", ["xgboost", slow("lightgbm"), slow("catboost")])
def test_graphs_of_imported_models(tmp_path, library):
    module = pytest.importorskip(library)
    frame = make_frame(1500).drop(columns="k")
    X, y = frame[["a", "b"]], frame["y"]
    if library == "xgboost":
        path = tmp_path / "m.json"
        module.XGBRegressor(n_estimators=50, max_depth=4).fit(X[:700], y[:700]).save_model(path)
    elif library == "lightgbm":
        path = tmp_path / "m.txt"
        module.LGBMRegressor(n_estimators=50, verbose=-1, zero_as_missing=True).fit(X[:700], y[:700]).booster_.save_model(path)
    else:
        path = tmp_path / "m.json"
        module.CatBoostRegressor(iterations=50, verbose=0, allow_writing_files=False).fit(X[:700], y[:700]).save_model(str(path), format="json")
    frame[700:].to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--model", path, "-o", tmp_path / "m.taut")
    compare(tmp_path, make_frame(1500, seed=2)[["a", "b"]])


def test_what_has_no_graph_is_refused(tmp_path):
    make_frame(400).to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "--predictor", "knn", "-o", tmp_path / "m.taut")
    done = subprocess.run([PROGRAM, "export", tmp_path / "m.taut", "--onnx", tmp_path / "m.onnx"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "knn" in done.stderr and not (tmp_path / "m.onnx").exists()

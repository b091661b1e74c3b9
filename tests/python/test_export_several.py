"""Boxes of several targets as C and ONNX: C has the library's numbers, and every exported interval contains that of the library."""
import ctypes
import json
import os
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, make_rows, slow
from test_onnx import cells_of

from taut import ConformalRegressor, load

COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
LEVELS = [0.001, 0.1, 0.5, 0.9, 0.999]  # few of the smallest intervals contain f; the whole line at the largest level
ONE, TWO = {"transform": "exp", "sides": "one"}, {"transform": "exp", "sides": "two"}
CURVE = {"transform": "curve", "sides": "two"}


def frame_of(rows, seed=0, targets=2):
    """Categories, missing cells, correlated and skewed errors whose spread depends on a and b."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": np.round(rng.normal(size=rows), 2), "b": rng.uniform(-1, 1, rows), "k": rng.choice(["u", "v", "w"], rows)})
    first = rng.normal(size=rows)
    errors = [first, 0.3 * first + rng.exponential(size=rows) ** 2 - 2, rng.exponential(size=rows) - 1][:targets]
    scales = [0.2 + np.abs(frame["a"]), 0.3 + np.abs(frame["b"]), 1]
    means = [frame["a"] + (frame["k"] == "v"), 3 * frame["b"], frame["a"] - frame["b"]]
    y = pd.DataFrame({f"y {j}": (means[j] + scales[j] * error).to_numpy() for j, error in enumerate(errors)})
    frame.loc[rng.random(rows) < 0.1, "a"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "k"] = None
    return frame, y


def fitted(targets, transform_targets=lambda y: y, **options):
    X, y = frame_of(600, targets=targets)
    return ConformalRegressor(region="box", effort="quick", random_state=0, **options).fit(X, transform_targets(y))


def new_rows():
    X, _ = frame_of(300, seed=1)
    X.loc[:9, "k"] = "unseen"
    X.loc[10:14, ["a", "b"]] *= 1e3
    X.loc[15, "a"] = np.inf
    return X


def answers(cr, X):
    """f (rows, targets), lower and upper ends (rows, targets, levels)."""
    f, boxes = cr.predict_interval(X, LEVELS)
    return f, boxes[:, :, 0], boxes[:, :, 1]


def of_onnx(cr, X, path):
    onnxruntime = pytest.importorskip("onnxruntime")
    cr.export(path, LEVELS)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = dict(zip([one.name for one in session.get_outputs()], session.run(None, {"cells": cells_of(cr, X)})))
    names = [str(name) for name in cr.target_names_]
    assert list(found) == [f"{kind}_{name}" for name in names for kind in ("prediction", "lower", "upper")]
    return (np.column_stack([found[f"prediction_{name}"] for name in names]),
            np.stack([found[f"lower_{name}"] for name in names], axis=1), np.stack([found[f"upper_{name}"] for name in names], axis=1))


def of_c(cr, X, folder):
    cr.export(folder / "m.c", LEVELS, function="predict")
    subprocess.run([COMPILER, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-shared", "m.c", "-o", "m.so", "-lm"],
                   cwd=folder, check=True)
    predict = ctypes.CDLL(str(folder / "m.so")).predict
    cells = cells_of(cr, X)
    out = np.empty((len(cells), len(cr.target_names_), 1 + 2 * len(LEVELS)))
    for row, into in zip(cells, out):
        one = np.ascontiguousarray(row)
        predict(ctypes.c_void_p(one.ctypes.data), ctypes.c_void_p(into.ctypes.data))
    return out[:, :, 0], out[:, :, 1::2], out[:, :, 2::2]


def contains(found, wanted, typical, share):
    """Infinite ends are the same, others lie outside of the library's by at most a share of the typical width and of the end."""
    for one, other, direction in [(found[1], wanted[1], -1), (found[2], wanted[2], 1)]:
        finite = np.isfinite(other)
        assert (np.isfinite(one) == finite).all()
        assert (direction * (one[finite] - other[finite]) >= 0).all()
        if share is not None:
            off = np.where(finite, one, 0) - np.where(finite, other, 0)
            size = typical + np.where(finite, np.abs(other - wanted[0][:, :, None]) + np.abs(other), 0)
            assert (direction * off <= share * size)[16:].all()  # rows before have odd cells


MODELS = [
    (2, {"predictor": "boost", **TWO}), (3, {"predictor": "linear", "localizer": "none"}), slow(2, {"predictor": "linear", **ONE}),
    slow(3, {"predictor": "boost", **CURVE}), slow(2, {"predictor": "linear", **CURVE}), slow(2, {}), slow(2, {"predictor": "linear", "transform": "sigma"}),
    slow(2, {"predictor": "linear", "transform": "shift", "sides": "two"}), slow(2, {"predictor": "linear", "transform": "offset", "objective": "size"}),
    slow(3, {"predictor": "boost", "y_min": -2, "y_max": 3, **TWO}), slow(2, {"predictor": "linear", "y_step": 0.25, **TWO}),
    slow(2, {"predictor": "gp", **TWO}), slow(2, {"predictor": "network"}),
    slow(2, {"predictor": "linear", "score_scale": "log", **TWO}), slow(2, {"predictor": "boost", "score_scale": "root"}),
    slow(2, {"predictor": "linear", "score_scale": "learned"})]


def model_of(targets, options):
    change = lambda y: y
    if "y_min" in options:
        change = lambda y: y.clip(options["y_min"], options["y_max"])
    elif "y_step" in options:
        change = lambda y: (y / options["y_step"]).round() * options["y_step"]
    elif "score_scale" in options:
        change = lambda y: np.exp(y / 3)
    return fitted(targets, change, **options)


@pytest.mark.parametrize("targets, options", MODELS)
def test_graphs_contain_the_boxes(tmp_path, targets, options):
    cr, X = model_of(targets, options), new_rows()
    found, wanted = of_onnx(cr, X, tmp_path / "m.onnx"), answers(cr, X)
    level = LEVELS.index(0.9)
    typical = np.median(wanted[2] - wanted[1], axis=0)[:, level:level + 1]
    assert np.abs((found[0] - wanted[0])[16:]).max() < 1e-3 * typical.max()
    contains(found, wanted, typical, None if "y_step" in options else 0.01)


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize("targets, options", [one.values if hasattr(one, "values") else one for one in MODELS])
def test_functions_in_c_have_the_numbers_of_the_library(tmp_path, targets, options):
    cr, X = model_of(targets, options), new_rows()
    found, wanted = of_c(cr, X, tmp_path), answers(cr, X)
    level = LEVELS.index(0.9)
    typical = np.median(wanted[2] - wanted[1], axis=0)[:, level:level + 1]
    has_slack = options.get("predictor") in (None, "gp", "network")
    assert (found[0] == wanted[0]).all() or (has_slack and np.abs(found[0] - wanted[0])[16:].max() < 1e-4 * typical.max())
    contains(found, wanted, typical, None if "y_step" in options else 1e-3 if has_slack else 1e-9)
    if has_slack or "y_step" in options:
        return
    # An end beyond f has the bits of the library; ends may lie short of it at small levels.
    is_around = (wanted[1] <= wanted[0][:, :, None]) & (wanted[2] >= wanted[0][:, :, None])
    assert is_around.mean() > 0.5
    if "transform" in options and options["transform"] in ("exp", "sigma"):
        assert (found[1] == wanted[1])[is_around].all() and (found[2] == wanted[2])[is_around].all()


def test_files_have_the_bytes_of_the_command_line(tmp_path, program):
    cr = fitted(2, predictor="linear", localizer="none")
    cr.save(tmp_path / "m.taut")
    program("export", "m.taut", "--c", "cli.c", "--onnx", "cli.onnx", "--json", "cli.json", "--confidence", "0.5,0.9")
    for ending in ("c", "onnx", "json"):
        cr.export(tmp_path / f"python.{ending}", [0.5, 0.9])
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"cli.{ending}").read_bytes()
    source = (tmp_path / "cli.c").read_text()
    for words in ["out[0]  f(x), the prediction of y 0", "out[3], out[4]  ends of the interval of y 0 at confidence 0.9",
                  "out[5]  f(x), the prediction of y 1", "out[8], out[9]  ends of the interval of y 1 at confidence 0.9"]:
        assert words in source


def test_metadata_name_the_targets(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    cr = fitted(3, predictor="linear", localizer="none")
    cr.export(tmp_path / "m.onnx", [0.5, 0.9])
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    told = json.loads(session.get_modelmeta().custom_metadata_map["taut"])
    assert told["targets"] == ["y 0", "y 1", "y 2"] and "target" not in told and told["levels"] == [0.5, 0.9]
    assert [column["name"] for column in told["columns"]] == ["a", "b", "k"] == [name for name, _ in cr.model_.columns]
    assert told["calibration_rows"] == cr.record_["calibration_rows"]


def test_a_box_of_one_target_is_its_interval(tmp_path, program):
    X, y = frame_of(300)
    pd.concat([X, y["y 0"].rename("y")], axis=1).to_csv(tmp_path / "d.csv", index=False)
    program("fit", "d.csv", "--target", "y", "--task", "several", "--region", "box", "--predictor", "linear", "-o", "joint.taut")
    program("fit", "d.csv", "--target", "y", "--predictor", "linear", "-o", "one.taut")
    for name in ("joint", "one"):
        program("export", f"{name}.taut", "--c", f"{name}.c", "--onnx", f"{name}.onnx")
    for ending in ("c", "onnx"):
        assert (tmp_path / f"joint.{ending}").read_bytes() == (tmp_path / f"one.{ending}").read_bytes()


def test_regions_that_are_no_boxes_and_calibrations_are_refused(tmp_path):
    X, _ = make_rows(300)
    y = np.column_stack([X[:, 0], X[:, 1]]) + np.random.default_rng(0).normal(size=(300, 2))
    options = {"predictor": "linear", "localizer": "none", **QUICK}
    cases = [(ConformalRegressor(region=region, **options).fit(X, y), [f"'{region}'", "region='box'", "a model for each target"])
             for region in ("ellipsoid", "density")]
    grouped = ConformalRegressor(region="box", **options).fit(X, y, groups=(X[:, 0] > 0).astype(int))
    for cr, expected in [*cases, (grouped, ["'by-group'", "different distributions of scores"])]:
        for ending in ("c", "onnx"):
            with pytest.raises(ValueError, match="this model cannot be exported") as told:
                cr.export(tmp_path / f"m.{ending}")
            assert all(phrase in str(told.value) for phrase in expected) and "--" not in str(told.value)
            assert not (tmp_path / f"m.{ending}").exists()
        cr.export(tmp_path / "m.json")
        assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))


def test_a_loaded_model_is_exported(tmp_path):
    cr = fitted(2, predictor="linear", localizer="none")
    cr.save(tmp_path / "m.taut")
    cr.export(tmp_path / "one.c")
    load(tmp_path / "m.taut").export(tmp_path / "two.c")
    assert (tmp_path / "one.c").read_bytes() == (tmp_path / "two.c").read_bytes()

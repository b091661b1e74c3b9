"""increasing=, decreasing=: f, quantiles and both ends never turn back, in the package, in C and in ONNX."""
import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from test_export_stacks import CALL, COMPILER, DATA
from test_onnx import cells_of, taut

from taut import ConformalRegressor, load

LEVELS = [0.5, 0.9, 0.99]
QUANTILES = [0.1 * tenth for tenth in range(1, 10)]
SETS = {  # target, columns to leave out, increasing, decreasing
    "homes": ("price", ["id", "date"], ["sqft_living", "grade"], []),
    "california": ("median_house_value", [], ["median_income"], []),
    "diamonds": ("price", [], ["carat"], []),
    "concrete": (-1, [], [0], []),
}


def make_frame(rows, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=rows), "b": rng.uniform(0, 3, rows), "c": rng.normal(size=rows), "k": rng.choice(["u", "v", "w"], rows)})
    f = np.exp((4 + frame["a"] + np.sin(4 * frame["a"]) - frame["b"] + 0.5 * frame["c"] + frame["a"] * (frame["k"] == "v")) / 4)
    frame["y"] = f + (0.2 + 0.2 * f + 0.1 * np.abs(frame["c"])) * rng.normal(size=rows)
    frame.loc[rng.random(rows) < 0.05, "c"] = np.nan
    return frame


def table_of(name):
    path = DATA / f"{name}.csv.gz"
    if not path.exists():
        pytest.skip(f"LEFT OUT: {path} is not there; $TAUT_DATA names the folder of data sets")
    frame = pd.read_csv(path)
    target, dropped, up, down = SETS[name]
    at = [frame.columns[column] if isinstance(column, int) else column for column in (target, *up, *down)]
    return frame.drop(columns=[at[0], *dropped]), frame[at[0]], at[1:1 + len(up)], at[1 + len(up):]


def pairs(frame, up, down, count, seed=0):
    """Pairs of rows that differ only in these columns: cells of random rows, or numbers between and a little beyond them."""
    rng = np.random.default_rng(seed)
    low = frame.iloc[rng.integers(0, len(frame), count)].reset_index(drop=True)
    high = low.copy()
    for column in (*up, *down):
        cells = frame[column].to_numpy(dtype=float)
        least, most = cells.min(), cells.max()
        drawn = [np.where(rng.random(count) < 0.5, rng.choice(cells, count), rng.uniform(least - 0.1 * (most - least), most + 0.1 * (most - least), count)) for _ in range(2)]
        drawn[1] = np.where(rng.random(count) < 0.1, drawn[0], drawn[1])
        first, second = np.minimum(*drawn), np.maximum(*drawn)
        low[column], high[column] = (first, second) if column in up else (second, first)
    return low, high


def answers(cr, frame):
    f, ends = cr.predict_interval(frame, LEVELS)
    return np.column_stack([f, ends.reshape(len(frame), -1), cr.predict_quantiles(frame, QUANTILES)])


def turned(low, high):
    return int(((low > high).any(axis=1)).sum())


class Served:
    """One model through ONNX and C, each exported once."""

    def __init__(self, cr, folder):
        onnxruntime = pytest.importorskip("onnxruntime")
        if COMPILER is None:
            pytest.skip("LEFT OUT: there is no C compiler")
        self.cr, self.program = cr, folder / "m"
        cr.save(folder / "m.taut")
        levels = ",".join(map(str, LEVELS))
        taut("export", folder / "m.taut", "--onnx", folder / "m.onnx", "--confidence", levels)
        taut("export", folder / "m.taut", "--c", folder / "m.c", "--function", "predict", "--confidence", levels)
        self.session = onnxruntime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
        text = CALL.replace("COLUMNS", str(len(cr.model_.columns))).replace("OUTPUTS", str(1 + 2 * len(LEVELS)))
        (folder / "call.c").write_text(text, encoding="utf-8")
        subprocess.run([COMPILER, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "m.c", "call.c", "-o", "m", "-lm"], cwd=folder, check=True)

    def by_onnx(self, cells):
        f, lower, upper = self.session.run(["prediction", "lower", "upper"], {"cells": cells})
        return np.column_stack([f, lower, upper])

    def by_c(self, cells):
        done = subprocess.run([self.program], input=np.ascontiguousarray(cells).tobytes(), capture_output=True, check=True)
        found = np.frombuffer(done.stdout).reshape(len(cells), 1 + 2 * len(LEVELS))
        return np.column_stack([found[:, :1], found[:, 1::2], found[:, 2::2]])

    def check_order(self, low, high):
        of_low, of_high = answers(self.cr, low), answers(self.cr, high)
        assert turned(of_low, of_high) == 0
        assert (of_low[:, 0] < of_high[:, 0]).mean() > 0.5
        cells = [cells_of(self.cr, frame) for frame in (low, high)]
        onnx, c = [self.by_onnx(own) for own in cells], [self.by_c(own) for own in cells]
        assert turned(*onnx) == 0
        assert turned(*c) == 0
        assert (c[0][:, 0] == of_low[:, 0]).all()
        return onnx[0], c[0]

    def check(self, low, high):
        exported = self.check_order(low, high)
        lower, upper = self.cr.predict_interval(low, LEVELS)[1].transpose(1, 0, 2)
        width = np.median(upper[:, 1] - lower[:, 1])
        for served in exported:  # moved outward, and by little
            assert (served[:, 1:4] <= lower).all() and (served[:, 4:] >= upper).all()
            assert (lower - served[:, 1:4]).max() < 0.01 * width and (served[:, 4:] - upper).max() < 0.01 * width


@pytest.fixture(scope="module")
def model():
    frame = make_frame(800)
    return ConformalRegressor(increasing=["a"], decreasing=["b"], predictor="boost", **QUICK).fit(frame.drop(columns="y"), frame["y"])


def test_nothing_turns_back(model, tmp_path):
    low, high = pairs(make_frame(3000, seed=1).drop(columns="y"), ["a"], ["b"], 20_000)
    assert turned(answers(model, low), answers(model, high)) == 0
    model.save(tmp_path / "m.taut")
    assert turned(answers(load(tmp_path / "m.taut"), low), answers(model, high)) == 0


@pytest.mark.parametrize("predictor", ["boost", "linear"])
def test_graphs_keep_the_order_at_any_place_of_a_batch(model, tmp_path, predictor):
    """Exactly at equal places of equal batches, otherwise up to a few units in the last place of a float; infinite cells included."""
    onnxruntime = pytest.importorskip("onnxruntime")
    frame = make_frame(800)
    cr = model if predictor == "boost" else clone(model).set_params(predictor=predictor).fit(frame.drop(columns="y"), frame["y"])
    cr.export(tmp_path / "m.onnx", LEVELS)
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    low, high = pairs(make_frame(3000, seed=1).drop(columns="y"), ["a"], ["b"], 2000)
    high.loc[::7, "a"], low.loc[::11, "b"], low.loc[::13, "a"] = np.inf, np.inf, -np.inf
    low, high = cells_of(cr, low), cells_of(cr, high)

    def ask(cells):
        return np.column_stack(session.run(["prediction", "lower", "upper"], {"cells": np.ascontiguousarray(cells)}))

    assert turned(ask(low), ask(high)) == 0
    of_low, rng = ask(low), np.random.default_rng(0)
    bound = 1e-6 * np.abs(of_low)
    for size in (1, 3, 7, 333):
        order = rng.permutation(2000)[:50 * size]
        of_high = np.vstack([ask(high[order[first:first + size]]) for first in range(0, len(order), size)])
        assert (of_low[order] <= of_high + bound[order]).all(), size


def test_options_are_parameters():
    assert clone(ConformalRegressor(increasing=["a"])).get_params()["increasing"] == ["a"]


def test_what_cannot_hold_is_refused(model):
    frame = make_frame(300)
    X, y = frame.drop(columns="y"), frame["y"]
    for wrong, words in [({"increasing": ["k"]}, "which have no order"), ({"increasing": ["a"], "decreasing": ["a"]}, "both name 'a'"),
                         ({"increasing": ["nope"]}, "nope"), ({"increasing": ["a"], "predictor": "knn"}, "cannot keep the directions")]:
        with pytest.raises(ValueError, match=words):
            ConformalRegressor(**{**QUICK, **wrong}).fit(X, y)
    with pytest.raises(ValueError, match="predictors that Taut trains"):
        ConformalRegressor(LinearRegression(), increasing=["a"], random_state=0).fit(X[["a", "b"]], y)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("options", [{"predictor": "symmetric"}, {"predictor": "linear"}, {"score_scale": "log"}, {"score_scale": "root"}, {"score_scale": "learned"},
                                     {"score_scale": "as-is", "target_scale": "log"}, {"transform": "exp"}, {"y_min": 0.0}])
def test_exports_do_not_turn_back(tmp_path, options):
    frame = make_frame(800)
    frame["y"] = frame["y"].clip(lower=0.01)
    cr = ConformalRegressor(increasing=["a"], decreasing=["b"], **{"predictor": "boost", **QUICK, **options}).fit(frame.drop(columns="y"), frame["y"])
    low, high = pairs(make_frame(3000, seed=1).drop(columns="y"), ["a"], ["b"], 50_000)
    served = Served(cr, tmp_path)
    served.check(low, high)
    high.loc[::7, "a"], low.loc[::11, "b"], low.loc[::13, "a"] = np.inf, np.inf, -np.inf
    served.check_order(low, high)


@pytest.mark.slow  # compiles, and predicts $TAUT_PAIRS pairs of rows by three programs: ten million take an hour for each set
@pytest.mark.parametrize("name", SETS)
def test_pairs_of_real_rows(tmp_path, name):
    X, y, up, down = table_of(name)
    cr = ConformalRegressor(increasing=up, decreasing=down, random_state=0).fit(X, y)
    served, rows = Served(cr, tmp_path), 10_000
    for part in range(int(os.environ.get("TAUT_PAIRS", "10000")) // rows):
        served.check_order(*pairs(X, up, down, rows, seed=part))

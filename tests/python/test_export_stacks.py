"""Export of default models of real tables, which are stacks, to C, ONNX and JSON: the same numbers up to the stated tolerance."""
import csv
import gzip
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from test_onnx import LEVELS, compare, taut

from taut import load

DATA = pathlib.Path(os.environ.get("TAUT_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
CALL = """
#include <stdio.h>
void predict(const double* cells, double* out);
int main(void) {
  double cells[COLUMNS], out[OUTPUTS];
  while (fread(cells, sizeof cells, 1, stdin) == 1) {
    predict(cells, out);
    fwrite(out, sizeof out, 1, stdout);
  }
  return 0;
}
"""
TABLES = {"concrete": (-1, []), "energy": (-2, [-1]), "power": (-1, [])}  # the column of the target, and those that are left out


def table_of(name, rows):
    path = DATA / f"{name}.csv.gz"
    if not path.exists():
        pytest.skip(f"LEFT OUT: {path} is not there; $TAUT_DATA names the folder of data sets")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        cells = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:rows + 1]])
    target, dropped = TABLES[name]
    y = cells[:, target]
    X = np.delete(cells, [target, *dropped], axis=1)
    return X, y


def write(path, X, y=None):
    names = [f"x{i}" for i in range(X.shape[1])] + ([] if y is None else ["y"])
    rows = X if y is None else np.column_stack([X, y])
    path.write_text("\n".join([",".join(names), *(",".join(map(repr, row.tolist())) for row in rows)]) + "\n", encoding="utf-8")


def by_c(folder, X):
    taut("export", folder / "m.taut", "--c", folder / "m.c", "--function", "predict", "--confidence", ",".join(map(str, LEVELS)))
    outputs = 1 + 2 * len(LEVELS)
    (folder / "call.c").write_text(CALL.replace("COLUMNS", str(X.shape[1])).replace("OUTPUTS", str(outputs)), encoding="utf-8")
    subprocess.run([COMPILER, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "m.c", "call.c", "-o", "m", "-lm"], cwd=folder, check=True)
    done = subprocess.run([folder / "m"], input=np.ascontiguousarray(X).tobytes(), capture_output=True, check=True)
    found = np.frombuffer(done.stdout).reshape(len(X), outputs)
    return found[:, 0], found[:, 1::2], found[:, 2::2]


def random_rows(X, count, seed=0):
    """Rows that combine cells of different rows; some cells are far outside, some are missing."""
    draw = np.random.default_rng(seed)
    rows = np.column_stack([draw.choice(column, count) for column in X.T])
    rows[draw.random(rows.shape) < 0.02] *= 100
    rows[draw.random(rows.shape) < 0.02] = np.nan
    return rows


def check_c(folder, X):
    if COMPILER is None:
        pytest.skip("LEFT OUT: there is no C compiler")
    f, lower, upper = by_c(folder, X)
    wanted, ends = load(folder / "m.taut").predict_interval(X, LEVELS)
    width = ends[:, 1, 1] - ends[:, 0, 1]
    size = np.abs(wanted) + np.maximum(np.median(width), np.where(np.isfinite(width), width, 0))
    assert (np.abs(f - wanted) <= 1e-4 * size).all(), np.abs(f - wanted).max()
    assert (lower <= ends[:, 0]).all() and (upper >= ends[:, 1]).all()
    finite = np.isfinite(ends[:, 0])
    assert ((ends[:, 0] - lower) <= 1e-3 * size[:, None])[finite].all() and ((upper - ends[:, 1]) <= 1e-3 * size[:, None])[finite].all()


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("name", TABLES)
def test_the_default_model(tmp_path, name):
    X, y = table_of(name, 2000)
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "-o", tmp_path / "m.taut")
    parts = json.loads(taut("info", tmp_path / "m.taut", "--json").stdout)
    assert parts["parts"]["predictor"] == "stack"
    rows = np.vstack([X[:300], random_rows(X, 700)])
    check_c(tmp_path, rows)
    compare_onnx(tmp_path, rows)
    taut("export", tmp_path / "m.taut", "--json", tmp_path / "m.json")
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["predictor"]["name"] == "stack"


def compare_onnx(folder, rows):
    import pandas as pd

    compare(folder, pd.DataFrame(rows, columns=[f"x{i}" for i in range(rows.shape[1])]))


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("predictor", ["network", "gp", "additive"])
@pytest.mark.parametrize("scale", ["as-is", "log", "root"])
def test_each_smooth_predictor(tmp_path, predictor, scale):
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.normal(size=500), np.exp(draw.normal(size=500)), draw.integers(0, 2, 500)])
    y = np.exp(0.3 * X[:, 0] + 0.1 * X[:, 2] + 0.2 * draw.normal(size=500))
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", predictor, "--effort", "quick", "--target-scale", scale, "-o", tmp_path / "m.taut")
    rows = np.vstack([X[:200], random_rows(X, 800)])
    check_c(tmp_path, rows)
    compare_onnx(tmp_path, rows)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("options", [["--predictor", "boost"], ["--predictor", "network"], ["--predictor", "linear", "--transform", "exp"],
                                     ["--predictor", "linear", "--localizer", "none", "--y-min", "0"]])
@pytest.mark.parametrize("scale", ["log", "root", "learned"])
def test_scores_on_another_scale(tmp_path, scale, options):
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.normal(size=500), np.exp(draw.normal(size=500)), draw.integers(0, 2, 500)])
    y = np.exp(0.3 * X[:, 0] + 0.1 * X[:, 2] + 0.2 * draw.normal(size=500))
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--effort", "quick", "--score-scale", scale, "-o", tmp_path / "m.taut", *options)
    rows = np.vstack([X[:200], random_rows(X, 800), -50 * X[:100]])  # lines predict less than 0 there
    check_c(tmp_path, rows)
    compare_onnx(tmp_path, rows)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("predictor", ["boost", "linear"])
def test_dates(tmp_path, predictor):
    """Every part of a date, from year 1 to 9999, leap days and missing ones too."""
    pandas = pytest.importorskip("pandas")
    onnxruntime = pytest.importorskip("onnxruntime")
    draw = np.random.default_rng(0)
    seconds = draw.integers(1_500_000_000, 1_700_000_000, 600) + draw.integers(0, 86_400, 600) / 2
    moments = pandas.to_datetime(np.round(seconds * 1000), unit="ms")
    y = moments.month + 3 * (moments.day_of_week < 5) + moments.hour / 10 + (moments.year - 2017) + 0.3 * draw.normal(size=600)
    pandas.DataFrame({"when": moments.strftime("%Y-%m-%d %H:%M:%S"), "y": np.asarray(y)}).to_csv(tmp_path / "d.csv", index=False)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", predictor, "--effort", "quick", "-o", tmp_path / "m.taut")
    texts = [f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:00" for year, month, day, hour, minute in zip(
        [1, 1600, 1900, 2000, 2024, 2024, 2023, 9999, *draw.integers(1, 9999, 400)], [1, 2, 3, 2, 2, 12, 12, 12, *draw.integers(1, 13, 400)],
        [1, 29, 1, 29, 29, 31, 31, 31, *draw.integers(1, 29, 400)], [0, 23, 12, 1, 5, 23, 0, 23, *draw.integers(0, 24, 400)], draw.integers(0, 60, 408))]
    (tmp_path / "new.csv").write_text("\n".join(["when", *texts, "NA"]) + "\n", encoding="utf-8")
    taut("predict", tmp_path / "m.taut", tmp_path / "new.csv", "--confidence", ",".join(map(str, LEVELS)), "-o", tmp_path / "p.csv")
    wanted = np.array([[float(cell) for cell in row] for row in list(csv.reader((tmp_path / "p.csv").read_text(encoding="utf-8").splitlines()))[1:]])
    moments = np.array(texts, dtype="datetime64[s]").astype(np.int64).astype(np.float64)
    cells = np.append(moments, np.nan).reshape(-1, 1)
    f, lower, upper = by_c(tmp_path, cells)
    np.testing.assert_array_equal(np.column_stack([f, *(ends[:, i] for i in range(3) for ends in (lower, upper))]), wanted)
    taut("export", tmp_path / "m.taut", "--onnx", tmp_path / "m.onnx", "--confidence", ",".join(map(str, LEVELS)))
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    graph, low, high = session.run(["prediction", "lower", "upper"], {"cells": cells})
    width = wanted[:, 2::2] - wanted[:, 1::2]
    assert (np.abs(graph - wanted[:, :1]) <= 1e-5 * (np.abs(wanted[:, :1]) + np.median(width[:, 1]))).all()
    size = np.abs(wanted[:, :1]) + np.maximum(np.median(width[:, 1]), width)  # dates beyond the training rows have wide intervals
    assert (low <= lower).all() and (high >= upper).all() and (lower - low <= 1e-3 * size).all()


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("sides", ["one", "two"])
@pytest.mark.parametrize(("transform", "objective"), [("shift", "likelihood"), ("offset", "size"), ("spline", "likelihood")])
def test_transformations_with_formulas(tmp_path, transform, objective, sides):
    """Exported intervals contain those of the library and are hardly wider. For empty sets C returns NaN, and ONNX the prediction as both ends."""
    onnxruntime = pytest.importorskip("onnxruntime")
    draw = np.random.default_rng(0)
    X = draw.normal(size=(900, 2))
    y = X[:, 0] + draw.choice([-1, 1], 900) * np.where(X[:, 1] > 0, 8, 2) + 0.1 * draw.normal(size=900)
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", "boost", "--effort", "quick", "--transform", transform, "--objective", objective, "--sides", sides, "-o",
         tmp_path / "m.taut")
    assert json.loads(taut("info", tmp_path / "m.taut", "--json").stdout)["parts"]["transform"] == transform
    rows = np.vstack([X, random_rows(X, 300)])
    wanted, ends = load(tmp_path / "m.taut").predict_interval(rows, LEVELS)
    found = by_c(tmp_path, rows)
    empty = np.isnan(ends[:, 0])
    np.testing.assert_array_equal(np.isnan(found[1]), empty)
    np.testing.assert_array_equal(found[0], wanted)
    taut("export", tmp_path / "m.taut", "--onnx", tmp_path / "m.onnx", "--confidence", ",".join(map(str, LEVELS)))
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"), providers=["CPUExecutionProvider"])
    graph = session.run(["prediction", "lower", "upper"], {"cells": rows})
    assert np.abs(graph[0][:, 0] - wanted).max() < 1e-4
    for (_, lower, upper), slack in ((found, 1e-8), (graph, 1e-3)):
        held = ~empty
        assert (lower <= ends[:, 0])[held].all() and (upper >= ends[:, 1])[held].all()
        tolerance = slack * (1 + ends[:, 1] - ends[:, 0])
        assert (ends[:, 0] - lower <= tolerance)[held].all() and (upper - ends[:, 1] <= tolerance)[held].all()
        assert np.isfinite(upper[held]).any()
    assert (graph[2] - graph[1])[empty].max(initial=0) < 1e-3


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("predictor", ["boost", "linear", "network"])
@pytest.mark.parametrize(("step", "least"), [(1, None), (0.5, None), (0.3, -0.5)])
def test_multiples_of_a_step(tmp_path, predictor, step, least):
    """Exported ends are not rounded to multiples of the step, but they contain every multiple in the program's set. This includes products of doubles such
    as 3 · 0.3, and the first multiple above a minimum that is not a multiple."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(600, 2))
    y = np.round((X[:, 0] + np.abs(X[:, 1]) * draw.normal(size=600)) / step) * step
    range_of_y = [] if least is None else ["--y-min", least]
    y = y if least is None else np.maximum(y, np.ceil(least / step) * step)
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", predictor, "--effort", "quick", "--y-step", step, *range_of_y, "-o", tmp_path / "m.taut")
    rows = np.vstack([X, random_rows(X, 400)])
    f, lower, upper = by_c(tmp_path, rows)
    wanted, ends = load(tmp_path / "m.taut").predict_interval(rows, LEVELS)
    np.testing.assert_allclose(f, wanted, rtol=1e-5 if predictor == "network" else 0, atol=1e-5 if predictor == "network" else 0)
    assert (lower <= ends[:, 0]).all() and (upper >= ends[:, 1]).all()
    wide = ends[:, 1] - ends[:, 0] > 4 * step
    most = np.full(wide.shape, float(step)) + (1e-3 * (np.abs(wanted)[:, None] + 1) if predictor == "network" else 0)
    # An exported end is at least one step from the centre. The program's end, a multiple, may be beyond the centre by less than a step, far from the rows that
    # trained, where one side of an interval can be that short.
    most[len(X):] += step
    assert wide.any() and ((ends[:, 0] - lower) < most)[wide].all() and ((upper - ends[:, 1]) < most)[wide].all()
    compare_steps(tmp_path, rows, lower, upper)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("step", [1, 0.1])
def test_predictions_amid_two_multiples(tmp_path, step):
    """f is given, and is a multiple or in the middle between two multiples."""
    draw = np.random.default_rng(0)
    f = draw.integers(-40, 40, 500) * step / 2
    y = np.round((f + draw.choice([0, 0, 0, 0, 3], 500) * step * draw.normal(size=500)) / step) * step
    rows = np.column_stack([draw.normal(size=500), f])
    text = ["x,f,y", *(f"{a!r},{b!r},{c!r}" for (a, b), c in zip(rows.tolist(), y.tolist()))]
    (tmp_path / "d.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    taut("fit", tmp_path / "d.csv", "--target", "y", "--prediction", "f", "--effort", "quick", "--y-step", step, "-o", tmp_path / "m.taut")
    taut("predict", tmp_path / "m.taut", tmp_path / "d.csv", "--confidence", ",".join(map(str, LEVELS)), "-o", tmp_path / "p.csv")
    wanted = np.genfromtxt(tmp_path / "p.csv", delimiter=",", skip_header=1)[:, -6:]
    f_c, lower, upper = by_c(tmp_path, rows)
    np.testing.assert_array_equal(f_c, f)
    assert (lower <= wanted[:, 0::2]).all() and (upper >= wanted[:, 1::2]).all()
    compare_steps(tmp_path, rows, lower, upper)


@pytest.mark.slow  # compiles
@pytest.mark.parametrize("scale", ["log", "root"])
def test_multiples_of_a_step_on_another_scale(tmp_path, scale):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(600, 2))
    y = np.maximum(np.round(np.exp(1 + X[:, 0] + 0.3 * draw.normal(size=600)) / 0.3) * 0.3, 0.3)
    write(tmp_path / "d.csv", X, y)
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", "boost", "--effort", "quick", "--y-step", 0.3, "--score-scale", scale, "-o", tmp_path / "m.taut")
    rows = np.vstack([X, random_rows(X, 400)])
    f, lower, upper = by_c(tmp_path, rows)
    wanted, ends = load(tmp_path / "m.taut").predict_interval(rows, LEVELS)
    np.testing.assert_array_equal(f, wanted)
    assert (lower <= ends[:, 0]).all() and (upper >= ends[:, 1]).all()
    assert (lower > ends[:, 0] - 0.7).all() and (upper < ends[:, 1] + 0.7).all()
    compare_steps(tmp_path, rows, lower, upper)


def compare_steps(folder, X, lower, upper):
    onnxruntime = pytest.importorskip("onnxruntime")
    taut("export", folder / "m.taut", "--onnx", folder / "m.onnx", "--confidence", ",".join(map(str, LEVELS)))
    session = onnxruntime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
    low, high = session.run(["lower", "upper"], {"cells": X})
    assert (low <= lower).all() and (high >= upper).all()
    width = upper - lower
    assert (np.abs(low - lower) < 1e-2 * np.maximum(1, width / np.median(width, axis=0))).all()  # slack is a share of the width

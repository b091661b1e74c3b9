"""What `taut fit` makes of real tables by default, a stack, leaves Taut as C, ONNX and JSON: the same numbers up to the slack that is stated."""
import csv
import gzip
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from test_onnx import LEVELS, PROGRAM, compare, taut

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
    """Cells of different rows side by side, some far outside, some missing."""
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
    width = np.median(ends[:, 1, 1] - ends[:, 0, 1])
    size = np.abs(wanted) + width
    assert (np.abs(f - wanted) <= 1e-4 * size).all(), np.abs(f - wanted).max()
    assert (lower <= ends[:, 0]).all() and (upper >= ends[:, 1]).all()
    finite = np.isfinite(ends[:, 0])
    assert ((ends[:, 0] - lower) <= 1e-3 * size[:, None])[finite].all() and ((upper - ends[:, 1]) <= 1e-3 * size[:, None])[finite].all()


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


def test_what_has_no_form_is_named(tmp_path):
    draw = np.random.default_rng(0)
    write(tmp_path / "d.csv", draw.normal(size=(300, 2)), draw.normal(size=300))
    taut("fit", tmp_path / "d.csv", "--target", "y", "--predictor", "knn", "--effort", "quick", "-o", tmp_path / "m.taut")
    for form in ("--c", "--onnx"):
        done = subprocess.run([PROGRAM, "export", tmp_path / "m.taut", form, tmp_path / "m"], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "knn" in done.stderr and "network" in done.stderr and not (tmp_path / "m").exists()

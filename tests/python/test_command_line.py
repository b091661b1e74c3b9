"""Python and the command line: the same bits of intervals, and the same model files."""
import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import PROGRAM, QUICK, make_rows

import taut
from taut import ConformalRegressor, _core, load

LEVELS = [0.8, 0.9]
FLAGS = ["--effort", "quick", "--epochs", 20, "--seed", 0]


def frame(rows, seed):
    X, y = make_rows(rows, seed)
    draw = np.random.default_rng(seed + 100)
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table["colour"] = draw.choice(["red", "green", "blue", None], rows)
    table["whole"] = draw.integers(0, 5, rows)
    table.loc[3, "b"] = np.nan
    table["y"] = y + (table["colour"] == "red")
    return table


def write(table, path):
    table.to_csv(path, index=False, float_format="%.17g")


def read_intervals(text):
    lines = [line.split(",") for line in text.strip().split("\n")]
    values = np.array([[float(cell) if cell else np.nan for cell in line] for line in lines[1:]])
    return values[:, 0], np.stack([values[:, 1::2], values[:, 2::2]], axis=1)


def assert_same(result, expected):
    for ours, theirs in zip(result, expected):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("options", [{}, {"objective": "size", "sides": "two"}, {"split": "0.4,0.3,0.1,0.2", "y_min": -1.0}])
def test_fit_and_predict_give_the_same_bits(tmp_path, program, options):
    train, test = frame(250, 0), frame(100, 1)
    train["y"] = train["y"].clip(lower=options.get("y_min", -np.inf))
    write(train, tmp_path / "train.csv")
    write(test, tmp_path / "test.csv")
    flags = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    program("fit", "train.csv", "--target", "y", "-o", "cli.taut", *FLAGS, *flags)
    expected = read_intervals(program("predict", "cli.taut", "test.csv", "--confidence", "0.8,0.9"))

    cr = ConformalRegressor(**QUICK, **options).fit(train.drop(columns="y"), train["y"])
    X = test.drop(columns="y")
    assert_same(cr.predict_interval(X, LEVELS), expected)
    # Both files in both programs, and through Python's own load.
    cr.save(tmp_path / "python.taut")
    assert_same(read_intervals(program("predict", "python.taut", "test.csv", "--confidence", "0.8,0.9")), expected)
    for name in ("cli.taut", "python.taut"):
        assert_same(load(tmp_path / name).predict_interval(X, LEVELS), expected)


@pytest.mark.parametrize("predictor", ["boost", "linear", "knn"])
def test_odd_cells_are_read_alike(tmp_path, program, predictor):
    """Texts in numeric columns and values that no training row has, in calibration rows and in rows to predict."""
    train, test = frame(250, 0).astype({"a": object}), frame(60, 1).astype({"a": object})
    for table in (train, test):
        table.loc[5::7, "colour"] = [f"once {i}" for i in range(len(table.loc[5::7]))]
    plan = taut._core.cross_rows(250, {"target": "y"}, "t", False)
    train.loc[plan[1][::3], "a"] = "??"
    test.loc[::4, "a"] = "a few"
    write(train, tmp_path / "train.csv")
    write(test, tmp_path / "test.csv")
    program("fit", "train.csv", "--target", "y", "-o", "cli.taut", *FLAGS, "--predictor", predictor)
    expected = read_intervals(program("predict", "cli.taut", "test.csv", "--confidence", "0.8,0.9"))
    cr = ConformalRegressor(**QUICK, predictor=predictor).fit(train.drop(columns="y"), train["y"])
    assert dict(cr.model_.columns)["a"] is None
    assert_same(cr.predict_interval(test.drop(columns="y"), LEVELS), expected)


def test_polars_frames_are_read_alike(tmp_path):
    pl = pytest.importorskip("polars")
    train, test = frame(250, 0), frame(100, 1).drop(columns="y")
    pandas_result = ConformalRegressor(**QUICK).fit(train.drop(columns="y"), train["y"]).predict_interval(test)
    train_polars, test_polars = (pl.DataFrame({name: table[name].to_numpy() if name != "colour" else
                                               [text if isinstance(text, str) else None for text in table[name]]
                                               for name in test.columns}) for table in (train, test))
    assert train_polars["colour"].dtype == pl.String and train_polars["colour"].null_count() > 0
    cr = ConformalRegressor(**QUICK).fit(train_polars, train["y"].to_numpy())
    assert_same(cr.predict_interval(test_polars), pandas_result)
    assert_same(cr.predict_interval(test), pandas_result)
    categories = train_polars.with_columns(pl.col("colour").cast(pl.Categorical))
    assert_same(ConformalRegressor(**QUICK).fit(categories, train["y"].to_numpy()).predict_interval(test), pandas_result)


def test_given_predictions_and_evaluation(tmp_path, program):
    train, test = frame(300, 2), frame(150, 3)
    for table in (train, test):
        table["f"] = table["a"] * 0.9
    write(train, tmp_path / "train.csv")
    write(test, tmp_path / "test.csv")
    program("fit", "train.csv", "--target", "y", "--prediction", "f", "-o", "cli.taut", *FLAGS)
    expected = read_intervals(program("predict", "cli.taut", "test.csv", "--confidence", "0.8,0.9"))
    evaluated = json.loads(program("evaluate", "cli.taut", "test.csv", "--confidence", "0.8,0.9", "--json"))

    inputs = ["a", "b", "c", "colour", "whole"]
    cr = ConformalRegressor(lambda X: X["a"] * 0.9, prefit=True, **QUICK).fit(train[inputs], train["y"])
    arrays = taut.conformalize(train[inputs], train["f"], train["y"], **QUICK)
    loaded = load(tmp_path / "cli.taut", estimator=lambda X: X["a"].to_numpy() * 0.9)
    for model in (cr, loaded):
        assert_same(model.predict_interval(test[inputs], LEVELS), expected)
        assert model.evaluate(test[inputs], test["y"], LEVELS) == evaluated
    assert_same(arrays.predict_interval(test[inputs], LEVELS, y_pred=test["f"]), expected)
    assert arrays.evaluate(test[inputs], test["y"], LEVELS, y_pred=test["f"]) == evaluated


def test_calibrate_gives_the_same_bits(tmp_path, program):
    train, fresh = frame(250, 0), frame(120, 5)
    write(train, tmp_path / "train.csv")
    write(fresh, tmp_path / "fresh.csv")
    program("fit", "train.csv", "--target", "y", "-o", "m.taut", *FLAGS)
    program("calibrate", "m.taut", "fresh.csv", "-o", "m2.taut")
    cr = load(tmp_path / "m.taut").calibrate(fresh.drop(columns="y"), fresh["y"])
    cr.save(tmp_path / "p2.taut")
    assert cr.record_["calibration_rows"] == 120
    assert (tmp_path / "p2.taut").read_bytes() == (tmp_path / "m2.taut").read_bytes()


@pytest.mark.parametrize("options", [
    {"transform": "expp"}, {"objective": "sizes"}, {"predictor": "tree"}, {"localizer": "net"}, {"focus": 1.5}, {"sides": "three"},
    {"split": "0.5,0.6,0.1,0.2"}, {"knn_rows": 1}, {"y_min": 3.0, "y_max": 1.0}, {"effort": "lots"}, {"random_state": -1}])
def test_errors_have_the_words_of_the_command_line(tmp_path, rows, options):
    X, y = rows
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(X[:, 0], y)))
    flags = [str(word) for name, value in options.items()
             for word in (f"--{name.replace('random_state', 'seed').replace('_', '-')}", value)]
    done = subprocess.run([PROGRAM, "fit", "d.csv", "--target", "y", "-o", "m.taut", *flags], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 2, done.stderr
    with pytest.raises(ValueError) as raised:
        ConformalRegressor(**options).fit(X[:, :1], y)
    assert str(raised.value) in _core.in_python(done.stderr)


def test_errors_of_data_and_files_have_them_too(tmp_path, rows):
    X, y = rows
    with pytest.raises(ValueError, match="too few rows: split='cross' needs at least 4, there are 3"):
        ConformalRegressor().fit(X[:3], y[:3])
    with pytest.raises(ValueError, match="is 1 in every row that trains: there is nothing to predict"):
        ConformalRegressor().fit(X, np.ones(len(y)))
    (tmp_path / "no.taut").write_text("no")
    with pytest.raises(ValueError, match="not a Taut model file"):
        load(tmp_path / "no.taut")


def test_check_shift_finds_the_same(tmp_path, program):
    train, test = frame(1000, 0), frame(400, 1)
    write(train, tmp_path / "train.csv")
    program("fit", "train.csv", "--target", "y", "-o", "cli.taut", *FLAGS, "--localizer", "none")
    model = load(tmp_path / "cli.taut")
    inputs = [name for name in test.columns if name != "y"]
    assert model.check_shift(test[inputs]) == []
    moved = test[inputs].assign(a=test["a"] + 2, colour="red")
    found = model.check_shift(moved)
    assert {"a", "colour"} <= {shift["column"] for shift in found}
    assert all(shift["p_value"] <= 0.001 for shift in found)
    write(moved, tmp_path / "moved.csv")
    done = subprocess.run([PROGRAM, "predict", "cli.taut", "moved.csv", "--check-shift"], cwd=tmp_path, capture_output=True, text=True,
                          check=True)
    for shift in found[:5]:
        assert shift["words"] in done.stderr

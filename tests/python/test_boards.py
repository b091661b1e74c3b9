"""bench/boards.py: the rows, figures and published results of the public boards. No fits."""
import math
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from scipy import stats
from sklearn.model_selection import train_test_split

sys.path.insert(0, str(ROOT / "bench"))

import boards  # noqa: E402
import interval_runs  # noqa: E402

ROWS = 4000


def table(count=ROWS):
    return pd.DataFrame({"a": np.arange(count, dtype=float)}), np.arange(count, dtype=float)


def test_crps_of_a_normal_distribution():
    """Closed form: E CRPS(N(0, 1), y) for y from N(0, 1) is 1 / sqrt(pi). The levels leave out the tails."""
    y = np.random.default_rng(0).normal(size=200_000)
    quantiles = np.broadcast_to(stats.norm.ppf(boards.LEVELS), (len(y), len(boards.LEVELS)))
    assert boards.crps(y, quantiles, boards.LEVELS) == pytest.approx(1 / math.sqrt(math.pi), rel=0.01)


def test_crps_of_one_value_is_the_absolute_error():
    y = np.array([1.0, 4.0])
    quantiles = np.full((2, len(boards.LEVELS)), 2.0)
    # The trapezoid rule for a loss that is linear in the level on both sides of 0 and 1, where it is set to 0.
    assert boards.crps(y, quantiles, boards.LEVELS) == pytest.approx(1.5, rel=0.02)


def test_levels_have_the_ends_of_the_intervals():
    assert {0.025, 0.05, 0.95, 0.975} <= set(boards.LEVELS)
    found = boards.of_quantiles(np.array([0.0, 9.0]), np.tile(np.array(boards.LEVELS), (2, 1)))
    assert found["coverage"] == 0
    assert found["score .9"] == pytest.approx(0.9 + ((2 / 0.1) * 0.05 + (2 / 0.1) * (9 - 0.95)) / 2)


def test_rows_of_clear():
    parts = boards.clear_parts(*table(), 2)
    rest, test = train_test_split(np.arange(ROWS), test_size=0.2, random_state=779)
    train, calibrate = train_test_split(rest, test_size=0.25, random_state=779)
    for name, rows in {"train": train, "calibrate": calibrate, "test": test}.items():
        assert list(parts[name][1]) == list(rows) == list(parts[name][0]["a"])


def test_the_mean_is_that_of_a_model_with_calibration_rows_of_its_own(monkeypatch, tmp_path):
    commands = []

    def run(command):
        commands.append([str(word) for word in command])
        if "predict" in commands[-1]:
            (tmp_path / "answers.csv").write_text("prediction,mean\n9,2\n9,2\n", encoding="utf-8")
        else:
            (tmp_path / "model.taut").touch()

    monkeypatch.setattr(interval_runs, "quiet", run)
    found = boards.ctr23("taut", tmp_path, {"test": (None, np.array([1.0, 3.0]))}, 0, ["--ask", "mean", "--effort", "quick"], 1)
    assert found == {"figure": 1.0}
    fit, predict = commands
    assert fit[1] == "fit" and fit[-2:] == ["--effort", "quick"] and "--calibrate-with" not in fit
    assert predict[1] == "predict" and "--ask" in predict and "--ask" not in fit


@pytest.mark.parametrize("parts, repeats, rows", [(boards.ctr23_parts, 10, ROWS), (boards.scoring_parts, 5, boards.SCORING_ROWS)])
def test_folds_cover_the_rows_once(parts, repeats, rows):
    tested = []
    for i in range(repeats):
        found = parts(*table(), i)
        assert not set(found["train"][1]) & set(found["test"][1])
        assert len(found["train"][1]) + len(found["test"][1]) == rows
        tested += list(found["test"][1])
    assert len(tested) == len(set(tested)) == rows


@pytest.mark.parametrize("board", ["clear", "ctr23"])
def test_every_set_has_published_figures(board):
    assert set(boards.published(board)) == set(boards.SETS[board])


def test_tables_compare_with_the_best_other():
    text, ratios = boards.table("ctr23", {"a": {("Taut", "default"): 2.0}}, {"a": {"x": 5.0, "y": 4.0}}, [("Taut", "default")])
    assert "| a | y | 4 | 2 | 0.500 |" in text and "| geometric mean | | |  | 0.500 |" in text
    assert ratios == {("Taut", "default"): {"a": 0.5}}


def test_sets_without_all_repeats_are_left_out():
    runs = interval_runs.Runs(None, ("board", "set", "repeat", "program", "method"))
    for i in range(2):
        runs.add("clear", "a", i, "Taut", "default", figure=1.0 + i)
    runs.add("clear", "b", 0, "Taut", "default", figure=1.0)
    assert boards.figures_of(runs, "clear", ["a", "b"], [("Taut", "default")], 2) == {"a": {("Taut", "default"): 1.5}}

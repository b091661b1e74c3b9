"""The scripts of `bench` that make tables of intervals: their figures, synthetic worlds and files of runs. No timings, no fits."""
import argparse
import math
import sys

import numpy as np
import pytest
from conftest import ROOT
from scipy import integrate, stats

sys.path.insert(0, str(ROOT / "bench"))

import autogluon_table  # noqa: E402
import conditional_table  # noqa: E402
import designs  # noqa: E402
import edge_table  # noqa: E402
import interval_runs  # noqa: E402
import time_series  # noqa: E402
import time_table  # noqa: E402

WORLDS = conditional_table.WORLDS


@pytest.mark.parametrize("count, level, rank", [(9, 0.9, 9), (100, 0.9, 91), (74, 0.68, 51), (99, 0.55, 55), (24, 0.56, 14), (19, 0.9, 18), (10, 0.5, 6)])
def test_ranks_are_exact(count, level, rank):
    scores = np.arange(count, 0, -1)
    assert interval_runs.conformal_quantile(scores, level) == rank


def test_too_few_scores_give_an_infinite_quantile():
    assert interval_runs.conformal_quantile(np.arange(8), 0.9) == math.inf


def test_figures():
    y = np.array([10.0, 10, 10])
    found = interval_runs.figures(y, np.array([5.0, 15, -5]), np.array([15.0, 25, 0]), 0.5)
    assert found == {"interval_score": (10 + (10 + 4 * 5) + (5 + 4 * 10)) / 3, "mean_width": 25 / 3, "coverage": 1 / 3}


def inputs(count, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, size=(count, conditional_table.COLUMNS))


@pytest.mark.parametrize("name", WORLDS)
def test_the_distribution_of_a_world_is_that_of_its_draws(name):
    """Given x, the distribution function at a random value is uniform: a Kolmogorov-Smirnov test at one in a million."""
    x = inputs(20000)
    noise = WORLDS[name].draw(np.random.default_rng(1), x)
    assert stats.kstest(WORLDS[name].cdf(x, noise), "uniform").pvalue > 1e-6
    for side in (x[:, 3] > 0, x[:, 3] <= 0):
        assert stats.kstest(WORLDS[name].cdf(x[side], noise[side]), "uniform").pvalue > 1e-6


@pytest.mark.parametrize("name", ["skew", "shape"])
def test_size_is_the_same_everywhere_where_only_the_form_changes(name):
    """The variance is the integral of 2 t (1 - F(t) + F(-t)) over t > 0, because the mean is 0."""
    for side in (-0.5, 0.5):
        x = np.zeros((1, conditional_table.COLUMNS))
        x[0, 3] = side

        def tails(t):
            upper, lower = (WORLDS[name].cdf(x, np.array([end]))[0] for end in (t, -t))
            return 2 * t * (1 - upper + lower)
        variance, error = integrate.quad(tails, 0, math.inf, limit=500)
        assert abs(variance - 1) <= max(1e-6, 10 * error)


@pytest.mark.parametrize("name", WORLDS)
def test_true_coverage_of_known_intervals(name):
    x, world = inputs(500), WORLDS[name]
    center = conditional_table.center(x)
    everything = np.column_stack([np.full(len(x), -math.inf), np.full(len(x), math.inf)])
    assert (conditional_table.true_coverage(world, x, everything) == 1).all()
    crossed = np.column_stack([center + 1, center - 1])
    assert (conditional_table.true_coverage(world, x, crossed) == 0).all()
    upper = np.column_stack([np.full(len(x), -math.inf), center])
    np.testing.assert_array_equal(conditional_table.true_coverage(world, x, upper), world.cdf(x, np.zeros(len(x))))


@pytest.mark.parametrize("name", designs.DESIGNS)
def test_a_design_gives_the_rows_asked_for_and_its_baseline_covers(name):
    """Coverage of 2,000 test rows: the Beta-binomial distribution of split conformal prediction, at one in a million on each side."""
    draw, counts, baseline = designs.DESIGNS[name]
    count = counts[0]
    x, y = draw(np.random.default_rng([3, count]), count + designs.TEST)
    assert len(x) == len(y) == count + designs.TEST
    calibrate = round(designs.CALIBRATE * count)
    cut = count - calibrate
    predict = baseline((x.iloc[:cut], y[:cut]), (x.iloc[cut:count], y[cut:count]))
    low, high = predict(x.iloc[count:])
    inside = int(((low <= y[count:]) & (y[count:] <= high)).sum())
    rank = math.ceil((calibrate + 1) * designs.LEVEL)
    distribution = stats.betabinom(designs.TEST, rank, calibrate + 1 - rank)
    assert distribution.ppf(1e-6) <= inside <= distribution.isf(1e-6)


def test_rows_of_the_protocol():
    """First 60 % of the permutation train, the next 20 % calibrate, the rest test."""
    x = interval_runs.numbered(np.arange(13.0)[:, None])
    parts = edge_table.split(x, np.arange(13.0), 5, 0)
    order = np.random.default_rng(5).permutation(13)
    assert [list(y) for _, y in parts.values()] == [list(order[:7]), list(order[7:10]), list(order[10:])]
    for table, y in parts.values():
        assert list(table["x0"]) == list(y)


def test_every_set_is_measured_once():
    assert sorted(edge_table.BY_ROWS) == sorted(edge_table.SETS)
    for known in (edge_table.PEERS, edge_table.PRACTITIONER, edge_table.PEERS_ERT):
        assert set(known) <= set(edge_table.SETS)


def run(score, width, processor, ert):
    return {"rows": 100, "levels": {"0.9": {"interval_score": score, "mean_width": width, "coverage": 0.9, "ert": ert}}, "processor": processor,
            "seconds": processor, "bytes": 1000}


def test_ratios_pair_the_seeds_of_a_peer_that_was_run(tmp_path):
    runs = interval_runs.Runs(None, ("set", "seed", "most_rows", "program", "method"))
    for seed, score in enumerate((2.0, 100.0)):
        runs.add("etth1", seed, 0, "Taut", "default", **run(score, 1.0, 1.0, 0.01))
    runs.add("etth1", 0, 0, "peer", "practitioner", **run(4.0, 2.0, 10.0, 0.0))
    runs.add("etth1", 0, 0, "peer", "split_xgb", **run(2.5, 2.0, 10.0, 0.0))
    runs.add("etth1", 0, 0, "peer", "resnorm_xgb", **run(1.6, 4.0, 10.0, 0.0))
    runs.add("energy", 0, 0, "Taut", "default", **run(0.08, 0.063, 1.0, 0.036))
    results = edge_table.Results(runs, 0, 2, ["practitioner", "split_xgb", "resnorm_xgb"])
    found = edge_table.ratios_of(results, ["etth1", "energy"], "Taut", "default")
    assert found["etth1"] == {"score / best peer": 1.25, "width / best peer": 0.5, "score / practitioner": 0.5, "width / practitioner": 0.5,
                              "time / practitioner": 0.1}
    assert found["energy"]["score / best peer"] == 0.5 and found["energy"]["width / best peer"] == 0.5
    assert found["energy"]["time / practitioner"] is None
    assert round(results.ert_excess("energy", "Taut", "default"), 12) == 0.01
    assert "| etth1 | 1.250 | 0.500 | 0.500 | 0.500 | 0.100 |  |" in edge_table.document(results, ["etth1", "energy"], {"Taut": ""}, ["default"], [])


def test_a_file_of_runs_is_read_again(tmp_path, capsys):
    path = str(tmp_path / "runs.jsonl")
    interval_runs.Runs(path, ("set", "seed")).add("a", 0, figure=np.float64(0.1))
    again = interval_runs.Runs(path, ("set", "seed"))
    assert again.has("a", 0) and not again.has("a", 1)
    assert again.get("a", 0)["figure"] == 0.1


def test_programs_have_names():
    class Options:
        taut = ["before=/old/taut", "/new/taut"]
    assert interval_runs.programs(Options) == {"before": "/old/taut", "Taut": "/new/taut"}


def test_figures_along_time():
    y = np.zeros(1000)
    low, high = np.full(1000, -1.0), np.full(1000, 1.0)
    low[300:400], high[300:400] = 2, 3  # missed by 2
    high[900] = low[900] = np.nan  # empty
    found = time_table.judged(np.delete(y, 900), np.delete(low, 900), np.delete(high, 900))
    assert found["coverage"] == pytest.approx(899 / 999) and found["worst"] == pytest.approx(0.8)
    assert found["score"] == pytest.approx((899 * 2 + 100 * (1 + 20 * 2)) / 999)
    assert time_table.judged(y, low, high)["coverage"] == pytest.approx(0.899)


def test_inputs_from_the_past_never_see_the_row():
    import pandas as pd

    table = pd.DataFrame({"a": np.arange(50.0), "y": np.arange(50.0) ** 2})
    X = time_table.with_past(table, "y")
    assert X[30].tolist() == pytest.approx([30, 29**2, 28**2, 6**2, np.mean(np.arange(6, 30) ** 2), np.std(np.arange(6.0, 30) ** 2, ddof=1)])
    table.loc[30:, "y"] = -1
    assert np.array_equal(time_table.with_past(table, "y")[:31], X[:31], equal_nan=True)


@pytest.mark.parametrize("name", time_series.DRAWN)
def test_distributions_of_drawn_series_cover(name):
    table, target, (low, high) = time_series.DRAWN[name](0.9)
    y = table[target].to_numpy()
    # Independent misses: exact binomial bounds.
    assert stats.binomtest(int(((low <= y) & (y <= high)).sum()), len(y), 0.9).pvalue > 1e-3


def test_autogluon_ratios_have_the_seeds_and_the_time_of_both():
    """Without AutoGluon: runs as measure() stores them. A set that lacks a seed of the peer is left out."""
    runs = interval_runs.Runs(None, ("set", "seed", "limit", "threads", "program", "method"))
    for seed, (peer, ours) in enumerate([(2, 1), (4, 2)]):
        runs.add("energy", seed, 60, 1, "peer", "AutoGluon", rmse=peer, score=10, took=50)
        runs.add("energy", seed, 60, 1, "Taut", "default", rmse=ours, score=8, took=5)
        runs.add("power", seed, 60, 1, "Taut", "default", rmse=1, score=1, took=5)
    options = argparse.Namespace(seconds=60, threads=1, seeds=2)
    lines = autogluon_table.table(runs, ["energy", "power"], options, [("Taut", "default")]).splitlines()
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["energy", "50", "5.0", "0.500", "0.800"]
    assert lines[3].startswith("| geometric mean")

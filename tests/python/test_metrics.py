"""taut.metrics against published values, and against evaluate."""
import numpy as np
import pytest
from conftest import QUICK

from taut import ConformalRegressor, metrics

Y = [5, 7.5, 9.5, 10.5, 12.5]
TWO_LEVELS = np.array([[[4, 4], [6, 7.5]], [[6, 8], [9, 10]], [[9, 9], [10, 10]], [[8.5, 9], [12.5, 12]], [[10.5, 10.5], [12, 12]]])


def test_published_values():
    assert metrics.coverage(Y, TWO_LEVELS)[0] == pytest.approx(0.8)
    np.testing.assert_allclose(metrics.mean_width(TWO_LEVELS), [2.3, 2.2])
    np.testing.assert_allclose(metrics.hsic(Y, TWO_LEVELS, kernel_sizes=(1, 1)), [0.16829505, 0.30527980], rtol=1e-7)
    two = metrics.size_stratified_coverage(Y, TWO_LEVELS, bins=2)
    assert [coverage for *_, coverage in two[0]] == pytest.approx([2 / 3, 1])
    assert [coverage for *_, coverage in two[1]] == pytest.approx([1 / 3, 1])
    assert metrics.interval_score([10] * 4, [[5, 15], [15, 25], [12, 8], [-5, 0]], 0.9) == pytest.approx(82.25)
    assert metrics.coverage_gap(["a", "a", "b", "b"], [0, 1, 2, 3], [[0, 1], [0, 2], [1, 2], [4, 5]], 0.75) == pytest.approx(0.25)
    assert np.mean(metrics.gaussian_crps([1, 2, 3], [0.1, 0.5, 1], [1.5, 3, 2])) == pytest.approx(0.59080610693)
    np.testing.assert_allclose(metrics.step_crps([1, 2, 4], [2.5]), [1.5 / 3 + 0.5 / 3 + 1.5 / 3 - 0.5 * 12 / 9])


@pytest.mark.parametrize("covered, delta, expected", [([1, 1, 1, 0], 0.26, 0.5), ([1, 0, 1, 0], 0.1, 0), ([1, 1, 0, 0], 0.5, 0),
                                                      ([1, 0, 1, 1], 0.75, 2 / 3)])
def test_worst_slab(covered, delta, expected):
    intervals = [[0, 1] if held else [2, 3] for held in covered]
    assert metrics.worst_slab_coverage([[0.0], [1], [2], [3]], [0.5] * 4, intervals, delta=delta, held_out=False) == \
        pytest.approx(expected)


def test_they_are_those_of_evaluate(rows, fresh):
    levels = [0.6, 0.9]
    cr = ConformalRegressor(**QUICK).fit(*rows)
    X, y = fresh
    _, intervals = cr.predict_interval(X, levels)
    told = cr.evaluate(X, y, levels)["levels"]

    def same(name, values):
        np.testing.assert_array_equal(values, [level[name] for level in told], err_msg=name)

    same("coverage", metrics.coverage(y, intervals))
    same("mean_width", metrics.mean_width(intervals))
    same("median_width", metrics.median_width(intervals))
    same("interval_score", metrics.interval_score(y, intervals, levels))
    same("hsic", metrics.hsic(y, intervals))
    same("worst_slab_coverage", metrics.worst_slab_coverage(X, y, intervals))
    same("ert", metrics.ert(X, y, intervals, levels))
    same("coverage_low", [metrics.coverage_band(200, 60, level)[0] for level in levels])
    bins = metrics.size_stratified_coverage(y, intervals, bins=4)
    same("size_stratified_coverage", [min(coverage for *_, coverage in level) for level in bins])


def test_infinite_and_empty_sets_and_wrong_shapes():
    intervals = [[-np.inf, np.inf], [0, 1], [np.nan, np.nan]]
    assert metrics.coverage([0, 5, 0], intervals) == pytest.approx(1 / 3)
    assert metrics.mean_width(intervals) == np.inf and metrics.unbounded_share(intervals) == pytest.approx(1 / 3)
    assert metrics.median_width(intervals) == 1 and metrics.mean_width(intervals[1:]) == 0.5
    for rows in (intervals, intervals[1:]):  # an unbounded set, and an empty one
        assert metrics.interval_score([0, 5, 0][-len(rows):], rows, 0.9) == np.inf
    by_value = metrics.coverage_by_value([1, 2, 3], [0, 5, 0], intervals, bins=3)
    assert [rows for _, _, rows, _ in by_value] == [1, 1, 1]
    for wrong in (lambda: metrics.coverage([0, 1], intervals), lambda: metrics.coverage([0], [0, 1]),
                  lambda: metrics.interval_score([0, 5, 0], intervals, [0.5, 0.9]),
                  lambda: metrics.ert(np.zeros((2, 2)), [0, 5, 0], intervals, 0.9)):
        with pytest.raises(ValueError, match="expected"):
            wrong()
    with pytest.raises(TypeError, match="expected numbers, got an array of complex128"):
        metrics.coverage([1j, 0, 0], intervals)

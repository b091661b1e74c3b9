"""Exact selection: counting over partitions finds the same bits as sorting all rows on one machine."""
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from taut import _core
from taut.engines import calibration, exact_sums, selection
from taut.engines.engine import LocalEngine

KINDS = ["smooth", "ties", "infinite", "huge", "one value", "neighbours"]


def scores(kind, count, seed):
    draw = np.random.default_rng(seed)
    if kind == "smooth":
        return draw.normal(size=count)
    if kind == "ties":
        return draw.integers(-3, 4, size=count).astype(float)
    if kind == "infinite":
        return draw.choice([-np.inf, np.inf, 0.0, -0.0, 5e-324, -5e-324, 1.0], size=count)
    if kind == "huge":
        return draw.choice([-1.0, 1.0], size=count) * 10.0 ** draw.uniform(-320, 308, size=count)
    if kind == "one value":
        return np.full(count, -0.75)
    return 1 + draw.integers(0, 50, size=count) * np.finfo(float).eps  # differ only in their last bits


def partitions(count, seed):
    """Partitions of different sizes, some of them empty."""
    draw = np.random.default_rng(seed)
    cuts = np.sort(np.r_[draw.integers(0, count + 1, size=3), draw.integers(0, max(1, count // 50), size=3), count, count])
    return np.split(np.arange(count), cuts)


def test_order_of_bits_is_the_order_of_doubles():
    values = np.sort(np.concatenate([scores(kind, 500, 1) for kind in KINDS]))
    bits = selection.ordered_bits(values)
    assert (np.diff(bits.astype(object)) >= 0).all()
    assert np.array_equal(bits[1:] == bits[:-1], values[1:] == values[:-1])  # −0 is 0
    assert np.array_equal(selection.from_ordered_bits(bits), values)
    with pytest.raises(ValueError, match="not a number"):
        selection.ordered_bits([1.0, np.nan])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bins, max_fetched", [(1 << 16, 1 << 18), (256, 40), (16, 0)])
def test_every_rank_is_that_of_one_machine(kind, bins, max_fetched):
    count = 1201
    values = scores(kind, count, seed=3)
    ranks = [1, 2, 600, 1081, 1200, 1201, 1202]
    parts = [(selection.ordered_bits(values[part]), None, None) for part in partitions(count, 4)]
    found = selection.select(parts, {None: ranks}, bins=bins, max_fetched=max_fetched)
    expected = [*(np.sort(values)[ranks[:-1][i] - 1] for i in range(6)), np.inf]
    assert found.scores()[None] == expected
    assert np.signbit(found.scores()[None]).tolist() == np.signbit(np.array(expected) + 0.0).tolist()


def test_the_distribution_of_cpp_is_the_oracle():
    """The rank of a level and its score, including levels where floating point would give another rank."""
    values = scores("smooth", 999, 5)
    levels = [0.5, 0.57, 0.9, 0.95, 0.99, 0.999, 0.9995]
    ranks = [_core.exact_rank(len(values), level) for level in levels]
    parts = [(selection.ordered_bits(values[part]), None, None) for part in partitions(len(values), 6)]
    assert selection.select(parts, {None: ranks}).scores()[None] == list(_core.quantiles(values, levels))


def test_groups_are_selected_apart():
    draw = np.random.default_rng(7)
    values, groups = scores("ties", 2000, 8), draw.choice(["a", "b", "c"], size=2000, p=[0.9, 0.099, 0.001]).astype(object)
    wanted = {name: [1, max(1, (groups == name).sum() // 2), (groups == name).sum()] for name in "abc" if (groups == name).any()}
    parts = [(selection.ordered_bits(values[part]), groups[part], None) for part in partitions(2000, 9)]
    found = selection.select(parts, wanted, bins=512, max_fetched=10).scores()
    for name, ranks in wanted.items():
        own = np.sort(values[groups == name])
        assert found[name] == [own[rank - 1] for rank in ranks]


def reached(values, weights, goal):
    """The same by fractions, on one machine."""
    total = Fraction(0)
    for value in np.unique(values):
        total += sum(map(Fraction, weights[values == value].tolist()))
        if total >= goal:
            return value
    return np.inf


@pytest.mark.parametrize("spread", [0, 12, 300])
def test_weights_are_summed_without_rounding(spread):
    """Includes weights that sums of doubles would lose, and sums that are equal to the goal."""
    draw = np.random.default_rng(spread)
    values = scores("ties", 300, 10)
    weights = draw.random(300) * 10.0 ** draw.integers(-spread, spread + 1, size=300) * (draw.random(300) < 0.8)
    total = sum(map(Fraction, weights.tolist()))
    least = sum(map(Fraction, weights[values <= np.unique(values)[2]].tolist()))
    goals = [least, least + Fraction(1, 2**1074), total, total + Fraction(1, 2**1074), *(total * Fraction(k, 20) for k in (1, 10, 18, 19))]
    for seed in range(3):
        parts = [(selection.ordered_bits(values[part]), None, weights[part]) for part in partitions(300, seed)]
        found = selection.select(parts, {None: goals}, bins=256, max_fetched=100 * seed).scores()[None]
        assert found == [reached(values, weights, goal) for goal in goals]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(min_value=0, allow_infinity=False, allow_nan=False), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_sums_are_exact(values, order):
    shuffled = list(values)
    order.shuffle(shuffled)
    places = np.array([order.randrange(3) for _ in shuffled])
    sums = exact_sums.as_integers(exact_sums.of(np.array(shuffled), places, 3), 3)
    for place in range(3):
        assert int(sums[place]) * exact_sums.UNIT == sum((Fraction(v) for v, p in zip(shuffled, places) if p == place), Fraction(0))


def test_answers_merge_in_any_order_and_nesting():
    values = scores("ties", 400, 11)
    question = selection.Selection({None: [7, 300]}, bins=64, max_fetched=0).question
    answers = [selection.answer(question, selection.ordered_bits(values[part]), None, np.abs(values[part])) for part in partitions(400, 12)]
    whole = selection.merge([selection.answer(question, selection.ordered_bits(values), None, np.abs(values))])[None]
    random.Random(0).shuffle(answers)
    for merged in (selection.merge(answers)[None], selection.merge([selection.merge(answers[:3]), selection.merge(answers[3:])])[None]):
        assert np.array_equal(merged[0], whole[0]) and np.array_equal(merged[1], whole[1])
        assert exact_sums.as_integers(merged[2], len(merged[0])).tolist() == exact_sums.as_integers(whole[2], len(whole[0])).tolist()


@pytest.mark.parametrize("count, points", [(999, 99), (1000, 99), (1234, 9), (50, 99)])
def test_a_counted_distribution_serves_its_levels_as_all_rows_would(count, points):
    """Intervals at every multiple of 1 / (m + 1) are those of all n rows. So are bounds from 0.5 on; below 0.5 they are conservative."""
    draw = np.random.default_rng(count)
    size, above = scores("ties", count, 13) + draw.integers(0, 2, size=count) / 4, draw.integers(0, 2, size=count).astype(np.uint8)
    kept = [{"size": selection.ordered_bits(size[part]), "t": calibration.signed_bits(size[part], above[part])} for part in partitions(count, 14)]
    sizes, by_t, sides, rows, _ = calibration.counted_distribution(LocalEngine([]), kept, points)
    assert rows == count and len(sizes) == len(by_t) == len(sides) == min(points, count)
    points = len(sizes)
    t = sorted(((int(a), s if a else -s) for a, s in zip(above, size)))
    for j in range(1, points + 1):
        k = -(-j * (count + 1) // (points + 1))
        assert sizes[j - 1] == np.sort(size)[k - 1]
        rank = k if 2 * j > points + 1 else max(1, j * (count + 1) // (points + 1))
        assert (int(sides[j - 1]), by_t[j - 1] if sides[j - 1] else -by_t[j - 1]) == t[rank - 1]

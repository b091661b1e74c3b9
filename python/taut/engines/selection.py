"""The k-th smallest of scores that lie on many machines, exactly, by counting: nothing is sorted as a whole and nothing approximated.

Scores become whole numbers of 64 bits in the same order (`ordered_bits`). A pass counts how many lie in each of some bins; the bin with the
k-th is cut into bins by the next pass, and once few enough numbers are left they are fetched. Two or three passes serve in practice, 64 bits
bound them. Counts are whole numbers, so no order of partitions, no retry and no lost worker can change the result.

Any number of ranks, in any number of groups, at once; with weights, sums of weights take the place of counts and are exact as well
(`exact_sums`). A partition works in its own memory and sends what is not zero.
"""
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from . import exact_sums

FULL = 2**64 - 1


def ordered_bits(scores):
    """Doubles as unsigned whole numbers in the same order; −0 is 0. There must be no NaN."""
    scores = np.asarray(scores, dtype=np.float64) + 0.0  # −0 + 0 is 0
    if np.isnan(scores).any():
        raise ValueError("a conformity score is not a number; look for missing or infinite predictions or targets")
    bits = scores.view(np.uint64)
    return np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))


def from_ordered_bits(keys):
    keys = np.asarray(keys, dtype=np.uint64)
    return np.where(keys >> np.uint64(63), keys & np.uint64((1 << 63) - 1), ~keys).view(np.float64)


@dataclass
class Ranges:
    """What is asked about one group: disjoint ranges of numbers, ascending, each cut into bins of 2^shift."""

    low: np.ndarray
    high: np.ndarray  # inclusive
    shift: np.ndarray
    first_bin: np.ndarray  # of each range
    bins: int

    @staticmethod
    def cut(ranges, bins):
        """Each range in at most its share of `bins`, a power of two wide."""
        share = max(2, bins // max(1, len(ranges)))
        shift, first, at = [], [], 0
        for low, high in ranges:
            width = high - low
            bits = max(0, width.bit_length() - (share.bit_length() - 1))
            shift.append(bits)
            first.append(at)
            at += (width >> bits) + 1
        as_bits = [np.array(column, dtype=np.uint64) for column in ([r[0] for r in ranges], [r[1] for r in ranges], shift)]
        return Ranges(*as_bits, np.array(first, dtype=np.int64), at)

    def places(self, keys):
        """Which of the keys lie in a range, and the bin of each of these."""
        at = np.searchsorted(self.low, keys, side="right") - 1
        inside = at >= 0
        inside[inside] = keys[inside] <= self.high[at[inside]]
        at, keys = at[inside], keys[inside]
        return inside, self.first_bin[at] + ((keys - self.low[at]) >> self.shift[at]).astype(np.int64)

    def bounds(self, one):
        """Least and largest key of a bin."""
        at = int(np.searchsorted(self.first_bin, one, side="right")) - 1
        shift = int(self.shift[at])
        low = int(self.low[at]) + ((int(one) - int(self.first_bin[at])) << shift)
        return low, min(low + (1 << shift) - 1, int(self.high[at]))


@dataclass
class Question:
    """What a pass asks of every partition: counts in bins, or, at the end, the keys themselves. Groups that are not named are of no interest."""

    ranges: dict
    fetch: bool = False


def answer(question, keys, groups=None, weights=None):
    """What one partition says: for each group the bins that are not empty and what lies in them, or the keys with their weights."""
    keys = np.asarray(keys, dtype=np.uint64)
    result = {}
    for group, chosen in _rows_of_groups(groups, len(keys), question.ranges):
        own = keys[chosen]
        inside, bins = question.ranges[group].places(own)
        weight = None if weights is None else np.asarray(weights, dtype=np.float64)[chosen][inside]
        if question.fetch:
            different, place, counts = np.unique(own[inside], return_inverse=True, return_counts=True)
        else:
            all_counts = np.bincount(bins, minlength=question.ranges[group].bins)
            different = np.flatnonzero(all_counts)
            counts = all_counts[different]
            place = np.searchsorted(different, bins) if weight is not None else None
        # What can be merged with others: different values, how often each occurs, and the sums of weights.
        result[group] = (different, counts.astype(np.int64), None if weight is None else exact_sums.of(weight, place, len(different)))
    return result


def _rows_of_groups(groups, rows, wanted):
    if groups is None:
        if None in wanted:
            yield None, slice(None)
        return
    order = np.argsort(groups, kind="stable")
    ordered = np.asarray(groups)[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if rows else []
    for i, start in enumerate(starts):
        group = ordered[start].item() if hasattr(ordered[start], "item") else ordered[start]
        if group in wanted:
            yield group, order[start:starts[i + 1] if i + 1 < len(starts) else rows]


def merge(answers):
    """Several answers as one; any order, any nesting."""
    parts = {}
    for one in answers:
        for group, tally in one.items():
            parts.setdefault(group, []).append(tally)
    return {group: _merged(tallies) for group, tallies in parts.items()}


def _merged(tallies):
    if len(tallies) == 1:
        return tallies[0]
    different, place = np.unique(np.concatenate([tally[0] for tally in tallies]), return_inverse=True)
    counts = np.zeros(len(different), dtype=np.int64)
    np.add.at(counts, place, np.concatenate([tally[1] for tally in tallies]))
    if tallies[0][2] is None:
        return different, counts, None
    starts = np.cumsum([0, *(len(tally[0]) for tally in tallies)])
    places = [place[starts[i]:starts[i + 1]] for i in range(len(tallies))]
    return different, counts, exact_sums.merged([tally[2] for tally in tallies], places, len(different))


@dataclass
class _Target:
    """One of the wanted: the first key at which the weight up to it, less what lies before its range, reaches `goal`."""

    group: object
    goal: object  # int or Fraction
    place: int
    low: int = 0
    high: int = FULL
    key: int = None
    left: int = field(default=None)  # how many keys its range holds, once it is known


class Selection:
    """Finds keys by passes: while `question` is not None, give the merged answers of all partitions to `take`.

    `wanted`: for each group (None where there are none) the ranks, from 1; with weights the weights to be reached. `keys()` has as many for each
    group; None where all rows together do not reach it.
    """

    def __init__(self, wanted, *, bins=1 << 16, most_fetched=1 << 18):
        self._bins, self._most_fetched, self.passes, self.fetched = bins, most_fetched, 0, 0
        self._targets = [_Target(group, _exact(goal), place) for group, goals in wanted.items() for place, goal in enumerate(goals)]
        self._sizes = {group: len(goals) for group, goals in wanted.items()}
        self._unreached = set()
        self.question = self._next()

    def take(self, merged):
        self.passes += 1
        fetched, question = self.question.fetch, self.question
        if fetched:
            self.fetched = sum(int(tally[1].sum()) for tally in merged.values())
        sums = {group: _Running(tally) for group, tally in merged.items()}
        before = {}  # what lies in ranges before each, by group and low end
        for target in self._open():
            running = sums.get(target.group)
            if running is None:
                self._unreached.add(id(target))
                continue
            start = before.setdefault((target.group, target.low), running.before(question, target, fetched))
            found = running.reaching(start + target.goal)
            if found is None:
                self._unreached.add(id(target))
                continue
            place, passed, left = found
            value = int(running.values[place])
            if fetched:
                target.key = value
                continue
            target.low, target.high = question.ranges[target.group].bounds(value)
            target.goal -= passed - start
            target.left = left
            if target.low == target.high:
                target.key = target.low
        self.question = self._next()

    def keys(self):
        result = {group: [None] * size for group, size in self._sizes.items()}
        for target in self._targets:
            result[target.group][target.place] = target.key
        return result

    def scores(self):
        """The same as doubles; +infinity where a rank lies beyond all rows."""
        return {group: [np.inf if key is None else float(from_ordered_bits([key])[0]) for key in keys]
                for group, keys in self.keys().items()}

    def _open(self):
        return [target for target in self._targets if target.key is None and id(target) not in self._unreached]

    def _next(self):
        ranges, left = {}, {}
        for target in self._open():
            ranges.setdefault(target.group, set()).add((target.low, target.high))
            left[target.group, target.low] = target.left
        if not ranges:
            return None
        fetch = None not in left.values() and sum(left.values()) <= self._most_fetched
        share = max(256, self._bins // len(ranges))
        return Question({group: Ranges.cut(sorted(those), 1 if fetch else share) for group, those in ranges.items()}, fetch)


class _Running:
    """Values of one group in ascending order with the weight up to each."""

    def __init__(self, tally):
        self.values, self.counts, sums = tally
        weights = self.counts if sums is None else exact_sums.as_integers(sums, len(self.values))
        self.unit = Fraction(1) if sums is None else exact_sums.UNIT
        self.up_to = np.cumsum(weights) if sums is None else np.cumsum(np.array(weights, dtype=object))

    def before(self, question, target, fetched):
        """The weight of the ranges before that of the target, in units of the target's goal."""
        first = target.low if fetched else int(question.ranges[target.group].places(np.array([target.low], dtype=np.uint64))[1][0])
        at = int(np.searchsorted(self.values, np.array(first, dtype=self.values.dtype)))
        return 0 if at == 0 else int(self.up_to[at - 1]) * self.unit

    def reaching(self, goal):
        """The first value with at least `goal` up to it, the weight before it, and how many keys it stands for."""
        goal = max(goal / self.unit, Fraction(1, 2) if self.unit == 1 else 0)
        low, high = 0, len(self.up_to)
        while low < high:
            middle = (low + high) // 2
            if int(self.up_to[middle]) >= goal:
                high = middle
            else:
                low = middle + 1
        if low == len(self.up_to):
            return None
        return low, (int(self.up_to[low - 1]) if low else 0) * self.unit, int(self.counts[low])


def _exact(goal):
    return goal if isinstance(goal, Fraction) else Fraction(goal)


def select(partitions, wanted, **settings):
    """On one machine: `partitions` is a list of (keys, groups or None, weights or None). The same passes as on a cluster, for tests and small data."""
    selection = Selection(wanted, **settings)
    while selection.question is not None:
        selection.take(merge([answer(selection.question, *partition) for partition in partitions]))
    return selection

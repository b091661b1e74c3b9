"""The exact k-th smallest of scores that are distributed over many machines, by counting. There is no global sort and no approximation.

Scores become 64-bit whole numbers in the same order (`ordered_bits`). A pass counts the scores in each bin. The next pass divides the bin that
contains the k-th score into smaller bins. When few enough scores are left, they are fetched. In practice two or three passes are enough; 64 bits
bound their number. Counts are whole numbers, so neither the order of partitions, nor a retry, nor a lost worker changes the result.

Any number of ranks in any number of groups are found at the same time. With weights, exact sums of weights (`exact_sums`) replace the counts. A
partition needs only its own memory, and sends only bins that are not empty.
"""
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from . import exact_sums

FULL = 2**64 - 1


def ordered_bits(scores):
    """Doubles as unsigned whole numbers in the same order; −0 is 0. Raises ValueError for NaN."""
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
    """The ranges of keys to count in one group: disjoint, ascending, each divided into bins of width 2^shift."""

    low: np.ndarray
    high: np.ndarray  # inclusive
    shift: np.ndarray
    first_bin: np.ndarray  # of each range
    bins: int

    @staticmethod
    def cut(ranges, bins):
        """Divides each range into at most its share of `bins`; the width of a bin is a power of two."""
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
        """A mask of the keys that lie in a range, and the bin of each of these."""
        if len(self.low) == 1 and self.low[0] == 0 and self.high[0] == FULL:  # the first pass
            return slice(None), (keys >> self.shift[0]).astype(np.int64)
        at = np.searchsorted(self.low, keys, side="right") - 1
        inside = at >= 0
        inside[inside] = keys[inside] <= self.high[at[inside]]
        at, keys = at[inside], keys[inside]
        return inside, self.first_bin[at] + ((keys - self.low[at]) >> self.shift[at]).astype(np.int64)

    def bounds(self, one):
        """The smallest and largest key of a bin."""
        at = int(np.searchsorted(self.first_bin, one, side="right")) - 1
        shift = int(self.shift[at])
        low = int(self.low[at]) + ((int(one) - int(self.first_bin[at])) << shift)
        return low, min(low + (1 << shift) - 1, int(self.high[at]))


@dataclass
class Question:
    """The question of a pass to every partition: counts in bins or, at the end, the keys themselves. Groups that are not named are ignored."""

    ranges: dict
    fetch: bool = False


def answer(question, keys, groups=None, weights=None):
    """The answer of one partition: for each group the bins that are not empty with counts and sums of weights, or the keys with these."""
    keys = np.asarray(keys, dtype=np.uint64)
    result = {}
    for group, chosen in _rows_of_groups(groups, len(keys), question.ranges):
        chosen_keys = keys[chosen]
        inside, bins = question.ranges[group].places(chosen_keys)
        weight = None if weights is None else np.asarray(weights, dtype=np.float64)[chosen][inside]
        if question.fetch:
            different, place, counts = np.unique(chosen_keys[inside], return_inverse=True, return_counts=True)
        else:
            all_counts = np.bincount(bins, minlength=question.ranges[group].bins)
            different = np.flatnonzero(all_counts)
            counts = all_counts[different]
            place = np.searchsorted(different, bins) if weight is not None else None
        # A tally, which `merge` can add to others: different values, the count of each, and the sums of weights.
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
    """Merges answers, in any order and nesting."""
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
    """One wanted key: the first at which the cumulated weight within its range reaches `goal`."""

    group: object
    goal: object  # int or Fraction
    place: int
    low: int = 0
    high: int = FULL
    key: int = None
    left: int = field(default=None)  # the number of keys in its range, once it is known


class Selection:
    """Finds keys in passes: while `question` is not None, give the merged answers of all partitions to `take`.

    `wanted`: for each group (None if there are no groups) the ranks, from 1; with weights, the cumulated weights to reach. `keys()` has one key for
    each of them; None if the total is too small.
    """

    def __init__(self, wanted, *, bins=1 << 16, max_fetched=1 << 18):
        self._bins, self._max_fetched, self.passes, self.fetched = bins, max_fetched, 0, 0
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
        before = {}  # the weight in earlier ranges, by group and lower end of the range
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
        """The keys as doubles; +infinity if a rank is larger than the number of rows."""
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
        fetch = None not in left.values() and sum(left.values()) <= self._max_fetched
        share = max(256, self._bins // len(ranges))
        return Question({group: Ranges.cut(sorted(those), 1 if fetch else share) for group, those in ranges.items()}, fetch)


class _Running:
    """The values of one group in ascending order, with cumulated weights."""

    def __init__(self, tally):
        self.values, self.counts, sums = tally
        weights = self.counts if sums is None else exact_sums.as_integers(sums, len(self.values))
        self.unit = Fraction(1) if sums is None else exact_sums.UNIT
        self.up_to = np.cumsum(weights) if sums is None else np.cumsum(np.array(weights, dtype=object))

    def before(self, question, target, fetched):
        """The weight of the ranges before that of the target, in the unit of the goal."""
        first = target.low if fetched else int(question.ranges[target.group].places(np.array([target.low], dtype=np.uint64))[1][0])
        at = int(np.searchsorted(self.values, np.array(first, dtype=self.values.dtype)))
        return 0 if at == 0 else int(self.up_to[at - 1]) * self.unit

    def reaching(self, goal):
        """The position of the first value whose cumulated weight is at least `goal`, the weight before it, and its number of keys; None if there is none."""
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
    """Selection on one machine with the same passes, for tests and small data. `partitions` is a list of (keys, groups or None, weights or None)."""
    selection = Selection(wanted, **settings)
    while selection.question is not None:
        selection.take(merge([answer(selection.question, *partition) for partition in partitions]))
    return selection

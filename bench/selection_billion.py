#!/usr/bin/env python3
"""Calibrates a billion scores of 1,000 partitions in the counting form, on one process: time and memory of each pass.

    PYTHONPATH=build/python build/venv/bin/python bench/selection_billion.py [--rows 1e9] [--partitions 1000] [--points 9999]

The scores of a partition are generated again from its number in every pass, so that they are never all in memory; the time for this is printed separately.
The ranks that are found are checked by a further count: fewer than k scores are below the k-th, and at least k are at or below it.
"""
import argparse
import resource
import time

import numpy as np

from taut.engines import calibration, selection


def drawn_once(rows):
    """Random numbers like the scores of a scale, log r − log s, with a long tail."""
    values = np.random.default_rng(0).standard_normal(rows)
    return values - 0.3 * values * values


def scores(base, part, rows):
    """Scores that differ between partitions and are fast to generate: the same random numbers, scaled and shifted. Some are ties, some are those of exact predictions."""
    values = base[:rows] * (1 + 1e-9 * part) + 1e-7 * part
    values[::1000] = np.round(values[::1000], 1)
    if part % 7 == 0:
        values[:3] = -np.inf
    return values


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e9)
    parser.add_argument("--partitions", type=int, default=1000)
    parser.add_argument("--points", type=int, default=9_999)
    given = parser.parse_args()
    rows, parts = int(given.rows), given.partitions
    sizes = [rows * (i + 1) // parts - rows * i // parts for i in range(parts)]
    base = drawn_once(max(sizes))
    ranks, _ = calibration.distribution_ranks(rows, given.points)
    found = selection.Selection({None: ranks}, bins=max(1 << 16, 1 << (64 * given.points).bit_length() - 1))
    print(f"{rows:,} scores in {parts:,} partitions, {given.points:,} ranks; memory before {peak():.0f} MB")
    print("pass  asked          seconds of making   of counting  of merging  bytes sent by a partition  peak MB")
    while found.question is not None:
        drawing = counting = merging = 0.0
        merged, largest = None, 0
        for part in range(parts):
            start = time.perf_counter()
            keys = selection.ordered_bits(scores(base, part, sizes[part]))
            drawn = time.perf_counter()
            answer = selection.answer(found.question, keys)
            counted = time.perf_counter()
            largest = max(largest, sum(tally[0].nbytes + tally[1].nbytes for tally in answer.values()))
            merged = selection.merge([answer] if merged is None else [merged, answer])
            drawing, counting, merging = drawing + drawn - start, counting + counted - drawn, merging + time.perf_counter() - counted
        what = "keys" if found.question.fetch else f"{found.question.ranges[None].bins:,} bins"
        found.take(merged)
        print(f"{found.passes:4}  {what:14} {drawing:18.1f} {counting:12.1f} {merging:11.1f} {largest:26,} {peak():8.0f}", flush=True)
    keys = np.array(found.keys()[None], dtype=np.uint64)
    wanted, place = np.unique(keys, return_inverse=True)
    smaller, equal = np.zeros(len(wanted) + 1, dtype=np.int64), np.zeros(len(wanted), dtype=np.int64)
    for part in range(parts):
        own = selection.ordered_bits(scores(base, part, sizes[part]))
        at = np.searchsorted(wanted, own)  # how many of the wanted lie below each
        smaller += np.bincount(at, minlength=len(wanted) + 1)
        hit = at < len(wanted)
        hit[hit] = wanted[at[hit]] == own[hit]
        equal += np.bincount(at[hit], minlength=len(wanted))
    up_to = np.cumsum(smaller)[:-1]
    below, up_to = (up_to - equal)[place], up_to[place]
    assert (below < ranks).all() and (up_to >= ranks).all(), "a rank is wrong"
    print(f"checked: all {len(ranks):,} ranks are exact; {found.fetched:,} scores were fetched; peak {peak():.0f} MB")


if __name__ == "__main__":
    main()

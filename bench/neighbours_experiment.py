#!/usr/bin/env python3
"""Why one width at alpha .32 differs from the published size: what the number of neighbours and the number of test rows do to it.

Nothing is trained here but f: nearest neighbours on 1000 rows, as in the paper. For every K the half-width that holds 68 % (and 90, 95 %)
of the test rows, in units of mean |y|; then with K chosen by squared error, once by predicting each of the 1000 rows from the others (as
Taut does) and once on a fifth of them (as the paper does); and the spread of the latter when only 100 test rows are looked at.

    build/peers/bin/python bench/neighbours_experiment.py [--data DIR] [--sets facebook_1,homes] [--seeds 20]

Needs numpy (`tools/setup peers`).
"""
import csv
import gzip
import pathlib

import numpy

from protocol_p import SETS, common_arguments

CHOICES = (2, 4, 8, 16, 32)
SHARES = (0.95, 0.9, 0.68)


def read(path, target, drop):
    with gzip.open(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    inputs = [i for i, name in enumerate(header) if name != target and name not in drop]
    y = numpy.array([row[header.index(target)] for row in rows], dtype=float)
    return numpy.array([[row[i] for i in inputs] for row in rows], dtype=float), y


def means_by_choice(x, y, queries, skip_first=False):
    """Predictions for each K: queries x choices. `skip_first`: a row is no neighbour of itself."""
    result = []
    for block in numpy.array_split(queries, max(1, len(queries) // 500)):
        distances = (block ** 2).sum(1)[:, None] + (x ** 2).sum(1)[None, :] - 2 * block @ x.T
        most = max(CHOICES) + skip_first
        nearest = numpy.argpartition(distances, min(most, len(x) - 1), axis=1)[:, :most]
        order = numpy.take_along_axis(distances, nearest, 1).argsort(1)
        nearest = numpy.take_along_axis(nearest, order, 1)[:, skip_first:]
        result.append(numpy.stack([y[nearest[:, :k]].mean(1) for k in CHOICES], axis=1))
    return numpy.concatenate(result)


def one_run(x, y, seed):
    random = numpy.random.default_rng(seed)
    order = random.permutation(len(y))
    first, test = order[:round(0.4 * len(y))], order[round(0.8 * len(y)):]
    scale = x[first].std(0)
    x = (x - x[first].mean(0)) / numpy.where(scale > 0, scale, 1)
    y = y / numpy.abs(y[first]).mean()
    kept = first[:1000]
    fold = round(0.8 * len(kept))
    errors = numpy.abs(means_by_choice(x[kept], y[kept], x[test]) - y[test][:, None])
    by_others = ((means_by_choice(x[kept], y[kept], x[kept], True) - y[kept][:, None]) ** 2).sum(0).argmin()
    by_fifth = ((means_by_choice(x[kept[:fold]], y[kept[:fold]], x[kept[fold:]]) - y[kept[fold:]][:, None]) ** 2).sum(0).argmin()
    few = random.choice(len(test), 100, replace=False)

    def widths(values):
        return numpy.quantile(values, SHARES)

    return [*(widths(errors[:, i]) for i in range(len(CHOICES))), widths(errors[:, by_others]), widths(errors[:, by_fifth]),
            widths(errors[few, by_fifth])]


def main():
    parser = common_arguments(__doc__)
    options = parser.parse_args()
    names = [*(f"K = {k}" for k in CHOICES), "K by all 1000 rows", "K by a fifth", "K by a fifth, 100 test rows"]
    print("| set | f | .05 | .1 | .32 |\n|---|---|---|---|---|")
    for name in options.sets.split(","):
        target, drop = SETS[name]
        drop = [] if name == "energy" else drop
        x, y = read(pathlib.Path(options.data) / f"{name}.csv.gz", target, drop)
        runs = numpy.array([one_run(x, y, seed) for seed in range(options.seeds)])
        for i, label in enumerate(names):
            cells = [f"{mean:.3f} ± {spread:.3f}" for mean, spread in zip(runs[:, i].mean(0), runs[:, i].std(0, ddof=1))]
            print(f"| {name} | {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

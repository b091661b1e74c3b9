"""A metric of intervals by Taut or by MAPIE on the same arrays.   metrics.py hsic|slab|ert taut|mapie ROWS [COLUMNS]"""
import resource
import sys
import warnings

import numpy
from timing import answer, clocked


def arrays(rows, columns):
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(rows, columns))
    y = numpy.abs(x[:, 0]) * draw.normal(size=rows)
    half = 1.2 + 0.2 * numpy.abs(x[:, 1])
    return x, y, numpy.stack([-half, half], 1)


def hsic_by_definition(y, ends):
    """√(tr(LHKH) / (n - 1)²) with all matrices written out."""
    n = len(y)
    width = ends[:, 1] - ends[:, 0]
    covered = ((ends[:, 0] <= y) & (y <= ends[:, 1])).astype(float)
    k, l = (numpy.exp(-((v[:, None] - v[None, :]) ** 2)) for v in (width, covered))
    h = numpy.eye(n) - 1 / n
    return numpy.sqrt(numpy.trace(l @ h @ k @ h)) / (n - 1)


def by_taut(which, x, y, ends):
    from taut import metrics
    if which == "hsic":
        return lambda: metrics.hsic(y, ends, kernel_sizes=(1, 1))
    if which == "slab":
        return lambda: metrics.worst_slab_coverage(x, y, ends, held_out=False, n_jobs=2)
    return lambda: metrics.ert(x, y, ends, 0.9, n_jobs=2)


def by_mapie(which, x, y, ends):
    if which == "hsic":
        from mapie.metrics.regression import hsic
        return lambda: hsic(y, ends[:, :, None])
    from mapie.metrics.conditional import excess_risk_target_coverage, worst_slab_coverage
    if which == "slab":
        return lambda: worst_slab_coverage(x, y, y_intervals=ends, n_directions=1000)
    return lambda: excess_risk_target_coverage(x, y, 0.9, y_intervals=ends)


def main():
    warnings.simplefilter("ignore")
    which, side, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
    x, y, ends = arrays(rows, int(sys.argv[4]) if len(sys.argv) > 4 else 10)
    work = (by_taut if side == "taut" else by_mapie)(which, x, y, ends)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures, value = clocked(work, 3 if side == "taut" and rows <= 20_000 else 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    more = {"error": abs(value - hsic_by_definition(y, ends))} if which == "hsic" and side == "taut" and rows <= 2000 else {}
    answer(figures, value=float(numpy.ravel(value)[0]), memory=peak * 1024, growth=(peak - before) * 1024, **more)


if __name__ == "__main__":
    main()

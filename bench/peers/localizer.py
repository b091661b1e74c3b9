"""XGBoost on the rows of bench/localizer.cpp, from raw floats to 200 trees of depth 4.   localizer.py FILE THREADS builtin|custom

XGBoost runs in its fastest documented form, with a quantile matrix and histograms. `custom` computes its gradients in Python, as user-defined objectives do.
`localizer.py FILE make ROWS` generates the rows.
"""
import sys

import numpy
import xgboost
from timing import answer, clocked

COLUMNS = 10


def make(path, rows):
    draw = numpy.random.default_rng(1)
    x = draw.standard_normal((rows, COLUMNS + 1), dtype=numpy.float32)
    x[:, COLUMNS] += x[:, 0] * x[:, 1]
    x.tofile(path)


def main():
    path, second, third = sys.argv[1:]
    if second == "make":
        return make(path, int(third))
    cells = numpy.fromfile(path, dtype=numpy.float32).reshape(-1, COLUMNS + 1)
    x, y = numpy.ascontiguousarray(cells[:, :COLUMNS]), cells[:, COLUMNS].copy()
    settings = {"tree_method": "hist", "max_depth": 4, "eta": 0.05, "nthread": int(second), "base_score": 0.0}
    ones = numpy.ones_like(y)
    custom = (lambda margin, _: (margin - y, ones)) if third == "custom" else None

    def train():
        matrix = xgboost.QuantileDMatrix(x, label=y, nthread=int(second))
        return xgboost.train(settings, matrix, 200, obj=custom)

    figures, _ = clocked(train)
    answer(figures, version=xgboost.__version__)


if __name__ == "__main__":
    main()

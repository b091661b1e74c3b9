"""XGBoost and LightGBM on the rows of bench/boosting.cpp, from raw floats to 200 trees.   boosting.py FILE COLUMNS DEPTH THREADS xgboost|lightgbm

Both use histograms of up to 256 bins. LightGBM grows the best leaf first; it gets the number of leaves of a full tree of this depth, and this depth as limit.
`boosting.py FILE COLUMNS make ROWS 0` generates the rows.
"""
import sys

import numpy
from timing import answer, clocked

ROUNDS, RATE = 200, 0.1


def make(path, columns, rows):
    draw = numpy.random.default_rng(1)
    x = draw.standard_normal((rows, columns + 1), dtype=numpy.float32)
    x[:, columns] += x[:, 0] * x[:, 1] + numpy.sin(2 * x[:, 2]) * (x[:, 3] > 0) + 0.5 * numpy.abs(x[:, 4])
    x.tofile(path)


def by_xgboost(x, y, depth, threads):
    import xgboost
    settings = {"tree_method": "hist", "max_depth": depth, "eta": RATE, "nthread": threads, "base_score": 0.0, "max_bin": 256}

    def train():
        return xgboost.train(settings, xgboost.QuantileDMatrix(x, label=y, nthread=threads, max_bin=256), ROUNDS)

    figures, model = clocked(train)
    return figures, model.inplace_predict(x), xgboost.__version__


def by_lightgbm(x, y, depth, threads):
    import lightgbm
    settings = {"objective": "l2", "num_leaves": 2 ** depth, "max_depth": depth, "learning_rate": RATE, "num_threads": threads, "max_bin": 255,
                "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 1, "lambda_l2": 1, "boost_from_average": False, "verbose": -1}

    def train():
        return lightgbm.train(settings, lightgbm.Dataset(x, label=y, params=settings), ROUNDS)

    figures, model = clocked(train)
    return figures, model.predict(x, num_threads=threads), lightgbm.__version__


def main():
    path, columns, third, fourth, which = sys.argv[1:]
    if third == "make":
        return make(path, int(columns), int(fourth))
    cells = numpy.fromfile(path, dtype=numpy.float32).reshape(-1, int(columns) + 1)
    x, y = numpy.ascontiguousarray(cells[:, :-1]), cells[:, -1].copy()
    figures, f, version = {"xgboost": by_xgboost, "lightgbm": by_lightgbm}[which](x, y, int(third), int(fourth))
    answer(figures, version=version, error=float(numpy.sqrt(numpy.mean((f - y) ** 2))))


if __name__ == "__main__":
    main()

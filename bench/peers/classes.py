"""Labels: rows of ten of them, and LightGBM's trees for them.   classes.py make FILE.csv ROWS | classes.py fit FILE.csv ROWS ROUNDS

`fit` trains on the first ROWS rows with the settings that `taut fit` has for so many: depth 6, rate .2, 128 bins, 80 % of the rows and 70 % of the columns for a
tree. Reading the file is not counted, cutting into bins is.
"""
import sys

import numpy
from timing import answer, clocked

COLUMNS, LABELS = 50, 10


def make(path, rows):
    draw = numpy.random.default_rng(0)
    x = draw.normal(size=(rows, COLUMNS))
    z = 0.6 * x[:, :12] @ draw.normal(size=(12, LABELS)) + 0.5 * numpy.abs(x[:, :12]) @ draw.normal(size=(12, LABELS))
    p = numpy.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    y = (p.cumsum(axis=1) > draw.uniform(size=(rows, 1))).argmax(axis=1)
    with open(path, "w") as file:
        file.write(",".join(f"x{i}" for i in range(COLUMNS)) + ",label\n")
        for own, label in zip(x, y):
            file.write(",".join(f"{value:.5g}" for value in own) + f",c{label}\n")
    answer({})


def fit(path, rows, rounds):
    import lightgbm
    import pandas

    table = pandas.read_csv(path, nrows=rows)
    y = table.pop("label").astype("category").cat.codes.to_numpy()
    settings = {"objective": "multiclass", "num_class": LABELS, "max_depth": 6, "num_leaves": 64, "learning_rate": 0.2, "min_sum_hessian_in_leaf": 5,
                "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "max_bin": 127, "num_threads": 2, "verbose": -1}
    figures, _ = clocked(lambda: lightgbm.train(settings, lightgbm.Dataset(table.to_numpy(numpy.float32), y), rounds))
    answer(figures)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    else:
        fit(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

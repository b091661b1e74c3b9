"""Synthetic rows with ten labels, and LightGBM's trees for them.
classes.py make FILE.csv ROWS | fit FILE.csv ROWS ROUNDS [MODEL.txt] | predict FILE.csv MODEL.txt|MODEL.taut

`fit` trains on the first ROWS rows with the settings that `taut fit` uses for that number of rows: depth 6, rate .2, 128 bins, 80 % of the rows and 70 % of the columns for a
tree. The time excludes reading the file and includes binning. `predict` returns the probabilities of all rows of the file, as an array.
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


SETTINGS = {"objective": "multiclass", "num_class": LABELS, "max_depth": 6, "num_leaves": 64, "learning_rate": 0.2, "min_sum_hessian_in_leaf": 5,
            "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "max_bin": 127, "num_threads": 2, "verbose": -1}


def fit(path, rows, rounds, keep=None):
    import lightgbm
    import pandas

    table = pandas.read_csv(path, nrows=rows)
    y = table.pop("label").astype("category").cat.codes.to_numpy()
    figures, model = clocked(lambda: lightgbm.train(SETTINGS, lightgbm.Dataset(table.to_numpy(numpy.float32), y), rounds))
    if keep:
        model.save_model(keep)
    answer(figures)


def predict(path, model):
    import pandas

    x = pandas.read_csv(path).drop(columns="label").to_numpy(numpy.float32)
    if model.endswith(".taut"):
        import taut

        loaded = taut.load(model, n_jobs=2)
        work = lambda: loaded.predict_proba(x)
    else:
        import lightgbm

        loaded = lightgbm.Booster(model_file=model)
        work = lambda: loaded.predict(x, num_threads=2)
    work()
    answer(clocked(work, 3)[0])


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1] == "predict":
        predict(*sys.argv[2:4])
    else:
        fit(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])

#!/usr/bin/env python3
"""Prediction sets from the same probabilities and rows: Taut, MAPIE (LAC, APS, RAPS) and crepes.

    PYTHONPATH=build/python build/venv/bin/python bench/sets_table.py [--splits 10] [--runs runs.jsonl] [--tables-only] [--whole]

Eight data sets: three that scikit-learn ships, two real ones of $TAUT_DATA (the cut of diamonds, fifths of Californian prices) and three synthetic ones. In each split
half of the rows train the classifiers, a quarter calibrate and a quarter test. The classifiers are the same for all (logistic regression, random forest). MAPIE and crepes
calibrate on all calibration rows. Taut uses a part of them to correct the probabilities and to learn its shift and its temperature, and calibrates on the others (`--split`
of given probabilities). Figures are means over splits, with the standard error of the paired difference from the best peer. The mean size of sets cannot be smaller than
their coverage, so nothing can be gained where a classifier is nearly always right. `--whole`: each method fits its own classifier to the same rows; where the
distribution is known, the smallest possible mean size is shown too.
"""
import argparse
import json
import os
import pathlib
import warnings

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

LEVELS = (0.9, 0.95)


def drawn(z, rng):
    """Probabilities of logits, and labels sampled from them."""
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return p, (p.cumsum(axis=1) > rng.uniform(size=(len(p), 1))).argmax(axis=1)


def distribution_of_uneven(rows=6000, classes=6):
    """Noise that depends on x, which a linear classifier cannot represent. Returns rows, probabilities and labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 8))
    return X, *drawn(1.5 * X @ np.random.default_rng(1).normal(size=(8, classes)) / np.exp(X[:, :1]), rng)


def distribution_of_planes(rows=6000, classes=5):
    """A distribution that a linear classifier can represent."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(rows, 10))
    return X, *drawn(X @ np.random.default_rng(6).normal(size=(10, classes)), rng)


def uneven():
    return distribution_of_uneven()[::2]


def planes():
    return distribution_of_planes()[::2]


# With a known distribution the smallest sets are known too: the labels with p(y|x) above one cut-off.
DISTRIBUTIONS = {"uneven noise": distribution_of_uneven, "planes": distribution_of_planes}


def smallest_size(p, level):
    """The smallest mean size of any sets of labels with this coverage (Neyman and Pearson)."""
    down = np.sort(p.ravel())[::-1]
    return float((np.searchsorted(down.cumsum() / len(p), level) + 1) / len(p))


def of_file(name, rows=6000):
    """A sample of a table; categories as numbers, in the order of their letters."""
    folder = pathlib.Path(os.environ.get("TAUT_DATA") or pathlib.Path(__file__).resolve().parents[2] / "shared" / "data")
    table = pd.read_csv(folder / f"{name}.csv.gz").sample(rows, random_state=0).reset_index(drop=True)
    return table.apply(lambda column: column if pd.api.types.is_numeric_dtype(column) else column.astype("category").cat.codes).astype(float)


def diamonds():
    table = of_file("diamonds")
    return table.drop(columns="cut").to_numpy(), table["cut"].to_numpy().astype(int)


def california():
    table = of_file("california").fillna(0)
    price = table.pop("median_house_value")
    return table.to_numpy(), pd.qcut(price, 5, labels=False).to_numpy()


SETS = {
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "diamonds, cut": diamonds,
    "california, fifths": california,
    "clusters": lambda: datasets.make_classification(6000, 20, n_informative=8, n_classes=5, flip_y=0.15, class_sep=0.8, random_state=3),
    "uneven noise": uneven,
    "planes": planes,
}
MODELS = {
    "logistic": lambda seed: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "forest": lambda seed: RandomForestClassifier(200, random_state=seed, n_jobs=1),
    "boosting": lambda seed: HistGradientBoostingClassifier(early_stopping=True, random_state=seed),
}
GIVEN = ("logistic", "forest")  # classifiers whose probabilities all methods use


def mapie_sets(model, X_cal, y_cal, X, name):
    from mapie.classification import SplitConformalClassifier

    params = {} if name == "lac" else {"conformity_score_params": {"include_last_label": "randomized"}}
    peer = SplitConformalClassifier(model, confidence_level=list(LEVELS), conformity_score=name, prefit=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer.conformalize(X_cal, y_cal)
        return peer.predict_set(X, **params)[1]


def crepes_sets(model, X_cal, y_cal, X):
    from crepes import WrapClassifier

    peer = WrapClassifier(model)
    peer.calibrate(X_cal, y_cal)
    return np.stack([peer.predict_set(X, labels=False, confidence=level, smoothing=False).astype(bool) for level in LEVELS], axis=2)


def taut_sets(model, X_cal, y_cal, X, **options):
    from taut import ConformalClassifier

    return ConformalClassifier(model, prefit=True, random_state=0, **options).fit(X_cal, y_cal).predict_set(X, list(LEVELS), allow_empty=True)  # as the peers' sets


METHODS = {
    "MAPIE LAC": lambda *rows: mapie_sets(*rows, "lac"),
    "MAPIE APS": lambda *rows: mapie_sets(*rows, "aps"),
    "MAPIE RAPS": lambda *rows: mapie_sets(*rows, "raps"),
    "crepes": crepes_sets,
    "Taut": lambda *rows: taut_sets(*rows),
    "Taut conditional": lambda *rows: taut_sets(*rows, objective="conditional"),
}


def l1_ert(X, covered, level):
    from taut import metrics

    intervals = np.where(covered[:, None], [[0.0, 1.0]], [[2.0, 3.0]])
    return float(np.squeeze(metrics.ert(X, np.full(len(X), 0.5), intervals, level, n_jobs=1)))


def one_split(name, model_name, seed):
    X, y = SETS[name]()
    X_train, rest, y_train, y_rest = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
    X_cal, X_test, y_cal, y_test = train_test_split(rest, y_rest, test_size=0.5, random_state=seed, stratify=y_rest)
    model = MODELS[model_name](seed).fit(X_train, y_train)
    figures = {}
    for method, run in METHODS.items():
        try:
            sets = run(model, X_cal, y_cal, X_test)
        except Exception as error:  # a peer that refuses these rows is reported
            figures[method] = {"error": repr(error)[:200]}
            continue
        codes = np.searchsorted(model.classes_, y_test)
        figures[method] = {}
        for i, level in enumerate(LEVELS):
            covered = sets[np.arange(len(codes)), codes, i]
            figures[method][str(level)] = {"size": float(sets[:, :, i].sum(axis=1).mean()), "coverage": float(covered.mean()),
                                           "ert": l1_ert(X_test, covered, level)}
    return {"set": name, "model": model_name, "split": seed, "figures": figures}


def table(runs, level, figure):
    lines = [f"| data, classifier | {' | '.join(METHODS)} |", "|---|" + "---|" * len(METHODS)]
    for name in SETS:
        for model in GIVEN:
            own = [run["figures"] for run in runs if run["set"] == name and run["model"] == model]
            if not own:
                continue
            cells = []
            for method in METHODS:
                values = [figures[method][str(level)][figure] for figures in own if "error" not in figures[method]]
                cells.append(f"{np.mean(values):.3f}" if values else "refused")
            lines.append(f"| {name}, {model} | {' | '.join(cells)} |")
    return "\n".join(lines)


def paired(runs, level):
    """Taut's size beside the best peer's, by mean size, on the same splits."""
    lines = ["| data, classifier | best peer | its size | Taut / it − 1 | standard error | L1-ERT, Taut less it | standard error |", "|---|---|---|---|---|---|---|"]
    for name in SETS:
        for model in GIVEN:
            own = [run["figures"] for run in runs if run["set"] == name and run["model"] == model]
            sizes = {method: np.array([figures[method][str(level)]["size"] for figures in own if "error" not in figures[method]]) for method in METHODS}
            peers = {method: values for method, values in sizes.items() if not method.startswith("Taut") and len(values) == len(own) and len(own) > 0}
            if not peers:
                continue
            best = min(peers, key=lambda method: peers[method].mean())
            ert = {method: np.array([figures[method][str(level)]["ert"] for figures in own]) for method in ("Taut", best)}
            cells = []
            for difference, form in ((100 * (sizes["Taut"] / peers[best] - 1), "{:+.1f} % | {:.1f} %"), (ert["Taut"] - ert[best], "{:+.3f} | {:.3f}")):
                error = difference.std(ddof=1) / np.sqrt(len(difference)) if len(difference) > 1 else float("nan")
                cells.append(form.format(difference.mean(), error))
            lines.append(f"| {name}, {model} | {best} | {peers[best].mean():.3f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def whole(name, seed):
    """Sizes and coverages of whole pipelines on the three quarters of the rows that are not test rows: Taut's own fit, and each classifier with LAC, the method of MAPIE
    and crepes for the smallest sets, trained on two thirds of them and calibrated on the others."""
    from taut import ConformalClassifier

    X, y = SETS[name]()
    X_train, rest, y_train, y_rest = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
    X_cal, X_test, y_cal, y_test = train_test_split(rest, y_rest, test_size=0.5, random_state=seed, stratify=y_rest)
    own = ConformalClassifier(random_state=seed).fit(np.concatenate([X_train, X_cal]), np.concatenate([y_train, y_cal]))
    sets = {"Taut": own.predict_set(X_test, list(LEVELS), allow_empty=True)}
    for model in MODELS:
        sets[model] = mapie_sets(MODELS[model](seed).fit(X_train, y_train), X_cal, y_cal, X_test, "lac")
    at = np.arange(len(y_test)), np.searchsorted(np.unique(y), y_test)
    return {"set": name, "split": seed, "whole": {method: {str(level): [float(found[:, :, i].sum(axis=1).mean()), float(found[:, :, i][at].mean())]
                                                           for i, level in enumerate(LEVELS)} for method, found in sets.items()}}


def table_of_whole(runs, level):
    lines = [f"| data | {' | '.join(MODELS)} | Taut | Taut / best − 1 | standard error | coverage: best, Taut | smallest possible |", "|---|" + "---|" * (len(MODELS) + 5)]
    for name in SETS:
        own = [run["whole"] for run in runs if run["set"] == name]
        if not own:
            continue
        sizes = {method: np.array([one[method][str(level)][0] for one in own]) for method in (*MODELS, "Taut")}
        best = min(MODELS, key=lambda model: sizes[model].mean())
        difference = 100 * (sizes["Taut"] / sizes[best] - 1)
        error = difference.std(ddof=1) / np.sqrt(len(own)) if len(own) > 1 else float("nan")
        coverage = [np.mean([one[method][str(level)][1] for one in own]) for method in (best, "Taut")]
        smallest = f"{smallest_size(DISTRIBUTIONS[name]()[1], level):.3f}" if name in DISTRIBUTIONS else ""
        lines.append(f"| {name} | {' | '.join(f'{sizes[method].mean():.3f}' for method in (*MODELS, 'Taut'))} | {difference.mean():+.1f} % | {error:.1f} % | "
                     f"{coverage[0]:.3f}, {coverage[1]:.3f} | {smallest} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--runs", default="build/sets_runs.jsonl", help="a file to which each run is appended; runs that it has are not repeated")
    parser.add_argument("--tables-only", action="store_true")
    parser.add_argument("--whole", action="store_true", help="whole pipelines instead: each with the classifier that it fits itself")
    options = parser.parse_args()
    path = pathlib.Path(options.runs)
    runs = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    if options.whole:
        runs = [run for run in runs if "whole" in run]
        done = {(run["set"], run["split"]) for run in runs}
        for split in range(0 if options.tables_only else options.splits):
            for name in SETS:
                if (name, split) in done:
                    continue
                runs.append(whole(name, split))
                with path.open("a") as file:
                    file.write(json.dumps(runs[-1]) + "\n")
        for level in LEVELS:
            print(f"\nWhole pipelines, mean size at {level}\n\n{table_of_whole(runs, level)}")
        return
    runs = [run for run in runs if "whole" not in run]
    done = {(run["set"], run["model"], run["split"]) for run in runs}
    for split in range(0 if options.tables_only else options.splits):
        for name in SETS:
            for model in GIVEN:
                if (name, model, split) in done:
                    continue
                runs.append(one_split(name, model, split))
                with path.open("a") as file:
                    file.write(json.dumps(runs[-1]) + "\n")
    for level in LEVELS:
        for figure, title in (("size", "Mean size"), ("coverage", "Coverage"), ("ert", "L1-ERT")):
            print(f"\n{title} at {level}\n\n{table(runs, level, figure)}")
        print(f"\nTaut beside the best peer at {level}\n\n{paired(runs, level)}")


if __name__ == "__main__":
    main()

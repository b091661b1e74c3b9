#!/usr/bin/env python3
"""Taut on public benchmarks: the protocol of each board, and its published figures (bench/boards.csv) beside ours.

    bench/boards.py clear    # CLEAR (ICLR 2026): interval score at .95; 20 % test rows with random_state 777 + i, then 25 % of the rest calibrate
    bench/boards.py ctr23    # OpenML-CTR23: RMSE of f over ten folds; the tenth fold calibrates and tests, and trains nothing. With the method
                             # `mean=--ask mean` of the mean of the predictive distribution, which calibration rows of the nine folds give
    bench/boards.py scoring  # in the way of ScoringBench: at most 3,000 rows, five folds, seed 42; CRPS and interval scores beside peers from PyPI

Protocol P has its own script, bench/edge_table.py.

Options: [--data DIR] [--sets a,b] [--seeds N] [--taut [NAME=]PATH]... [--method NAME=OPTIONS]... [--with ngboost,...] [--threads 2]
         [--runs RUNS.jsonl [--tables-only]] [-o FILE.md] [--picture FILE.svg]

A seed of `clear` is its i; of the folds of the other boards --seeds is how many are run. --runs keeps finished runs. `fit` gets no option but
those of --method, and the columns as they are. Needs numpy, pandas and scikit-learn; --with and --picture what tools/setup lists as peers.
"""
import argparse
import collections
import csv
import pathlib
import shlex
import sys
import tempfile

import interval_runs
import numpy as np
import pandas as pd
from interval_runs import geometric, interval_score
from sklearn.model_selection import KFold, train_test_split

HERE = pathlib.Path(__file__).resolve().parent
# A set of a board: the file with our rows, its target, and columns that are no inputs.
Set = collections.namedtuple("Set", "file target drop")
CONCRETE = Set("concrete", "Concrete compressive strength(MPa, megapascals)", ())
CALIFORNIA = Set("california", "median_house_value", ())
HEATING = Set("energy", "Y1", ("Y2",))
SETS = {
    "clear": {
        "energy_efficiency": HEATING, "concrete": CONCRETE, "parkinsons": Set("parkinsons", "y", ()), "kin8nm": Set("kin8nm", "y", ()),
        "powerplant": Set("power", "PE", ()), "miami_housing": Set("miami", "y", ()), "elevator": Set("elevators", "y", ()),
        "ca_housing": CALIFORNIA,
    },
    "ctr23": {
        "energy_efficiency": HEATING, "concrete_compressive_strength": CONCRETE, "socmob": Set("socmob", "y", ()),
        "moneyball": Set("moneyball", "y", ()), "space_ga": Set("space_ga", "y", ()), "kin8nm": Set("kin8nm", "y", ()),
        "miami_housing": Set("miami", "y", ()), "california_housing": CALIFORNIA, "kings_county": Set("homes", "price", ("id",)),
        "cps88wages": Set("cps88wages", "y", ()), "physiochemical_protein": Set("CASP", "RMSD", ()), "diamonds": Set("diamonds", "price", ()),
    },
    "scoring": {
        name: Set(name, target, drop) for name, target, drop in [
            ("energy", "Y2", ("Y1",)), ("concrete", CONCRETE.target, ()), ("homes", "price", ("id", "date")), ("CASP", "RMSD", ()),
            ("facebook_1", "y", ()), ("california", CALIFORNIA.target, ()), ("bike", "count", ("casual", "registered", "datetime")),
            ("kin8nm", "y", ()), ("power", "PE", ()), ("star_cqr", "y", ()), ("diamonds", "price", ()), ("miami", "y", ()),
            ("elevators", "y", ()), ("parkinsons", "y", ()), ("cps88wages", "y", ()), ("moneyball", "y", ()), ("socmob", "y", ()),
            ("space_ga", "y", ()), ("pol", "y", ()), ("qsar", "y", ())]
    },
}
REPEATS = {"clear": 3, "ctr23": 10, "scoring": 5}
UNIT = {"clear": "interval score at .95", "ctr23": "RMSE", "scoring": "CRPS"}
CLEAR_LEVEL = 0.95
SCORING_ROWS, SCORING_SEED = 3000, 42
# Levels at which the CRPS is integrated, with the ends of the intervals at .9 and .95.
LEVELS = sorted({i / 40 for i in range(1, 40)} | {0.01, 0.99})


def load(data, one):
    """The inputs as they are in the file, and the target."""
    table = pd.read_csv(pathlib.Path(data) / f"{one.file}.csv.gz").drop(columns=list(one.drop))
    return table, table.pop(one.target).to_numpy(float)


def published(board):
    """{set: {learner: figure}} of the board."""
    found = {}
    with open(HERE / "boards.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["board"] == board:
                found.setdefault(row["set"], {})[row["learner"]] = float(row["value"])
    return found


def crps(y, quantiles, levels):
    """Twice the integral of the pinball loss over the level, by the trapezoid rule. The loss is 0 at the levels 0 and 1."""
    over = y[:, None] - quantiles
    losses = np.maximum(np.array(levels) * over, (np.array(levels) - 1) * over).mean(axis=0)
    return 2 * np.trapezoid([0, *losses, 0], [0, *levels, 1])


def clear_parts(x, y, i):
    rest, test = train_test_split(np.arange(len(y)), test_size=0.2, random_state=777 + i)
    train, calibrate = train_test_split(rest, test_size=0.25, random_state=777 + i)
    return {name: (x.iloc[rows], y[rows]) for name, rows in (("train", train), ("calibrate", calibrate), ("test", test))}


def clear(taut, folder, parts, i, extra, threads):
    answers, spent = interval_runs.taut_intervals(taut, folder, i, [CLEAR_LEVEL], extra, threads)
    y, ends = parts["test"][1], answers[CLEAR_LEVEL]
    return {"figure": interval_score(y, ends[:, 0], ends[:, 1], CLEAR_LEVEL),
            "coverage": ((ends[:, 0] <= y) & (y <= ends[:, 1])).mean(), **spent}


def folds(x, y, i, count, seed):
    train, test = list(KFold(count, shuffle=True, random_state=seed).split(x))[i]
    return {"train": (x.iloc[train], y[train]), "test": (x.iloc[test], y[test])}


def ctr23_parts(x, y, i):
    parts = folds(x, y, i, 10, 0)
    return {**parts, "calibrate": parts["test"]}


def ctr23(taut, folder, parts, i, extra, threads):
    asks_mean = extra[:2] == ["--ask", "mean"]
    question, options = (extra[:2], extra[2:]) if asks_mean else (interval_runs.confidence([0.9]), extra)
    answers, _ = interval_runs.fit_and_ask(taut, folder, i, question, options, threads, calibrate=not asks_mean)
    found = answers["mean" if asks_mean else "prediction"].to_numpy(float)
    return {"figure": np.sqrt(((parts["test"][1] - found) ** 2).mean())}


def scoring_parts(x, y, i):
    if len(y) > SCORING_ROWS:
        rows = np.random.default_rng(SCORING_SEED).permutation(len(y))[:SCORING_ROWS]
        x, y = x.iloc[rows], y[rows]
    return folds(x, y, i, 5, SCORING_SEED)


def of_quantiles(y, quantiles):
    """The figures of quantiles at LEVELS. The figure of the board is the CRPS."""
    at = {level: quantiles[:, LEVELS.index(level)] for level in (0.025, 0.05, 0.95, 0.975)}
    return {"figure": crps(y, quantiles, LEVELS), "score .9": interval_score(y, at[0.05], at[0.95], 0.9),
            "score .95": interval_score(y, at[0.025], at[0.975], 0.95), "coverage": ((at[0.05] <= y) & (y <= at[0.95])).mean()}


def scoring(taut, folder, parts, i, extra, threads):
    question = ["--quantiles", ",".join(map(str, LEVELS))]
    answers, _ = interval_runs.fit_and_ask(taut, folder, i, question, extra, threads, calibrate=False)
    return of_quantiles(parts["test"][1], answers.to_numpy(float)[:, -len(LEVELS):])


def scoring_peer(name, parts, i, threads):
    import distributions

    (x, y), (new, y_new) = parts["train"], parts["test"]
    codes = pd.concat([x, new])
    for column in codes.select_dtypes(exclude="number"):
        codes[column] = codes[column].astype("category").cat.codes
    codes = codes.to_numpy(float)
    quantiles = distributions.PEERS[name](codes[:len(y)], y, codes[len(y):], LEVELS, i, threads)
    return of_quantiles(y_new, np.sort(quantiles, axis=1))


PARTS = {"clear": clear_parts, "ctr23": ctr23_parts, "scoring": scoring_parts}
RUN = {"clear": clear, "ctr23": ctr23, "scoring": scoring}


def measure(options, runs, programs, methods, name, i):
    wanted = runs.missing(options.board, name, i, ways=interval_runs.ways(programs, methods, options.peers))
    if not wanted:
        return
    parts = PARTS[options.board](*load(options.data, SETS[options.board][name]), i)
    with tempfile.TemporaryDirectory() as folder:
        for part, rows in parts.items():
            interval_runs.write_rows(pathlib.Path(folder) / f"{part}.csv", *rows)
        for program, method in wanted:
            if program == "peer":
                found = scoring_peer(method, parts, i, options.threads)
            else:
                found = RUN[options.board](programs[program], folder, parts, i, shlex.split(methods[method]), options.threads)
            runs.add(options.board, name, i, program, method, **found)


def figures_of(runs, board, sets, ways, repeats):
    """{set: {way: mean figure}} of the sets and ways that have a run of every repeat."""
    found = {}
    for name in sets:
        for way in ways:
            of_way = [runs.get(board, name, i, *way) for i in range(repeats)]
            if all(of_way):
                found.setdefault(name, {})[way] = float(np.mean([run["figure"] for run in of_way]))
    return found


def table(board, figures, others, ways):
    """One row for each set: the best of the others, our figures and their ratios to it."""
    lines = ["| set | best other | " + UNIT[board] + " | " + " | ".join(f"{' '.join(way)} | ratio" for way in ways) + " |",
             "|---|---|---:|" + "---:|" * (2 * len(ways))]
    ratios = {way: {} for way in ways}
    for name, ours in figures.items():
        if not others.get(name):
            continue
        learner, best = min(others[name].items(), key=lambda item: item[1])
        cells = []
        for way in ways:
            if way in ours:
                ratios[way][name] = ours[way] / best
            cells += [f"{ours[way]:.4g}", f"{ours[way] / best:.3f}"] if way in ours else ["", ""]
        lines.append(f"| {name} | {learner} | {best:.4g} | " + " | ".join(cells) + " |")
    means = [["", f"{geometric(list(found.values()))[0]:.3f}"] if found else ["", ""] for found in ratios.values()]
    lines.append("| geometric mean | | | " + " | ".join(cell for pair in means for cell in pair) + " |")
    return "\n".join(lines), ratios


def draw(ratios, board, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "taut", "svg.fonttype": "none", "font.size": 10})
    from matplotlib import pyplot

    sets = list(next(iter(ratios.values())))
    figure, axes = pyplot.subplots(figsize=(8, 0.32 * len(sets) + 1.4), layout="constrained")
    for way, found in ratios.items():
        axes.plot(list(found.values()), [sets.index(name) for name in found], "o", label=" ".join(way))
    axes.axvline(1, color="#777777", linestyle="--", linewidth=1)
    axes.set(xlabel=f"{UNIT[board]} / the best other's; below 1 Taut is better", yticks=range(len(sets)), yticklabels=sets)
    axes.invert_yaxis()
    axes.grid(True, axis="x", color="#e4e4e4", linewidth=0.8)
    if len(ratios) > 1:
        axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", choices=list(SETS))
    interval_runs.add_arguments(parser, seeds=0)
    interval_runs.add_sets(parser, "all of the board")
    parser.add_argument("--with", dest="peers", default="", help="for scoring: peers of peers/distributions.py to run")
    parser.add_argument("--picture", help="draw the ratios into this SVG file (needs matplotlib)")
    options = parser.parse_args()
    sys.path.insert(0, str(HERE / "peers"))
    options.peers = [name for name in options.peers.split(",") if name]
    if options.peers and options.board != "scoring":
        parser.error("--with is for the board scoring: the other boards have published figures")
    sets = interval_runs.sets_of(parser, options, SETS[options.board])
    repeats = options.seeds or REPEATS[options.board]
    if options.board != "clear" and repeats > REPEATS[options.board]:
        parser.error(f"{options.board} has {REPEATS[options.board]} folds; --seeds is how many of them are run")
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    runs = interval_runs.Runs(options.runs, ("board", "set", "repeat", "program", "method"))
    for name in sets if not options.tables_only else ():
        for i in range(repeats):
            measure(options, runs, programs, methods, name, i)
    ways = interval_runs.ways(programs, methods)
    figures = figures_of(runs, options.board, sets, interval_runs.ways(programs, methods, options.peers), repeats)
    others = published(options.board)
    for name, of_set in figures.items():
        others.setdefault(name, {}).update({way[1]: value for way, value in of_set.items() if way[0] == "peer"})
    text, ratios = table(options.board, figures, others, ways)
    interval_runs.show(text, options.output)
    if options.picture:
        draw(ratios, options.board, options.picture)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Group-conditional, covariate-shift and localized calibration on real data: three tables of docs/notes/groups-and-shift.md.

Rows are split as in protocol_p.py: shuffled by the seed, 60 % train, 20 % calibrate, 20 % test; figures at confidence 0.9, means over seeds.

- groups: homes by zipcode, diamonds by cut x color, bike by hour: the worst group's coverage among those with at least 100 test rows (of all seeds
  together), and the mean width, plain and with `groups=`.
- towards: covariate shift. The calibration rows are unchanged; the test rows are sampled with replacement in proportion to a tilt. `towards=` gets half of the
  tilted rows, without targets; coverage is measured on the other half. Four tilts of homes and california: the mean of an input, its scale, one region, none.
- local: L1-ERT and worst-slab coverage on all twelve sets, plain and with `local=True`.

    bench/groups_table.py [--data DIR] [--seeds 3] [--tables groups,towards,local] [--rows 20000] [--runs RUNS.jsonl] [--tables-only]

With --runs each finished run is appended to a file; runs that the file has are not repeated.
"""
import argparse
import json
import pathlib
import warnings

import distribution_table
import numpy as np
import protocol_p

HERE = pathlib.Path(__file__).resolve().parent
LEVEL = 0.9
MIN_ROWS = 100  # test rows of a group, all seeds together
GROUPED = {"homes": ["zipcode"], "diamonds": ["cut", "color"], "bike": ["hour"]}
# set: (the input whose mean and scale are tilted, the input whose lowest quarter is the region)
TILTED = {"homes": ("sqft_living", "lat"), "california": ("median_income", "latitude")}
TILTS = ["mean", "scale", "region", "none"]


def parts_of(data, name, seed, most_rows):
    table, y = distribution_table.read_numbers(data, name)
    return [(table.iloc[rows].reset_index(drop=True), y[rows]) for rows in protocol_p.split(len(y), seed, most_rows).values()]


def fitted(train, seed):
    from taut import ConformalRegressor

    return ConformalRegressor(random_state=seed).fit(*train, calibrate=False)


def judged(model, test, **given):
    """Which rows are covered, and the widths."""
    _, intervals = model.predict_interval(test[0], LEVEL, **given)
    low, high = intervals[:, 0, 0], intervals[:, 1, 0]
    return (low <= test[1]) & (test[1] <= high), high - low


def keys_of(table, columns):
    return np.array([" ".join(f"{value:g}" for value in row) for row in table[columns].to_numpy(float)])


def groups_run(data, name, seed, most_rows):
    train, calibration, test = parts_of(data, name, seed, most_rows)
    model, columns = fitted(train, seed), GROUPED[name]
    own = keys_of(test[0], columns)
    result = {}
    for method in ["plain", "by group"]:
        if method == "plain":
            model.calibrate(*calibration, plain=True)
            covered, width = judged(model, test)
        else:
            model.calibrate(*calibration, groups=keys_of(calibration[0], columns))
            covered, width = judged(model, test, groups=own)
        counts = {key: [int(covered[own == key].sum()), int((own == key).sum())] for key in np.unique(own)}
        finite = np.isfinite(width)
        result[method] = {"groups": counts, "width": float(width[finite].mean() / np.abs(train[1]).mean()), "infinite": float(1 - finite.mean())}
    return result


def tilt_of(table, name, tilt):
    """The weight of each row: how much more likely it is in the tilted population."""
    number, place = TILTED[name]
    x = table[number].to_numpy(float)
    z = (x - x.mean()) / x.std()
    if tilt == "mean":
        return np.exp(np.clip(z, -3, 3))
    if tilt == "scale":
        return np.exp(np.minimum(0.35 * z * z, 3))
    if tilt == "region":
        return np.where(table[place] < table[place].quantile(0.25), 9.0, 1.0)
    return np.ones(len(x))


def towards_run(data, name, seed, most_rows):
    train, calibration, test = parts_of(data, name, seed, most_rows)
    model, result = fitted(train, seed), {}
    random = np.random.default_rng(seed)
    for tilt in TILTS:
        weights = tilt_of(test[0], name, tilt)
        halves = random.permutation(len(weights))
        known, new = (half[random.choice(len(half), len(half), p=weights[half] / weights[half].sum())]
                      for half in np.array_split(halves, 2))
        rows = (test[0].iloc[new].reset_index(drop=True), test[1][new])
        model.calibrate(*calibration, plain=True)
        covered, width = judged(model, rows)
        plain = {"coverage": float(covered.mean()), "width": float(width.mean())}
        model.calibrate(*calibration, towards=test[0].iloc[known].reset_index(drop=True))
        covered, width = judged(model, rows)
        finite = np.isfinite(width)
        result[tilt] = {"plain": plain, "towards": {"coverage": float(covered.mean()), "width": float(width[finite].mean()),
                                                    "infinite": float(1 - finite.mean())},
                        "effective": effective(model.messages_), "rows": len(calibration[1])}
    return result


def effective(messages):
    words = next(message for message in messages if "effective sample size of " in message)
    return float(words.split("effective sample size of ")[1].split()[0].replace(",", ""))


def local_run(data, name, seed, most_rows):
    train, calibration, test = parts_of(data, name, seed, most_rows)
    model, result = fitted(train, seed), {}
    for method in ["plain", "local"]:
        model.calibrate(*calibration, **{method: True})
        level = model.evaluate(*test, LEVEL)["levels"][0]
        result[method] = {figure: level[figure] for figure in ("coverage", "mean_width", "interval_score", "ert", "worst_slab_coverage", "infinite")}
    return result


RUNS = {"groups": (groups_run, list(GROUPED)), "towards": (towards_run, list(TILTED)), "local": (local_run, distribution_table.USUAL)}


def mean(values):
    values = [value for value in values if value is not None]
    return float(np.mean(values)) if values else float("nan")


def groups_table(runs):
    lines = ["| set | groups | worst group, plain | worst group, `--by` | mean width, `--by` / plain | whole line |", "|---|---|---|---|---|---|"]
    for name, columns in GROUPED.items():
        own = [run["result"] for run in runs if run["table"] == "groups" and run["set"] == name]
        if not own:
            continue
        worst = {}
        for method in ("plain", "by group"):
            totals = {}
            for result in own:
                for key, (covered, rows) in result[method]["groups"].items():
                    before = totals.get(key, (0, 0))
                    totals[key] = (before[0] + covered, before[1] + rows)
            large = {key: covered / rows for key, (covered, rows) in totals.items() if rows >= MIN_ROWS}
            worst[method] = min(large.values())
        ratio = mean([result["by group"]["width"] / result["plain"]["width"] for result in own])
        whole = mean([result["by group"]["infinite"] for result in own])
        lines.append(f"| {name} by {' × '.join(columns)} | {len(large)} | {worst['plain']:.3f} | {worst['by group']:.3f} | {width_words(ratio, whole)} "
                     f"| {100 * whole:.1f} % |")
    return lines


def width_words(ratio, infinite):
    """The mean width as text. It is infinite if any interval is."""
    return f"∞ ({ratio:.3f} where finite)" if infinite > 0 else f"{ratio:.3f}"


def towards_table(runs):
    lines = ["| set | shift | coverage, plain | coverage, `--towards` | width, `--towards` / plain | effective of calibration rows |", "|---|---|---|---|---|---|"]
    for name in TILTED:
        own = [run["result"] for run in runs if run["table"] == "towards" and run["set"] == name]
        for tilt in TILTS if own else []:
            plain, towards = ([result[tilt][method]["coverage"] for result in own] for method in ("plain", "towards"))
            ratio = mean([result[tilt]["towards"]["width"] / result[tilt]["plain"]["width"] for result in own])
            whole = mean([result[tilt]["towards"]["infinite"] for result in own])
            lines.append(f"| {name} | {tilt} | {mean(plain):.3f} | {mean(towards):.3f} | {width_words(ratio, whole)} "
                         f"| {mean([result[tilt]['effective'] for result in own]):.0f} of {mean([result[tilt]['rows'] for result in own]):.0f} |")
    return lines


def score_words(at):
    return "∞" if at["local"]["infinite"] > 0 else f"{at['local']['interval_score'] / at['plain']['interval_score']:.3f}"


def local_table(runs):
    lines = ["| set | L1-ERT, plain | L1-ERT, `--local` | worst slab, plain | worst slab, `--local` | interval score, `--local` / plain | whole line |",
             "|---|---|---|---|---|---|---|"]
    for name in distribution_table.USUAL:
        own = [run["result"] for run in runs if run["table"] == "local" and run["set"] == name]
        if not own:
            continue
        at = {method: {figure: mean([result[method][figure] for result in own]) for figure in own[0][method]} for method in ("plain", "local")}
        lines.append(f"| {name} | {at['plain']['ert']:.4f} | {at['local']['ert']:.4f} | {at['plain']['worst_slab_coverage']:.3f} | "
                     f"{at['local']['worst_slab_coverage']:.3f} | {score_words(at)} | {at['local']['infinite']:.0f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=HERE.parent.parent / "shared" / "data")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tables", default=",".join(RUNS))
    parser.add_argument("--sets", default="")
    parser.add_argument("--rows", type=int, default=0, help="use at most ROWS rows of each set; 0: all", metavar="ROWS")
    parser.add_argument("--runs", type=pathlib.Path)
    parser.add_argument("--tables-only", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    runs = []
    if given.runs and given.runs.exists():
        runs = [json.loads(line) for line in given.runs.read_text(encoding="utf-8").splitlines()]
    done = {(run["table"], run["set"], run["seed"], run["rows"]) for run in runs}
    for table in given.tables.split(","):
        run, sets = RUNS[table]
        for name in sets if not given.tables_only else []:
            if given.sets and name not in given.sets.split(","):
                continue
            for seed in range(given.seeds):
                if (table, name, seed, given.rows) in done:
                    continue
                runs.append({"table": table, "set": name, "seed": seed, "rows": given.rows, "result": run(given.data, name, seed, given.rows)})
                if given.runs:
                    with given.runs.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(runs[-1]) + "\n")
    for table, make in (("groups", groups_table), ("towards", towards_table), ("local", local_table)):
        if table in given.tables.split(","):
            print("\n".join(make([run for run in runs if run["rows"] == given.rows])) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Joint regions for several targets on five public sets: volume, coverage, joint L1-ERT, energy score and time, beside other methods.

Rows: shuffled by `default_rng(seed).permutation`, the first 60 % train, the next 20 % calibrate, the last 20 % test. All methods get the same numeric
inputs. Taut gets `fit train.csv --target A,B --calibrate-with calibrate.csv --seed S` and nothing else (`default`: validation rows choose the region),
or with `--region box`, `ellipsoid`, `density`. The peers are those of peers/several.py.

Targets are in units of their deviation over the training rows. `size` is the mean over test rows of volume^(1/d). Volumes are lengths, areas, ...: a region
that is flat in a target has none, so for targets of whole numbers (scpf, the duration of births1) a second figure, `cells`, counts whole numbers: the mean of
(number of possible values in the box)^(1/d), for boxes only. The band of the coverage holds the coverage of exact regions with probability 0.99 (beta-binomial). L1-ERT
is that of the package taut for every method. The energy score is the mean of |Y - y| - |Y - Y'| / 2 over SAMPLES samples of each row. Time: processor
seconds of fit, calibration and regions of the test rows.

Needs numpy, pandas and the package taut (PYTHONPATH=build/python); for --with what tools/setup lists as peers, for mapie_ellipsoid also torch.

    bench/several_table.py [--taut [NAME=]build/taut]... [--method NAME=OPTIONS]... [--with m_cp,c_pcp_lgbm|all] [--sets enb,jura] [--seeds 3]
                           [--most-rows 0] [--data DIR] [--runs RUNS.jsonl [--tables-only]] [-o FILE.md]
"""
import argparse
import json
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

import interval_runs
import numpy as np
import pandas as pd
from distribution_table import silence
from interval_runs import geometric

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = [0.8, 0.9]
SAMPLES = 100
REGIONS = {region: f"--region {region}" for region in ("box", "ellipsoid", "density")}
# set: (number of last columns, or names, that are targets; columns to leave out)
SETS = {"births1": (2, []), "house": (["lat", "price"], ["id", "date"]), "enb": (2, []), "jura": (3, []), "scpf": (3, [])}


def load(data, set_name):
    """Inputs as a table of numbers, and the targets as one."""
    targets, drop = SETS[set_name]
    table = pd.read_csv(pathlib.Path(data) / f"multi_{set_name}.csv.gz", na_values="?").drop(columns=drop)
    targets = list(table.columns[-targets:]) if isinstance(targets, int) else targets
    return table.drop(columns=targets).astype(float), table[targets].astype(float)


def split(x, y, seed, most_rows):
    order = np.random.default_rng(seed).permutation(len(y))[:most_rows or None]
    cuts = [6 * len(order) // 10, 8 * len(order) // 10]
    return {name: (x.iloc[part], y.iloc[part].to_numpy()) for name, part in zip(("train", "calibrate", "test"), np.split(order, cuts))}


def energy_score(y, samples):
    """The mean over rows of E|Y - y| - E|Y - Y'| / 2, unbiased; samples (rows, count, targets)."""
    count = samples.shape[1]
    to_target = np.linalg.norm(samples - y[:, None], axis=2).mean(axis=1)
    apart = sum(np.linalg.norm(samples - np.roll(samples, shift, axis=1), axis=2).sum(axis=1) for shift in range(1, count))
    return (to_target - apart / (2 * count * (count - 1))).mean()


def possible_values(low, high):
    """The whole numbers between the ends of boxes, in a unit box: their number for each row."""
    return np.prod(np.maximum(np.floor(high + 1e-9) - np.ceil(low - 1e-9) + 1, 0), axis=1)


def joint_ert(x, inside, level, threads):
    """L1-ERT of regions that hold some rows: that of an interval which holds the same rows."""
    from taut import metrics
    ends = np.column_stack([np.full(len(x), -0.5), np.full(len(x), 0.5)])
    return float(metrics.ert(x, np.where(inside, 0.0, 1.0), ends, level, n_jobs=threads))


def measured(x, inside, volume, d, level, calibration_rows, threads):
    from taut import metrics
    low, high = metrics.coverage_band(len(inside), calibration_rows, level)
    found = {"coverage": inside.mean(), "low": low, "high": high, "size": (volume ** (1 / d)).mean(), "median_size": np.median(volume ** (1 / d)),
             "ert": joint_ert(x, inside, level, threads)}
    return {name: float(f"{value:.6g}") for name, value in found.items()}


def run_peers(parts, wanted, seed, threads):
    """For each peer its figures of each level and its energy score."""
    import several

    rows = several.Rows(parts, seed, threads)
    shared, x = several.Shared(rows), parts["test"][0].to_numpy(float)
    for name in wanted:
        (regions, sample), seconds = shared.run(name, LEVELS)
        found = {str(level): measured(x, region.contains(rows.y["test"]), region.volume(), rows.d, level, len(rows.y["calibrate"]), threads)
                 for level, region in regions.items()}
        if isinstance(next(iter(regions.values())), several.Box):
            for level, region in regions.items():
                found[str(level)]["cells"] = cells(region.low, region.high, rows.unit, parts)
        energy = {} if sample is None else {"energy": float(energy_score(rows.y["test"], sample(SAMPLES)))}
        yield name, {"levels": found, "processor": round(seconds, 2), **energy}


def run_taut(taut, folder, targets, parts, seed, extra, threads):
    """Figures of each level, energy score, cost and the kind of region."""
    model, answers, draws, spent = folder / "model.taut", folder / "answers.csv", folder / "draws.csv", {}
    unit, y = several_unit(parts), parts["test"][1]
    with interval_runs.cost(resource.RUSAGE_CHILDREN, spent):
        interval_runs.quiet([taut, "fit", folder / "train.csv", "--target", ",".join(targets), "--calibrate-with", folder / "calibrate.csv", "--seed", str(seed),
                             "--threads", str(threads), "-o", model, *extra])
        interval_runs.quiet([taut, "predict", model, folder / "test.csv", "--confidence", ",".join(map(str, LEVELS)), "--contains", folder / "test.csv",
                             "--threads", str(threads), "-o", answers])
    interval_runs.quiet([taut, "predict", model, folder / "test.csv", "--samples", str(SAMPLES), "--seed", str(seed), "--threads", str(threads), "-o", draws])
    found, table = {}, pd.read_csv(answers)
    for level in LEVELS:
        low, high = (np.column_stack([table[f"{end}_{name}_{level}"] for name in targets]) for end in ("lower", "upper"))
        is_box = f"volume_{level}" not in table
        volume = np.prod(np.maximum(high - low, 0) / unit, axis=1) if is_box else table[f"volume_{level}"].to_numpy() / np.prod(unit)
        inside = table[f"contains_{level}"].to_numpy() == 1
        found[str(level)] = measured(parts["test"][0].to_numpy(float), inside, volume, len(targets), level, len(parts["calibrate"][1]), threads)
        if is_box:
            found[str(level)]["cells"] = cells(low / unit, high / unit, unit, parts)
    samples = pd.read_csv(draws)[[f"sample_{i}_{name}" for i in range(1, SAMPLES + 1) for name in targets]].to_numpy().reshape(len(y), SAMPLES, -1)
    region = json.loads(subprocess.run([taut, "info", model, "--json"], capture_output=True, text=True, check=True).stdout)["parts"]["region"]
    return {"levels": found, "energy": float(energy_score(y / unit, samples / unit)), "region": region, **spent, "bytes": model.stat().st_size}


def several_unit(parts):
    """The deviations of the targets over the training rows; 1 for a constant one."""
    unit = parts["train"][1].std(axis=0)
    return np.where(unit == 0, 1, unit)


def cells(low, high, unit, parts):
    """Only for sets whose targets are whole numbers."""
    y = parts["train"][1]
    return float((possible_values(low * unit, high * unit) ** (1 / y.shape[1])).mean()) if (y == np.round(y)).all() else None


def measure(options, runs, programs, methods, set_name, seed):
    wanted = runs.missing(set_name, seed, options.most_rows, ways=interval_runs.ways(programs, methods, options.peers))
    if not wanted:
        return
    x, y = load(options.data, set_name)
    parts = split(x, y, seed, options.most_rows)
    peers = run_peers(parts, [name for program, name in wanted if program == "peer"], seed, options.threads)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, (inputs, targets) in parts.items():
            inputs.assign(**dict(zip(y.columns, targets.T))).to_csv(folder / f"{name}.csv", index=False)
        parts["test"][0].to_csv(folder / "inputs.csv", index=False)
        for program, method in wanted:
            if program != "peer":
                found = run_taut(programs[program], folder, list(y.columns), parts, seed, shlex.split(methods[method]), options.threads)
                runs.add(set_name, seed, options.most_rows, program, method, rows=len(x), **found)
    for name, found in peers:
        runs.add(set_name, seed, options.most_rows, "peer", name, rows=len(x), **found)


class Results:
    """Means over the seeds."""

    def __init__(self, runs, most_rows, seeds, peers):
        self.runs, self.most_rows, self.seeds, self.peers = runs, most_rows, range(seeds), peers

    def of(self, set_name, way):
        found = [self.runs.get(set_name, seed, self.most_rows, *way) for seed in self.seeds]
        return [run for run in found if run]

    def values(self, set_name, way, figure, level=None):
        reports = [run if level is None else run["levels"].get(str(level), {}) for run in self.of(set_name, way)]
        return [report[figure] for report in reports if report.get(figure) is not None]

    def mean(self, set_name, way, figure, level=None):
        found = self.values(set_name, way, figure, level)
        return sum(found) / len(found) if found else None

    def best_peer(self, set_name, figure, level=None):
        """(figure, name) of the peer with the lowest figure; (None, None) without peers."""
        found = [(self.mean(set_name, ("peer", peer), figure, level), peer) for peer in self.peers]
        return min((pair for pair in found if pair[0] is not None), default=(None, None))

    def outside(self, set_name, way, level):
        """Number of runs whose coverage lies outside its band, and of all runs."""
        reports = [run["levels"][str(level)] for run in self.of(set_name, way)]
        return sum(not report["low"] <= report["coverage"] <= report["high"] for report in reports), len(reports)


def cell(value, form="{:.4g}"):
    return "" if value is None else form.format(value)


def figures_table(results, sets, ways, level):
    lines = [f"Confidence {level}", "", "| set | method | size | median size | cells | coverage | outside its band | L1-ERT | energy score | processor, s |",
             "|---|---|" + "---:|" * 8]
    for set_name in sets:
        for way in ways:
            if not results.of(set_name, way):
                continue
            outside, runs = results.outside(set_name, way, level)
            row = [cell(results.mean(set_name, way, figure, level)) for figure in ("size", "median_size", "cells")]
            row += [cell(results.mean(set_name, way, "coverage", level), "{:.3f}"), f"{outside} of {runs}", cell(results.mean(set_name, way, "ert", level), "{:.3f}"),
                    cell(results.mean(set_name, way, "energy")), cell(results.mean(set_name, way, "processor"), "{:.1f}")]
            lines.append(f"| {set_name} | {name_of(way)} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def name_of(way):
    return way[1] if way[0] == "peer" else f"{way[0]}, {way[1]}"


def ratio(a, b):
    return None if a is None or not b else a / b


def ratios_table(results, sets, way):
    """Taut over the best peer of each figure; the L1-ERT as a difference."""
    heads, rows = [], []
    for set_name in sets:
        row, names = [], []
        for figure, level in [("size", level) for level in LEVELS] + [("cells", level) for level in LEVELS] + [("energy", None)]:
            best, peer = results.best_peer(set_name, figure, level)
            row.append(ratio(results.mean(set_name, way, figure, level), best))
            names.append(peer)
        for level in LEVELS:
            best, peer = results.best_peer(set_name, "ert", level)
            ours = results.mean(set_name, way, "ert", level)
            row.append(None if best is None or ours is None else ours - best)
            names.append(peer)
        if any(value is not None for value in row):
            rows.append((set_name, row, names))
    if not rows:
        return ""
    heads = [f"size {level}" for level in LEVELS] + [f"cells {level}" for level in LEVELS] + ["energy"] + [f"L1-ERT {level}, difference" for level in LEVELS]
    lines = [f"{name_of(way)}: ratio to the best peer of each figure, whose name follows", "", "| set | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(heads)]
    for set_name, row, names in rows:
        cells = [cell(value, "{:+.3f}" if "difference" in head else "{:.3f}") + (f" {peer}" if value is not None else "") for head, value, peer in zip(heads, row, names)]
        lines.append(f"| {set_name} | " + " | ".join(cells) + " |")
    means = [geometric([row[i] for _, row, _ in rows if row[i]])[0] if "difference" not in head and any(row[i] for _, row, _ in rows) else None
             for i, head in enumerate(heads)]
    lines.append("| geometric mean | " + " | ".join(cell(value, "{:.3f}") for value in means) + " |")
    return "\n".join(lines)


def document(results, sets, programs, methods, peers):
    ours, all_ways = interval_runs.ways(programs, methods), interval_runs.ways(programs, methods, peers)
    tables = [ratios_table(results, sets, way) for way in ours] + [figures_table(results, sets, all_ways, level) for level in LEVELS]
    return "\n\n".join(table for table in tables if table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=3)
    parser.add_argument("--with", dest="peers", default="", help="peers to run: all, or names of peers/several.py")
    parser.add_argument("--only", help="methods of Taut to run, of default, box, ellipsoid, density and those of --method; empty: none")
    interval_runs.add_sets(parser, "all")
    parser.add_argument("--most-rows", type=int, default=0, help="take no more rows of a set than these; 0: all")
    options = parser.parse_args()
    silence()
    sys.path.insert(0, str(HERE / "peers"))
    import several
    options.peers = list(several.FORMS) if options.peers == "all" else [name for name in options.peers.split(",") if name]
    methods = interval_runs.methods(options, REGIONS)
    if options.only is not None:
        methods = {name: methods[name] for name in options.only.split(",") if name}
    programs, sets = interval_runs.programs(options), interval_runs.sets_of(parser, options, SETS)
    runs = interval_runs.Runs(options.runs, ("set", "seed", "most_rows", "program", "method"))
    for seed in range(0 if options.tables_only else options.seeds):  # all sets with the first seed, then with the next
        for set_name in sets:
            measure(options, runs, programs, methods, set_name, seed)
    results = Results(runs, options.most_rows, options.seeds, options.peers)
    interval_runs.show(document(results, sets, programs, methods, options.peers), options.output)


if __name__ == "__main__":
    main()

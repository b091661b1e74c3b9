#!/usr/bin/env python3
"""Interval scores, widths and conditional coverage of `taut fit` on 21 data sets, beside the best peers and a practitioner's pipeline.

Rows: shuffled by `default_rng(seed).permutation`, the first 60 % train, the next 20 % calibrate, the last 20 % test; figures in units of mean |y| of
the training rows. Columns are numbers for everyone, as in distribution_table.py. Taut gets `fit train.csv --target T --calibrate-with calibrate.csv --seed S`
and nothing else (`default`), or with `--focus 0.9` (`focus`), or with options that `--method NAME=OPTIONS` adds. Time is that of the fit.

The best peers' figures are those of PEERS below, for the sets listed there. --with runs peers on these rows (peers/practitioner.py and peers/conformal.py);
the practitioner's figures are then those of the same seeds instead of PRACTITIONER's.
Needs numpy and pandas; the package taut for L1-ERT (PYTHONPATH=build/python); for --with also what tools/setup lists as peers.

    bench/edge_table.py [--taut [NAME=]build/taut]... [--method NAME=OPTIONS]... [--with practitioner,mapie_cqr_lgbm] [--sets energy,homes]
                        [--seeds 5] [--most-rows 0] [--data DIR] [--runs RUNS.jsonl [--tables-only]] [-o FILE.md] [--picture FILE.svg]
"""
import argparse
import pathlib
import resource
import shlex
import sys
import tempfile

import interval_runs
import numpy as np
from interval_runs import geometric
from distribution_table import SETS, read_numbers, silence

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = [0.68, 0.9, 0.95]
LEVEL = 0.9  # of the peers, and of the tables' ratios
BY_ROWS = ["qsar", "energy", "concrete", "socmob", "moneyball", "star_cqr", "space_ga", "parkinsons", "kin8nm", "power", "bike", "miami", "pol", "elevators",
           "etth1", "california", "homes", "cps88wages", "facebook_1", "CASP", "diamonds"]
FOCUS = {"focus": "--focus 0.9"}  # a method besides the default
# PEERS: at 0.9, the best of fifteen configurations of MAPIE 1.6 and crepes 0.9 for each set and figure, measured on these rows with seeds 0 to 4 (larger sets
# 0 to 2), as (width, interval score). PRACTITIONER: the practitioner's pipeline, seeds 0 and 1, likewise. L1-ERT: the best of the fifteen.
PEERS = {
    "energy": (0.126, 0.160), "concrete": (0.446, 0.558), "homes": (0.506, 0.723), "CASP": (1.358, 1.873), "facebook_1": (1.541, 3.981),
    "california": (0.612, 0.930), "bike": (0.529, 0.728), "kin8nm": (0.562, 0.700), "power": (0.0220, 0.0299), "star_cqr": (0.170, 0.209),
    "diamonds": (0.261, 0.407),
}
PRACTITIONER = {
    "energy": (0.100, 0.114), "concrete": (0.371, 0.452), "homes": (0.488, 0.684), "CASP": (1.179, 1.560), "facebook_1": (1.861, 3.445),
    "california": (0.580, 0.820), "bike": (0.472, 0.653), "kin8nm": (0.417, 0.537), "power": (0.0210, 0.0276), "diamonds": (0.273, 0.371),
}
PEERS_ERT = {
    "energy": 0.026, "concrete": 0.047, "homes": 0.011, "CASP": 0.019, "facebook_1": 0.028, "california": 0.019, "bike": 0.015, "kin8nm": 0.019,
    "power": 0.008, "star_cqr": 0.0, "diamonds": 0.026,
}


def split(x, y, seed, most_rows):
    order = np.random.default_rng(seed).permutation(len(y))[:most_rows or None]
    cuts = [6 * len(order) // 10, 8 * len(order) // 10]
    return {name: (x.iloc[part], y[part]) for name, part in zip(("train", "calibrate", "test"), np.split(order, cuts))}


def measured(x, y, ends, level, unit, threads):
    """Figures of one level. L1-ERT is computed by the package taut for every method."""
    found = interval_runs.figures(y, ends[:, 0], ends[:, 1], level)
    found["interval_score"] /= unit
    found["mean_width"] /= unit
    try:
        from taut import metrics
        found["ert"] = float(metrics.ert(x, y, ends, level, n_jobs=threads))
    except ImportError:
        pass  # the tables leave the column empty
    return {name: round(value, 6) for name, value in found.items()}


def run_peer(name, parts, seed, threads):
    arrays = {part: (x.to_numpy(float), y) for part, (x, y) in parts.items()}
    spent = {}
    if name == "practitioner":
        import practitioner
        work = practitioner.intervals
    else:
        import conformal
        work = conformal.FORMS[name]
    with interval_runs.cost(resource.RUSAGE_SELF, spent):
        ends = work(arrays["train"], arrays["calibrate"], arrays["test"][0], LEVEL, seed, threads)
    return {LEVEL: ends}, spent


def measure(options, runs, programs, methods, set_name, seed):
    wanted = runs.missing(set_name, seed, options.most_rows, ways=interval_runs.ways(programs, methods, options.peers))
    if not wanted:
        return
    parts = split(*read_numbers(options.data, set_name), seed, options.most_rows)
    x, y = parts["test"][0].to_numpy(float), parts["test"][1]
    unit = np.abs(parts["train"][1]).mean()
    with tempfile.TemporaryDirectory() as folder:
        for name, part in parts.items():
            interval_runs.write_rows(pathlib.Path(folder) / f"{name}.csv", *part)
        for program, method in wanted:
            if program == "peer":
                answers, spent = run_peer(method, parts, seed, options.threads)
            else:
                answers, spent = interval_runs.taut_intervals(programs[program], folder, seed, LEVELS, shlex.split(methods[method]), options.threads)
            found = {str(level): measured(x, y, ends, level, unit, options.threads) for level, ends in answers.items()}
            runs.add(set_name, seed, options.most_rows, program, method, rows=sum(len(part[1]) for part in parts.values()), levels=found, **spent)


class Results:
    """Means over the seeds of what was measured, and ratios to the peers."""

    def __init__(self, runs, most_rows, seeds, peers):
        self.runs, self.most_rows, self.seeds = runs, most_rows, range(seeds)
        self.peers = [peer for peer in peers if peer != "practitioner"]

    def of(self, set_name, program, method):
        """{seed: run}"""
        found = {seed: self.runs.get(set_name, seed, self.most_rows, program, method) for seed in self.seeds}
        return {seed: run for seed, run in found.items() if run}

    def mean(self, set_name, program, method, figure, level=LEVEL, seeds=None):
        """None where there is no run, or no such figure. `seeds`: of these only."""
        found = [run for seed, run in self.of(set_name, program, method).items() if seeds is None or seed in seeds]
        reports = [run if figure in run else run["levels"].get(str(level), {}) for run in found]
        values = [report[figure] for report in reports if figure in report]
        return sum(values) / len(values) if values else None

    def to_peer(self, set_name, program, method, peer, figure):
        """The ratio to a peer that was run, over the seeds that both have."""
        seeds = self.of(set_name, program, method).keys() & self.of(set_name, "peer", peer).keys()
        return ratio(*(self.mean(set_name, *who, figure, seeds=seeds) for who in ((program, method), ("peer", peer))))

    def to_best_peer(self, set_name, program, method, figure):
        """The best peer: from PEERS, or, for a set that PEERS lacks, the best of the peers that were run."""
        if set_name in PEERS and not self.most_rows:
            return ratio(self.mean(set_name, program, method, figure), PEERS[set_name][("mean_width", "interval_score").index(figure)])
        ratios = [self.to_peer(set_name, program, method, peer, figure) for peer in self.peers]
        return max((value for value in ratios if value is not None), default=None)

    def to_practitioner(self, set_name, program, method, figure):
        measured = self.to_peer(set_name, program, method, "practitioner", figure)
        if measured is None and set_name in PRACTITIONER and not self.most_rows and figure in ("mean_width", "interval_score"):
            return ratio(self.mean(set_name, program, method, figure), PRACTITIONER[set_name][("mean_width", "interval_score").index(figure)])
        return measured

    def ert_excess(self, set_name, program, method):
        ours = self.mean(set_name, program, method, "ert")
        return None if ours is None or set_name not in PEERS_ERT else ours - PEERS_ERT[set_name]


def cell(value, form="{:.4g}"):
    return "" if value is None else form.format(value)


def ratio(a, b):
    return None if a is None or b is None else a / b


def figures_table(results, sets, columns, level):
    lines = [f"Confidence {level}", "",
             "| set | rows | seeds | method | interval score | width | coverage | L1-ERT | fit, s of processor | on the clock | model, kB |",
             "|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|"]
    for set_name in sets:
        for program, method in columns:
            found = list(results.of(set_name, program, method).values())
            if not found or str(level) not in found[0]["levels"]:
                continue
            means = {figure: results.mean(set_name, program, method, figure, level)
                     for figure in ("interval_score", "mean_width", "coverage", "ert", "processor", "seconds", "bytes")}
            kilobytes = means["bytes"] and means["bytes"] / 1e3
            lines.append(f"| {set_name} | {found[0]['rows']:,} | {len(found)} | {words(program, method)} | {cell(means['interval_score'])} | "
                         f"{cell(means['mean_width'])} | {cell(means['coverage'], '{:.3f}')} | {cell(means['ert'], '{:.3f}')} | "
                         f"{cell(means['processor'], '{:.1f}')} | {cell(means['seconds'], '{:.1f}')} | {cell(kilobytes, '{:,.0f}')} |")
    return "\n".join(lines)


def words(program, method):
    return method if program in ("peer", "Taut") else f"{program}: {method}"


def ratios_of(results, sets, program, method):
    """{set: the ratios that have goals}, None where a side is missing."""
    return {set_name: {
        "score / best peer": results.to_best_peer(set_name, program, method, "interval_score"),
        "width / best peer": results.to_best_peer(set_name, program, method, "mean_width"),
        "score / practitioner": results.to_practitioner(set_name, program, method, "interval_score"),
        "width / practitioner": results.to_practitioner(set_name, program, method, "mean_width"),
        "time / practitioner": results.to_practitioner(set_name, program, method, "processor"),
    } for set_name in sets if results.of(set_name, program, method)}


def ratio_table(results, sets, program, method):
    found = ratios_of(results, sets, program, method)
    if not found:
        return ""
    names = list(next(iter(found.values())))
    lines = [f"{words(program, method)}: ratios at {LEVEL}", "", "| set | " + " | ".join(names) + " | L1-ERT − best peer's |",
             "|---|" + "---:|" * (len(names) + 1)]
    for set_name, row in found.items():
        lines.append(f"| {set_name} | " + " | ".join(cell(row[name], "{:.3f}") for name in names) +
                     f" | {cell(results.ert_excess(set_name, program, method), '{:+.3f}')} |")
    columns = {name: [row[name] for row in found.values() if row[name] is not None] for name in names}
    lines.append("| geometric mean | " + " | ".join(cell(geometric(values)[0] if values else None, "{:.3f}") for values in columns.values()) + " | |")
    lines.append("| worst | " + " | ".join(cell(max(values) if values else None, "{:.3f}") for values in columns.values()) + " | |")
    return "\n".join(lines)


def comparison_table(results, sets, programs, methods):
    """Each further program's figures over those of the first."""
    first, *others = programs
    lines = []
    for method in methods:
        for program in others:
            lines += ["", f"{method}: {program} / {first}", "", "| set | interval score .68 | .9 | .95 | width .9 | fit, processor | model bytes |",
                      "|---|" + "---:|" * 6]
            rows = []
            for set_name in sets:
                pairs = [("interval_score", level) for level in LEVELS] + [("mean_width", LEVEL), ("processor", LEVEL), ("bytes", LEVEL)]
                row = [ratio(results.mean(set_name, program, method, *pair), results.mean(set_name, first, method, *pair)) for pair in pairs]
                if None not in row:
                    rows.append(row)
                    lines.append(f"| {set_name} | " + " | ".join(f"{value:.3f}" for value in row) + " |")
            if rows:
                lines.append("| geometric mean | " + " | ".join(f"{geometric(column)[0]:.3f}" for column in zip(*rows)) + " |")
    return "\n".join(lines)


def document(results, sets, programs, methods, peers):
    columns = interval_runs.ways(programs, methods, peers)
    tables = [ratio_table(results, sets, program, method) for program, method in interval_runs.ways(programs, methods)]
    tables += [comparison_table(results, sets, programs, methods)] + [figures_table(results, sets, columns, level) for level in LEVELS]
    return "\n\n".join(table for table in tables if table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=5)
    parser.add_argument("--with", dest="peers", default="", help="peers to run: practitioner, or names of peers/conformal.py")
    parser.add_argument("--only", help="methods to run, of default, focus and those of --method")
    interval_runs.add_sets(parser, "all")
    parser.add_argument("--most-rows", type=int, default=0, help="take no more rows of a set than these; 0: all")
    parser.add_argument("--picture", help="draw the ratios into this SVG file (needs matplotlib)")
    options = parser.parse_args()
    silence()
    options.peers = [name for name in options.peers.split(",") if name]
    methods = interval_runs.methods(options, FOCUS)
    if options.only is not None:
        methods = {name: methods[name] for name in options.only.split(",") if name}
    programs, sets = interval_runs.programs(options), interval_runs.sets_of(parser, options, SETS, BY_ROWS)
    sys.path.insert(0, str(HERE / "peers"))
    runs = interval_runs.Runs(options.runs, ("set", "seed", "most_rows", "program", "method"))
    for seed in range(0 if options.tables_only else options.seeds):  # all sets with the first seed, then with the next
        for set_name in sets:
            measure(options, runs, programs, methods, set_name, seed)
    results = Results(runs, options.most_rows, options.seeds, options.peers)
    interval_runs.show(document(results, sets, programs, methods, options.peers), options.output)
    if options.picture:
        import edge_picture
        program = list(programs)[-1]
        edge_picture.draw({method: ratios_of(results, sets, program, method) for method in methods}, options.picture)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The error of the conditional coverage where the distribution of y given x is known: Taut and adaptive intervals of LightGBM, MAPIE and crepes.

Each world has 20 columns, a smooth f of three of them and noise with a known distribution. Of n rows, four fifths are for training and one fifth for
calibration, the same for every method; there are 10,000 test inputs. The coverage of each interval is computed from the distribution, without sampling y.
The table shows the root mean square of coverage - 0.9 over the test inputs, averaged over the seeds, and the mean width in brackets.

- Taut: `taut fit train.csv --target target --calibrate-with calibrate.csv`, without other options.
- resnorm_lgbm: LightGBM, and a second one that learns the size of its out-of-fold residuals; crepes' normalised regressor.
- mapie_cqr_lgbm: LightGBM's quantile regressions, conformalized by MAPIE.
- crepes_knn_res: residuals of the 25 nearest training rows as difficulty, around XGBoost.

    bench/conditional_table.py [--taut [NAME=]build/taut]... [--method NAME=OPTIONS]... [--worlds scale,skew] [--rows 500,2000,20000] [--seeds 5]
                               [--with resnorm_lgbm,mapie_cqr_lgbm,crepes_knn_res] [--runs RUNS.jsonl] [-o FILE.md]
"""
import argparse
import math
import pathlib
import resource
import shlex
import sys
import tempfile

import interval_runs
import numpy as np
from distribution_table import silence
from scipy.special import ndtr
from scipy.stats import t as student

HERE = pathlib.Path(__file__).resolve().parent
LEVEL, TEST, COLUMNS, CALIBRATE = 0.9, 10_000, 20, 0.2
PEERS = ["resnorm_lgbm", "mapie_cqr_lgbm", "crepes_knn_res"]
FREEDOM = 3  # degrees of freedom of Student's t; its variance is 3


def center(x):
    return 2 * x[:, 0] + np.sin(3 * x[:, 1]) + x[:, 2] ** 2


class Scale:
    """Normal noise whose size depends on one of the 20 columns."""

    def size(self, x):
        return 0.2 + 1.8 * (x[:, 3] > 0) * x[:, 3]

    def draw(self, generator, x):
        return self.size(x) * generator.normal(size=len(x))

    def cdf(self, x, noise):
        return ndtr(noise / self.size(x))


class Interaction(Scale):
    """Normal noise whose size depends on the product of two columns, and on neither alone."""

    def size(self, x):
        return np.exp(1.5 * x[:, 3] * x[:, 4])


class Skew:
    """Exponential noise with mean 0 and the same variance everywhere; the sign of one column decides whether its tail is above or below."""

    def sign(self, x):
        return np.where(x[:, 3] > 0, 1, -1)

    def draw(self, generator, x):
        return self.sign(x) * (generator.exponential(size=len(x)) - 1)

    def cdf(self, x, noise):
        tail = np.exp(-np.maximum(self.sign(x) * noise + 1, 0))  # P(exponential - 1 > noise) where the sign is 1
        return np.where(self.sign(x) > 0, 1 - tail, tail)


class Shape:
    """A mixture of two normals where one column is positive, Student's t with 3 degrees of freedom elsewhere, with the same variance."""
    HUMP = 0.95

    def humps(self, x):
        return x[:, 3] > 0

    def draw(self, generator, x):
        narrow = math.sqrt(1 - self.HUMP ** 2)
        two = generator.choice([-self.HUMP, self.HUMP], size=len(x)) + narrow * generator.normal(size=len(x))
        return np.where(self.humps(x), two, generator.standard_t(FREEDOM, size=len(x)) / math.sqrt(FREEDOM))

    def cdf(self, x, noise):
        narrow = math.sqrt(1 - self.HUMP ** 2)
        two = (ndtr((noise - self.HUMP) / narrow) + ndtr((noise + self.HUMP) / narrow)) / 2
        return np.where(self.humps(x), two, student.cdf(noise * math.sqrt(FREEDOM), FREEDOM))


WORLDS = {"scale": Scale(), "interaction": Interaction(), "skew": Skew(), "shape": Shape()}


def true_coverage(world, x, ends):
    """P(y in the interval | x)."""
    low, high = (ends - center(x)[:, None]).T
    return np.maximum(world.cdf(x, high) - world.cdf(x, low), 0)


def measured(world, x, ends):
    coverage = true_coverage(world, x, ends)
    return {"rmse": float(np.sqrt(((coverage - LEVEL) ** 2).mean())), "coverage": float(coverage.mean()), "mean_width": float((ends[:, 1] - ends[:, 0]).mean())}


def run_world(options, runs, programs, methods, name, count, seed):
    wanted = runs.missing(name, count, seed, ways=interval_runs.ways(programs, methods, options.peers))
    if not wanted:
        return
    world, generator = WORLDS[name], np.random.default_rng([seed, count])
    x = generator.uniform(-1, 1, size=(count + TEST, COLUMNS))
    y = center(x) + world.draw(generator, x)
    cut = count - round(CALIBRATE * count)
    parts = {"train": slice(0, cut), "calibrate": slice(cut, count), "test": slice(count, None)}
    with tempfile.TemporaryDirectory() as folder:
        for part, rows in parts.items():
            interval_runs.write_rows(pathlib.Path(folder) / f"{part}.csv", interval_runs.numbered(x[rows]), y[rows])
        for program, method in wanted:
            if program == "peer":
                import conformal
                spent = {}
                with interval_runs.cost(resource.RUSAGE_SELF, spent):
                    ends = conformal.FORMS[method](*((x[parts[part]], y[parts[part]]) for part in ("train", "calibrate")), x[parts["test"]], LEVEL, seed,
                                                   options.threads)
            else:
                answers, spent = interval_runs.taut_intervals(programs[program], folder, seed, [LEVEL], shlex.split(methods[method]), options.threads)
                ends = answers[LEVEL]
            runs.add(name, count, seed, program, method, **measured(world, x[parts["test"]], ends), **spent)


def table(runs, columns, worlds, counts, seeds):
    """RMSE; the lowest in bold. In brackets the mean width."""
    titles = [method if program == "peer" else program if method == "default" else f"{program}, {method}" for program, method in columns]
    lines = ["| design | rows | seeds | " + " | ".join(titles) + " |", "|---|---:|---:|" + "---:|" * len(columns)]
    lowest = dict.fromkeys(titles, 0)
    for name in worlds:
        for count in counts:
            kept = [seed for seed in range(seeds) if all(runs.has(name, count, seed, *key) for key in columns)]
            if not kept:
                continue
            found = {title: [runs.get(name, count, seed, *key) for seed in kept] for title, key in zip(titles, columns)}
            means = {title: (np.mean([run["rmse"] for run in of]), np.mean([run["mean_width"] for run in of])) for title, of in found.items()}
            best = min(means, key=means.get)
            lowest[best] += 1
            cells = [f"{'**' * (title == best)}{rmse:.4f}{'**' * (title == best)} ({width:.3f})" for title, (rmse, width) in means.items()]
            lines.append(f"| {name} | {count:,} | {len(kept)} | " + " | ".join(cells) + " |")
    lines.append("| lowest in | | | " + " | ".join(str(count) for count in lowest.values()) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    interval_runs.add_arguments(parser, seeds=5)
    parser.add_argument("--worlds", default=",".join(WORLDS))
    parser.add_argument("--rows", default="500,2000,20000")
    parser.add_argument("--with", dest="peers", default=",".join(PEERS), help="names of peers/conformal.py; '' for none")
    options = parser.parse_args()
    silence()
    sys.path.insert(0, str(HERE / "peers"))
    options.peers = [name for name in options.peers.split(",") if name]
    programs, methods = interval_runs.programs(options), interval_runs.methods(options)
    worlds, counts = interval_runs.chosen(parser, "world", options.worlds, WORLDS), [int(count) for count in options.rows.split(",")]
    runs = interval_runs.Runs(options.runs, ("world", "rows", "seed", "program", "method"))
    for seed in range(0 if options.tables_only else options.seeds):
        for count in counts:
            for name in worlds:
                run_world(options, runs, programs, methods, name, count, seed)
    columns = interval_runs.ways(programs, methods, options.peers)
    interval_runs.show(table(runs, columns, worlds, counts, options.seeds), options.output)


if __name__ == "__main__":
    main()

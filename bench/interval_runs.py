"""Code that the tables of intervals share: figures of intervals, one fit of the program with its cost, and the file of finished runs."""
import contextlib
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd

HERE = pathlib.Path(__file__).resolve().parent
TARGET = "target"  # no input of any set has this name


def conformal_quantile(scores, level):
    """The k-th smallest of n scores, k = ceil((n + 1) level), computed exactly in thousandths; infinite if k > n."""
    rank = -(-(len(scores) + 1) * round(1000 * level) // 1000)
    return np.sort(scores)[rank - 1] if rank <= len(scores) else math.inf


def interval_score(y, low, high, level):
    """Winkler's interval score: the width plus 2 / (1 - level) times the distance from y to the interval."""
    return (high - low + 2 / (1 - level) * (np.maximum(low - y, 0) + np.maximum(y - high, 0))).mean()


def figures(y, low, high, level):
    return {"interval_score": interval_score(y, low, high, level), "mean_width": (high - low).mean(),
            "coverage": ((low <= y) & (y <= high)).mean()}


def write_rows(path, x, y):
    x.assign(**{TARGET: y}).to_csv(path, index=False)


def numbered(x):
    """A table of the columns of an array: x0, x1, ..."""
    return pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])


@contextlib.contextmanager
def cost(of, into):
    """Adds the wall-clock and processor seconds of the body to `into`. `of`: resource.RUSAGE_SELF or RUSAGE_CHILDREN."""
    def processor():
        used = resource.getrusage(of)
        return used.ru_utime + used.ru_stime
    start, before = time.perf_counter(), processor()
    yield
    into.update(seconds=round(time.perf_counter() - start, 3), processor=round(processor() - before, 3))


def fit_and_ask(taut, folder, seed, question, extra=(), threads=1, calibrate=True):
    """Fits train.csv of `folder` and asks a question about test.csv: the table of answers, and what the fit cost. Without `calibrate` a share
    of train.csv calibrates instead of calibrate.csv."""
    folder = pathlib.Path(folder)
    model, answers, spent = folder / "model.taut", folder / "answers.csv", {}
    fit = [taut, "fit", folder / "train.csv", "--target", TARGET, "--seed", str(seed), "--threads", str(threads), "-o", model, *extra]
    with cost(resource.RUSAGE_CHILDREN, spent):
        quiet(fit + (["--calibrate-with", folder / "calibrate.csv"] if calibrate else []))
    quiet([taut, "predict", model, folder / "test.csv", *question, "--threads", str(threads), "-o", answers])
    return pd.read_csv(answers), {**spent, "bytes": model.stat().st_size}


def confidence(levels):
    """The question for intervals at these levels."""
    return ["--confidence", ",".join(map(str, levels))]


def taut_intervals(taut, folder, seed, levels, extra=(), threads=1, calibrate=True):
    """The answers to that question: an array (rows, 2) for each level, and what the fit cost."""
    answers, spent = fit_and_ask(taut, folder, seed, confidence(levels), extra, threads, calibrate)
    ends = answers.to_numpy(float)[:, 1:]
    return {level: ends[:, 2 * i:2 * i + 2] for i, level in enumerate(levels)}, spent


def quiet(command):
    """Runs the command and shows its output only if it fails."""
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit code {ran.returncode}\n{ran.stderr}")


class Runs:
    """Finished runs by their key. With a file, each run is one line of JSON, and runs that the file has are not repeated."""

    def __init__(self, path, keys):
        self.path, self.keys, self.found = path, keys, {}
        if path and os.path.exists(path):
            for line in pathlib.Path(path).read_text().splitlines():
                run = json.loads(line)
                self.found[tuple(run[key] for key in keys)] = run

    def has(self, *key):
        return key in self.found

    def missing(self, *key, ways):
        """The ways (program, method) that have no run under this key."""
        return [way for way in ways if not self.has(*key, *way)]

    def get(self, *key):
        return self.found.get(key)

    def add(self, *key, **run):
        self.found[key] = {**dict(zip(self.keys, key)), **run}
        if self.path:
            with open(self.path, "a") as file:
                file.write(json.dumps(self.found[key], default=float) + "\n")
        print(", ".join(map(str, key)), file=sys.stderr, flush=True)


def add_arguments(parser, seeds):
    parser.add_argument("--taut", action="append", metavar="[NAME=]PATH", help="a program; give several to compare them (default build/taut)")
    parser.add_argument("--method", action="append", default=[], metavar="NAME=OPTIONS", help="a further method: its name and its options of fit")
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--threads", type=int, default=1, help="threads of the program and of the peers")
    parser.add_argument("--runs", help="a file to which each run is appended; runs that it has are not repeated")
    parser.add_argument("--tables-only", action="store_true", help="run nothing; print the tables of the runs in the file of --runs")
    parser.add_argument("-o", "--output", help="a file to write the tables to, besides standard output")


def add_sets(parser, default):
    """--data and --sets; `default` says which sets are measured without it."""
    parser.add_argument("--data", default=os.environ.get("TAUT_DATA", str(HERE.parent.parent / "shared" / "data")), help="folder of the data sets")
    parser.add_argument("--sets", help=f"default: {default}")


def programs(options):
    """{name: path} of the programs asked for."""
    named = {}
    for word in options.taut or [str(HERE.parent / "build" / "taut")]:
        name, equals, path = word.partition("=")
        named[name if equals else "Taut"] = path if equals else word
    return named


def methods(options, more=()):
    """{name: options of fit}: the default, `more` of them, and those of --method."""
    return {"default": "", **dict(more), **dict(word.split("=", 1) for word in options.method)}


def ways(programs, methods, peers=()):
    """Every (program, method), then the peers."""
    return [(program, method) for program in programs for method in methods] + [("peer", peer) for peer in peers]


def chosen(parser, what, words, known):
    """The names in a list separated by commas. An unknown name ends the program with an error."""
    names = words.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"no such {what}: {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def sets_of(parser, options, known, usual=None):
    """The sets of --sets; without it `usual`, or all that are known."""
    return chosen(parser, "set", options.sets, known) if options.sets else list(usual or known)


def geometric(ratios):
    """The geometric mean, and its standard error on the logarithm's scale (0 for one ratio)."""
    logs = np.log(ratios)
    return math.exp(logs.mean()), logs.std(ddof=1) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0


def show(text, output):
    print(text)
    if output:
        pathlib.Path(output).write_text(text + "\n")

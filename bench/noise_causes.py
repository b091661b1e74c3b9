"""Does the summary name the causes of noise first?   noise_causes.py TAUT [--causes "one number,a category"] [--seeds 100] [--rows 5000]

Three kinds of tables with 20 columns whose noise has a known cause: one number, two numbers together, one category. For each seed a model is
fitted and `taut explain --summary --json` is asked on fresh rows; it is right if the causes are the first columns of the width.
"""
import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import interval_runs

COLUMNS = 20


def one(draw, x, site):
    return 0.3 + 1.2 * (x[3] > 0.3)


def together(draw, x, site):
    return 2.0 if x[3] > 0 and x[7] > 0 else 0.4


def category(draw, x, site):
    return {"north": 0.3, "south": 0.5, "east": 1.0, "west": 2.0}[site]


CAUSES = {"one number": (one, {"x3"}), "two together": (together, {"x3", "x7"}), "a category": (category, {"site"})}


def write_table(path, rows, seed, scale):
    draw = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(COLUMNS - 1)), "site", "y"])
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(COLUMNS - 1)]
            site = draw.choice(["north", "south", "east", "west"])
            mean = 2 * x[0] + math.sin(2 * x[1]) + x[2] * x[4]
            writer.writerow([*x, site, mean + scale(draw, x, site) * draw.gauss(0, 1)])


def first_columns(program, folder, seed, rows, scale, count, options):
    write_table(folder / "d.csv", rows, 2 * seed, scale)
    write_table(folder / "new.csv", 1000, 2 * seed + 1, scale)
    model = folder / "m.taut"
    subprocess.run([program, "fit", folder / "d.csv", "--target", "y", "--seed", str(seed), "-o", model, *options], check=True,
                   capture_output=True)
    done = subprocess.run([program, "explain", model, folder / "new.csv", "--summary", "--json"], check=True, capture_output=True)
    found = json.loads(done.stdout)["width"]
    return set() if found is None else {one["column"] for one in found["columns"][:count]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--causes", default=",".join(CAUSES))
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--options", default="--predictor boost --effort quick", help="of fit")
    arguments = parser.parse_args()
    for name in interval_runs.chosen(parser, "cause", arguments.causes, CAUSES):
        scale, causes = CAUSES[name]
        right = 0
        for seed in range(arguments.seeds):
            with tempfile.TemporaryDirectory() as folder:
                found = first_columns(arguments.program, pathlib.Path(folder), seed, arguments.rows, scale, len(causes), arguments.options.split())
            right += found == causes
        print(f"{name}: {right} of {arguments.seeds} seeds name the cause first", flush=True)


if __name__ == "__main__":
    sys.exit(main())

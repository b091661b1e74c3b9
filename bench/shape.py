#!/usr/bin/env python3
"""Conditional coverage where the shape of the noise changes with x and its size does not: the synthetic set `shape`.

50,000 rows train the transformation (the true f is given), 60,000 calibrate, 60,000 test. Printed is the root mean square of the true
coverage given x minus the confidence, at .5, .9 and .99, for a scale and for classes that can change the shape.

    bench/shape.py [--taut build/taut] [--seeds 3]
"""
import argparse
import csv
import math
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TRAIN, CALIBRATE, TEST = 50_000, 60_000, 60_000
LEVELS = ["0.5", "0.9", "0.99"]
METHODS = {"exp, conditional": [], "spline, likelihood": ["--transform", "spline", "--objective", "likelihood"]}


def draw(taut, folder, seed):
    rows = TRAIN + CALIBRATE + TEST
    whole = folder / "all.csv"
    subprocess.run([taut, "synth", "shape", "--rows", str(rows), "--seed", str(seed), "--truth", "-o", whole], check=True, stderr=subprocess.DEVNULL)
    header, *lines = whole.read_text().splitlines()
    for name, first, last in (("train", 0, TRAIN), ("calibrate", TRAIN, TRAIN + CALIBRATE), ("test", TRAIN + CALIBRATE, rows)):
        (folder / f"{name}.csv").write_text("\n".join([header, *lines[first:last]]) + "\n")


def noise_cdf(value, sigma, outliers):
    """P(noise <= value): normal, and for the share of outliers ten times as large."""
    def normal(z):
        return 0.5 * math.erfc(-z / math.sqrt(2))
    return (1 - outliers) * normal(value / sigma) + outliers * normal(value / sigma / 10)


def measure(taut, folder, extra):
    subprocess.run([taut, "fit", folder / "train.csv", "--target", "y", "--prediction", "f", "--drop", "sigma,outliers", "--split", "cross",
                    "--sides", "one", "--calibrate-with", folder / "calibrate.csv", "-o", folder / "m.taut", *extra], check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run([taut, "predict", folder / "m.taut", folder / "test.csv", "--confidence", ",".join(LEVELS), "--keep", "f,sigma,outliers",
                    "-o", folder / "intervals.csv"], check=True, stderr=subprocess.DEVNULL)
    with open(folder / "intervals.csv", newline="") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    errors = []
    for i, level in enumerate(LEVELS):
        squares = 0
        for f, sigma, outliers, _, *ends in rows:
            coverage = noise_cdf(ends[2 * i + 1] - f, sigma, outliers) - noise_cdf(ends[2 * i] - f, sigma, outliers)
            squares += (coverage - float(level)) ** 2
        errors.append(math.sqrt(squares / len(rows)))
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    print("| seed | method | " + " | ".join(LEVELS) + " |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        for seed in range(options.seeds):
            draw(options.taut, pathlib.Path(name), seed)
            for method, extra in METHODS.items():
                errors = measure(options.taut, pathlib.Path(name), extra)
                print(f"| {seed} | {method} | " + " | ".join(f"{error:.4f}" for error in errors) + " |", flush=True)


if __name__ == "__main__":
    main()

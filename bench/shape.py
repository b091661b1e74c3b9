#!/usr/bin/env python3
"""Conditional coverage where the shape of the noise changes with x and its size does not: the synthetic set `shape`.

50,000 rows train the transformation (the true f is given), 60,000 calibrate, 60,000 test. Printed is the root mean square of the true
coverage given x minus the confidence, at .5, .9 and .99, for a scale and for classes that can change the shape.

    bench/shape.py [--taut build/taut] [--seeds 3]
"""
import argparse
import math
import pathlib
import tempfile

import synthetic_rows

HERE = pathlib.Path(__file__).resolve().parent
TRAIN, CALIBRATE, TEST = 50_000, 60_000, 60_000
LEVELS = ["0.5", "0.9", "0.99"]
METHODS = {"exp, conditional": [], "spline, likelihood": ["--transform", "spline", "--objective", "likelihood"]}


def noise_cdf(value, sigma, outliers):
    """P(noise <= value) of a mixture: normal noise, and a share of outliers with ten times the scale."""
    def normal(z):
        return 0.5 * math.erfc(-z / math.sqrt(2))
    return (1 - outliers) * normal(value / sigma) + outliers * normal(value / sigma / 10)


def measure(taut, folder, extra):
    rows = synthetic_rows.intervals(taut, folder, "sigma,outliers", LEVELS, ["--sides", "one", *extra])
    errors = []
    for i, level in enumerate(LEVELS):
        squares = 0
        for sigma, outliers, f, *ends in rows:
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
            synthetic_rows.draw(options.taut, pathlib.Path(name), "shape", seed, TRAIN, CALIBRATE, TEST)
            for method, extra in METHODS.items():
                errors = measure(options.taut, pathlib.Path(name), extra)
                print(f"| {seed} | {method} | " + " | ".join(f"{error:.4f}" for error in errors) + " |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares trained intervals with the optimal ones on the paper's synthetic sets, where the optimum is known.

The true f is given (--prediction f), 100,000 rows train the transformation, 60,000 calibrate, 100,000 test. Printed are mean
half-widths with their known optimum (sigma: conditionally valid; level set: the smallest possible) and the root mean square of
the true coverage given x minus the confidence.

    bench/synthetic_oracle.py [--taut build/taut] [--sets cos,squared,inverse,linear] [--levels 0.95,0.9,0.68]
"""
import argparse
import math
import pathlib
import tempfile

import synthetic_rows

HERE = pathlib.Path(__file__).resolve().parent
TRAIN, CALIBRATE, TEST = 100_000, 60_000, 100_000
# set: {confidence: (half-width of the conditionally valid scale, of the level set)}
OPTIMA = {
    "cos": {"0.95": (1.961, 1.723), "0.9": (1.646, 1.369), "0.68": (0.995, 0.578)},
    "squared": {"0.95": (1.339, 1.175), "0.9": (1.124, 0.930), "0.68": (0.680, 0.367)},
    "inverse": {"0.95": (2.571, 2.231), "0.9": (2.158, 1.762), "0.68": (1.305, 0.698)},
    "linear": {"0.95": (1.911, 1.682), "0.9": (1.604, 1.337), "0.68": (0.970, 0.568)},
}


def normal_cdf(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def measure(taut, folder, extra, levels):
    """Mean half-width and RMSE of the true conditional coverage, for each level."""
    rows = synthetic_rows.intervals(taut, folder, "sigma", levels, extra)
    figures = []
    for i, level in enumerate(levels):
        lower, upper = 2 + 2 * i, 3 + 2 * i
        half_width = sum(row[upper] - row[lower] for row in rows) / len(rows) / 2
        errors = [normal_cdf((row[upper] - row[1]) / row[0]) - normal_cdf((row[lower] - row[1]) / row[0]) - float(level) for row in rows]
        figures.append((half_width, math.sqrt(sum(error * error for error in errors) / len(errors))))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--sets", default=",".join(OPTIMA))
    parser.add_argument("--levels", default="0.95,0.9,0.68")
    options = parser.parse_args()
    levels = options.levels.split(",")
    print("| set | confidence | conditional | optimum | ratio | RMSE | focus | optimum | ratio |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for set_name in options.sets.split(","):
            synthetic_rows.draw(options.taut, folder, set_name, 1, TRAIN, CALIBRATE, TEST)
            conditional = measure(options.taut, folder, [], levels)
            for level, (width, rmse) in zip(levels, conditional):
                fair, smallest = OPTIMA[set_name][level]
                focus, _ = measure(options.taut, folder, ["--focus", level], [level])[0]
                print(f"| {set_name} | {level} | {width:.3f} | {fair:.3f} | {width / fair:.3f} | {rmse:.3f} | {focus:.3f} | {smallest:.3f} | "
                      f"{focus / smallest:.3f} |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A category with 5,000 levels, most of them rare: Taut against an oracle that uses the true distribution.

y = slope · x + effect of the level + noise; effect and noise are normal with known variances. The training rows have each level 1 to 50 times. One
in five calibration and test rows has a level that no training row has. The oracle uses the true slope and the normal posterior of each level's effect
given the training rows; for an unseen level it uses the prior. The table shows interval scores at 0.9 and coverages, of all rows and of unseen
levels. Needs only Python's standard library.

    bench/level_effects.py [--taut build/taut] [--seeds 3] [--effect 1] [--noise 1] [--slope 0]
"""
import argparse
import csv
import pathlib
import random
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEVELS, UNSEEN = 5000, 0.2
QUANTILE = 1.6448536269514722  # of the normal distribution, at 0.95


def draw(seed, effect, noise, slope):
    """Training rows, and 40,000 other rows, a fifth of which have unseen levels."""
    chance = random.Random(seed)
    effects = [effect * chance.gauss(0, 1) for _ in range(2 * LEVELS)]
    weights = [chance.randint(1, 50) for _ in range(LEVELS)]

    def row(level):
        x = chance.gauss(0, 1)
        return level, x, slope * x + effects[level] + noise * chance.gauss(0, 1)

    train = [row(level) for level in range(LEVELS) for _ in range(weights[level])]
    others = chance.choices(range(LEVELS), weights, k=40_000)
    return train, [row(chance.randrange(LEVELS, 2 * LEVELS) if chance.random() < UNSEEN else level) for level in others]


def oracle(train, test, effect, noise, slope):
    """The interval of each row, from the distribution of a new y given the training rows and both variances."""
    count, total = [0] * (2 * LEVELS), [0.0] * (2 * LEVELS)
    for level, x, y in train:
        count[level] += 1
        total[level] += y - slope * x
    for level, x, _ in test:
        precision = 1 / effect**2 + count[level] / noise**2
        mean, half = slope * x + total[level] / noise**2 / precision, QUANTILE * (noise**2 + 1 / precision) ** 0.5
        yield mean - half, mean + half


def ours(taut, folder, train, calibrate, test, seed):
    for name, rows in (("train", train), ("calibrate", calibrate), ("test", test)):
        with open(folder / f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows([("level", "x", "y"), *((f"level {level}", x, y) for level, x, y in rows)])
    subprocess.run([taut, "fit", folder / "train.csv", "--target", "y", "--calibrate-with", folder / "calibrate.csv", "--seed", str(seed),
                    "-o", folder / "m.taut"], check=True, stderr=subprocess.DEVNULL)
    found = subprocess.run([taut, "predict", folder / "m.taut", folder / "test.csv"], check=True, capture_output=True, text=True).stdout
    return [(float(row["lower_0.9"]), float(row["upper_0.9"])) for row in csv.DictReader(found.splitlines())]


def judge(test, intervals):
    score = sum(high - low + 20 * max(low - y, y - high, 0) for (_, _, y), (low, high) in zip(test, intervals)) / len(test)
    inside = [(level >= LEVELS, low <= y <= high) for (level, _, y), (low, high) in zip(test, intervals)]
    unseen = [covered for is_new, covered in inside if is_new]
    return score, sum(covered for _, covered in inside) / len(inside), sum(unseen) / len(unseen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taut", default=str(HERE.parent / "build" / "taut"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--effect", type=float, default=1)
    parser.add_argument("--noise", type=float, default=1)
    parser.add_argument("--slope", type=float, default=0)
    options = parser.parse_args()
    print("| seed | score | of the oracle | ratio | coverage | of unseen levels | oracle's |\n|---|---|---|---|---|---|---|", flush=True)
    for seed in range(options.seeds):
        train, others = draw(seed, options.effect, options.noise, options.slope)
        calibrate, test = others[:len(others) // 2], others[len(others) // 2:]
        with tempfile.TemporaryDirectory() as folder:
            intervals = ours(options.taut, pathlib.Path(folder), train, calibrate, test, seed)
        score, coverage, unseen = judge(test, intervals)
        best, _, best_unseen = judge(test, list(oracle(train, test, options.effect, options.noise, options.slope)))
        print(f"| {seed} | {score:.4f} | {best:.4f} | {score / best:.4f} | {coverage:.4f} | {unseen:.4f} | {best_unseen:.4f} |", flush=True)


if __name__ == "__main__":
    main()

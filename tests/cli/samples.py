"""Small data for tests of the command line."""
import math
import random

# Options for fits that take milliseconds.
QUICK = ["--predictor", "linear", "--localizer", "none"]


def rows(count, seed=0):
    """(x, z, colour, y): y depends on all three, and its noise on x."""
    draw = random.Random(seed)
    result = []
    for _ in range(count):
        x, z, colour = draw.uniform(-1, 1), draw.gauss(0, 1), draw.choice(["red", "green", "blue"])
        y = 2 * x - z + {"red": 0, "green": 1, "blue": -1}[colour] + (0.1 + abs(x)) * draw.gauss(0, 1)
        result.append((x, z, colour, y))
    return result


def csv(table, names=("x", "z", "colour", "y")):
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in table)]) + "\n"


def intervals(text):
    """Rows of the program's output as lists of numbers; an empty cell is None."""
    lines = text.strip().split("\n")
    return lines[0].split(","), [[float(cell) if cell else None for cell in line.split(",")] for line in lines[1:]]


def exact_rank(count, confidence):
    return math.ceil(round((count + 1) * confidence, 9))

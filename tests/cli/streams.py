"""Rows in time order and a model for them, shared by the tests of streams."""
import math
import random

import samples
from harness import TautTest

QUICK = ["--predictor", "linear", "--localizer", "none"]


def rows(count, seed=1, first=0, drift=0.0, dates=None):
    """Rows with a time, x and y; the noise grows by `drift` per row."""
    draw = random.Random(seed)
    table = []
    for i in range(first, first + count):
        x = draw.gauss(0, 1)
        noise = math.exp(drift * (i - first)) * draw.gauss(0, 1)
        when = dates(i) if dates else i
        table.append((when, x, 2 * x + noise))
    return table


def csv(table):
    return samples.csv(table, ("t", "x", "y"))


def iso(i):
    return f"2024-{1 + i // 600:02d}-{1 + i // 24 % 25:02d}T{i % 24:02d}:00:00Z"


class Streamed(TautTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", csv(rows(800)))
        self.new = self.write("new.csv", csv(rows(900, 2, first=800, drift=0.002)))

    def fit(self, *options, data=None, order=("--order-by", "t")):
        return self.taut("fit", data or self.train, "--target", "y", "--drop", "t", *QUICK, *order, *options, "-o", "m.taut")

    def intervals(self, *arguments, **keywords):
        names, cells = samples.intervals(self.taut("stream", *arguments, **keywords).stdout)
        return names, cells

"""--score-scale: scores on the root or log scale of the target."""
import math
import random

from harness import TautTest, main
from samples import csv, intervals

FIT = ["--target", "y", "--predictor", "linear", "-o", "m.taut"]


def factors(count, seed=0, low=0.0):
    """(x, y): y is e^(2x) times a random factor."""
    draw = random.Random(seed)
    xs = [draw.uniform(-1, 1) for _ in range(count)]
    return [(x, low + math.exp(2 * x + 0.7 * draw.gauss(0, 1))) for x in xs]


class ScoreScale(TautTest):
    def fit(self, *options, rows=None):
        self.write("d.csv", csv(rows or factors(200), names=("x", "y")))
        return self.taut("fit", "d.csv", *FIT, *options)

    def predict(self):
        self.write("new.csv", csv(factors(100, seed=1), names=("x", "y")))
        return intervals(self.taut("predict", "m.taut", "new.csv", "--confidence", "0.9").stdout)[1]

    def scale(self):
        return self.taut("info", "m.taut", "--json").json()["parts"]["score_scale"]

    def test_validation_rows_choose_log_and_info_says_so(self):
        self.fit()
        self.assertEqual(self.scale(), "log")
        self.assertIn("scores on the log scale of the target", self.taut("info", "m.taut").stdout)
        self.assertTrue(all(lower > 0 for _, lower, _ in self.predict()))

    def test_a_named_scale_is_taken(self):
        for name in ("as-is", "root", "log", "learned"):
            self.fit("--score-scale", name)
            self.assertEqual(self.scale(), name)
            self.assertNotIn("nan", str(self.predict()))

    def test_fixed_widths_are_factors(self):
        self.fit("--score-scale", "log", "--localizer", "none")
        ratios = {round(upper / lower, 9) for _, lower, upper in self.predict()}
        self.assertEqual(len(ratios), 1)

    def test_every_answer_of_the_distribution(self):
        self.fit("--score-scale", "log")
        table = self.taut("predict", "m.taut", "d.csv", "--quantiles", "0.05,0.5,0.95", "--below", "2").stdout
        names, rows = intervals(table)
        for row in rows:
            low, middle, high = row[names.index("q0.05")], row[names.index("q0.5")], row[names.index("q0.95")]
            self.assertTrue(0 < low <= middle <= high, row)
        self.taut("evaluate", "m.taut", "d.csv")
        self.taut("explain", "m.taut", "d.csv")
        self.taut("report", "m.taut", "d.csv", "-o", "r.html")

    def test_what_is_refused(self):
        rows = [(x, y if i else 0) for i, (x, y) in enumerate(factors(200))]
        self.write("zero.csv", csv(rows * 3, names=("x", "y")))
        self.fails(1, "fit", "zero.csv", *FIT, "--score-scale", "log", says=["--score-scale log needs targets above 0", "--score-scale root"])
        self.write("d.csv", csv(factors(200), names=("x", "y")))
        self.fails(2, "fit", "d.csv", *FIT, "--score-scale", "cube", says=["--score-scale", "'cube'", "as-is"])
        self.fails(2, "fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", "quantile:0.1,0.9", "--score-scale", "log",
                   says=["--score-scale log", "two ends"])
        self.write("labels.csv", csv([(x, "ab"[y > 1]) for x, y in factors(200)], names=("x", "y")))
        self.fails(2, "fit", "labels.csv", "--target", "y", "-o", "m.taut", "--score-scale", "log", says=["--score-scale is about numbers"])


if __name__ == "__main__":
    main()

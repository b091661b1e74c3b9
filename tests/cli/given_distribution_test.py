"""Predictive distributions as the base of intervals: columns of quantiles, or of samples."""
import math
import random

import samples
from harness import TautTest, main

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
NAMES = ("x", "quiet", "y", *(f"q{level}" for level in LEVELS))
SAMPLES = ("x", "y", *(f"s{k}" for k in range(1, 12)))


def log_odds(level):
    return math.log(level / (1 - level))


def rows(count, seed=0):
    """Logistic quantiles that assume constant noise, but the noise grows with x."""
    draw = random.Random(seed)
    result = []
    for _ in range(count):
        x = draw.uniform(0, 1)
        result.append((x, draw.uniform(0, 1), 3 * x + (0.1 + x) * draw.gauss(0, 1), *(3 * x + 0.4 * log_odds(level) for level in LEVELS)))
    return result


class GivenDistribution(TautTest):
    def setUp(self):
        super().setUp()
        self.train = rows(400)
        self.write("d.csv", samples.csv(self.train, NAMES))
        self.write("new.csv", samples.csv(rows(100, 1), NAMES))
        self.fit = ["--target", "y", "--quantile-columns", "q*"]

    def test_every_command_takes_such_a_model_or_refuses_it_by_name(self):
        said = self.taut("fit", "d.csv", *self.fit, "-o", "m.taut")
        self.assertIn("'quiet' fits a pattern of given columns, but has no number in its name", said.stderr)
        info = self.taut("info", "m.taut").stdout
        self.assertIn("predictive distribution from 5 columns, 'q0.05' to 'q0.95' (quantiles 0.05 to 0.95)", info)
        self.assertIn("distribution, as given", info)
        self.taut("calibrate", "m.taut", "new.csv", "-o", "m2.taut")
        self.assertEqual(self.taut("evaluate", "m2.taut", "new.csv", "--json").json()["rows"], 100)
        self.taut("stream", "m.taut", "new.csv", "-o", "streamed.csv")
        self.taut("report", "m.taut", "new.csv", "-o", "report.html")
        self.taut("predict", "m.taut", "new.csv", "--quantiles", "0.1,0.9", "--below", "1", "-o", "answers.csv")
        self.fails(1, "explain", "m.taut", "new.csv", says=["explain", "--quantile-columns"])
        self.fails(1, "export", "m.taut", "--c", "m.c", says=["cannot be exported", "--quantile-columns"])
        self.fails(1, "export", "m.taut", "--onnx", "m.onnx", says=["cannot be exported", "--quantile-columns"])

    def test_a_file_without_the_columns_is_refused(self):
        self.taut("fit", "d.csv", *self.fit, "-o", "m.taut")
        self.write("x.csv", samples.csv([row[:3] for row in self.train], NAMES[:3]))
        self.fails(1, "predict", "m.taut", "x.csv", says=["q0.05"])

    def test_samples(self):
        draw = random.Random(3)
        self.write("s.csv", samples.csv([(x, y, *(q[2] + draw.gauss(0, 0.5) for _ in range(11))) for x, _, y, *q in self.train], SAMPLES))
        self.taut("fit", "s.csv", "--target", "y", "--sample-columns", "s*", "-o", "m.taut")
        self.assertIn("(samples, as quantiles 0.1 to 0.9)", self.taut("info", "m.taut").stdout)
        self.taut("predict", "m.taut", "s.csv", "-o", "answers.csv")

    def test_crossed_quantiles_are_sorted_and_counted(self):
        self.taut("fit", "d.csv", *self.fit, "-o", "m.taut")
        self.write("crossed.csv", samples.csv([(*row[:3], *row[:2:-1]) for row in self.train], NAMES))
        self.write("sorted.csv", samples.csv(self.train, NAMES))
        crossed = self.taut("predict", "m.taut", "crossed.csv")
        self.assertIn("400 of 400 rows have quantiles that fall from one level to a higher one", crossed.stderr)
        self.assertEqual(crossed.stdout, self.taut("predict", "m.taut", "sorted.csv").stdout)

    def test_mistakes(self):
        self.fails(2, "fit", "d.csv", "--target", "y", "--quantile-columns", "z*", "-o", "m.taut", says=["no column with a number in its name", "'z*'"])
        self.fails(2, "fit", "d.csv", "--target", "y", "--quantile-columns", "q0.5", "-o", "m.taut", says=["at least two levels", "--prediction"])
        self.fails(1, "fit", "d.csv", "--target", "y", "--quantile-columns", "q0.5,q0.55", "-o", "m.taut", says=["'q0.55'", "--quantile-columns"])
        self.fails(2, "fit", "d.csv", *self.fit, "--prediction", "x", "-o", "m.taut", says=["exclude each other"])
        self.fails(2, "fit", "d.csv", *self.fit, "--score-scale", "log", "-o", "m.taut", says=["--score-scale log"])
        self.fails(2, "fit", "d.csv", "--target", "y", "--score-scale", "probability", "-o", "m.taut", says=["--quantile-columns"])


if __name__ == "__main__":
    main()

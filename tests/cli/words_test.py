"""Messages in edge cases: one row, nothing to compute, no NaN in the text."""
import re

import samples
from harness import TautTest, main
from samples import QUICK

NO_NUMBER = re.compile(r"(?i)(?<![\w.])-?nan\b(?!\w)")
PLURALS = re.compile(r"(?<![\d,.])1 (\w+ )?(rows|levels|categories|columns|alarms|splits)\b")


class Edges(TautTest):
    """Edge cases: one row, equal targets, intervals that are infinite or have width 0."""

    def setUp(self):
        super().setUp()
        rows = samples.rows(300)
        self.write("d.csv", samples.csv(rows))
        self.write("one.csv", samples.csv(rows[:1]))
        self.write("other.csv", samples.csv(samples.rows(1, seed=3)))
        self.write("alike.csv", samples.csv([(x, z, colour, 1.5) for x, z, colour, _ in samples.rows(50, seed=2)]))
        self.write("exact.csv", samples.csv([(x, z, y, y) for x, z, _, y in rows], ["x", "z", "p", "y"]))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.taut("fit", "exact.csv", "--target", "y", "--prediction", "p", "-o", "exact.taut")
        self.taut("calibrate", "m.taut", "other.csv", "-o", "one.taut")

    def commands(self):
        for model in ["m.taut", "one.taut"]:
            yield ["info", model]
            yield ["info", model, "--json"]
            for data in ["one.csv", "other.csv", "alike.csv", "d.csv"]:
                for levels in ["0.9", "0.001,0.5,0.9999"]:
                    yield ["evaluate", model, data, "--confidence", levels]
                    yield ["evaluate", model, data, "--confidence", levels, "--json"]
                    yield ["predict", model, data, "--confidence", levels, "--check-shift"]
                    yield ["predict", model, data, "--confidence", levels, "--smooth"]
                yield ["calibrate", model, data, "-o", "new.taut"]
        yield ["info", "exact.taut"]
        yield ["evaluate", "exact.taut", "exact.csv"]
        yield ["evaluate", "exact.taut", "exact.csv", "--json"]
        yield ["fit", "d.csv", "--target", "y", "-o", "new.taut", "--calibrate-with", "one.csv", *QUICK]
        yield ["synth", "cos", "--rows", "1", "--truth"]

    def test_every_word_is_one(self):
        for command in self.commands():
            with self.subTest(" ".join(command)):
                done = self.taut(*command)
                for text in [done.stdout, done.stderr]:
                    self.assertNotRegex(text, NO_NUMBER, done)
                    self.assertNotRegex(text, PLURALS, done)

    def test_one_row(self):
        self.assertTrue(self.taut("evaluate", "one.taut", "one.csv").stdout.startswith("1 row, 1 calibration row\n"))
        self.assertIn("calibrated on 1 row of one.csv", self.taut("calibrate", "m.taut", "one.csv", "-o", "new.taut").stderr)
        self.assertIn("1 calibration row is too few for confidence 0.9,", self.taut("predict", "one.taut", "one.csv").stderr)
        self.assertIn("1 row of one.csv compared with 1 calibration row:",
                      self.taut("predict", "one.taut", "one.csv", "--check-shift").stderr)


class Guesses(TautTest):
    def test_only_near_names_are_guessed(self):
        self.write("d.csv", samples.csv([row[:1] + row[3:] for row in samples.rows(60)], ["x", "y"]))
        done = self.fails(1, "fit", "d.csv", "--target", "g", "-o", "m.taut", says=["no column 'g'", "the columns are: x, y"])
        self.assertNotIn("did you mean", done.stderr)
        self.fails(1, "fit", "d.csv", "--target", "Y", "-o", "m.taut", says=["no column 'Y' (did you mean 'y'?)"])


if __name__ == "__main__":
    main()

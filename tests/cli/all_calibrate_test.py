"""If f is given and the width is constant, nothing is learnt from rows, and all of them calibrate."""
import random

import samples
from harness import TautTest, main

NAMES = ["x", "z", "colour", "yhat", "y"]


def rows(count, seed=0):
    return [(x, z, colour, 2 * x - z, y) for x, z, colour, y in samples.rows(count, seed)]


class Numbers(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(rows(300), NAMES))
        self.write("new.csv", samples.csv(rows(50, seed=1), NAMES))

    def fit(self, *options, model="m.taut", data="d.csv"):
        done = self.taut("fit", data, "--target", "y", "-o", model, *options)
        return done, self.taut("info", model, "--json").json()

    def counts(self, *options):
        return self.fit("--prediction", "yhat", *options)[1]["rows"]

    def test_every_row_calibrates_and_that_is_said(self):
        for option in (["--transform", "fixed"], ["--localizer", "none"], ["--localizer", "none", "--by", "colour"],
                       ["--transform", "fixed", "--in-order"], ["--transform", "fixed", "--by", "x:-0.5/0.5"]):
            done, info = self.fit("--prediction", "yhat", *option)
            self.assertEqual(info["rows"]["calibration"], 300, option)
            self.assertEqual((info["rows"]["predictor"], info["rows"]["transform"], info["rows"]["validation"]), (0, 0, 0), option)
            told = self.taut("info", "m.taut").stdout
            self.assertIn("calibration 300", told)
            self.assertNotIn("transformation 300", told)

    def test_what_is_asked_for_is_done(self):
        self.assertEqual(self.counts("--transform", "fixed", "--split", "cross")["calibration"], 60)
        self.assertEqual(self.counts("--transform", "fixed", "--split", "0,0.3,0.2,0.5")["calibration"], 150)
        self.assertEqual(self.counts("--transform", "fixed", "--by", "x:3")["calibration"], 60)
        self.assertEqual(self.counts("--transform", "exp")["calibration"], 60)

    def test_the_interval_is_that_of_all_scores(self):
        self.fit("--prediction", "yhat", "--transform", "fixed")
        scores = sorted(abs(y - f) for *_, f, y in rows(300))
        q = scores[samples.exact_rank(300, 0.9) - 1]
        _, found = samples.intervals(self.taut("predict", "m.taut", "new.csv").stdout)
        for f, lower, upper in found:
            self.assertAlmostEqual(upper - f, q, places=9)
            self.assertAlmostEqual(f - lower, q, places=9)

    def test_two_predicted_ends(self):
        table = [(x, f - 1, f + 1, y) for x, _, _, f, y in rows(200)]
        self.write("q.csv", samples.csv(table, ["x", "lo", "hi", "y"]))
        _, info = self.fit("--lower-prediction", "lo", "--upper-prediction", "hi", "--transform", "fixed", data="q.csv")
        self.assertEqual(info["rows"]["calibration"], 200)

    def test_no_row_suggests_an_option(self):
        table = [(x, round(abs(10 * y)), round(abs(10 * y))) for x, *_, y in rows(200)]
        self.write("whole.csv", samples.csv(table, ["x", "yhat", "y"]))
        done, _ = self.fit("--prediction", "yhat", "--transform", "fixed", data="whole.csv")
        self.assertNotIn("--y-step", done.stderr)

    def test_later_commands(self):
        self.fit("--prediction", "yhat", "--transform", "fixed")
        self.assertNotIn("warning", self.taut("predict", "m.taut", "new.csv", "--check-shift").stderr)
        self.assertNotIn("warning", self.taut("evaluate", "m.taut", "new.csv").stderr)
        self.assertIn("calibrated the model", self.taut("evaluate", "m.taut", "d.csv").stderr)
        self.write("cal.csv", samples.csv(rows(100, seed=2), NAMES))
        self.taut("calibrate", "m.taut", "cal.csv", "-o", "m2.taut")
        self.assertEqual(self.taut("info", "m2.taut", "--json").json()["rows"]["calibration"], 100)
        self.taut("calibrate", "m.taut", "cal.csv", "--by", "x:-0.5/0.5", "-o", "m2.taut")
        self.taut("calibrate", "m.taut", "cal.csv", "--by", "colour", "-o", "m2.taut")
        for how in (["--by", "x:3"], ["--by", "prediction:3"], ["--overlapping", "x:3"], ["--local"]):
            self.fails(1, "calibrate", "m.taut", "cal.csv", *how, "-o", "m2.taut", says=["every row of its fit calibrated", "--split cross"])

    # If the calibration rows chose the listed categories, the shift check would compare these rows with themselves.
    def test_many_categories_raise_no_false_alarm_of_shift(self):
        draw = random.Random(5)
        table = [(draw.gauss(0, 1), f"c{draw.randrange(400)}", 0.0, draw.gauss(0, 1)) for _ in range(900)]
        self.write("many.csv", samples.csv(table[:300], ["x", "shop", "yhat", "y"]))
        self.write("other.csv", samples.csv(table[300:], ["x", "shop", "yhat", "y"]))
        self.fit("--prediction", "yhat", "--transform", "fixed", data="many.csv")
        self.assertNotIn("warning", self.taut("predict", "m.taut", "other.csv", "--check-shift").stderr)

    def test_coverage(self):
        covered = total = 0
        for seed in range(40):
            self.write("small.csv", samples.csv(rows(19, seed=100 + seed), NAMES))
            self.fit("--prediction", "yhat", "--transform", "fixed", data="small.csv")
            self.write("test.csv", samples.csv(rows(200, seed=1000 + seed), NAMES))
            level = self.taut("evaluate", "m.taut", "test.csv", "--json").json()["levels"][0]
            covered += level["coverage"] * 200
            total += 200
        # Four standard errors of the mean of 40 coverages from Beta(18, 2), whose mean is 0.9.
        self.assertLess(abs(covered / total - 0.9), 4 * (0.9 * 0.1 / 21 / 40) ** 0.5)


class Labels(TautTest):
    def test_given_probabilities(self):
        draw = random.Random(3)
        lines = ["x,p_a,p_b,label"]
        for _ in range(400):
            p = draw.uniform(0.05, 0.95)
            lines.append(f"{draw.gauss(0, 1)},{p},{1 - p},{'a' if draw.random() < p else 'b'}")
        self.write("d.csv", "\n".join(lines) + "\n")
        for option, expected in ((["--transform", "fixed"], 400), (["--transform", "fixed", "--split", "cross"], 80), ([], 200)):
            self.taut("fit", "d.csv", "--target", "label", "--probabilities", "p_", *option, "-o", "m.taut")
            info = self.taut("info", "m.taut", "--json").json()
            self.assertEqual(info["rows"]["calibration"], expected, option)
        self.taut("fit", "d.csv", "--target", "label", "--probabilities", "p_", "--localizer", "none", "-o", "m.taut")
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["rows"]["calibration"], 400)
        self.assertNotIn("warning", self.taut("predict", "m.taut", "d.csv").stderr)


if __name__ == "__main__":
    main()

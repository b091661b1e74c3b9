"""Quantile predictions as the base of intervals: given as two columns, or from trees."""
import json
import math
import random

import samples
from harness import TautTest, main

NAMES = ("x", "y", "q05", "q95")
ENDS = ["--target", "y", "--lower-prediction", "q05", "--upper-prediction", "q95"]


def rows(count, seed=0):
    """(x, y, q05, q95): the quantiles assume constant noise, but the noise grows with x."""
    draw = random.Random(seed)
    result = []
    for _ in range(count):
        x = draw.uniform(0, 1)
        result.append((x, 3 * x + (0.1 + x) * draw.gauss(0, 1), 3 * x - 1, 3 * x + 1))
    return result


def crossed(table, every=4):
    return [(x, y, q95, q05) if i % every == 0 else (x, y, q05, q95) for i, (x, y, q05, q95) in enumerate(table)]


class QuantilePredictions(TautTest):
    def setUp(self):
        super().setUp()
        self.train, self.known, self.new = rows(600), rows(99, 1), rows(50, 2)
        for name, table in [("d.csv", self.train), ("known.csv", self.known), ("new.csv", self.new), ("test.csv", rows(300, 3)),
                            ("crossed.csv", crossed(self.train)), ("new_crossed.csv", crossed(self.new))]:
            self.write(name, samples.csv(table, NAMES))

    def test_fixed_is_conformalized_quantile_regression(self):
        """The exact rank of max(lo - y, y - hi), added to both ends; an end may be one unit in the last place further out."""
        self.taut("fit", "d.csv", *ENDS, "--transform", "fixed", "--calibrate-with", "known.csv", "-o", "m.taut")
        scores = sorted(max(q05 - y, y - q95) for _, y, q05, q95 in self.known)
        levels = [0.2, 0.5, 0.9]
        _, answers = samples.intervals(self.taut("predict", "m.taut", "new.csv", "--confidence", "0.2,0.5,0.9").stdout)
        self.assertLess(scores[samples.exact_rank(99, 0.2) - 1], 0)
        for (_, _, q05, q95), (prediction, *ends) in zip(self.new, answers):
            self.assertEqual(prediction, (q05 + q95) / 2)
            for level, lower, upper in zip(levels, ends[::2], ends[1::2]):
                q = scores[samples.exact_rank(99, level) - 1]
                for got, expected, most in [(lower, q05 - q, abs(q05)), (upper, q95 + q, abs(q95))]:
                    self.assertLessEqual(abs(got - expected), 2 * math.ulp(max(most, abs(q))))

    def test_they_may_be_all_there_is(self):
        self.write("only.csv", samples.csv([row[1:] for row in self.train], NAMES[1:]))
        self.taut("fit", "only.csv", *ENDS, "-o", "m.taut")
        self.assertEqual(self.taut("evaluate", "m.taut", "only.csv", "--json").json()["rows"], 600)

    def test_every_command_takes_such_a_model(self):
        self.taut("fit", "d.csv", *ENDS, "-o", "m.taut")
        said = self.taut("info", "m.taut").stdout
        self.assertIn("quantile predictions from columns 'q05' and 'q95'; transformation curve", said)
        self.taut("calibrate", "m.taut", "known.csv", "-o", "m2.taut")
        self.taut("evaluate", "m2.taut", "test.csv")
        self.taut("report", "m2.taut", "test.csv", "-o", "report.html")
        info = self.taut("info", "m2.taut", "--json").json()
        self.assertEqual(info["options"]["lower_prediction"], "q05")
        self.assertEqual([column["name"] for column in info["columns"]], ["x", "q05", "q95"])
        done = self.taut("compare", "d.csv", *ENDS, "--methods", "fixed,exp", "--repeats", "1")
        self.assertIn("exp", done.stdout)
        self.taut("predict", "m2.taut", "new.csv", "--upper", "0.9", "--quantiles", "0.1,0.5,0.9", "--below", "1", "--check-shift")

    def test_crossed_rows_are_counted_and_taken_in_order(self):
        said = self.taut("fit", "crossed.csv", *ENDS, "--split", "0.5,0.25,0.25", "-o", "crossed.taut").stderr
        self.assertIn("have their lower prediction, 'q05', above the upper one, 'q95'; the two are swapped", said)
        self.taut("fit", "d.csv", *ENDS, "--split", "0.5,0.25,0.25", "-o", "m.taut")
        plain = self.taut("predict", "m.taut", "new.csv")
        done = self.taut("predict", "crossed.taut", "new_crossed.csv", "--alarms", "alarms.json")
        self.assertEqual(done.stdout, plain.stdout)
        self.assertNotIn("swapped", plain.stderr)
        alarm, = json.loads(self.read("alarms.json"))["alarms"]
        self.assertEqual((alarm["kind"], alarm["numbers"]), ("crossed_predictions", {"crossed": 13, "rows": 50}))

    def test_bad_columns(self):
        two = "--lower-prediction COL and --upper-prediction COL"
        self.fails(2, "fit", "d.csv", "--target", "y", "--lower-prediction", "q05", "-o", "m.taut", says=[two])
        self.fails(2, "fit", "d.csv", "--target", "y", "--upper-prediction", "q95", "-o", "m.taut", says=[two])
        self.fails(2, "fit", "d.csv", *ENDS, "--prediction", "x", "-o", "m.taut", says=["leave --prediction out"])
        self.write("bad.csv", "x,y,q05,q95\n" + "1,2,1,3\n1,4,1,3\n" * 50 + "1,2,,3\n")
        self.fails(1, "fit", "bad.csv", *ENDS, "-o", "m.taut", says=["q05", "the prediction must be a finite number"])
        self.taut("fit", "d.csv", *ENDS, "--transform", "fixed", "-o", "m.taut")
        self.write("bad.csv", "x,q05,q95\n1,2,inf\n")
        self.fails(1, "predict", "m.taut", "bad.csv", says=["q95", "finite number"])
        self.write("bad.csv", "x,q05\n1,2\n")
        self.fails(1, "predict", "m.taut", "bad.csv", says=["q95"])

    def test_own_trees(self):
        self.write("d.csv", samples.csv([row[:2] for row in rows(800)], NAMES[:2]))
        self.taut("fit", "d.csv", "--target", "y", "--predictor", "quantile:0.05,0.95", "--effort", "quick", "-o", "m.taut")
        names, answers = samples.intervals(self.taut("predict", "m.taut", "new.csv").stdout)
        self.assertEqual(names, ["prediction", "lower_0.9", "upper_0.9"])
        self.assertEqual(len(answers), 50)
        for bad in ["quantile", "quantile:0.9,0.1", "quantile:0,0.5", "quantile:0.5"]:
            self.fails(2, "fit", "d.csv", "--target", "y", "--predictor", bad, "-o", "m.taut", says=["quantile:0.05,0.95"])

    def test_given_predictions_and_a_predictor_exclude_each_other(self):
        self.write("d.csv", "f,g,y\n" + "".join(f"{i},{i + 1},{i % 7}\n" for i in range(60)))
        given = ["fit", "d.csv", "--target", "y", "-o", "m.taut"]
        self.fails(2, *given, "--prediction", "f", "--predictor", "linear", says=["--predictor", "leave one"])
        self.fails(2, *given, "--lower-prediction", "f", "--upper-prediction", "g", "--predictor", "boost", says=["--predictor"])


if __name__ == "__main__":
    main()

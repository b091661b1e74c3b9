"""--sample-weight, --calibrate-by-weight and --exposure on the command line."""
import random

import samples
from harness import TautTest, main

FIT = ["--target", "y", "--predictor", "linear", "--seed", "3"]


class Weights(TautTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        self.rows = []
        for i in range(200):
            x, weight = draw.gauss(0, 1), draw.choice([0, 0.5, 1, 3])
            self.rows.append((x, weight, round(x + draw.gauss(0, 1), 6)))
        self.write("d.csv", samples.csv(self.rows, ["x", "w", "y"]))
        self.write("without.csv", samples.csv([row for row in self.rows if row[1] > 0], ["x", "w", "y"]))
        self.write("new.csv", samples.csv([(0.1,), (-2,), (3,)], ["x"]))

    def predicted(self, *options, data="d.csv", rows="new.csv"):
        self.taut("fit", data, *FIT, *options, "-o", "m.taut")
        return self.taut("predict", "m.taut", rows, "--confidence", "0.8").stdout

    def test_weights_train_and_zero_is_absence(self):
        weighted = self.predicted("--sample-weight", "w")
        self.assertEqual(weighted, self.predicted("--sample-weight", "w", data="without.csv"))
        self.assertNotEqual(weighted, self.predicted("--drop", "w", data="without.csv"))
        told = self.taut("fit", "d.csv", *FIT, "--sample-weight", "w", "-o", "m.taut").stderr
        zeros = sum(row[1] == 0 for row in self.rows)
        self.assertIn(f"{zeros} rows of weight 0 in 'w' left out", told)
        self.assertIn("rows count by 'w' in training, and equally in calibration", told)
        told = self.taut("info", "m.taut").stdout
        self.assertIn("rows count by 'w' in training", told)
        facts = self.taut("info", "m.taut", "--json").json()
        self.assertEqual(facts["rows"]["of_weight_0"], zeros)
        self.assertEqual(facts["options"]["sample_weight"], "w")

    def test_calibration_by_weight_needs_the_weights_of_new_rows(self):
        self.taut("fit", "d.csv", *FIT, "--sample-weight", "w", "--calibrate-by-weight", "-o", "m.taut")
        self.fails(1, "predict", "m.taut", "new.csv", says=["'w'"])
        self.write("new2.csv", samples.csv([(0.1, 1), (0.1, 1e9)], ["x", "w"]))
        ends = samples.intervals(self.taut("predict", "m.taut", "new2.csv", "--confidence", "0.8").stdout)[1]
        self.assertLess(abs(ends[0][2]), 100)
        self.assertEqual(ends[1][2], float("inf"))
        self.taut("calibrate", "m.taut", "d.csv", "-o", "c.taut", "--skip-missing-target")
        self.assertEqual(self.taut("info", "c.taut", "--json").json()["calibration"]["kind"], "weighted")
        evaluated = self.run_taut("evaluate", "m.taut", "without.csv", "--json")
        self.assertTrue(evaluated.json()["weighted"]["is_guaranteed"], evaluated)

    def test_info_tells_the_guarantee_after_another_calibration(self):
        self.taut("fit", "d.csv", *FIT, "--sample-weight", "w", "--calibrate-by-weight", "-o", "m.taut")
        self.assertIn("rows count by 'w' in training, and in calibration", self.taut("info", "m.taut").stdout)
        self.taut("calibrate", "m.taut", "d.csv", "--plain", "-o", "c.taut")
        self.assertIn("rows count by 'w' in training, and equally in calibration", self.taut("info", "c.taut").stdout)
        self.taut("fit", "d.csv", *FIT, "--sample-weight", "w", "-o", "m.taut")
        self.taut("calibrate", "m.taut", "d.csv", "--weights", "w", "-o", "c.taut")
        self.assertIn("rows count by 'w' in training, and in calibration", self.taut("info", "c.taut").stdout)

    def test_zero_is_absence_in_other_files(self):
        lines = [(x, weight, y if weight > 0 else "") for x, weight, y in self.rows]
        self.write("cal.csv", samples.csv(lines, ["x", "w", "y"]))
        options = ["--sample-weight", "w", "--calibrate-with"]
        expected = self.predicted(*options, "without.csv")
        self.assertEqual(self.predicted(*options, "cal.csv"), expected)
        self.taut("calibrate", "m.taut", "cal.csv", "-o", "c.taut")
        self.assertEqual(self.taut("predict", "c.taut", "new.csv", "--confidence", "0.8").stdout, expected)
        facts = [self.run_taut("evaluate", "m.taut", file, "--sample-weight", "w", "--json").json() for file in ("cal.csv", "without.csv")]
        self.assertEqual(facts[0]["weighted"], facts[1]["weighted"])

    def test_evaluate_by_weight(self):
        self.predicted("--sample-weight", "w")
        facts = self.run_taut("evaluate", "m.taut", "without.csv", "--sample-weight", "w", "--json").json()
        weights = [row[1] for row in self.rows if row[1] > 0]
        self.assertAlmostEqual(facts["weighted"]["effective_rows"], sum(weights) ** 2 / sum(w * w for w in weights), places=6)
        self.assertFalse(facts["weighted"]["is_guaranteed"])
        self.assertIn("By the weights in 'w'", self.run_taut("evaluate", "m.taut", "without.csv", "--sample-weight", "w").stdout)
        self.fails(1, "evaluate", "m.taut", "without.csv", "--sample-weight", "x", says=["must not be negative"])
        self.fails(1, "evaluate", "m.taut", "without.csv", "--sample-weight", "z", says=["'z'"])

    def test_mistakes_name_the_row_and_the_option(self):
        for cell, words in (("-1", "must not be negative, found -1"), ("", "a missing value"), ("inf", "finite"), ("heavy", "'heavy'")):
            lines = samples.csv(self.rows, ["x", "w", "y"]).split("\n")
            cells = lines[5].split(",")
            lines[5] = ",".join([cells[0], cell, cells[2]])
            self.write("bad.csv", "\n".join(lines))
            self.fails(1, "fit", "bad.csv", *FIT, "--sample-weight", "w", "-o", "b.taut", says=["bad.csv", "6", "sample weight", words])
        self.write("zero.csv", samples.csv([(x, 0, y) for x, _, y in self.rows], ["x", "w", "y"]))
        self.fails(1, "fit", "zero.csv", *FIT, "--sample-weight", "w", "-o", "b.taut", says=["all sample weights in 'w' are zero"])
        self.fails(2, "fit", "d.csv", *FIT, "--sample-weight", "y", "-o", "b.taut", says=["--target", "'y'"])
        self.fails(2, "fit", "d.csv", *FIT, "--calibrate-by-weight", "-o", "b.taut", says=["--sample-weight COL"])
        self.fails(1, "fit", "d.csv", *FIT, "--sample-weight", "weight", "-o", "b.taut", says=["'weight'", "--sample-weight"])
        self.assertFalse((self.folder / "b.taut").exists())


class Exposure(TautTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(6)
        self.rows = []
        for i in range(300):
            x, years = draw.uniform(0, 1), draw.choice([0.25, 1, 4])
            self.rows.append((x, years, round(years * (10 + 5 * x) + years ** 0.5 * draw.gauss(0, 2), 6)))
        self.write("d.csv", samples.csv(self.rows, ["x", "years", "cost"]))
        self.write("new.csv", samples.csv([(0.5, 0.25), (0.5, 4)], ["x", "years"]))
        self.fit = ["fit", "d.csv", "--target", "cost", "--exposure", "years", "--effort", "quick", "--seed", "2"]

    def test_predictions_and_widths_follow_the_exposure(self):
        told = self.taut(*self.fit, "-o", "m.taut").stderr
        self.assertIn("'cost' per 'years' is modelled", told)
        found = samples.intervals(self.taut("predict", "m.taut", "new.csv", "--confidence", "0.9").stdout)[1]
        self.assertAlmostEqual(found[1][0] / found[0][0], 16, places=6)
        short, long = (row[2] - row[1] for row in found)
        self.assertGreater(long / short, 2)  # 4 with noise that is exactly in proportion to the root
        self.assertLess(long / short, 8)
        asked = self.taut("predict", "m.taut", "new.csv", "--quantiles", "0.5", "--upper", "0.9").stdout
        self.assertIn("q0.5", asked)
        evaluated = self.run_taut("evaluate", "m.taut", "d.csv", "--confidence", "0.9", "--json").json()
        self.assertGreater(evaluated["levels"][0]["coverage"], 0.85)

    def test_refused_by_name(self):
        self.taut(*self.fit, "-o", "m.taut")
        self.write("less.csv", samples.csv([(0.5,)], ["x"]))
        self.fails(1, "predict", "m.taut", "less.csv", says=["'years'"])
        for cell, words in (("0", "must be above 0, found 0"), ("-1", "must be above 0"), ("", "a missing value"), ("1e300", "measure it in another unit")):
            self.write("bad.csv", f"x,years\n0.5,1\n0.5,{cell}\n")
            self.fails(1, "predict", "m.taut", "bad.csv", says=["3", "exposure", words] if cell else ["bad.csv", "3"])
            lines = samples.csv(self.rows, ["x", "years", "cost"]).split("\n")
            cells = lines[7].split(",")
            lines[7] = ",".join([cells[0], cell, cells[2]])
            self.write("train.csv", "\n".join(lines))
            self.fails(1, "fit", "train.csv", *self.fit[2:], "-o", "b.taut", says=["train.csv", "8", "exposure", words])
        for options, words in ((["--score-scale", "log"], "--score-scale log"), (["--target-scale", "root"], "--target-scale root"),
                               (["--in-order"], "--in-order"), (["--predictor", "quantile:0.1,0.9"], "quantile"),
                               (["--drop", "years"], "--drop"), (["--sample-weight", "years"], "years")):
            self.fails(2, *self.fit, *options, "-o", "b.taut", says=[words])
        self.fails(2, "export", "m.taut", "--c", "m.c", says=["--exposure"])
        self.fails(2, "stream", "m.taut", "d.csv", says=["--exposure"])


if __name__ == "__main__":
    main()

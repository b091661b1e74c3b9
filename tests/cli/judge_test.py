"""evaluate, info, calibrate: the metrics of a model, its contents, and new calibration rows."""
import samples
from harness import TautTest, main
from samples import QUICK


class Judge(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.test_rows = samples.rows(800, seed=1)
        self.write("test.csv", samples.csv(self.test_rows))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)


    def metrics(self):
        return list(self.taut("lists", "--json").json()["metrics"])


class Evaluate(Judge):
    def test_json(self):
        report = self.taut("evaluate", "m.taut", "test.csv", "--confidence", "0.9,0.5", "--json").json()
        self.assertEqual(list(report), ["rows", "calibration_rows", "levels", "predictions_outside", "distribution", "alarms"])
        self.assertEqual((report["rows"], report["calibration_rows"]), (800, 100))
        self.assertEqual([level["confidence"] for level in report["levels"]], [0.9, 0.5])
        for level in report["levels"]:
            self.assertEqual(list(level), ["confidence", "rank", "delivered", *self.metrics()])
            self.assertEqual(level["rank"], samples.exact_rank(100, level["confidence"]))
            self.assertEqual(level["delivered"], level["rank"] / 101)
            self.assertTrue(level["coverage_low"] <= level["coverage"] <= level["coverage_high"], level)

    def test_metrics_are_those_of_the_predicted_intervals(self):
        level = self.taut("evaluate", "m.taut", "test.csv", "--json").json()["levels"][0]
        _, values = samples.intervals(self.taut("predict", "m.taut", "test.csv").stdout)
        ys = [row[3] for row in self.test_rows]
        covered = sum(lower <= y <= upper for (_, lower, upper), y in zip(values, ys))
        widths = [upper - lower for _, lower, upper in values]
        misses = [max(lower - y, y - upper, 0) for (_, lower, upper), y in zip(values, ys)]
        self.assertEqual(level["coverage"], covered / 800)
        self.assertAlmostEqual(level["mean_width"], sum(widths) / 800, places=10)
        self.assertAlmostEqual(level["interval_score"], (sum(widths) + 20 * sum(misses)) / 800, places=10)
        self.assertEqual((level["empty"], level["infinite"]), (0, 0))

    def test_infinite_sets_are_null_not_numbers(self):
        done = self.taut("evaluate", "m.taut", "test.csv", "--confidence", "0.999", "--json")
        level = done.json()["levels"][0]
        self.assertEqual((level["infinite"], level["coverage"], level["delivered"]), (800, 1, 1))
        self.assertIsNone(level["mean_width"])
        self.assertIn("too few for confidence 0.999", done.stderr)

    def test_words(self):
        done = self.taut("evaluate", "m.taut", "test.csv", "--confidence", "0.9,0.8")
        self.assertIn("800 rows, 100 calibration rows", done.stdout)
        for name in ["coverage", "mean width", "interval score", "worst slab coverage"]:
            self.assertIn(name, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_warns_when_rows_are_of_another_kind(self):
        self.write("far.csv", samples.csv([(x, z, c, y + 3) for x, z, c, y in self.test_rows]))
        done = self.taut("evaluate", "m.taut", "far.csv")
        for words in ["warning: coverage at confidence 0.9", "not exchangeable", "taut calibrate"]:
            self.assertIn(words, done.stderr)

    def test_ties_raise_coverage_and_no_alarm(self):
        """More than half of the targets are 0 and predicted exactly. At 0.5 these ties cover more rows than chance would without ties."""
        rows = [(x, 0, 0 if index % 5 < 3 else y) for index, (x, _, _, y) in enumerate(self.test_rows)]
        self.write("zeros.csv", samples.csv(rows, ["x", "p", "y"]))
        self.write("more.csv", samples.csv([(0.99 * x, p, y) for x, p, y in rows], ["x", "p", "y"]))
        self.taut("fit", "zeros.csv", "--target", "y", "--prediction", "p", "--localizer", "none", "-o", "zeros.taut")
        done = self.taut("evaluate", "zeros.taut", "more.csv", "--confidence", "0.3,0.5,0.9", "--json")
        self.assertEqual(done.stderr, "")
        for level in done.json()["levels"]:
            self.assertTrue(level["coverage_low"] <= level["coverage"] <= level["coverage_high"], level)
        self.assertEqual(done.json()["levels"][0]["coverage"], 0.6)

    def test_needs_the_target(self):
        self.write("e.csv", samples.csv([row[:3] for row in self.test_rows], ["x", "z", "colour"]))
        self.fails(1, "evaluate", "m.taut", "e.csv", says=["e.csv", "no column 'y'"])


class Info(Judge):
    def test_json_knows_everything(self):
        info = self.taut("info", "m.taut", "--json").json()
        self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(info["checksum"], "^[0-9a-f]{16}$")
        self.assertEqual(info["target"], "y")
        self.assertEqual(info["parts"]["predictor"], "linear")
        self.assertEqual(info["parts"]["transform"], "fixed")
        self.assertFalse(info["fell_back"])
        self.assertEqual(info["rows"]["source"], "d.csv")
        self.assertEqual((info["rows"]["all"], info["rows"]["predictor"], info["rows"]["calibration"]), (500, 400, 100))
        self.assertEqual([(column["name"], column["kind"]) for column in info["columns"]],
                         [("x", "number"), ("z", "number"), ("colour", "category")])
        self.assertEqual(sorted(info["columns"][2]["categories"]), ["blue", "green", "red"])
        self.assertEqual(info["options"]["predictor"], "linear")
        self.assertEqual(info["options"]["seed"], info["seed"])
        self.assertIsNone(info["options"]["y_min"])

    def test_every_option_of_fit_is_told(self):
        options = self.taut("info", "m.taut", "--json").json()["options"]
        help_text = self.taut("fit", "--help").stdout
        for name in options:
            self.assertIn(f"--{name.replace('_', '-')} ", help_text)

    def test_candidates_and_curve_of_a_trained_transformation(self):
        self.write("more.csv", samples.csv(samples.rows(2000)))
        self.taut("fit", "more.csv", "--target", "y", "-o", "n.taut", "--predictor", "linear", "--epochs", "60", "--sides", "one")
        info = self.taut("info", "n.taut", "--json").json()
        self.assertEqual(info["candidates"][0]["name"], "fixed")
        self.assertEqual(sum(candidate["kept"] for candidate in info["candidates"]), 1)
        kept = next(candidate for candidate in info["candidates"] if candidate["kept"])
        self.assertEqual(kept["validation_loss"], min(candidate["validation_loss"] for candidate in info["candidates"]))
        self.assertGreater(len(info["validation_curve"]), 1)
        curve = info["validation_curve"]
        self.assertEqual(info["best_epoch"], curve.index(min(curve)))
        words = self.taut("info", "n.taut").stdout
        self.assertIn("candidate", words)
        self.assertIn("kept", words)

    def test_words(self):
        done = self.taut("info", "m.taut")
        for words in ["predictor linear", "target 'y'", "500 rows of d.csv", "colour (3 categories", "delivered coverage"]:
            self.assertIn(words, done.stdout)


class Calibrate(Judge):
    def test_only_the_calibration_rows_change(self):
        before = (self.folder / "m.taut").read_bytes()
        done = self.taut("calibrate", "m.taut", "test.csv", "-o", "n.taut")
        self.assertIn("800 rows of test.csv", done.stderr)
        self.assertRegex(done.stderr, r"0\.9 +721 ")
        self.assertEqual((self.folder / "m.taut").read_bytes(), before)
        _, old = samples.intervals(self.taut("predict", "m.taut", "test.csv").stdout)
        _, new = samples.intervals(self.taut("predict", "n.taut", "test.csv").stdout)
        self.assertEqual([row[0] for row in old], [row[0] for row in new])
        # On its calibration rows the number of covered rows equals the rank.
        covered = sum(lower <= row[3] <= upper for (_, lower, upper), row in zip(new, self.test_rows))
        self.assertEqual(covered, 721)

    def test_the_same_rows_give_the_same_bytes(self):
        self.taut("calibrate", "m.taut", "test.csv", "-o", "n.taut")
        self.taut("calibrate", "n.taut", "test.csv", "-o", "o.taut", "--threads", "1")
        self.assertEqual((self.folder / "n.taut").read_bytes(), (self.folder / "o.taut").read_bytes())

    def test_few_rows(self):
        self.write("few.csv", samples.csv(self.test_rows[:5]))
        done = self.taut("calibrate", "m.taut", "few.csv", "-o", "n.taut")
        self.assertIn("warning: 5 calibration rows are too few for confidence 0.9,", done.stderr)
        self.assertIn("at least 9 ", done.stderr)

    def test_bad_target(self):
        self.write("c.csv", "x,z,colour,y\n1,2,red,\n")
        self.fails(1, "calibrate", "m.taut", "c.csv", "-o", "n.taut", says=["c.csv", "line 2", "column 'y'", "missing"])


if __name__ == "__main__":
    main()

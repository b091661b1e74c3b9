"""taut plan: numbers of rows, and learning curves."""
import math
import random

from harness import TautTest, main


class Plan(TautTest):
    def test_counts(self):
        found = self.taut("plan", "--rows", "5000", "--confidence", "0.9,0.95", "--json").json()
        self.assertEqual((found["rows"], found["calibration_rows"]), (5000, 1000))
        level = found["levels"][0]
        self.assertEqual(level["rank"], 901)
        self.assertAlmostEqual(level["delivered"], 901 / 1001, places=12)
        self.assertLess(level["coverage"]["low"], 0.9)
        self.assertGreater(level["coverage"]["high"], 0.9)
        self.assertEqual(len(found["more_rows"]), 3)
        self.assertLess(found["more_rows"][2]["levels"][0]["coverage"]["high"], level["coverage"]["high"])

    def test_the_plan_is_what_a_fit_does(self):
        draw = random.Random(1)
        for rows in [37, 200, 1003]:
            data = self.write("d.csv", "x,y\n" + "".join(f"{draw.random()},{draw.random()}\n" for _ in range(rows)))
            self.taut("fit", data, "--target", "y", "--predictor", "linear", "--transform", "fixed", "-o", "m.taut")
            info = self.taut("evaluate", "m.taut", data, "--confidence", "0.8", "--json").json()
            plan = self.taut("plan", "--rows", str(rows), "--confidence", "0.8", "--json").json()
            self.assertEqual(info["calibration_rows"], plan["calibration_rows"])
            self.assertEqual(info["levels"][0]["rank"], plan["levels"][0]["rank"])
            self.assertAlmostEqual(info["levels"][0]["delivered"], plan["levels"][0]["delivered"])

    def test_least_rows(self):
        found = self.taut("plan", "--rows", "30", "--confidence", "0.99", "--json").json()["levels"][0]
        self.assertTrue(found["infinite"])
        least = found["least_rows"]
        for rows, infinite in [(least, False), (least - 1, True)]:
            level = self.taut("plan", "--rows", str(rows), "--confidence", "0.99", "--json").json()["levels"][0]
            self.assertEqual(level["infinite"], infinite)

    def test_words(self):
        words = self.taut("plan", "--rows", "5000", "--confidence", "0.9,0.95").stdout
        for part in ["5,000 rows", "1,000 calibrate", "Confidence 0.9", "Confidence 0.95", "at least", "10,000", "within 0.02"]:
            self.assertIn(part, words)
        self.assertIn("whole line", self.taut("plan", "--rows", "10", "--confidence", "0.99").stdout)

    def test_bands_of_test_rows_are_wider(self):
        many = self.taut("plan", "--rows", "5000", "--json").json()["levels"][0]["coverage"]
        few = self.taut("plan", "--rows", "5000", "--test-rows", "200", "--json").json()["levels"][0]["coverage"]
        self.assertLess(few["low"], many["low"])
        self.assertGreater(few["high"], many["high"])

    def test_learning_curve(self):
        draw = random.Random(2)
        rows = []
        for _ in range(1000):
            a, b = draw.uniform(-3, 3), draw.uniform(-3, 3)
            rows.append(f"{a},{b},{math.sin(2 * a) * b + 0.1 * draw.gauss(0, 1)}")
        data = self.write("d.csv", "a,b,y\n" + "\n".join(rows) + "\n")
        found = self.taut("plan", data, "--target", "y", "--predictor", "boost", "--effort", "quick", "--repeats", "2", "--json").json()
        self.assertEqual((found["rows"], found["test_rows"]), (1000, 200))
        level = found["levels"][0]
        scores = [one["interval_score"] for one in level["found"]]
        self.assertGreater(scores[0], scores[-1])
        self.assertEqual(level["found"][-1]["rows"], 800)
        ahead = level["expected_interval_score"]
        self.assertEqual([one["rows"] for one in ahead], [1000, 2000, 4000, 10000])
        for one in ahead:
            self.assertTrue(0 < one["low"] <= one["value"] <= one["high"])
        words = self.taut("plan", data, "--target", "y", "--predictor", "linear", "--repeats", "2", "--parts", "2").stdout
        self.assertIn("interval score", words)
        self.assertIn("collecting more", words.replace("More rows help a little", "collecting more"))

    def test_usage(self):
        data = self.write("d.csv", "x,y\n1,2\n2,3\n")
        self.fails(2, "plan", says=["--rows"])
        self.fails(2, "plan", data, "--rows", "5", says=["one of them"])
        self.fails(2, "plan", "--rows", "-3", says=["-3"])
        self.fails(1, "plan", data, "--target", "y", says=["too few rows"])
        self.fails(2, "plan", data, "--target", "y", "--repeats", "9", says=["repeats"])


if __name__ == "__main__":
    main()

"""compare: methods on the same splits of anybody's table."""
import json
import random

import samples
from harness import TautTest, main

COMMON = ["--target", "y", "--predictor", "linear", "--epochs", "40"]
METHODS = ["--methods", "fixed,exp:boost:sides=one"]


class Compare(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(600)))

    def test_says_what_is_real(self):
        done = self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "8")
        self.assertIn("600 rows of d.csv, 8 splits", done.stdout)
        self.assertIn("480 rows to fit and calibrate, 120 to test", done.stdout)
        self.assertRegex(done.stdout, r"Best, by the interval score, at confidence 0\.9: exp:boost:sides=one; nearest to it is fixed")
        self.assertIn("the difference is real", done.stdout)
        self.assertRegex(done.stderr, r"seconds .* fixed 0?\.?\d")

    def test_the_same_method_twice_is_no_difference(self):
        done = self.taut("compare", "d.csv", *COMMON, "--methods", "exp:sides=one,linear:sides=one", "--repeats", "4", "--json").json()
        behind = done["levels"][0]["methods"]["linear:sides=one"]["interval_score"]["behind_best"]
        self.assertAlmostEqual(behind["mean"], 0, places=6)
        # Neither does noise make one.
        draw = random.Random(1)
        self.write("noise.csv", "x,y\n" + "".join(f"{draw.random()},{draw.gauss(0, 1)}\n" for _ in range(400)))
        words = self.taut("compare", "noise.csv", *COMMON, *METHODS, "--repeats", "5").stdout
        self.assertNotIn("the difference is real", words)

    def test_two_runs_agree_to_the_bit(self):
        command = ["compare", "d.csv", *COMMON, *METHODS, "--repeats", "3", "--confidence", "0.9,0.5"]
        self.assertEqual(self.taut(*command, "--threads", "1").stdout, self.taut(*command, "--threads", "3").stdout)
        one, two = (self.taut(*command, "--json").json() for _ in range(2))
        self.assertEqual(list(one)[-1], "seconds")
        del one["seconds"], two["seconds"]
        self.assertEqual(one, two)

    def test_figures_are_those_of_evaluate(self):
        self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "2", "-o", "c.csv")
        lines = self.read("c.csv").splitlines()
        self.assertEqual(lines[0], "repeat,method,confidence,mean_width,coverage,interval_score,ert,worst_slab_coverage,infinite,seconds")
        self.assertEqual([line.split(",")[:3] for line in lines[1:]],
                         [[r, m, "0.9"] for r in "01" for m in ("fixed", "exp:boost:sides=one")])
        self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "2", "-o", "c.json")
        values = json.loads(self.read("c.json"))["levels"][0]["methods"]["fixed"]["mean_width"]["values"]
        self.assertEqual([float(line.split(",")[3]) for line in lines[1::2]], values)

    def test_resumes(self):
        command = ["compare", "d.csv", *COMMON, *METHODS, "--repeats"]
        self.taut(*command, "2", "--resume", "done")
        resumed = self.taut(*command, "4", "--resume", "done")
        self.assertIn("done: 4 of 8 fits are done already", resumed.stderr)
        self.assertEqual(resumed.stdout, self.taut(*command, "4").stdout)
        # Other data are other work.
        self.write("d.csv", samples.csv(samples.rows(600, seed=1)))
        self.assertNotIn("done already", self.taut(*command, "2", "--resume", "done").stderr)

    def test_default_methods_take_missing_cells(self):
        table = samples.rows(200)
        self.write("gaps.csv", samples.csv([("", *row[1:]) if i % 9 == 0 else row for i, row in enumerate(table)]))
        done = self.taut("compare", "gaps.csv", "--effort", "quick", "--epochs", "5", "--repeats", "1", "--target", "y")
        self.assertIn("| exp:mlp ", done.stdout)
        self.assertIn("one split cannot tell", done.stdout)

    def test_own_predictions_and_range(self):
        rows = [(x, 2 * x, abs(y)) for x, _, _, y in samples.rows(400)]
        self.write("p.csv", samples.csv(rows, ["x", "f", "y"]))
        done = self.taut("compare", "p.csv", "--target", "y", "--prediction", "f", "--y-min", "0", "--methods", "fixed,exp:focus",
                         "--repeats", "2", "--epochs", "20")
        self.assertIn("exp:focus", done.stdout)

    def test_bad_usage_and_data(self):
        self.fails(2, "compare", "d.csv", "--target", "y", "--repeats", "0", says=["--repeats", "at least 1"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "exq", says=["did you mean 'exp'", "erc"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "exp:bost", says=["did you mean 'boost'", "OPTION=VALUE"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "fixed,fixed", says=["named twice"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--confidence", "90", says=["0.9"])
        self.fails(2, "compare", "d.csv", "--target", "y", "-o", "c.txt", says=["c.txt", ".md"])
        self.fails(1, "compare", "d.csv", "--target", "q", says=["no column 'q'"])
        self.fails(1, "compare", "d.csv", "--target", "y", "--drop", "q", says=["'q'"])
        gaps = [(*row[:3], "") if i % 9 == 0 else row for i, row in enumerate(samples.rows(100))]
        self.write("gaps.csv", samples.csv(gaps))
        self.fails(1, "compare", "gaps.csv", *COMMON[:2], "--methods", "exp:predictor=knn", says=["method 'exp:predictor=knn': gaps.csv"])
        self.write("few.csv", samples.csv(samples.rows(20)))
        self.fails(1, "compare", "few.csv", "--target", "y", says=["few.csv", "too few rows", "40"])
        self.assertEqual(self.files(), ["d.csv", "few.csv", "gaps.csv"])


if __name__ == "__main__":
    main()

"""Several targets at once: --target y1,y2."""
import json
import math
import random

from harness import TautTest, main
from samples import csv


def rows(count, seed=0):
    draw = random.Random(seed)
    out = []
    for _ in range(count):
        x, v = draw.uniform(-1, 1), draw.uniform(-1, 1)
        common = draw.gauss(0, 1)
        out.append((x, v, x + common, 10 * (v - common + 0.3 * draw.gauss(0, 1))))
    return out


NAMES = ("x", "v", "y1", "y2")


class Several(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", csv(rows(400), names=NAMES))
        self.write("new.csv", csv(rows(50, seed=1), names=NAMES))

    def fit(self, *options):
        return self.taut("fit", "d.csv", "--target", "y1,y2", "--predictor", "linear", "--epochs", "10", "-o", "m.taut", *options)

    def table(self, *arguments):
        lines = self.taut("predict", "m.taut", "new.csv", *arguments).stdout.splitlines()
        names = lines[0].split(",")
        return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]

    def test_a_box_has_ends_for_each_target(self):
        self.fit("--region", "box")
        for row in self.table("--confidence", "0.8,0.9", "--each"):
            for name in ("y1", "y2"):
                self.assertLess(row[f"lower_{name}_0.9"], row[f"each_lower_{name}_0.9"])
                self.assertLess(row[f"upper_{name}_0.8"], row[f"upper_{name}_0.9"])
            self.assertNotIn("volume_0.9", row)

    def test_regions_say_what_they_contain(self):
        for region in ("box", "ellipsoid", "density"):
            self.fit("--region", region)
            self.assertEqual(self.taut("info", "m.taut", "--json").json()["parts"]["region"], region)
            self.write("y.csv", csv([row[2:] for row in rows(50, seed=1)], names=NAMES[2:]))
            self.write("x.csv", csv([row[:2] for row in rows(50, seed=1)], names=NAMES[:2]))
            here = self.table("--contains", "new.csv")
            there = self.taut("predict", "m.taut", "x.csv", "--contains", "y.csv").stdout.splitlines()
            self.assertEqual(self.taut("predict", "m.taut", "new.csv", "--contains", "new.csv").stdout.splitlines(), there)
            self.assertTrue(all((row["contains_0.9"] == 1) == (row["p_value"] > 0.1 - 1e-12) for row in here))
            self.assertGreater(sum(row["contains_0.9"] for row in here), 35)
        self.write("short.csv", csv([row[2:] for row in rows(49, seed=1)], names=NAMES[2:]))
        self.fails(1, "predict", "m.taut", "x.csv", "--contains", "short.csv", says=["short.csv", "49", "same"])

    def test_info_as_text_and_reports_that_are_refused(self):
        self.fit()
        text = self.taut("info", "m.taut").stdout
        self.assertRegex(text, r"region '(box|ellipsoid|density)' of 2 targets; y1: .*; y2: ")
        self.assertRegex(text, r"region +side at 0\.9 +L1-ERT")
        for option, says in ((["--in-order"], "several targets"), (["--learning-curve", "d.csv"], "one number")):
            self.fails(2, "report", "m.taut", "new.csv", *option, "-o", "r.html", says=[option[0], says])

    def test_each_target_has_its_own_range(self):
        found = [(x, v, max(-1, y1), min(3, max(0, round(y2)))) for x, v, y1, y2 in rows(400)]
        self.write("d.csv", csv(found, names=NAMES))
        self.fit("--region", "box", "--y-range", "y1:-1:,y2:0:3:1")
        alone = self.table("--confidence", "0.95")
        self.assertTrue(all(row["lower_y1_0.95"] >= -1 and row["lower_y2_0.95"] >= 0 and row["upper_y2_0.95"] <= 3 for row in alone))
        self.assertTrue(any(row["upper_y1_0.95"] > 3 or row["upper_y1_0.95"] % 1 > 0 for row in alone))
        self.assertTrue(all(row["upper_y2_0.95"] % 1 == 0 for row in alone))
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["parts"]["y_range"], "y1:-1:,y2:0:3:1")
        self.taut("calibrate", "m.taut", "d.csv", "-o", "c.taut")
        for asked, says in [("y3:0:1", ["--y-range", "y3", "y1, y2"]), ("y1:0", ["--y-range", "TARGET:MIN:MAX"]),
                            ("y1:0:x", ["--y-range", "'x'"]), ("y1:2:1", ["--y-range y1:2:1"]), ("y1:0:,y1::1", ["y1", "twice"]),
                            ("y2:1::1", ["y2", "rules out"])]:
            self.fails(2 if "rules out" not in says else 1, "fit", "d.csv", "--target", "y1,y2", "--y-range", asked, "-o", "n.taut", says=says)
        self.fails(2, "fit", "d.csv", "--target", "y1", "--task", "regression", "--y-range", "y1:0:1", "-o", "n.taut", says=["--y-range"])

    def test_the_threshold_of_a_density_depends_on_the_noise(self):
        self.fit("--region", "density")
        self.taut("export", "m.taut", "--json", "m.json")
        self.assertEqual(json.loads(self.read("m.json"))["joint"]["size_share"], 0.5)

    def test_plan_grows_regions(self):
        plan = self.taut("plan", "d.csv", "--target", "y1,y2", "--region", "box", "--predictor", "linear", "--epochs", "10", "--parts", "2",
                         "--repeats", "2", "--json").json()
        found = plan["levels"][0]["found"]
        self.assertEqual(len(found), 2)
        self.assertTrue(all(one["mean_volume"] > 0 and 0.5 < one["coverage"] <= 1 for one in found))
        self.assertIn("volume", plan["levels"][0]["words"])

    def test_sums_and_random_values_come_from_the_joint_distribution(self):
        self.fit("--region", "ellipsoid")
        for row in self.table("--sum", "y1 + 0.1*y2", "--quantiles", "0.1,0.9"):
            self.assertLess(row["sum_q0.1"], row["sum_mean"])
            self.assertLess(row["sum_mean"], row["sum_q0.9"])
            self.assertLess(row["sum_q0.9"] - row["sum_q0.1"], 2)  # the errors cancel; alone those of y1 have a range of 2.6
        first = self.table("--samples", "3", "--seed", "1")
        self.assertEqual(first, self.table("--samples", "3", "--seed", "1"))
        self.assertNotEqual(first, self.table("--samples", "3", "--seed", "2"))
        self.assertIn("sample_3_y2", first[0])
        self.fails(2, "predict", "m.taut", "new.csv", "--sum", "y1 + z", says=["'z'", "y1, y2"])
        self.fails(2, "predict", "m.taut", "new.csv", "--below", "3", says=["several targets"])
        self.fails(1, "predict", "m.taut", "new.csv", "--sum", "1e308*y2", says=["larger than a number can hold"])
        self.fails(2, "predict", "m.taut", "new.csv", "--sum", "", says=["--sum ''", "expected a target"])
        self.fails(2, "predict", "m.taut", "new.csv", "--each", "--quantiles", "0.5", says=["--each", "--confidence"])

    def test_other_commands(self):
        self.fit()
        done = self.taut("evaluate", "m.taut", "new.csv", "--json").json()
        self.assertEqual([one["target"] for one in done["targets"]], ["y1", "y2"])
        self.assertGreater(done["energy_score"], 0)
        self.taut("report", "m.taut", "new.csv", "-o", "r.html")
        self.assertIn("y1 and y2", self.read("r.html"))
        self.taut("calibrate", "m.taut", "new.csv", "--by", "v:2", "-o", "c.taut")
        self.assertTrue(all(math.isfinite(row["volume_0.5"]) for row in self.table("--confidence", "0.5") if "volume_0.5" in row))
        self.fails(1, "explain", "m.taut", "new.csv", says=["several targets"])
        self.fails(2, "compare", "d.csv", "--target", "y1,y2", says=["one target"])
        self.taut("stream", "m.taut", "new.csv", "-o", "s.csv", "--save", "s.taut")
        self.assertIn("each_lower_y1_0.8", self.taut("predict", "s.taut", "new.csv", "--confidence", "0.8", "--each").stdout)
        self.assertTrue(self.read("s.csv").startswith("prediction_y1,prediction_y2,lower_y1_0.9"))

    def test_rows_without_a_target_are_an_error_as_for_one_target(self):
        lacking = [row if i != 7 else (*row[:3], "") for i, row in enumerate(rows(400))]
        self.write("lacking.csv", csv(lacking, names=NAMES))
        fit = ("fit", "lacking.csv", "--target", "y1,y2", "--predictor", "linear", "--region", "box", "-o", "l.taut")
        self.fails(1, *fit, says=["lacking.csv, line 9, column 'y2'", "found a missing value", "--skip-missing-target"])
        self.taut(*fit, "--skip-missing-target")
        self.fit("--region", "box", "--calibrate-with", "d.csv")
        self.fails(1, "fit", "d.csv", "--target", "y1,y2", "--calibrate-with", "lacking.csv", "-o", "l.taut", says=["line 9, column 'y2'"])
        self.fails(1, "calibrate", "m.taut", "lacking.csv", "-o", "l.taut", says=["line 9, column 'y2'"])

    def test_empty_regions_are_missing_cells(self):
        quiet = [(x, v, y1, y2) if x > 0 else (x, v, 40 * y1, 40 * y2) for x, v, y1, y2 in rows(600, seed=2)]
        self.write("d.csv", csv(quiet, names=NAMES))
        self.fit("--region", "density", "--transform", "curve", "--by", "v:2")
        lines = self.taut("predict", "m.taut", "new.csv", "--confidence", "0.001,0.5").stdout.splitlines()
        head = lines[0].split(",")
        at = [head.index(name) for name in ("lower_y1_0.001", "upper_y2_0.001", "volume_0.001", "upper_y1_0.5")]
        cells = [[line.split(",")[i] for i in at] for line in lines[1:]]
        empty = [row for row in cells if row[0] == ""]
        self.assertTrue(empty)
        self.assertTrue(all(row[1] == "" and float(row[2]) == 0 for row in empty))
        self.assertTrue(all("inf" not in cell for row in cells for cell in row))
        self.assertNotIn("infinite", self.taut("predict", "m.taut", "new.csv", "--confidence", "0.001").stderr)

    def test_overlapping_groups_have_no_p_values(self):
        self.fit()
        self.taut("calibrate", "m.taut", "new.csv", "--overlapping", "x:2,v:2", "-o", "m.taut")
        head, *lines = self.taut("predict", "m.taut", "new.csv", "--confidence", "0.5", "--contains", "new.csv").stdout.splitlines()
        self.assertEqual(head.split(",")[-2:], ["contains_0.5", "p_value"])
        cells = [line.split(",")[-2:] for line in lines]
        self.assertTrue(all(inside in ("0", "1") and p == "" for inside, p in cells))

    def test_a_report_leaves_out_rows_without_a_target(self):
        self.write("lacking.csv", csv([row if i > 5 else (*row[:3], "") for i, row in enumerate(rows(50, seed=1))], names=NAMES))
        self.fit()
        self.fails(1, "report", "m.taut", "lacking.csv", "-o", "r.html", says=["line 2, column 'y2'"])
        self.taut("report", "m.taut", "lacking.csv", "--skip-missing-target", "-o", "r.html")
        self.assertIn("44 test rows", self.read("r.html"))

    def test_look_shows_all_targets(self):
        self.write("twice.csv", csv([(*row, row[3] * 2) for row in rows(60)], names=(*NAMES, "double")))
        done = self.taut("look", "twice.csv", "--target", "y1,y2", "--json").json()
        about = {column["name"]: column for column in done["columns"]}
        self.assertEqual((about["y1"]["words"], about["y2"]["words"]), ("the target", "the target"))
        self.assertIn("repeats the target 'y2'", about["double"]["warnings"][0])
        self.fails(1, "look", "twice.csv", "--target", "y1,y3", says=["'y3'"])

    def test_clear_words(self):
        fit = ("fit", "d.csv", "--predictor", "linear", "-o", "m.taut")
        self.fails(1, *fit, "--target", "y1,y3", says=["'y3'", "y2"])
        self.fails(2, *fit, "--target", "y1,y2", "--task", "regression", says=["names 2"])
        self.fails(2, *fit, "--target", "y1,y2", "--drop", "y2", says=["'y2'", "--target"])
        self.fails(2, *fit, "--target", "y1,y2", "--by", "y2", says=["y2"])
        self.fails(2, *fit, "--target", "y1,y2", "--order-by", "y2", says=["--order-by names the target 'y2'"])
        self.fails(2, *fit, "--target", "y1,y2", "--region", "bx", says=["box"])
        self.fails(2, *fit, "--target", "y1", "--task", "regression", "--region", "box", says=["--region"])
        for option in (("--split", "cv+"), ("--focus", "0.9"), ("--in-order", "--lags", "1")):
            self.fails(2, *fit, "--target", "y1,y2", *option, says=[option[-2] if option[0] == "--in-order" else option[0]])
        self.write("labels.csv", csv([(*row[:3], "ab"[row[3] > 0]) for row in rows(200)], names=NAMES))
        self.fails(1, "fit", "labels.csv", "--target", "y1,y2", "-o", "m.taut", says=["'y2'", "labels"])
        self.write("constant.csv", csv([(*row[:3], 7) for row in rows(200)], names=NAMES))
        self.fails(1, "fit", "constant.csv", "--target", "y1,y2", "-o", "m.taut", says=["'y2' is 7"])


if __name__ == "__main__":
    main()

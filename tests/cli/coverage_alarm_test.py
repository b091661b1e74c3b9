"""evaluate --strict: five times the noise is an alarm for every kind of calibration, and exchangeable rows are not."""
import math
import random

import samples
from harness import TautTest, main

QUICK = ["--predictor", "linear", "--localizer", "none"]


def rows(count, seed, noise=1.0, mean=0.0):
    """x, region, patient, w, y: eight rows of each patient, whose effect is most of the noise."""
    draw = random.Random(seed)
    table, effect = [], 0.0
    for i in range(count):
        x, region = draw.gauss(mean, 1), draw.choice("ABC")
        if i % 8 == 0:
            effect = draw.gauss(0, 1)
        y = 2 * x + noise * (0.8 * effect + 0.6 * draw.gauss(0, 1))
        table.append((x, region, f"p{seed}_{i // 8}", math.exp(mean * x - mean * mean / 2), y))
    return samples.csv(table, ("x", "region", "patient", "w", "y"))


class EveryKind(TautTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", rows(600, 1))
        self.cal = self.write("cal.csv", rows(800, 2))
        self.same = self.write("same.csv", rows(800, 3))
        self.noisy = self.write("noisy.csv", rows(800, 4, noise=5.0))

    def alarm(self, data, expected):
        """The JSON of evaluate. Checks whether it has a coverage alarm; other alarms are allowed."""
        done = self.run_taut("evaluate", "m2.taut", data, "--confidence", "0.8,0.9", "--json", "--strict")
        told = done.json()
        self.assertEqual("coverage" in {alarm["kind"] for alarm in told["alarms"]}, expected, done.stderr)
        self.assertEqual(done.code, 3 if told["alarms"] else 0)
        for level in told["levels"]:
            self.assertIsNotNone(level["coverage_low"])
            self.assertTrue(0 <= level["coverage_low"] < level["coverage_high"] <= 1, level)
        return told

    def test_five_times_the_noise_is_an_alarm(self):
        for kind, options in (("plain", []), ("by-group", ["--by", "region"]), ("weighted", ["--weights", "w"]), ("towards", ["--towards", self.same]),
                              ("local", ["--local"]), ("hierarchical", ["--keep-together", "patient"]), ("overlapping", ["--overlapping", "region,x"])):
            with self.subTest(kind=kind):
                self.taut("fit", self.train, "--target", "y", "--drop", "region,patient,w", *QUICK, "-o", "m.taut")
                if kind == "overlapping":
                    self.write("cal.csv", rows(300, 2))
                self.taut("calibrate", "m.taut", self.cal, *options, "-o", "m2.taut")
                self.assertEqual(self.taut("info", "m2.taut", "--json").json()["calibration"]["kind"], kind)
                self.alarm(self.same, False)
                told = self.alarm(self.noisy, True)
                self.assertLess(told["levels"][1]["coverage"], 0.5)
                if kind == "hierarchical":
                    self.assertIn("each group counting once", " ".join(alarm["words"] for alarm in told["alarms"]))
                    self.assertAlmostEqual(told["levels"][1]["group_coverage"], told["levels"][1]["coverage"], delta=1e-9)  # of one size

    def test_held_out(self):
        self.taut("fit", self.train, "--target", "y", "--drop", "region,patient,w", *QUICK, "--split", "cv+", "-o", "m2.taut")
        self.alarm(self.same, False)
        self.alarm(self.noisy, True)

    def test_patients_that_the_file_does_not_tell(self):
        self.taut("fit", self.train, "--target", "y", "--drop", "region,patient,w", *QUICK, "-o", "m.taut")
        self.taut("calibrate", "m.taut", self.cal, "--keep-together", "patient", "-o", "m2.taut")
        for name, expected in (("same.csv", False), ("noisy.csv", True)):
            lines = [line.split(",") for line in (self.folder / name).read_text().strip().split("\n")]
            bare = self.write("bare.csv", "\n".join(",".join(line[:2] + line[3:]) for line in lines) + "\n")
            told = self.alarm(bare, expected)
            self.assertNotIn("group_coverage", told["levels"][0])

    def test_labels(self):
        def labelled(count, seed, noise):
            draw = random.Random(seed)
            table = []
            for i in range(count):
                x, region = draw.gauss(0, 1), draw.choice("ABC")
                table.append((x, region, f"p{seed}_{i // 4}", "abc"[(x + noise * draw.gauss(0, 1) > -0.5) + (x + noise * draw.gauss(0, 1) > 0.5)]))
            return samples.csv(table, ("x", "region", "patient", "y"))

        self.write("lt.csv", labelled(600, 1, 0.3))
        self.write("lc.csv", labelled(800, 2, 0.3))
        self.write("same.csv", labelled(800, 3, 0.3))
        self.write("noisy.csv", labelled(800, 4, 4.0))
        self.taut("fit", "lt.csv", "--target", "y", "--drop", "region,patient", "--effort", "quick", "-o", "m.taut")
        for options in ([], ["--by-label"], ["--by", "region"], ["--keep-together", "patient"], ["--local"], ["--overlapping", "region"],
                        ["--towards", "same.csv"]):
            with self.subTest(options=options):
                self.taut("calibrate", "m.taut", "lc.csv", *options, "-o", "m2.taut")
                self.alarm("same.csv", False)
                self.alarm("noisy.csv", True)


if __name__ == "__main__":
    main()

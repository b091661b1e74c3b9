"""Built-in data, and the demonstration on top of it."""
import math
import re
import statistics

import samples
from harness import TautTest, main, slow


class Synth(TautTest):
    def rows(self, *options):
        return samples.intervals(self.taut("synth", *options).stdout)

    def test_columns_and_truth(self):
        names, plain = self.rows("cos", "--rows", "50", "--seed", "3")
        self.assertEqual(names, ["x", "x2", "y"])
        names, rows = self.rows("cos", "--rows", "50", "--seed", "3", "--truth")
        self.assertEqual(names, ["x", "x2", "y", "f", "sigma"])
        self.assertEqual([row[:3] for row in rows], plain)
        for x, square, *_ in rows:
            self.assertEqual(square, x * x)

    def test_shorter_is_the_start_of_longer_and_seeds_differ(self):
        _, short = self.rows("linear", "--rows", "10")
        _, longer = self.rows("linear", "--rows", "20")
        self.assertEqual(longer[:10], short)
        self.assertNotEqual(self.rows("linear", "--rows", "10", "--seed", "1")[1], short)

    def test_noise_is_that_of_the_paper(self):
        scales = {"cos": lambda x: 0.1 + (2 * math.cos(math.pi * abs(x) / 2) if abs(x) < 0.5 else 0),
                  "squared": lambda x: 0.1 + (2 * x * x if abs(x) > 0.5 else 0),
                  "inverse": lambda x: 0.1 + (2 / (0.1 + abs(x)) if abs(x) > 0.5 else 0),
                  "linear": lambda x: 0.1 + (2 - abs(x) if abs(x) < 0.5 else 0)}
        for name, scale in scales.items():
            _, rows = self.rows(name, "--rows", "20000", "--truth")
            for x, _, _, _, sigma in rows:
                self.assertAlmostEqual(sigma, scale(x), places=12)
            standard = [(y - f) / sigma for _, _, y, f, sigma in rows]
            self.assertAlmostEqual(statistics.fmean(standard), 0, delta=4 / math.sqrt(20000))
            self.assertAlmostEqual(statistics.pvariance(standard), 1, delta=4 * math.sqrt(2 / 20000))
            self.assertAlmostEqual(statistics.fmean(row[0] for row in rows), 0, delta=4 / math.sqrt(3 * 20000))
            # The mean is a parabola: third differences of f over equal steps vanish; three rows determine it.
            (x0, f0), (x1, f1), (x2, f2), (x3, f3) = [(row[0], row[3]) for row in rows[:4]]
            through = sum(f * math.prod((x3 - other) / (x - other) for other in (x0, x1, x2) if other != x)
                          for x, f in [(x0, f0), (x1, f1), (x2, f2)])
            self.assertAlmostEqual(through, f3, places=6)

    def test_bad_counts(self):
        self.fails(2, "synth", "cos", "--rows", "0", says=["--rows", "at least 1"])
        self.fails(2, "synth", "cos", "--seed", "-1", says=["--seed", "at least 0"])


class Demo(TautTest):
    @slow
    def test_demo(self):
        done = self.taut("demo")
        found = dict.fromkeys(["fixed", "adaptive"])
        for name in found:
            rows = re.findall(rf"(?m)^  (0\.\d+) +{name} +(\S+) +(\S+) to (\S+) +(\S+) +(\S+)$", done.stdout)
            self.assertEqual([row[0] for row in rows], ["0.68", "0.9", "0.95"])
            found[name] = [tuple(map(float, row)) for row in rows]
            for level, coverage, low, high, _, _ in found[name]:
                self.assertAlmostEqual(coverage, level, delta=0.05)
                self.assertTrue(low < level < high, "chance explains the level itself")
        for fixed, adaptive in zip(found["fixed"], found["adaptive"]):
            self.assertLess(adaptive[5], fixed[5])  # the better interval score, at every level
        self.assertLess(found["adaptive"][1][4], 0.8 * found["fixed"][1][4])
        self.assertIn("taut-demo", done.stdout)
        page = [] if "no report.html" in done.stdout else ["report.html"]  # if this build has the page of reports
        self.assertEqual(self.files(), [f"taut-demo/{name}" for name in ["adaptive.taut", "adaptive_intervals.csv", "data.csv", "drift.csv", "fixed.taut",
                                                                        "fixed_intervals.csv", *page, "test.csv"]])

        level = self.taut("evaluate", "taut-demo/adaptive.taut", "taut-demo/test.csv", "--json").json()["levels"][0]
        self.assertEqual(f"{level['mean_width']:.3f}", f"{found['adaptive'][1][4]:.3f}")
        again = self.taut("predict", "taut-demo/adaptive.taut", "taut-demo/test.csv", "--confidence", "0.68,0.9,0.95", "--keep", "x,x2,y")
        self.assertEqual(again.stdout, self.read("taut-demo/adaptive_intervals.csv"))

        # The commands that the demonstration prints about drift work and show one: fixed intervals lose coverage, streamed ones do not.
        said = re.search(r"(?m)^A drift, .*: taut (.+)$", done.stdout).group(1)
        self.taut(*said.split())
        if page:
            self.assertIn("taut-demo/drift.html", self.files())
        drifted = ["taut-demo/adaptive.taut", "taut-demo/drift.csv", "--json"]
        fixed = self.taut("evaluate", *drifted).json()["levels"][0]["coverage"]
        moved = self.taut("evaluate", *drifted, "--in-order").json()["in_order"]["levels"][0]["coverage"]
        self.assertLess(fixed, 0.85)
        self.assertAlmostEqual(moved, 0.9, delta=0.01)

    def test_folder(self):
        self.write("taken", "a file")
        self.fails(1, "demo", "-o", "taken", says=["taken", "folder"])


if __name__ == "__main__":
    main()

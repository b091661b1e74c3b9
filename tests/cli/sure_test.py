"""--sure: PAC coverage, at least the confidence for most calibration sets and not only on average. The test computes ranks in whole numbers."""
import math
import random
import re
import sys
from fractions import Fraction

import samples
from harness import ROOT, TautTest, main
from samples import exact_rank, intervals

sys.path.insert(0, str(ROOT / "docs"))
import read_model  # noqa: E402


def sure_rank(count, confidence, sure):
    """The smallest k with P(Binomial(count, confidence) < k) >= sure."""
    p, below = Fraction(str(confidence)), Fraction(0)
    for k in range(1, count + 1):
        below += math.comb(count, k - 1) * p ** (k - 1) * (1 - p) ** (count - k + 1)
        if below >= Fraction(str(sure)):
            return k
    return count + 1


FIT = ["--target", "y", "--prediction", "f", "--transform", "fixed", "--localizer", "none"]


class Sure(TautTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(4)
        self.rows = [(i % 3, 0, round(draw.gauss(0, 1 + i % 3), 6)) for i in range(200)]
        self.write("train.csv", samples.csv(self.rows, ["g", "f", "y"]))
        self.calibration = [(i % 3, 0, round(draw.gauss(0, 1 + i % 3), 6)) for i in range(150)]
        self.write("cal.csv", samples.csv(self.calibration, ["g", "f", "y"]))
        self.write("new.csv", samples.csv([(g, 0) for g in range(3)], ["g", "f"]))

    def ends(self, model, *asked):
        return intervals(self.taut("predict", model, "new.csv", *asked).stdout)[1]

    def test_the_rank_is_the_smallest_that_serves(self):
        self.taut("fit", "train.csv", *FIT, "--split", "0,0.3,0.2,0.5", "--sure", "0.95", "-o", "m.taut")
        done = self.taut("calibrate", "m.taut", "cal.csv", "-o", "c.taut")  # the option stays
        self.assertIn("--sure 0.95: coverage is at least the confidence with this probability over calibration sets", done.stderr)
        scores = sorted(abs(y) for _, _, y in self.calibration)
        upwards = sorted(y for _, _, y in self.calibration)
        for level in (0.8, 0.9, 0.95):
            k = sure_rank(150, level, 0.95)
            self.assertGreater(k, exact_rank(150, level))
            self.assertAlmostEqual(self.ends("c.taut", "--confidence", level)[0][2], scores[k - 1], places=9)
            self.assertAlmostEqual(self.ends("c.taut", "--upper", level)[0][1], upwards[k - 1], places=9)
            self.assertAlmostEqual(self.ends("c.taut", "--lower", level)[0][1], upwards[150 - k], places=9)
            self.assertAlmostEqual(self.ends("c.taut", "--quantiles", level)[0][1], upwards[k - 1], places=9)
        k = sure_rank(150, 0.9, 0.975)  # both ends of an interval with equal tails at 0.8
        lower, upper = self.ends("c.taut", "--confidence", "0.8", "--tails", "equal")[0][1:]
        self.assertAlmostEqual(upper, upwards[k - 1], places=9)
        self.assertAlmostEqual(lower, upwards[150 - k], places=9)
        told = self.taut("info", "c.taut", "--json").json()
        self.assertIn({"confidence": 0.9, "sure": 0.95, "rank": sure_rank(150, 0.9, 0.95),
                       "delivered": sure_rank(150, 0.9, 0.95) / 151}, [{name: one[name] for name in ("confidence", "sure", "rank", "delivered")}
                                                                       for one in told["levels"]])
        self.assertEqual({name: value for name, _, value in read_model.entries(self.folder / "c.taut")}["calibration/sure"], 0.95)
        found = self.taut("evaluate", "c.taut", "train.csv", "--json").json()["levels"][0]
        self.assertEqual(found["rank"], sure_rank(150, 0.9, 0.95))
        self.assertEqual(found["delivered"], found["rank"] / 151)
        # Another value replaces it.
        self.taut("calibrate", "c.taut", "cal.csv", "--sure", "0", "-o", "p.taut")
        self.assertAlmostEqual(self.ends("p.taut")[0][2], scores[exact_rank(150, 0.9) - 1], places=9)
        self.assertNotIn("calibration/sure", [name for name, _, _ in read_model.entries(self.folder / "p.taut")])

    def test_groups_hold_together(self):
        self.taut("fit", "train.csv", *FIT, "-o", "m.taut")
        done = self.taut("calibrate", "m.taut", "cal.csv", "--by", "g", "--sure", "0.9", "-o", "c.taut")
        self.assertIn("in all groups at once", done.stderr)
        for level in (0.8, 0.9):
            k = sure_rank(50, level, Fraction(29, 30))
            for g, row in enumerate(self.ends("c.taut", "--confidence", level)):
                scores = sorted(abs(y) for own, _, y in self.calibration if own == g)
                self.assertAlmostEqual(row[2], scores[k - 1], places=9)

    def test_too_few_rows_and_the_number_that_serves(self):
        self.taut("fit", "train.csv", *FIT, "-o", "m.taut")
        for rows, finite in ((28, False), (29, True)):
            self.write("few.csv", samples.csv(self.calibration[:rows], ["g", "f", "y"]))
            self.taut("calibrate", "m.taut", "few.csv", "--sure", "0.95", "-o", "f.taut")
            done = self.taut("predict", "f.taut", "new.csv", "--confidence", "0.9")
            self.assertEqual(math.isfinite(intervals(done.stdout)[1][0][1]), finite)
            self.assertEqual("at least 29 are needed" in done.stderr, not finite)
        # With three groups each needs more rows.
        done = self.taut("calibrate", "m.taut", "few.csv", "--by", "g", "--sure", "0.95", "-o", "g.taut")
        least = next(n for n in range(1, 100) if 1 - 0.9 ** n >= 1 - 0.05 / 3)
        self.assertIn(f"at least {least} are needed", done.stderr)

    def test_plan_counts(self):
        level, = self.taut("plan", "--rows", "1000", "--sure", "0.95", "--json").json()["levels"]
        calibration = self.taut("plan", "--rows", "1000", "--json").json()["calibration_rows"]
        self.assertEqual(level["rank"], sure_rank(calibration, 0.9, 0.95))
        enough = self.taut("plan", "--rows", level["least_rows"], "--sure", "0.95", "--json").json()
        fewer = self.taut("plan", "--rows", level["least_rows"] - 1, "--sure", "0.95", "--json").json()
        self.assertGreaterEqual(enough["calibration_rows"], 29)
        self.assertEqual((enough["levels"][0]["infinite"], fewer["levels"][0]["infinite"]), (False, True))

    def test_exported_functions_use_it(self):
        """The exported C function has the quantiles of `taut predict`, not those of the rank for marginal coverage."""
        texts = []
        for sure in ("0.95", "0"):
            self.taut("fit", "train.csv", *FIT, "--sure", sure, "-o", "m.taut")
            self.taut("export", "m.taut", "--c", "m.c", "--confidence", "0.9")
            texts.append((self.ends("m.taut", "--confidence", "0.9")[0][2], self.read("m.c")))
        self.assertGreater(texts[0][0], texts[1][0])
        for (upper, text), (other, _) in (texts, texts[::-1]):
            numbers = [float.fromhex(word) if "0x" in word else float(word)
                       for word in re.findall(r"-?0x[0-9a-f.]+p[+-]?\d+|-?\d+\.\d+(?:e[+-]?\d+)?", text)]
            self.assertTrue(any(math.isclose(number, upper, rel_tol=1e-9) for number in numbers))
            self.assertFalse(any(math.isclose(number, other, rel_tol=1e-9) for number in numbers))

    def test_labels(self):
        draw = random.Random(9)
        lines = [(x := draw.gauss(0, 1), draw.gauss(0, 1), "ab"[x + draw.gauss(0, 1) > 0]) for _ in range(400)]
        self.write("l.csv", samples.csv(lines, ["x", "z", "label"]))
        self.taut("fit", "l.csv", "--target", "label", "--effort", "quick", "--sure", "0.9", "-o", "l.taut")
        told = self.taut("evaluate", "l.taut", "l.csv", "--json").json()
        self.assertEqual(told["levels"][0]["rank"], sure_rank(told["calibration_rows"], 0.9, 0.9))
        self.assertIn("--sure 0.9", self.taut("calibrate", "l.taut", "l.csv", "--by-label", "-o", "b.taut").stderr)
        self.fails(2, "stream", "l.taut", "l.csv", says=["--sure 0.9", "--sure 0"])

    def test_what_has_no_exact_statement_is_refused(self):
        self.taut("fit", "train.csv", *FIT[:4], "--effort", "quick", "--sure", "0.95", "-o", "m.taut")
        for more in (["--local"], ["--overlapping", "g"], ["--keep-together", "g"], ["--weights", "g"], ["--towards", "train.csv"],
                     ["--by", "g", "--other-groups", "pool"]):
            self.fails(2, "calibrate", "m.taut", "cal.csv", *more, "-o", "c.taut", says=["--sure", "exact"])
            self.taut("calibrate", "m.taut", "cal.csv", *more, "--sure", "0", "-o", "c.taut")
        for more in (["--split", "cv+"], ["--keep-together", "g"], ["--in-order"]):
            self.fails(2, "fit", "train.csv", "--target", "y", "--drop", "f", "--sure", "0.95", *more, "-o", "c.taut", says=["--sure cannot be combined with"])
        self.fails(2, "predict", "m.taut", "new.csv", "--smooth", "1", says=["--smooth", "--sure"])
        self.fails(2, "stream", "m.taut", "cal.csv", says=["--sure"])
        for odd in ("1", "-0.1", "nan"):
            self.fails(2, "fit", "train.csv", *FIT, "--sure", odd, "-o", "c.taut", says=["--sure"])


if __name__ == "__main__":
    main()

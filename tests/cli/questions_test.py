"""predict: bounds, quantiles, probabilities, p-values and random values from one predictive distribution."""
import csv
import io
import json
import random
import re

import samples
from harness import TautTest, main
from samples import QUICK


class Questions(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.write("new.csv", samples.csv(samples.rows(300, seed=1)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def ask(self, *options, data="new.csv"):
        text = self.taut("predict", "m.taut", data, *options).stdout
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(text))]

    def test_columns_in_the_order_of_help(self):
        rows = self.ask("--quantiles", "0.1,0.50", "--upper", "0.9", "--lower", "0.95", "--below", "1,2.5", "--band", "--samples", "2",
                        "--p-value", "y")
        self.assertEqual(list(rows[0]), ["prediction", "lower_bound_0.95", "upper_bound_0.9", "q0.1", "q0.50", "below_1", "below_1_low",
                                         "below_1_high", "below_2.5", "below_2.5_low", "below_2.5_high", "p_value", "sample_1", "sample_2"])
        self.assertEqual(list(self.ask("--upper", "0.9", "--confidence", "0.8")[0]),
                         ["prediction", "lower_0.8", "upper_0.8", "upper_bound_0.9"])

    def test_every_listed_question_can_be_asked_by_its_name(self):
        listed = json.loads(self.taut("lists", "--json").stdout)["questions"]
        for written in listed:
            with self.subTest(question=written):
                rows = self.ask("--ask", written, "--value", "y")
                self.assertGreater(len(rows[0]), 1)
        # The short forms are the same questions.
        self.assertEqual(self.ask("--ask", "upper:0.9,quantile:0.5"), self.ask("--upper", "0.9", "--quantiles", "0.5"))
        self.assertEqual(self.ask("--ask", "interval:0.8"), self.ask("--confidence", "0.8"))
        self.assertEqual(self.ask("--ask", "p-value", "--value", "y"), self.ask("--p-value", "y"))

    def test_a_question_that_cannot_be_asked_is_an_error(self):
        for says, *options in [("--value COL", "--ask", "cdf"), ("crsp", "--ask", "crsp"),
                               ("twice", "--ask", "interval:0.9", "--confidence", "0.9"), ("--wide", "--wide")]:
            self.fails(2, "predict", "m.taut", "new.csv", *options, says=[says])

    def test_answers_agree_with_one_another(self):
        equal = self.ask("--confidence", "0.8", "--tails", "equal")
        rows = self.ask("--upper", "0.9", "--lower", "0.9", "--quantiles", "0.05,0.1,0.5,0.9,0.95", "--below", "0", "--band")
        for tails, row in zip(equal, rows, strict=True):
            self.assertEqual((tails["lower_0.8"], tails["upper_0.8"]), (row["lower_bound_0.9"], row["upper_bound_0.9"]))
            quantiles = [row[f"q{p}"] for p in ("0.05", "0.1", "0.5", "0.9", "0.95")]
            self.assertEqual(quantiles, sorted(quantiles))
            self.assertEqual((row["q0.1"], row["q0.9"]), (row["lower_bound_0.9"], row["upper_bound_0.9"]))
            self.assertLessEqual(0, row["below_0_low"])
            self.assertLessEqual(row["below_0_low"], row["below_0"])
            self.assertLessEqual(row["below_0"], row["below_0_high"])
            self.assertLessEqual(row["below_0_high"], 1)

    def test_coverage_of_bounds(self):
        true = [row[-1] for row in samples.rows(300, seed=1)]
        rows = self.ask("--upper", "0.9", "--lower", "0.9")
        # Of 300 new rows with 100 calibration rows, by the Beta-binomial distribution: fewer than 240 with a probability below 1 in 1,000.
        self.assertGreater(sum(y <= row["upper_bound_0.9"] for y, row in zip(true, rows, strict=True)), 240)
        self.assertGreater(sum(y >= row["lower_bound_0.9"] for y, row in zip(true, rows, strict=True)), 240)

    def test_p_values(self):
        plain, smooth = self.ask("--p-value", "y"), self.ask("--p-value", "y", "--smooth", "3")
        self.assertTrue(all(0 <= b["p_value"] <= a["p_value"] <= 1 for a, b in zip(plain, smooth, strict=True)))
        inside = self.ask("--confidence", "0.9")
        true = [row[-1] for row in samples.rows(300, seed=1)]
        for row, p, y in zip(inside, plain, true, strict=True):
            self.assertEqual(row["lower_0.9"] <= y <= row["upper_0.9"], p["p_value"] > 0.1 - 1e-12)

    def test_one_sided_p_values(self):
        low, high = (self.ask("--p-value", "y", "--alternative", side) for side in ("less", "greater"))
        true = [row[-1] for row in samples.rows(300, seed=1)]
        bounds = self.ask("--lower", "0.9", "--upper", "0.9")
        for less, greater, bound, y in zip(low, high, bounds, true, strict=True):
            self.assertEqual(y < bound["lower_bound_0.9"], less["p_value"] <= 0.1 - 1e-12)
            self.assertEqual(y > bound["upper_bound_0.9"], greater["p_value"] <= 0.1 - 1e-12)
        self.assertEqual(self.ask("--p-value", "y", "--alternative", "two-sided"), self.ask("--p-value", "y"))

    def test_draws_do_not_depend_on_batches_or_threads(self):
        self.write("many.csv", samples.csv(samples.rows(20_000, seed=2)))
        all_rows = self.ask("--samples", "1", "--seed", "4", data="many.csv")
        self.assertEqual(all_rows, self.ask("--samples", "1", "--seed", "4", "--threads", "3", data="many.csv"))
        self.assertNotEqual(all_rows, self.ask("--samples", "1", "--seed", "5", data="many.csv"))

    def test_probabilities_at_a_value_that_most_targets_have(self):
        """70 % of the targets are 0 and predictions never are. Ranks alone would give 0.35; the true probability is 0.7."""
        draw = random.Random(5)
        rows = [(x := draw.random(), 0 if draw.random() < 0.7 else 1 + x + draw.gauss(0, 0.3)) for _ in range(3000)]
        self.write("zeros.csv", samples.csv(rows, ["x", "y"]))
        self.taut("fit", "zeros.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.write("fresh.csv", samples.csv([(draw.random(),) for _ in range(300)], ["x"]))
        found = self.ask("--below", "-0.5,0,1.5", "--samples", "30", data="fresh.csv")
        self.assertAlmostEqual(sum(row["below_0"] for row in found) / 300, 0.7, delta=0.06)
        self.assertLess(sum(row["below_-0.5"] for row in found) / 300, 0.02)
        for row in found:
            self.assertLessEqual(row["below_-0.5"], row["below_0"])
            self.assertLessEqual(row["below_0"], row["below_1.5"])
        zeros = sum(row[f"sample_{i}"] == 0 for row in found for i in range(1, 31)) / 9000
        self.assertAlmostEqual(zeros, 0.7, delta=0.07)

    def test_smoothed_answers_of_one_row_a_call_are_those_of_the_file(self):
        all_rows = self.ask("--confidence", "0.85,0.9", "--smooth", "2")
        table = samples.rows(300, seed=1)
        for index in (0, 7, 199):
            self.write("one.csv", samples.csv([table[index]]))
            self.assertEqual(self.ask("--confidence", "0.85,0.9", "--smooth", "2", data="one.csv"), [all_rows[index]])

    def test_too_few_rows_are_infinite_and_said(self):
        done = self.taut("predict", "m.taut", "new.csv", "--upper", "0.995", "--confidence", "0.985", "--tails", "equal")
        self.assertIn("100 calibration rows are too few for the upper bound at 0.995", done.stderr)
        self.assertIn("at least 199 are needed", done.stderr)
        self.assertIn("each tail of an interval at 0.985", done.stderr)
        self.assertIn("inf", done.stdout.splitlines()[1])

    def test_the_number_of_rows_that_is_named_serves_and_one_less_does_not(self):
        for options, words in [(["--upper", "0.98"], "the upper bound at 0.98"), (["--lower", "0.97"], "the lower bound at 0.97"),
                               (["--quantiles", "0.02"], "the quantile 0.02"), (["--quantiles", "0.98"], "the quantile 0.98"),
                               (["--confidence", "0.95", "--tails", "equal"], "each tail of an interval at 0.95")]:
            self.write("few.csv", samples.csv(samples.rows(4, seed=3)))
            self.taut("calibrate", "m.taut", "few.csv", "-o", "few.taut")
            for smooth in ([], ["--smooth"]):
                done = self.taut("predict", "few.taut", "new.csv", *options, *smooth)
                self.assertIn(f"4 calibration rows are too few for {words}", done.stderr)
            needed = int(re.search(r"at least ([\d,]+) are needed", done.stderr)[1].replace(",", ""))
            for rows, too_few in [(needed - 1, True), (needed, False)]:
                self.write("few.csv", samples.csv(samples.rows(rows, seed=3)))
                self.taut("calibrate", "m.taut", "few.csv", "-o", "few.taut")
                done = self.taut("predict", "few.taut", "new.csv", *options)
                self.assertEqual(("too few" in done.stderr, "inf" in done.stdout), (too_few, too_few), (options, rows))

    def test_bad_questions(self):
        for options, says in [(["--upper", "1"], "between 0 and 1"), (["--quantiles", "0"], "between 0 and 1"),
                              (["--lower", "x"], "expected a number, got 'x'"), (["--tails", "one"], "'one'"),
                              (["--band"], "--below"), (["--samples", "-1"], "whole number"), (["--below", "inf"], "finite"),
                              (["--upper", "0.9,0.9"], "twice"), (["--p-value", "y", "--alternative", "lss"], "less"),
                              (["--alternative", "less"], "--p-value"),
                              *(([option, p], "between 0 and 1, both excluded") for option in ("--upper", "--lower", "--quantiles")
                                for p in ("0", "1", "-0.1", "1.5")),
                              *((["--confidence", c, "--tails", "equal"], "between 0 and 1") for c in ("0", "1"))]:
            self.fails(2, "predict", "m.taut", "new.csv", *options, says=[says])
        self.fails(1, "predict", "m.taut", "new.csv", "--p-value", "yy", says=["no column 'yy'"])


if __name__ == "__main__":
    main()

"""evaluate: the predictive distribution of y, by its CRPS, its quantiles and its p-values."""
import csv
import io
import math
from fractions import Fraction

import samples
from harness import TautTest, main
from samples import QUICK

PROBABILITIES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
LIMITS = [0.01, 0.05, 0.1, 0.5]


def band(rows, calibration_rows, low_rank, high_rank, bands):
    """The band of the count of rows at or below a rank, from the Beta-binomial distribution in whole numbers; all bands together hold with probability 0.99."""
    tail = Fraction(1, 200 * bands)

    def quantile(rank, probability):
        sum_ = Fraction(0)
        whole = math.comb(rows + calibration_rows, rows)
        for count in range(rows + 1):
            ways = math.comb(count + rank - 1, count) * math.comb(rows - count + calibration_rows - rank, rows - count)
            sum_ += Fraction(ways, whole)
            if sum_ >= probability:
                return count / rows

    return quantile(low_rank, tail) if low_rank else 0, quantile(high_rank, 1 - tail) if high_rank else 0


class EvaluateDistribution(TautTest):
    def setUp(self):
        super().setUp()
        self.test_rows = samples.rows(300, seed=1)
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.write("test.csv", samples.csv(self.test_rows))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.true = [row[-1] for row in self.test_rows]

    def distribution(self, *words):
        return self.taut("evaluate", *(words or ("m.taut", "test.csv")), "--json").json()["distribution"]

    def ask(self, *options):
        text = self.taut("predict", "m.taut", "test.csv", *options).stdout
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(text))]

    def test_numbers_are_those_of_predict(self):
        distribution = self.distribution()
        self.assertEqual(list(distribution), ["crps", "pinball", "quantiles", "p_values"])
        rows = self.ask("--quantiles", ",".join(map(str, PROBABILITIES)), "--p-value", "y", "--smooth", "0")
        losses = []
        for p, quantile in zip(PROBABILITIES, distribution["quantiles"], strict=True):
            values = [row[f"q{p}"] for row in rows]
            loss = sum(max(p * (y - q), (p - 1) * (y - q)) for y, q in zip(self.true, values, strict=True)) / 300
            losses.append(loss)
            self.assertEqual(quantile["p"], p)
            self.assertAlmostEqual(quantile["pinball"], loss, places=12)
            self.assertEqual(quantile["at_or_below"], sum(y <= q for y, q in zip(self.true, values, strict=True)) / 300)
            self.assertEqual(quantile["below"], sum(y < q for y, q in zip(self.true, values, strict=True)) / 300)
        self.assertAlmostEqual(distribution["pinball"], sum(losses) / 7, places=12)
        for limit, p_value in zip(LIMITS, distribution["p_values"], strict=True):
            self.assertEqual(p_value["at_most"], limit)
            self.assertEqual(p_value["share"], sum(row["p_value"] <= limit for row in rows) / 300)

    def test_crps_is_that_of_all_ranks(self):
        """With a constant width the steps of the distribution are the quantiles k / 101 of the 100 calibration rows."""
        ranks = [f"{k / 101:.17g}" for k in range(1, 101)]
        rows = self.ask("--quantiles", ",".join(ranks))
        total = 0
        for row, y in zip(rows, self.true, strict=True):
            steps = [row[f"q{rank}"] for rank in ranks]
            spread = sum((2 * i - 99) * step for i, step in enumerate(steps))
            total += sum(abs(step - y) for step in steps) / 100 - spread / 100**2
        self.assertAlmostEqual(self.distribution()["crps"], total / 300, places=9)

    def test_bands_are_exact(self):
        distribution = self.distribution()
        for p, quantile in zip(PROBABILITIES, distribution["quantiles"], strict=True):
            lower, upper = 101 - samples.exact_rank(100, 1 - p), samples.exact_rank(100, p)
            ranks = (upper, upper) if p > 0.5 else (lower, lower) if p < 0.5 else (lower, upper)
            self.assertEqual((quantile["low"], quantile["high"]), band(300, 100, *ranks, bands=7), p)
        for limit, p_value in zip(LIMITS, distribution["p_values"], strict=True):
            ranks = math.floor(round(101 * limit, 9)), math.ceil(round(101 * limit, 9))
            self.assertEqual((p_value["low"], p_value["high"]), band(300, 100, *ranks, bands=4), limit)

    def test_words(self):
        done = self.taut("evaluate", "m.taut", "test.csv")
        for words in ["The predictive distribution of y: CRPS ", "mean pinball loss", "at or below", "p-value at most"]:
            self.assertIn(words, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_a_bias_that_intervals_cover_is_an_alarm(self):
        """Residuals below f are reflected above it. Two-sided intervals with one scale do not detect this."""
        predictions = [row["prediction"] for row in self.ask()]
        moved = [(*row[:3], f + abs(row[3] - f)) for row, f in zip(self.test_rows, predictions, strict=True)]
        self.write("moved.csv", samples.csv(moved))
        done = self.run_taut("evaluate", "m.taut", "moved.csv", "--json", "--strict")
        report = done.json()
        self.assertEqual(done.code, 3)
        level = report["levels"][0]
        self.assertTrue(level["coverage_low"] <= level["coverage"] <= level["coverage_high"])
        self.assertEqual([alarm["kind"] for alarm in report["alarms"]], ["coverage"])
        self.assertIn("the share of rows at or below the quantile 0.1 is 0, outside the band", report["alarms"][0]["words"])
        self.assertEqual(report["alarms"][0]["numbers"]["quantile"], 0.1)

    def test_zeros_are_no_alarm(self):
        rows = [(x, 0, 0 if index % 5 < 3 else y) for index, (x, _, _, y) in enumerate(samples.rows(800))]
        self.write("zeros.csv", samples.csv(rows, ["x", "p", "y"]))
        self.write("more.csv", samples.csv([(0.99 * x, p, y) for x, p, y in rows], ["x", "p", "y"]))
        self.taut("fit", "zeros.csv", "--target", "y", "--prediction", "p", "--localizer", "none", "-o", "zeros.taut")
        done = self.taut("evaluate", "zeros.taut", "more.csv")
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"\n  below +\d")  # a separate row if targets equal quantiles

    def test_too_few_rows_are_null(self):
        self.write("few.csv", samples.csv(samples.rows(4, seed=3)))
        self.taut("calibrate", "m.taut", "few.csv", "-o", "few.taut")
        distribution = self.distribution("few.taut", "test.csv")
        self.assertIsNone(distribution["quantiles"][0]["pinball"])
        self.assertEqual([distribution["quantiles"][i][end] for i, end in ((0, "low"), (0, "high"), (-1, "low"), (-1, "high"))], [0, 0, 1, 1])
        self.assertIsNotNone(distribution["crps"])


if __name__ == "__main__":
    main()

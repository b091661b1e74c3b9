"""taut explain: shares that add up, text output, summaries and errors."""
import csv
import io
import json
import math
import random

from harness import TautTest, main


def table(rows, seed, columns=4):
    """y depends on x0 and x1; its noise depends on x2 and on the category `site` only."""
    draw = random.Random(seed)
    names = [f"x{j}" for j in range(columns)] + ["site", "y"]
    text = [",".join(names)]
    for _ in range(rows):
        x = [draw.gauss(0, 1) for _ in range(columns)]
        site = draw.choice(["north", "south"])
        noise = (0.1 + (1.5 if x[2] > 0 else 0)) * draw.gauss(0, 1)
        y = 10 + 2 * x[0] - x[1] + noise
        text.append(",".join([*(f"{v:.5f}" for v in x), site, f"{y:.5f}"]))
    return "\n".join(text) + "\n"


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


class Explain(TautTest):
    def fitted(self, *options, rows=1500):
        self.write("d.csv", table(rows, 1))
        self.write("new.csv", table(60, 2))
        predictor = [] if "--predictor" in options else ["--predictor", "boost"]
        self.taut("fit", "d.csv", "--target", "y", *predictor, "--effort", "quick", "-o", "m.taut", *options)

    def check_sums(self, rows, two_sided=False):
        for row in rows:
            share = sum(float(value) for name, value in row.items() if name.startswith("prediction:"))
            self.assertAlmostEqual(float(row["usual_prediction"]) + share, float(row["prediction"]), delta=1e-9)
            product = math.prod(float(value) for name, value in row.items() if name.startswith("width:"))
            self.assertAlmostEqual(product / float(row["width_factor"]), 1, delta=1e-9)
        if two_sided:
            self.assertTrue(any(name.startswith("lower:") for name in rows[0]))
            self.assertTrue(any(name.startswith("upper:") for name in rows[0]))

    def test_shares_add_up(self):
        for sides in ["one", "two"]:
            self.fitted("--sides", sides)
            self.taut("explain", "m.taut", "new.csv", "-o", "why.csv", "--keep", "site")
            rows = read((self.folder / "why.csv").read_text())
            self.assertEqual(len(rows), 60)
            self.assertIn(rows[0]["site"], ["north", "south"])
            self.check_sums(rows, sides == "two")
            predicted = read(self.taut("predict", "m.taut", "new.csv").stdout)
            for why, row in zip(rows, predicted):
                self.assertEqual(why["prediction"], row["prediction"])
                lower, upper = (float(row[name]) for name in row if name != "prediction")
                self.assertAlmostEqual(float(why["width"]), upper - lower, delta=1e-9)

    def test_width_factors_are_ratios_of_widths(self):
        self.fitted("--sides", "one")
        rows = read(self.taut("explain", "m.taut", "new.csv").stdout)
        ratios = [float(row["width"]) / float(row["width_factor"]) for row in rows]
        for ratio in ratios:
            self.assertAlmostEqual(ratio / ratios[0], 1, delta=1e-9)

    def test_summary_names_the_causes(self):
        self.fitted(rows=3000)
        found = self.taut("explain", "m.taut", "new.csv", "--summary", "--json").json()
        self.assertEqual(found["rows"], 60)
        self.assertEqual(found["width"]["columns"][0]["column"], "x2")
        self.assertEqual({one["column"] for one in found["prediction"][:2]}, {"x0", "x1"})
        words = self.taut("explain", "m.taut", "new.csv", "--summary").stdout
        self.assertIn("not a cause", words)
        self.assertLess(words.index("x2"), words.index("x3"))

    def test_words(self):
        self.fitted()
        lines = self.taut("explain", "m.taut", "new.csv", "--top", "2").stdout.splitlines()
        self.assertEqual(len(lines), 60)
        self.assertRegex(lines[0], r"^row 1: prediction \S+, usually \S+: .*; width \S+, \S+ times the usual: .* makes it \S+ times as wide")
        self.taut("explain", "m.taut", "new.csv", "--top", "1", "-o", "why.csv")
        self.assertEqual(len(read((self.folder / "why.csv").read_text())), 60)

    def test_sampling_is_said_and_repeats(self):
        self.fitted("--predictor", "knn", "--localizer", "mlp", "--hidden", "4", "--epochs", "5", rows=300)
        first = self.taut("explain", "m.taut", "new.csv", "--walks", "8", "--threads", "1")
        self.assertIn("sampling", first.stderr)
        self.check_sums(read(first.stdout))
        self.assertEqual(first.stdout, self.taut("explain", "m.taut", "new.csv", "--walks", "8", "--threads", "2").stdout)
        self.assertNotEqual(first.stdout, self.taut("explain", "m.taut", "new.csv", "--walks", "8", "--seed", "1").stdout)

    def test_one_width_everywhere(self):
        self.fitted("--transform", "fixed")
        done = self.taut("explain", "m.taut", "new.csv")
        self.assertIn("equally wide", done.stderr)
        self.assertFalse(any(name.startswith("width:") for name in read(done.stdout)[0]))
        self.assertIsNone(self.taut("explain", "m.taut", "new.csv", "--summary", "--json").json()["width"])

    def test_given_predictions(self):
        self.write("d.csv", "x,f,y\n" + "".join(f"{i % 7},{i % 11},{i % 11 + (i % 7) * ((i * 37) % 5 - 2) / 3}\n" for i in range(800)))
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "f", "-o", "m.taut")
        done = self.taut("explain", "m.taut", "d.csv", "--summary", "--json").json()
        self.assertIsNone(done["prediction"])
        self.assertTrue(any("given" in note for note in done["notes"]))

    def test_batches_do_not_matter(self):
        self.fitted()
        text = table(60, 2).splitlines(keepends=True)
        alone = self.taut("explain", "m.taut", self.write("one.csv", text[0] + text[31])).stdout.splitlines()[1]
        together = self.taut("explain", "m.taut", "new.csv").stdout.splitlines()[31]
        self.assertEqual(alone, together)

    def test_usage(self):
        self.fitted()
        self.fails(2, "explain", "m.taut", "new.csv", "--json", says=["--summary"])
        self.fails(2, "explain", "m.taut", "new.csv", "--summary", "--top", "3", says=["one of them"])
        self.fails(2, "explain", "m.taut", "new.csv", "--walks", "3", says=["even number"])
        self.fails(2, "explain", "m.taut", "new.csv", "--confidence", "2", says=["2"])
        self.fails(1, "explain", "m.taut", self.write("bad.csv", "x0\n1\n"), says=["x1"])
        self.fails(2, "explain", "m.taut", "new.csv", "-o", "new.csv")


if __name__ == "__main__":
    main()

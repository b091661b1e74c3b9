"""What fit says: few lines by default, everything in `taut info` and with --verbose; what is missing; where the model goes."""
import random

import samples
from harness import TautTest, main
from samples import QUICK


def houses(count, seed=0):
    """Numbers, categories, a date, an id and a constant; the target is positive and far from 0."""
    draw, table = random.Random(seed), []
    for i in range(count):
        size, kind = draw.uniform(40, 200), draw.choice(["flat", "house", "villa"])
        price = 1000 + 20 * size + {"flat": 0, "house": 300, "villa": 600}[kind] + draw.gauss(0, 50)
        table.append((f"id{i:05d}", f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}", size, kind, "yes" if draw.random() < 0.5 else "no", price))
    return table


HOUSES = ("number", "sold", "size", "kind", "garden", "price")
FIT = ["--target", "price", "--effort", "quick", "--predictor", "boost"]


def lines(done):
    return [line for line in done.stderr.splitlines() if line.startswith("taut: ")]


class Words(TautTest):
    def setUp(self):
        super().setUp()
        self.write("houses.csv", samples.csv(houses(600), HOUSES))

    def test_two_lines_and_the_table_of_levels(self):
        done = self.taut("fit", "houses.csv", *FIT, "-o", "m.taut")
        first, second = lines(done)
        self.assertRegex(first, r"^taut: m\.taut: price from 4 columns of 600 rows; mean absolute error of out-of-fold rows [\d.,]+, "
                                r"0\.\d+ of a constant's$")
        self.assertIn("left out (number)", second)
        self.assertIn("1 category", second)
        self.assertIn("1 date", second)
        self.assertTrue(second.endswith("; details: taut look houses.csv --target price"), second)
        self.assertRegex(done.stderr, r"\n +0\.9 +109 +0\.90083\n")
        self.assertLessEqual(len(done.stderr.splitlines()), 6, done.stderr)

    def test_the_rest_is_in_info_and_with_verbose(self):
        verbose = self.taut("fit", "houses.csv", *FIT, "-o", "m.taut", "--verbose").stderr
        info = self.taut("info", "m.taut").stdout
        notes = {note["name"]: note["words"] for note in self.taut("info", "m.taut", "--json").json()["column_notes"]}
        self.assertEqual(sorted(notes), ["garden", "kind", "number", "sold"])
        for words in notes.values():
            self.assertIn(words, info)
            self.assertIn(words, verbose)
        for words in ["predictor boost", "600 rows of houses.csv: predictor 480", "calibration 120", "mean absolute error of out-of-fold rows"]:
            self.assertIn(words, info)
            self.assertIn(words, verbose)

    def test_the_error_is_that_of_rows_that_f_has_not_seen(self):
        self.taut("fit", "houses.csv", *FIT, "-o", "m.taut")
        found = self.taut("info", "m.taut", "--json").json()["out_of_fold"]
        self.assertEqual(found["rows"], 480)
        self.assertGreater(found["mean_absolute_error"], 35)  # the noise alone has 50 · sqrt(2/π) = 40; trees fit training rows far closer
        self.assertLess(found["mean_absolute_error"], 150)
        self.assertGreater(found["of_a_constant"], 600)  # the spread of the sizes

    def test_the_error_of_given_predictions_and_labels(self):
        table = [(x, z, 2 * x - z, y) for x, z, _, y in samples.rows(400)]
        self.write("given.csv", samples.csv(table, ["x", "z", "yhat", "y"]))
        said = self.taut("fit", "given.csv", "--target", "y", "--prediction", "yhat", "-o", "m.taut").stderr
        self.assertRegex(said, r"m\.taut: y from given predictions and 2 columns of 400 rows; mean absolute error of the given predictions \d")
        draw = random.Random(1)
        labels = [(x, draw.choice("ab"), "up" if x > 0 else "down") for x in (draw.gauss(0, 1) for _ in range(300))]
        self.write("labels.csv", samples.csv(labels, ["x", "k", "way"]))
        said = self.taut("fit", "labels.csv", "--target", "way", "--effort", "quick", "-o", "l.taut").stderr
        self.assertRegex(said, r"way \(2 labels: down, up\) from 2 columns of 300 rows; accuracy of out-of-fold rows (1|0\.9\d*), of a constant 0\.5")

    def test_quiet_prints_warnings_only(self):
        self.assertEqual(self.taut("fit", "houses.csv", *FIT, "-o", "m.taut", "--quiet").stderr, "")
        self.write("few.csv", samples.csv(houses(150), HOUSES))
        self.assertRegex(self.taut("fit", "few.csv", *FIT, "-o", "m.taut", "--quiet").stderr, r"^taut: warning: .*confidence 0\.99.*\n$")
        self.fails(2, "fit", "houses.csv", *FIT, "-o", "m.taut", "--quiet", "--verbose", says=["--verbose", "--quiet"])

    def test_details_from_standard_input_are_in_info(self):
        said = self.taut("fit", "-", *FIT, "-o", "my model.taut", stdin=self.read("houses.csv")).stderr
        self.assertIn("details: taut info 'my model.taut'", said)
        self.write("it's.csv", self.read("houses.csv"))
        self.assertIn(r"details: taut look 'it'\''s.csv' --target price", self.taut("fit", "it's.csv", *FIT, "-o", "m.taut").stderr)


class Hints(TautTest):
    def said(self, table, *options):
        self.write("d.csv", samples.csv(table, ["x", "y"]))
        return self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *options).stderr

    def rows(self, level, seed=3):
        draw = random.Random(seed)
        return [(x, max(0.0, level + x + draw.gauss(0, 1))) for x in (draw.uniform(0, 1) for _ in range(300))]

    def test_y_min_only_where_an_end_passes_it(self):
        for options in (QUICK, ["--predictor", "linear", "--effort", "quick"]):
            with self.subTest(options):
                self.assertNotIn("--y-min", self.said(self.rows(50), *options))
                said = self.said(self.rows(1), *options)
                self.assertIn("no value of the target in training rows is negative, but some intervals reach below 0: if that always holds, --y-min 0", said)
                self.assertNotIn("--y-min", self.said(self.rows(1), "--y-min", "0", *options))

    def test_calibration_rows_do_not_decide(self):
        """Far larger errors of calibration rows move the ends below 0, but not the hint."""
        self.write("d.csv", samples.csv(self.rows(50), ["x", "y"]))
        self.write("c.csv", samples.csv([(x, y + 500 * (i % 2)) for i, (x, y) in enumerate(self.rows(50, seed=4))], ["x", "y"]))
        said = self.taut("fit", "d.csv", "--target", "y", "--calibrate-with", "c.csv", "-o", "m.taut", *QUICK).stderr
        self.assertNotIn("--y-min", said)
        self.assertLess(float(self.taut("predict", "m.taut", "d.csv").stdout.splitlines()[1].split(",")[1]), 0)


class Missing(TautTest):
    def test_everything_at_once(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.fails(2, "fit", says=["DATA.csv and --target COL are missing; 'taut fit --help'"])
        self.fails(2, "fit", "d.csv", says=["--target COL is missing"])
        self.fails(2, "fit", "-", says=["--target COL and -o FILE are missing"], stdin="x,y\n")
        self.fails(2, "fit", "-", "--target", "y", says=["-o FILE is missing"], stdin="x,y\n")
        self.fails(2, "predict", says=["MODEL.taut and NEW.csv are missing"])
        self.fails(2, "predict", "m.taut", says=["NEW.csv is missing"])
        self.fails(2, "fit", "--traget", "y", says=["unknown option '--traget'", "--target"])  # this explains what is missing
        self.assertEqual(self.files(), ["d.csv"])

    def test_the_model_goes_beside_us(self):
        self.write("in/d.csv", samples.csv(samples.rows(100)))
        self.assertIn("taut: d.taut: y from", self.taut("fit", "in/d.csv", "--target", "y", *QUICK).stderr)
        self.assertEqual(self.files(), ["d.taut", "in/d.csv"])
        first = (self.folder / "d.taut").read_bytes()
        self.taut("fit", "in/d.csv", "--target", "y", "--seed", "3", *QUICK)  # replaces a model
        self.assertNotEqual((self.folder / "d.taut").read_bytes(), first)

    def test_other_names(self):
        import gzip

        text = samples.csv(samples.rows(100))
        for name, content, model in [("a.b.csv.gz", gzip.compress(text.encode()), "a.b.taut"), ("données.tsv", text.replace(",", "\t"), "données.taut"),
                                     ("plain", text, "plain.taut")]:
            self.write(name, content)
            self.assertIn(f"taut: {model}: ", self.taut("fit", name, "--target", "y", *QUICK).stderr)
            self.assertIn(model, self.files())

    def test_no_other_file_is_replaced(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.write("d.taut", "my notes")
        self.fails(2, "fit", "d.csv", "--target", "y", *QUICK, says=["'d.taut'", "no model file", "-o FILE"])
        self.assertEqual(self.read("d.taut"), "my notes")
        (self.folder / "e.taut").mkdir()
        self.write("e.csv", samples.csv(samples.rows(100)))
        self.fails(2, "fit", "e.csv", "--target", "y", *QUICK, says=["'e.taut'", "no model file"])
        self.write("rows.taut", samples.csv(samples.rows(100)))  # a table with this ending
        self.fails(2, "fit", "rows.taut", "--target", "y", *QUICK, says=["rows.taut"])
        self.taut("fit", "d.csv", "--target", "y", *QUICK, "-o", "d.taut")  # the user has named it
        self.assertNotEqual((self.folder / "d.taut").read_bytes()[:2], b"my")


if __name__ == "__main__":
    main()

"""fit: its results, and its errors for every kind of bad input."""
import gzip
import re

import samples
from harness import TautTest, main
from samples import QUICK


class Fit(TautTest):
    def test_a_name_with_a_comma_stands_in_quotes(self):
        table = samples.rows(100)
        self.write("c.csv", samples.csv(table, ('"x, mm"', "z", '"colour ""c"""', "y")))
        self.taut("fit", "c.csv", "--target", "y", "--drop", '"x, mm","colour ""c"""', *samples.QUICK, "-o", "c.taut")
        self.assertEqual([column["name"] for column in self.taut("info", "c.taut", "--json").json()["columns"]], ["z"])
        self.fails(1, "fit", "c.csv", "--target", "y", "--drop", '"x', "-o", "c.taut", says=["'\"x'"])

    def test_summary_names_rows_ranks_and_parts(self):
        self.write("d.csv", samples.csv(samples.rows(500)))
        done = self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK, "--verbose")
        self.assertEqual(done.stdout, "")
        self.assertIn("predictor linear", done.stderr)
        self.assertIn("calibration 100", done.stderr)
        self.assertRegex(done.stderr, r"0\.9 +91 +0\.90099")
        self.assertRegex(done.stderr, r"0\.99 +100 +0\.9901")
        self.assertNotIn("warning", done.stderr)

    def test_too_few_rows_for_a_level_is_said_at_fit_time(self):
        self.write("d.csv", samples.csv(samples.rows(24)))  # 12 for calibration
        done = self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--focus", "0.8", *QUICK)
        for level, least in [("0.95", "19"), ("0.99", "99")]:
            self.assertRegex(done.stderr, rf"warning: 12 calibration rows are too few for confidence {level}.* at least {least} ")
        self.assertNotIn("confidence 0.9,", done.stderr)
        done = self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--focus", "0.998", *QUICK)
        self.assertRegex(done.stderr, r"warning: .*confidence 0\.998.* at least 499 ")

    def test_few_rows_may_all_train_and_calibrate(self):
        self.write("d.csv", samples.csv(samples.rows(30)))
        self.write("new.csv", samples.csv(samples.rows(20, seed=7)))
        done = self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--split", "cv+:5", *QUICK)
        self.assertIn("5 models, each calibrated on the part of the 30 rows", done.stderr)
        self.assertRegex(done.stderr, r"0\.9 +about 0\.9 +0\.66111")  # 2 · 0.9 − 1 − (1 − 5/30)/6
        levels = self.taut("info", "m.taut", "--json").json()["levels"]
        self.assertAlmostEqual(levels[0]["at_worst"], 0.8 - (1 - 5 / 30) / 6)
        header, *rows = self.taut("predict", "m.taut", "new.csv").stdout.splitlines()
        self.assertEqual(header, "prediction,lower_0.9,upper_0.9")
        self.assertTrue(all(float(low) < float(high) for _, low, high in (row.split(",") for row in rows)))
        self.assertIn("delivered", self.taut("evaluate", "m.taut", "new.csv").stdout)
        for command in [["predict", "m.taut", "new.csv", "--upper", "0.9"], ["report", "m.taut", "new.csv", "-o", "r.html"],
                        ["calibrate", "m.taut", "new.csv", "-o", "c.taut"], ["explain", "m.taut", "new.csv"]]:
            self.fails(2, *command, says=["a model of --split cv+:5 has intervals only"])
        self.fails(1, "predict", "m.taut", "new.csv", "--check-shift", says=["--check-shift", "has intervals only"])
        for bad, words in [("cv+:1", "at least 2"), ("cv+:x", "--split")]:
            self.fails(2, "fit", "d.csv", "--target", "y", "-o", "x.taut", "--split", bad, says=[words])

    def test_falling_back_is_said(self):
        table = [(x, z, y, y) for x, z, _, y in samples.rows(400)]  # exact predictions: nothing to adapt to
        self.write("d.csv", samples.csv(table, ["x", "z", "yhat", "y"]))
        done = self.taut("fit", "d.csv", "--target", "y", "--prediction", "yhat", "-o", "m.taut", "--verbose")
        self.assertIn("fell back", done.stderr)
        self.assertTrue(self.taut("info", "m.taut", "--json").json()["fell_back"])

    def test_a_level_below_one_half_is_a_confidence_and_noted(self):
        self.write("d.csv", samples.csv(samples.rows(200)))
        fit = ["fit", "d.csv", "--target", "y", "--predictor", "linear", "--sides", "one", "--epochs", "3", "-o", "m.taut", "--objective"]
        self.assertIn("level:alpha=0.1", self.taut(*fit, "level:0.1").stderr)
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["options"]["objective"], "level:confidence=0.1")
        self.assertNotIn("alpha", self.taut(*fit, "level:confidence=0.1").stderr)
        self.assertNotIn("confidence below", self.taut(*fit, "level:alpha=0.1").stderr)
        names = [one["name"] for one in self.taut("info", "m.taut", "--json").json()["candidates"]]
        self.assertEqual(names, ["fixed", "size", "level:alpha=0.1"])

    def test_one_width_everywhere_needs_rows_for_calibration_only(self):
        table = [(x, z, 2 * x - z, y) for x, z, _, y in samples.rows(30)]
        self.write("d.csv", samples.csv(table, ["x", "z", "yhat", "y"]))
        fit = ["fit", "d.csv", "--target", "y", "--prediction", "yhat", "--split", "0,0,0,1", "-o", "m.taut", "--localizer"]
        answers = []
        for localizer in ("none", "constant"):
            self.taut(*fit, localizer)
            answers.append(self.taut("predict", "m.taut", "d.csv").stdout)
        self.assertEqual(answers[0], answers[1])

    def test_predictions_of_another_model(self):
        table = [(x, z, 2 * x - z, y) for x, z, _, y in samples.rows(400)]
        self.write("d.csv", samples.csv(table, ["x", "z", "yhat", "y"]))
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "yhat", "--localizer", "none", "-o", "m.taut")
        names, values = samples.intervals(self.taut("predict", "m.taut", "d.csv").stdout)
        self.assertEqual(names, ["prediction", "lower_0.9", "upper_0.9"])
        self.assertEqual([row[0] for row in values], [row[2] for row in table])

    def test_calibration_rows_from_another_file(self):
        self.write("d.csv", samples.csv(samples.rows(300)))
        self.write("c.csv", samples.csv(samples.rows(150, seed=1)))
        self.taut("fit", "d.csv", "--target", "y", "--calibrate-with", "c.csv", "-o", "m.taut", *QUICK)
        rows = self.taut("info", "m.taut", "--json").json()["rows"]
        self.assertEqual((rows["predictor"], rows["calibration"]), (300, 150))

    def test_the_same_model_from_gzip_stdin_other_delimiters_and_line_ends(self):
        text = samples.csv(samples.rows(200))
        fit = ["--target", "y", "-o", "m.taut", *QUICK]
        self.write("d.csv", text)
        self.taut("fit", "d.csv", *fit)
        expected = self.predictions(text)
        self.write("d.csv.gz", gzip.compress(text.encode()))
        self.taut("fit", "d.csv.gz", *fit)
        self.assertEqual(self.predictions(text), expected)
        self.taut("fit", "-", *fit, stdin=text)
        self.assertEqual(self.predictions(text), expected)
        self.write("e.csv", "\ufeff" + text.replace(",", ";").replace("\n", "\r\n"))
        self.taut("fit", "e.csv", *fit)
        self.assertEqual(self.predictions(text), expected)
        self.write("f.csv", text.replace(",", "\t"))
        self.taut("fit", "f.csv", "--delimiter", "tab", *fit)
        self.assertEqual(self.predictions(text), expected)

    def predictions(self, text):
        return self.taut("predict", "m.taut", "-", stdin=text).stdout

    def test_dropped_columns_are_not_needed_later(self):
        self.write("d.csv", samples.csv(samples.rows(200)))
        self.taut("fit", "d.csv", "--target", "y", "--drop", "z", "--drop", "colour", "-o", "m.taut", *QUICK)
        self.taut("predict", "m.taut", "-", stdin="x\n0.5\n")

    def test_the_target_shows_what_it_can_take(self):
        self.write("d.csv", samples.csv([(x, z, c, abs(round(10 * y))) for x, z, c, y in samples.rows(100)]))
        done = self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.assertIn("--y-step 1 --y-min 0", done.stderr)
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--y-step", "1", "--y-min", "0", *QUICK)
        _, values = samples.intervals(self.taut("predict", "m.taut", "d.csv", "--confidence", "0.8").stdout)
        for row in values:
            for end in row[1:]:
                self.assertTrue(end >= 0 and end == int(end), row)


class Determinism(TautTest):
    def check(self, *options, rows=400):
        self.write("d.csv", samples.csv(samples.rows(rows)))
        files = []
        for threads in [1, 2, 3]:
            self.taut("fit", "d.csv", "--target", "y", "--threads", threads, "-o", "m.taut", *options)
            files.append((self.folder / "m.taut").read_bytes())
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])
        self.taut("fit", "d.csv", "--target", "y", "--seed", "1", "-o", "m.taut", *options)
        self.assertNotEqual(files[0], (self.folder / "m.taut").read_bytes())

    def test_linear_and_fixed(self):
        self.check(*QUICK)

    def test_neighbours_and_network(self):
        self.check("--predictor", "knn", "--localizer", "mlp", "--hidden", "20,20", "--epochs", "3")

    def test_trees(self):
        self.check("--predictor", "boost", "--epochs", "20", rows=300)


class BadData(TautTest):
    """Exit 1. The message names file, line, column, what was found, what is allowed and how to fix it."""

    def refused(self, text, *says, options=(), target="y"):
        self.write("d.csv", text)
        done = self.fails(1, "fit", "d.csv", "--target", target, "-o", "m.taut", *QUICK, *options, says=["taut: d.csv", *says])
        self.assertEqual(self.files(), ["d.csv"])
        return done

    def with_cell(self, text):
        table = [list(row) for row in samples.rows(100)]
        table[41][3] = text
        return samples.csv(table)

    def test_no_such_file(self):
        self.fails(1, "fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK, says=["d.csv", "no such file", "check the name"])

    def test_empty_file(self):
        self.refused("", "is empty", "header line")

    def test_header_only(self):
        self.refused("x,y\n", "no row", "add at least one line")

    def test_ragged_row(self):
        self.refused("x,y\n1,2\n3\n4,5\n", "line 3", "found 1 field", "2 columns", "'y'", "add what is missing")
        self.refused("x,y\n1,2\n3,4,5\n", "line 3", "2 columns")

    def test_unclosed_quote(self):
        self.refused('x,y\n1,2\n3,"4\n5,6\n', "line 3", "column 'y'", "never closed", "close it")

    def test_repeated_column_name(self):
        self.refused("x,y,x\n1,2,3\n", "'x (column 1)'", "'x (column 3)'", target="x")

    def test_unknown_columns(self):
        text = samples.csv(samples.rows(30))
        self.refused(text, "no column 'colouur'", "did you mean 'colour'", "x, z, colour, y", target="colouur")
        self.refused(text, "no column 'colours'", "did you mean 'colour'", options=["--drop", "x,colours"])
        self.write("d.csv", text)
        self.fails(1, "fit", "d.csv", "--target", "y", "--prediction", "prediction", "-o", "m.taut", says=["taut: d.csv", "no column 'prediction'"])

    def test_text_in_the_target(self):
        self.refused(self.with_cell("hot"), "line 43", "column 'y'", "'hot'", "must be a finite number")

    def test_missing_value_in_the_target(self):
        for cell in ["", "NaN", "NA", "null"]:
            self.refused(self.with_cell(cell), "line 43", "column 'y'", "target must be a finite number", "missing", "correct or remove the row")

    def test_infinity_in_the_target(self):
        for cell in ["inf", "-inf", "Infinity"]:
            self.refused(self.with_cell(cell), "line 43", "column 'y'", "finite number", "inf")

    def test_constant_target(self):
        self.refused(samples.csv([(*row[:3], 7) for row in samples.rows(40)]), "'y'", "7 in every row", "nothing to predict")

    def test_too_few_rows_for_the_split(self):
        done = self.refused(samples.csv(samples.rows(3)), "too few rows", "there are 3", "--split cross")
        least = int(re.search(r"at least (\d+)", done.stderr).group(1))
        self.refused(samples.csv(samples.rows(least - 1)), f"at least {least}")
        self.write("d.csv", samples.csv(samples.rows(least)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def test_too_few_rows_for_shares(self):
        options = ["--split", "0.4,0.3,0.1,0.2"]
        done = self.refused(samples.csv(samples.rows(4)), "too few rows", options=options)
        least = int(re.search(r"at least (\d+)", done.stderr).group(1))
        self.write("d.csv", samples.csv(samples.rows(least)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK, *options)


if __name__ == "__main__":
    main()

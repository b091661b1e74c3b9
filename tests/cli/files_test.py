"""Files as users have them: without a header, with comments, with other decimal points; and column names that are wrong."""
import gzip
import json

import samples
from harness import TautTest, main
from samples import QUICK

IRIS = "".join(f"{4 + r % 31 / 10:.1f},{r % 7},{['setosa', 'virginica'][r % 2]},{r % 13 * 0.5 + r % 2}\n" for r in range(300))


class NoHeader(TautTest):
    def test_every_command_reads_it(self):
        self.write("d.csv", IRIS)
        done = self.taut("fit", "d.csv", "--no-header", "--target", "column4", "-o", "m.taut", *QUICK)
        self.assertNotIn("looks like data", done.stderr)
        self.write("new.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in IRIS.splitlines()[:5]))
        self.write("named.csv", "column3,column1,column2\nsetosa,4.0,0\n")
        found = self.taut("predict", "m.taut", "new.csv", "--no-header", "--keep", "column3").stdout.splitlines()
        self.assertEqual((len(found), found[1].split(",")[0]), (6, "setosa"))
        self.assertEqual(self.taut("predict", "m.taut", "named.csv").stdout.splitlines()[1], found[1].split(",", 1)[1])
        for command in [["evaluate", "m.taut", "d.csv", "--json"], ["calibrate", "m.taut", "d.csv", "-o", "n.taut"], ["explain", "m.taut", "d.csv"],
                        ["update", "m.taut", "d.csv", "-o", "n.taut", "--allow-older"], ["stream", "m.taut", "d.csv", "--allow-older"],
                        ["look", "d.csv"]]:
            self.taut(*command, "--no-header")
        self.assertEqual(self.taut("evaluate", "m.taut", "d.csv", "--no-header", "--json").json()["rows"], 300)

    def test_a_forgotten_option_is_named(self):
        self.write("d.csv", IRIS)
        said = self.taut("fit", "d.csv", "--target", "0.0", "-o", "m.taut", *QUICK).stderr
        self.assertIn("warning: d.csv: the first line looks like data ('4.0', '0', 'setosa', '0.0'), but it is read as the names", said)
        self.fails(1, "fit", "d.csv", "--target", "species", "-o", "m.taut", says=["--no-header", "'species'"])
        self.taut("fit", "d.csv", "--no-header", "--target", "column4", "-o", "m.taut", *QUICK)
        self.fails(1, "predict", "m.taut", "d.csv", says=["'column1', 'column2', 'column3'", "give --no-header"])
        self.write("short.csv", "4.1,3\n")
        self.fails(1, "predict", "m.taut", "short.csv", "--no-header", says=["'column3'", "column1 to column2"])


class Forms(TautTest):
    """The same rows in other forms give the same model and predictions."""

    def test_comments_and_blanks_by_every_way_in(self):
        rows = samples.rows(200)
        self.write("d.csv", samples.csv(rows))
        blanks = "# made by hand\n" + samples.csv(rows).replace(",", "   ")
        self.write("d.txt", blanks)
        self.write("d.gz", gzip.compress(blanks.encode()))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        expected = self.taut("predict", "m.taut", "d.csv").stdout
        self.assertEqual(self.taut("predict", "m.taut", "d.txt").stdout, expected)
        self.assertEqual(self.taut("predict", "m.taut", "d.gz").stdout, expected)
        self.assertEqual(self.taut("predict", "m.taut", "-", stdin=blanks).stdout, expected)
        commented = samples.csv(rows).replace("\n", "\n# a \"comment\n", 1)
        self.assertEqual(self.taut("predict", "m.taut", "-", stdin="# first\n" + commented).stdout, expected)
        self.taut("fit", "d.txt", "--target", "y", "-o", "n.taut", *QUICK)
        self.assertEqual(self.taut("predict", "n.taut", "d.csv").stdout, expected)
        self.assertEqual(json.loads(self.taut("look", "d.txt", "--json").stdout)["delimiter"], " ")
        lines = self.taut("stream", "m.taut", "-", stdin="# first\n# second\n" + samples.csv(rows)).stdout
        self.assertEqual(lines, self.taut("stream", "m.taut", "-", stdin=samples.csv(rows)).stdout)

    def test_a_header_that_begins_with_a_mark(self):
        rows = samples.rows(200)
        self.write("d.csv", "#" + samples.csv(rows))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.write("plain.csv", samples.csv(rows))
        self.assertEqual(self.taut("predict", "m.taut", "d.csv").stdout, self.taut("predict", "m.taut", "plain.csv").stdout)

    def test_other_formats_are_refused_by_every_command(self):
        self.write("d.csv", samples.csv(samples.rows(100)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.write("a.rds", gzip.compress(b"X\n\0\0\0\3\0\4\3\1\0\3\5\0"))
        for command in [["fit", "a.rds", "--target", "y", "-o", "n.taut"], ["look", "a.rds"], ["predict", "m.taut", "a.rds"],
                        ["evaluate", "m.taut", "a.rds"], ["stream", "m.taut", "a.rds"]]:
            self.fails(1, *command, says=["a.rds: this is an object of R", "Rscript -e 'write.csv(readRDS(\"a.rds\")"])
        self.fails(1, "predict", "m.taut", "-", stdin='{"x": 1}\n', says=["JSON lines", "read_json(\"FILE\", lines=True)"])


class WrittenDifferently(TautTest):
    """--decimal, --na and --skip-missing-target for new rows."""

    def setUp(self):
        super().setUp()
        self.rows = samples.rows(400)
        self.write("d.csv", samples.csv(self.rows))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.fresh = samples.rows(200, seed=1)
        self.write("fresh.csv", samples.csv(self.fresh))
        self.commas = samples.csv(self.fresh).replace(",", ";").replace(".", ",")
        self.write("commas.csv", self.commas)

    def test_decimal_commas(self):
        plain = self.taut("predict", "m.taut", "fresh.csv").stdout
        self.assertEqual(self.taut("predict", "m.taut", "commas.csv", "--decimal", ",").stdout, plain)
        said = self.taut("predict", "m.taut", "commas.csv", "--alarms", "alarms.json").stderr
        self.assertIn("the column 'x' cannot be used: all 200 cells are texts such as", said)
        self.assertIn("the model was trained on numbers with decimal points; --decimal , reads these", said)
        self.assertEqual([(alarm["kind"], alarm["column"]) for alarm in json.loads(self.read("alarms.json"))["alarms"]],
                         [("unusable_columns", "x"), ("unusable_columns", "z")])
        self.assertEqual(self.run_taut("predict", "m.taut", "commas.csv", "--strict").code, 3)
        evaluated = self.taut("evaluate", "m.taut", "fresh.csv").stdout
        for more in ([], ["--by", "colour"], ["--by", "x:3"]):
            with self.subTest(more):
                self.assertEqual(self.taut("evaluate", "m.taut", "commas.csv", "--decimal", ",", *more).stdout,
                                 self.taut("evaluate", "m.taut", "fresh.csv", *more).stdout)
        self.assertEqual(self.taut("evaluate", "m.taut", "-", "--decimal", ",", stdin=self.commas).stdout, evaluated)
        for name, options in (("fresh.csv", []), ("commas.csv", ["--decimal", ","])):
            for more in ([], ["--by", "colour"]):
                self.taut("calibrate", "m.taut", name, "-o", name + "".join(more) + ".taut", *options, *more)
            self.taut("update", "m.taut", name, "-o", name + ".updated", *options)
            self.write(name + ".streamed", self.taut("stream", "m.taut", name, *options).stdout)
        for end in (".taut", "--bycolour.taut", ".updated"):
            self.assertEqual(self.taut("predict", "commas.csv" + end, "fresh.csv").stdout, self.taut("predict", "fresh.csv" + end, "fresh.csv").stdout)
        self.assertEqual(self.read("commas.csv.streamed"), self.read("fresh.csv.streamed"))
        self.fails(2, "predict", "m.taut", "commas.csv", "--decimal", ";", says=["--decimal is '.' or ','"])

    def test_missing_words(self):
        self.write("new.csv", "x,z,colour\nunknown,1,red\n-99,1,red\n,1,red\n")
        lines = self.taut("predict", "m.taut", "new.csv", "--na=unknown,-99").stdout.splitlines()
        self.assertEqual(lines[1:3], [lines[3], lines[3]])
        said = self.taut("predict", "m.taut", "new.csv", "--na=unknown,-99,red").stderr
        self.assertIn("'red' stays a category of 'colour'", said)
        self.write("words.csv", samples.csv([("soon", *rest) for _, *rest in self.fresh]))
        self.assertIn("if 'soon' means a missing cell, --na 'soon' says so", self.taut("predict", "m.taut", "words.csv").stderr)
        self.assertIn("is empty in all 200 rows", self.taut("predict", "m.taut", "words.csv", "--na", "soon").stderr)

    def test_rows_without_a_target(self):
        self.write("gaps.csv", samples.csv([(x, z, colour, "" if i % 4 == 0 else y) for i, (x, z, colour, y) in enumerate(self.fresh)]))
        for command in (["evaluate", "m.taut", "gaps.csv"], ["calibrate", "m.taut", "gaps.csv", "-o", "n.taut"],
                        ["evaluate", "m.taut", "gaps.csv", "--by", "colour"]):
            with self.subTest(command):
                self.fails(1, *command, says=["line 2", "--skip-missing-target leaves out rows without a target"])
                self.assertIn("50 rows without a target left out", self.taut(*command, "--skip-missing-target").stderr)
        self.fails(1, "evaluate", "n.taut", "gaps.csv", says=["line 2"])  # the option is not part of the new model
        self.write("names.csv", samples.csv([(x, z, colour, "ab"[y > 0]) for x, z, colour, y in self.rows]))
        self.taut("fit", "names.csv", "--target", "y", "-o", "l.taut", "--effort", "quick")
        self.write("names.csv", samples.csv([(x, z, colour, "" if i % 4 == 0 else "ab"[y > 0]) for i, (x, z, colour, y) in enumerate(self.fresh)]))
        self.fails(1, "evaluate", "l.taut", "names.csv", says=["--skip-missing-target"])
        self.assertIn("50 rows without a target left out", self.taut("evaluate", "l.taut", "names.csv", "--skip-missing-target").stderr)


class Unusable(TautTest):
    """A column of which no cell can be used is always an alarm that says why."""

    def fit(self, column, *options, rows=300):
        self.write("d.csv", "k,x,y\n" + "".join(f"{column(r)},{r % 11},{r % 7 + r % 11}\n" for r in range(rows)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK, *options)

    def alarms(self, *cells):
        self.write("new.csv", "k,x\n" + "".join(f"{cell},3\n" for cell in cells))
        self.taut("predict", "m.taut", "new.csv", "--alarms", "alarms.json")
        return [(alarm["kind"], alarm["words"]) for alarm in json.loads(self.read("alarms.json"))["alarms"]]

    def one(self, kind, says, *cells):
        (found, words), = self.alarms(*cells)
        self.assertEqual(found, kind)
        for text in says:
            self.assertIn(text, words)

    def test_categories(self):
        self.fit(lambda r: ["red", "blue"][r % 2])
        self.one("unusable_columns", ["all 3 cells are categories", "'rot', 'blau'", "'red'", "'blue'"], "rot", "blau", "rot")
        self.one("unseen_categories", ["1 row has"], "rot", "red")
        self.one("unseen_categories", ["1 row has"], "rot")
        self.one("empty_columns", ["is empty in all 2 rows"], "", "")
        self.assertEqual(self.alarms(""), [])

    def test_dates(self):
        self.fit(lambda r: f"{1 + r % 28}.{1 + r % 12}.2021")
        self.one("unusable_columns", ["all 2 cells are texts such as '31/31/2021'", "the day before the month"], "31/31/2021", "30/30/2021")
        self.one("text_among_numbers", ["1 row has"], "31/31/2021", "1.2.2021")

    def test_booleans_and_numbers(self):
        self.fit(lambda r: ["yes", "no"][r % 2])
        self.one("unusable_columns", ["two words such as yes and no"], "ja", "nein")
        self.fit(lambda r: f"${r % 50}.50")
        self.one("unusable_columns", ["the model was trained on numbers such as $"], "5 of 9", "6 of 9")
        self.fit(lambda r: f'"{r % 50},5"')
        self.one("unusable_columns", ["decimal commas; --decimal . reads these"], "1.52", "2.57")

    def test_a_column_that_training_rows_lack_at_times(self):
        self.fit(lambda r: r % 9 if r % 3 else "")
        self.assertEqual(self.alarms("", ""), [])


class Names(TautTest):
    """Every name of a column is checked before anything is trained."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(3000)))

    def fit_fails(self, *options, says, code=1):
        """That nothing is trained is tested by NamedColumns of tests/model/named_columns_test.cpp."""
        self.fails(code, "fit", "d.csv", "-o", "m.taut", *options, says=says)
        self.assertNotIn("m.taut", self.files())

    def test_in_every_option(self):
        target = ["--target", "y"]
        for options in (["--by", "color"], ["--by", "color:5"], ["--keep-together", "color"], ["--order-by", "color"], ["--drop", "color"],
                        ["--in-order", "--lags", "1", "--past-of", "color"], ["--prediction", "color"]):
            with self.subTest(options):
                self.fit_fails(*target, *options, says=["'color' (did you mean 'colour'?)", options[-2], "the columns are: x, z, colour, y"])
        for options in (["--categorical", "color"], ["--date", "color:dmy"], ["--ordered", "color:a<b"], ["--numeric", "color"]):
            with self.subTest(options):
                self.fit_fails(*target, *options, says=["'color' (did you mean 'colour'?)"])
        self.fit_fails("--target", "Y ", "--by", "color", says=["'Y ' (did you mean 'y'?), which --target names; 'color'", "which --by names"])

    def test_values_of_groups(self):
        self.fit_fails("--target", "y", "--by", "colour:5", says=["holds categories"], code=2)
        self.fit_fails("--target", "y", "--by", "x:1", says=["2 to 1,000 parts"], code=2)
        self.fit_fails("--target", "y", "--by", "x:5,x:5", says=["twice"], code=2)
        self.fit_fails("--target", "y", "--by", "prediction", says=["prediction:5"], code=2)

    def test_in_the_calibration_file(self):
        self.write("c.csv", samples.csv([row[1:] for row in samples.rows(100, seed=1)], ("Z", "color", "y")))
        self.fit_fails("--target", "y", "--calibrate-with", "c.csv",
                       says=["c.csv: there are no columns 'x', 'z' (did you mean 'Z'?), 'colour' (did you mean 'color'?)"])
        self.fit_fails("--target", "y", "--calibrate-with", "c.csv", "--by", "colour", says=["c.csv", "'colour'"])
        rows = samples.rows(100, seed=1)
        self.write("c.csv", samples.csv([*rows, (*rows[0][:3], "")]))
        self.fit_fails("--target", "y", "--calibrate-with", "c.csv", says=["c.csv, line 102", "--skip-missing-target"])

    def test_in_evaluations_and_streams(self):
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        for command in (["evaluate", "m.taut", "d.csv"], ["calibrate", "m.taut", "d.csv", "-o", "n.taut"],
                        ["report", "m.taut", "d.csv", "-o", "r.html", "--learning-curve", "d.csv"]):
            self.fails(1, *command, "--by", "color", says=["'color' (did you mean 'colour'?)"])
        self.fails(1, "stream", "m.taut", "d.csv", "--history", "d.csv", "--save", "s.taut", "--keep", "color", says=["did you mean 'colour'?"])
        self.assertNotIn("s.taut", self.files())

    def test_renamed_columns_are_listed_at_once(self):
        rows = [(r % 7, r % 5, r % 3, r % 11) for r in range(200)]
        self.write("d.csv", samples.csv(rows, ("education", "lot_size", "SalePrice", "y")))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.write("new.csv", samples.csv(rows, ("educ", "lot size", "Sale_Price", "y")))
        said = ["there are no columns 'education' (did you mean 'educ'?), 'lot_size' (did you mean 'lot size'?), "
                "'SalePrice' (did you mean 'Sale_Price'?); the columns are: educ, lot size, Sale_Price, y"]
        for command in ("predict", "evaluate"):
            self.fails(1, command, "m.taut", "new.csv", says=said)


class BadLines(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(300)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.rows = samples.rows(50, seed=1)
        lines = samples.csv(self.rows).splitlines()
        self.bad = "\n".join([*lines[:11], "1,2,red", '1,"2,red,3', *lines[11:21], "1,2,red,many", "1,2,red,3,4", *lines[21:]]) + "\n"
        self.write("good.csv", samples.csv(self.rows))
        self.write("bad.csv", self.bad)

    def test_are_skipped_and_counted(self):
        expected = self.taut("stream", "m.taut", "good.csv", "--save", "good.taut").stdout
        for source, given in (("bad.csv", None), ("-", self.bad)):
            done = self.taut("stream", "m.taut", source, "--skip-bad-lines", "--save", "bad.taut", stdin=given)
            self.assertEqual(done.stdout, expected)
            self.assertIn("4 bad lines skipped", done.stderr)
            self.assertIn("line 12: found 3 fields", done.stderr)
            self.assertEqual(self.taut("predict", "bad.taut", "d.csv").stdout, self.taut("predict", "good.taut", "d.csv").stdout)
        self.assertNotIn("bad.taut.journal", self.files())
        self.assertNotIn("skipped", self.taut("stream", "m.taut", "good.csv", "--skip-bad-lines").stderr)

    def test_the_rows_before_are_learnt_without_the_option(self):
        self.write("first.csv", samples.csv(self.rows[:10]))
        expected = self.taut("stream", "m.taut", "first.csv", "--save", "first.taut").stdout
        for source, given in (("bad.csv", None), ("-", self.bad)):
            done = self.run_taut("stream", "m.taut", source, "--save", "some.taut", stdin=given)
            self.assertEqual((done.code, done.stdout), (1, expected))
            for words in ("line 12: found 3 fields", "10 rows before it are answered", "the model after them is in 'some.taut'", "--skip-bad-lines"):
                self.assertIn(words, done.stderr)
            self.assertEqual(self.taut("predict", "some.taut", "d.csv").stdout, self.taut("predict", "first.taut", "d.csv").stdout)
            self.assertNotIn("some.taut.journal", self.files())
        self.fails(1, "stream", "m.taut", "bad.csv", "-o", "out.csv", says=["10 rows before it have no answers in 'out.csv'", "not kept"])
        self.assertNotIn("out.csv", self.files())


if __name__ == "__main__":
    main()

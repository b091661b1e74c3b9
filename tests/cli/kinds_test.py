"""Kinds of columns: the training rows decide them, and every command reads a cell in the same way."""
import json
import random

import samples
from harness import ROOT, TautTest, main

# Cells that the training rows do not have: texts in numeric columns, new values, empty cells.
ODD = [("??", 0.5, "red", 1.0), (0.25, "few", "violet", 0.0), ("", "", "", -1.0), (0.5, 1.0, "7", 2.0), ("inf", -0.5, " red", 1.5),
       ("1e999", 0.125, "blue", 0.25), ("+0.5", 1.0, "green", 2.0)]
PARTS = [("linear", "none"), ("knn", "mlp"), ("boost", "boost")]


def rows(count, seed=0):
    """Rows with missing cells and a value that occurs once."""
    table = [list(row) for row in samples.rows(count, seed)]
    for i, row in enumerate(table):
        if i % 10 == 3:
            row[0] = ""
        if i % 10 == 5:
            row[2] = "NA" if i % 20 == 5 else f"once {i}"
    return table


class Interfaces(TautTest):
    def fit(self, name, predictor, localizer, *options):
        self.taut("fit", "d.csv", "--target", "y", "-o", name, "--predictor", predictor, "--localizer", localizer, "--effort", "quick",
                  "--hidden", "4", "--epochs", "3", *options)

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(rows(300)))
        self.write("fresh.csv", samples.csv(rows(60, seed=1)))
        self.write("odd.csv", samples.csv(rows(40, seed=2) + ODD))

    def test_every_command_reads_the_same(self):
        for predictor, localizer in PARTS:
            self.fit("odd.taut", predictor, localizer, "--calibrate-with", "odd.csv")
            self.fit("fresh.taut", predictor, localizer, "--calibrate-with", "fresh.csv")
            self.taut("calibrate", "fresh.taut", "odd.csv", "-o", "again.taut")
            self.assertEqual((self.folder / "odd.taut").read_bytes(), (self.folder / "again.taut").read_bytes(), predictor)

    def test_no_cell_of_an_input_is_refused(self):
        for predictor, localizer in PARTS:
            self.fit("m.taut", predictor, localizer)
            _, found = samples.intervals(self.taut("predict", "m.taut", "odd.csv").stdout)
            self.assertEqual(len(found), 47)
            self.assertTrue(all(None not in row for row in found), predictor)
            for name, cell in [("x", "??"), ("z", ""), ("colour", "violet")]:
                row = dict(x="0.5", z="1", colour="red") | {name: cell}
                text = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
                self.assertIn(".", self.taut("predict", "m.taut", "-", stdin=text).stdout.split("\n")[1])

    def test_the_target_must_be_a_number(self):
        self.fit("m.taut", "linear", "none")
        for cell, found in [("??", "'??'"), ("", "missing"), ("inf", "inf")]:
            self.write("bad.csv", samples.csv([*rows(30), (0.5, 1.0, "red", cell)]))
            for command in [("fit", "bad.csv", "--target", "y", "-o", "n.taut"), ("calibrate", "m.taut", "bad.csv", "-o", "n.taut"),
                            ("fit", "d.csv", "--target", "y", "-o", "n.taut", *samples.QUICK, "--calibrate-with", "bad.csv"),
                            ("evaluate", "m.taut", "bad.csv")]:
                self.fails(1, *command, says=["bad.csv", "line 32", "'y'", found])

    def test_columns_are_what_training_rows_say(self):
        """One text in the training rows makes a numeric column a category. The cells of other files do not."""
        self.fit("m.taut", "linear", "none", "--calibrate-with", "odd.csv")
        columns = {column["name"]: column for column in json.loads(self.taut("info", "m.taut", "--json").stdout)["columns"]}
        self.assertEqual([columns[name]["kind"] for name in ("x", "z", "colour")], ["number", "number", "category"])
        self.assertEqual(sorted(columns["colour"]["categories"][:3]), ["blue", "green", "red"])
        self.assertNotIn("violet", columns["colour"]["categories"])


def schools(count, seed=0):
    """(obs, schoolid, x, y): schools with neighbouring numbers have nothing in common."""
    draw = random.Random(seed)
    effects = random.Random(1).sample(range(20), 20)
    result = []
    for i in range(count):
        school, x = draw.randrange(20), draw.gauss(0, 1)
        result.append((i + 1, 1001 + school, x, effects[school] + x + draw.gauss(0, 0.5)))
    return result


class Ids(TautTest):
    NAMES = ("obs", "schoolid", "x", "y")

    def fit(self, *options):
        self.write("d.csv", samples.csv(schools(300), self.NAMES))
        return self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *samples.QUICK, *options)

    def info(self):
        facts = json.loads(self.taut("info", "m.taut", "--json").stdout)
        return {one["name"]: one["kind"] for one in facts["columns"]}, {one["name"]: one for one in facts["column_notes"]}

    def test_ids_become_categories_and_row_numbers_are_left_out(self):
        told = self.fit()
        kinds, notes = self.info()
        self.assertEqual(kinds["schoolid"], "category")
        self.assertNotIn("obs", kinds)
        self.assertIn("--numeric 'schoolid'", notes["schoolid"]["words"])
        self.assertIn("--keep-together 'schoolid'", told.stdout + told.stderr)
        self.assertTrue(notes["obs"]["left_out"])
        self.assertIn("--numeric 'obs'", notes["obs"]["words"])
        self.fit("--numeric", "schoolid,obs")
        self.assertEqual([self.info()[0][name] for name in ("schoolid", "obs")], ["number", "number"])

    def test_new_rows_find_their_id_by_value(self):
        self.fit()
        spellings = {}
        for cell in ("1003", "01003", "1003.0", " 1003", "1004", "77"):
            spellings[cell] = self.taut("predict", "m.taut", "-", stdin=f"schoolid,x\n{cell},0\n").stdout
        self.assertEqual(len({spellings[cell] for cell in ("1003", "01003", "1003.0", " 1003")}), 1)
        self.assertEqual(len(set(spellings.values())), 3)

    def test_few_rows_are_told_of_cv_plus(self):
        self.write("few.csv", samples.csv(samples.rows(45)))
        told = self.taut("fit", "few.csv", "--target", "y", "-o", "m.taut", *samples.QUICK)
        self.assertIn("--split cv+", told.stdout + told.stderr)
        told = self.taut("fit", "few.csv", "--target", "y", "-o", "m.taut", "--split", "cv+", *samples.QUICK)
        self.assertNotIn("narrower as a rule", told.stdout + told.stderr)


def arthritis(count=84):
    """Like a clinical trial whose outcome is None, Some or Marked."""
    rows = []
    for i in range(count):
        treated, age = i % 2, 25 + i * 13 % 50
        improved = ["None", "Some", "Marked"][(treated * 2 + (age > 50) + i // 7) % 3 if i % 3 else 0]
        rows.append(f"{'Treated' if treated else 'Placebo'},{'Male' if i % 5 else 'Female'},{age},{improved}")
    return "Treatment,Sex,Age,Improved\n" + "\n".join(rows) + "\n"


def notes(test):
    """What the fit said about the columns that are not plainly numeric."""
    return "\n".join(note["words"] for note in test.taut("info", "m.taut", "--json").json()["column_notes"])


class NoneAsAValue(TautTest):
    """None is a class and a level. Among numbers it is a missing cell."""

    def fit(self, *options, code=0, data="d.csv", target="Improved"):
        done = self.run_taut("fit", data, "--target", target, "-o", "m.taut", "--effort", "quick", *options)
        self.assertEqual(done.code, code, f"\n{done}")
        return done.stderr

    def test_a_class(self):
        text = arthritis()
        nones = text.count(",None\n")
        self.write("d.csv", text)
        for options in ([], ["--skip-missing-target"]):
            self.assertNotIn("without a target", self.fit(*options))
            self.assertIn("is a class; --na 'None' makes it missing", notes(self))
            judged = self.taut("evaluate", "m.taut", "d.csv", "--json").json()
            self.assertEqual((judged["rows"], judged["labels"]), (84, ["Marked", "None", "Some"]))
            self.assertIn("None", self.taut("predict", "m.taut", "d.csv").stdout)
        said = self.fit("--na", "None", code=1)
        self.assertIn("missing value", said)
        said = self.fit("--na", "none", "--skip-missing-target")
        self.assertIn(f"{nones} rows without a target left out", said)
        self.assertEqual(self.taut("evaluate", "m.taut", "d.csv", "--json").json()["labels"], ["Marked", "Some"])

    def test_a_target_of_numbers(self):
        lines = [f"{i},{'None' if i % 9 == 0 else i % 7}" for i in range(99)]
        self.write("d.csv", "x,y\n" + "\n".join(lines) + "\n")
        self.assertIn("missing value", self.fit(target="y", code=1))
        self.assertIn("11 rows without a target left out", self.fit("--skip-missing-target", *samples.QUICK, target="y"))
        self.assertEqual(self.taut("evaluate", "m.taut", "d.csv", "--json").json()["rows"], 88)

    def test_the_model_decides_about_new_rows(self):
        lines = [f"{i % 11},{['None', 'Driver', 'Driver & Passenger'][i % 3]},{['a', 'b'][i % 2]},{i % 7}" for i in range(99)]
        self.write("d.csv", "x,bags,kind,y\n" + "\n".join(lines) + "\n")
        self.fit(*samples.QUICK, target="y")
        self.assertIn("is a value of this category; --na 'None' makes it missing", notes(self))
        columns = {column["name"]: column for column in self.taut("info", "m.taut", "--json").json()["columns"]}
        self.assertIn("None", columns["bags"]["categories"])
        self.write("new.csv", "x,bags,kind\nNone,None,a\n.,None,a\n,None,a\n1, None ,a\n1,None,a\n1,,a\n1,None,None\n1,None,zz\n")
        done = self.taut("predict", "m.taut", "new.csv")
        lines = done.stdout.splitlines()[1:]
        self.assertEqual(len({lines[0], lines[1], lines[2]}), 1)  # missing numbers
        self.assertEqual(lines[3], lines[4])
        self.assertNotEqual(lines[4], lines[5])  # a level is not a missing cell
        self.assertEqual(lines[6], lines[7])  # None is an unseen value of `kind`
        self.assertIn("'None'", done.stderr)
        self.assertNotIn("column 'x'", done.stderr)

    def test_a_file_of_before_reads_none_as_it_did(self):
        """The file has the colours red, green and blue."""
        old = ROOT / "tests" / "model" / "old" / "0.2" / "linear-none.taut"
        rows = ["1,2,", "1,2,None", "1,2,none", "1,2,violet", "1,2, red", "1,2,Red", "1,2,red", ".,2,red", ",2,red"]
        self.write("new.csv", "x,z,colour,f\n" + "".join(f"{row},3\n" for row in rows))
        for name in ("again.taut", old):
            if name != old:
                self.taut("calibrate", old, old.with_name("rows.csv"), "-o", "again.taut")  # rewritten by this version
            done = self.taut("predict", name, "new.csv")
            lines = done.stdout.splitlines()[1:]
            self.assertEqual(lines[0], lines[1])
            self.assertEqual(lines[0], lines[2])
            self.assertEqual(lines[3], lines[4])  # unseen, as before
            self.assertEqual(lines[3], lines[5])
            self.assertNotEqual(lines[3], lines[6])
            self.assertEqual(lines[7], lines[8])
            self.assertIn("'.'", done.stderr)  # it was a text among numbers


class Formats(TautTest):
    def fit(self, cell, *options):
        lines = [f"{cell(i)},{i % 5},{i % 7 + (i % 3) / 3}" for i in range(120)]
        self.write("d.csv", "c,x,y\n" + "\n".join(lines) + "\n")
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *samples.QUICK, *options)
        return notes(self)

    def predictions(self, *cells):
        self.write("new.csv", "c,x\n" + "".join(f"{cell},1\n" for cell in cells))
        return self.taut("predict", "m.taut", "new.csv").stdout.splitlines()[1:]

    def test_spellings_are_joined_by_the_model(self):
        said = self.fit(lambda i: ["Male", "male", " Female", "Female"][i % 4])
        self.assertIn("are one value", said)
        male, capitals, blanks, female = self.predictions("male", "MALE", "  Male", "female\u00a0")
        self.assertEqual(male, capitals)
        self.assertEqual(male, blanks)
        self.assertNotEqual(male, female)
        self.fit(lambda i: ["Male", "Female"][i % 2])  # without such pairs case counts
        self.assertEqual(*self.predictions("MALE", "nothing"))

    def test_labels_have_the_more_frequent_spelling(self):
        lines = [f"{i % 11},{['Yes', 'yes', 'Yes', 'no '][i % 4]}" for i in range(120)]
        self.write("d.csv", "x,y\n" + "\n".join(lines) + "\n")
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--effort", "quick")
        self.assertIn("one value", notes(self))
        judged = self.taut("evaluate", "m.taut", "d.csv", "--json").json()
        self.assertEqual((judged["rows"], judged["labels"]), (120, ["Yes", "no"]))

    def test_periods_durations_and_ranges_at_prediction(self):
        said = self.fit(lambda i: f"{1998 + i // 4} Q{1 + i % 4}")
        self.assertIn("date, 1998-", said)
        self.assertEqual(*self.predictions("2001-04-01", "Q2 2001"))
        said = self.fit(lambda i: f"{2 + i % 3}:{10 + i % 50}.4")
        self.assertIn("number of seconds", said)
        self.assertEqual(*self.predictions("3:00", "180"))
        said = self.fit(lambda i: ["0-4", "5-9", "10+"][i % 3])
        self.assertIn("ordered category", said)
        self.assertEqual(*self.predictions(" 5-9", "5-9"))
        said = self.fit(lambda i: 20140501 + i % 31)
        self.assertIn("--numeric 'c'", said)
        self.assertEqual(*self.predictions("20140517", "2014-05-17"))
        said = self.fit(lambda i: f"{1 + i % 28}.4.{40 + i % 50}")
        self.assertIn("last century", said)
        self.assertEqual(*self.predictions("3.4.45", "1945-04-03"))

    def test_all_unclear_columns_at_once(self):
        lines = [f"{i if i % 4 else 'abc'},0{1 + i % 9}/05/2014,{f'2/{1 + i % 28}/1901' if i % 6 else 'later'},{i % 7}" for i in range(120)]
        self.write("d.csv", "n,d,e,y\n" + "\n".join(lines) + "\n")
        done = self.fails(1, "fit", "d.csv", "--target", "y", "-o", "m.taut", says=[
            "d.csv: 3 columns are unclear:", "'n': a number in 80.2 % of its cells", "'abc'", "--numeric 'n'", "'d': dates such as", "--date 'd:dmy'",
            "'e': a date in 85.4 % of its cells", "'later'", "--drop 'e'"])
        self.assertNotIn("such as '2/", done.stderr.partition("'e'")[2])
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--numeric", "n", "--date", "d:dmy", "--drop", "e", *samples.QUICK)


if __name__ == "__main__":
    main()

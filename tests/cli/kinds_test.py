"""Kinds of columns: the training rows decide them, and every command reads a cell in the same way."""
import json
import random

import samples
from harness import TautTest, main

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
        self.fit()
        kinds, notes = self.info()
        self.assertEqual(kinds["schoolid"], "category")
        self.assertNotIn("obs", kinds)
        for words in ("--numeric 'schoolid'", "--keep-together 'schoolid'"):
            self.assertIn(words, notes["schoolid"]["words"])
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


if __name__ == "__main__":
    main()

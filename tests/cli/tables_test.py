"""look: the tables of nasty_tables.py are read as expected."""
import json
import unittest

import nasty_tables
from harness import TautTest, main
from samples import QUICK


class NastyTables(TautTest):
    def look(self, case):
        path = self.write("t.csv", case.content)
        if case.error:
            self.fails(case.code, "look", path, *case.options, says=case.error)
            return
        done = self.taut("look", path, "--json", *case.options)
        for words in case.warns or ():
            self.assertIn(words, done.stderr)
        if case.warns == ():
            self.assertEqual(done.stderr, "")
        found = json.loads(done.stdout)
        self.assertEqual(found["rows"], case.rows)
        columns = {column["name"]: column for column in found["columns"]}
        for name, expected in case.columns.items():
            self.assertIn(name, columns)
            for key, wanted in expected.items():
                if key == "says":
                    for word in wanted:
                        self.assertIn(word, columns[name]["words"])
                else:
                    self.assertEqual(columns[name].get(key), wanted, f"{name}: {key}: {columns[name]}")
        for kind in case.left_out:
            self.assertIn(kind, [column["kind"] for column in columns.values() if column["use"] == "left out"])


def named(case):
    return "test_" + "".join(c if c.isalnum() else "_" for c in case.name)


for number, case in enumerate(nasty_tables.CASES):
    setattr(NastyTables, f"{named(case)}_{number}", lambda self, case=case: self.look(case))


class AtPrediction(TautTest):
    """New files are read by the model's kinds, formats and missing words."""

    def fit(self, content, *options):
        self.write("d.csv", content)
        return self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK, *options).stderr

    def predict(self, content):
        self.write("new.csv", content)
        return self.taut("predict", "m.taut", "new.csv")

    def test_missing_words_are_the_models(self):
        rows = "".join(f"{-999 if r % 5 == 0 else r},{150 if r % 5 == 0 else r}\n" for r in range(200))
        self.fit("x,y\n" + rows, "--na=-999")
        lines = self.predict("x,other\n-999,a\n,a\n").stdout.splitlines()
        self.assertEqual(lines[1], lines[2])
        self.assertEqual(self.taut("evaluate", "m.taut", "d.csv", "--json").json()["rows"], 200)

    def test_rows_without_a_target_are_left_out_by_every_command(self):
        said = self.fit("x,y\n" + "".join(f"{r},{'' if r % 10 == 0 else r % 7}\n" for r in range(200)), "--skip-missing-target")
        self.assertIn("20 rows without a target left out", said)
        for command in (["evaluate", "m.taut", "d.csv"], ["calibrate", "m.taut", "d.csv", "-o", "m2.taut"]):
            self.assertIn("20 rows without a target left out", self.taut(*command).stderr)
        self.fails(1, "fit", "d.csv", "--target", "y", "-o", "m3.taut", says=["--skip-missing-target"])

    def test_day_and_month_are_not_guessed(self):
        self.fit("d,y\n" + "".join(f"2021-{1 + r % 12:02}-{1 + r % 28:02},{r % 12}\n" for r in range(200)))
        done = self.predict("d\n03/04/2021\n,\n".replace(",\n", "\n") + "2021-04-03\n")
        self.assertIn("'03/04/2021'", done.stderr)

    def test_numbers_may_be_written_in_any_way(self):
        rows = range(200)
        plain = "x,y\n" + "".join(f"{1000 + 7 * r},{r % 50}\n" for r in rows)
        self.fit(plain)
        expected = self.predict("x\n1234\n1999\n").stdout
        for write in (lambda v: f'"${v:,}"', lambda v: f'"{v:,}.00 EUR"', lambda v: f"{v}.0%", lambda v: f'"{v},0"'):
            with self.subTest(write(1234)):
                self.fit("x,y\n" + "".join(f"{write(1000 + 7 * r)},{r % 50}\n" for r in rows))
                self.assertEqual(self.predict(f"x\n{write(1234)}\n{write(1999)}\n").stdout, expected)

    def test_a_target_in_dollars(self):
        self.fit("x,y\n" + "".join(f'{r},"${1000 + r % 50:,}.50"\n' for r in range(200)))
        self.assertEqual(self.taut("evaluate", "m.taut", "d.csv", "--json").json()["rows"], 200)
        self.taut("predict", "m.taut", "d.csv", "--p-value", "y")
        self.assertIn("written like $1,234.5", self.taut("info", "m.taut").stdout)

    def test_targets_that_are_no_numbers(self):
        rows = range(60)
        for name, cell, word in (("text", lambda r: "abc"[r % 3], "holds texts"), ("dates", lambda r: f"2021-01-{1 + r % 28:02}", "holds texts")):
            self.write(f"{name}.csv", "x,y\n" + "".join(f"{r},{cell(r)}\n" for r in rows))
            self.fails(1, "fit", f"{name}.csv", "--target", "y", "--task", "regression", "-o", "m.taut", says=["'y'", word])


class Collection(unittest.TestCase):
    def test_there_are_enough(self):
        self.assertGreaterEqual(len(nasty_tables.CASES), 60)


if __name__ == "__main__":
    main()

"""Mistakes in tables that every command must report: copies of rows, lost columns, several series in one table, missing ids."""
import itertools
import json
import random

import samples
from harness import TautTest, main
from samples import QUICK

TREES = ["--predictor", "boost", "--effort", "quick", "--localizer", "none"]


class Mistakes(TautTest):
    def kinds(self, *command):
        self.taut(*command, "--alarms", "alarms.json")
        return [alarm["kind"] for alarm in json.loads(self.read("alarms.json"))["alarms"]]


class Copies(Mistakes):
    """A join that matched each row five times, so that calibration rows are also training rows."""

    def fit(self, table, *options, names=("x", "z", "colour", "y"), target="y"):
        return self.kinds("fit", self.write("d.csv", samples.csv(table, names)), "--target", target, "-o", "m.taut", *options)

    @staticmethod
    def copied(table, times=5, seed=1):
        result = [row for row in table for _ in range(times)]
        random.Random(seed).shuffle(result)
        return result

    def test_each_row_five_times(self):
        table = samples.rows(300)
        for options in [TREES, QUICK, ["--split", "cv+", *QUICK], ["--by", "colour", *QUICK]]:
            self.assertEqual(self.fit(self.copied(table), *options), ["repeated_rows"], options)
            self.assertEqual(self.fit(table, *options), [], options)
        self.fit(self.copied(table), *QUICK)
        self.assertEqual(self.run_taut("fit", "d.csv", "--target", "y", "-o", "n.taut", *QUICK, "--strict").code, 3)
        said = self.taut("fit", "d.csv", "--target", "y", "-o", "n.taut", *QUICK).stderr
        self.assertRegex(said, r"taut: warning: \d+ of 300 calibration rows \([\d.]+ %\) are copies of training rows.*--keep-together")
        # The message is right: new rows are covered far less often.
        self.fit(self.copied(table), *TREES)
        self.write("new.csv", samples.csv(samples.rows(1000, seed=7)))
        self.assertLess(self.taut("evaluate", "m.taut", "new.csv", "--json").json()["levels"][0]["coverage"], 0.8)

    def test_copies_twice_or_of_some_rows_only(self):
        table = samples.rows(600)
        self.assertEqual(self.fit(self.copied(table, 2), *QUICK), ["repeated_rows"])
        self.assertEqual(self.fit(self.copied(table[:200], 4) + table[200:], *QUICK), ["repeated_rows"])
        self.assertEqual(self.fit(self.copied(table[:30], 2) + table[30:], *QUICK), [])

    def test_the_advice_helps(self):
        table = [(*row, i) for i, row in enumerate(samples.rows(300))]
        names = ("x", "z", "colour", "y", "id")
        self.assertEqual(self.fit(self.copied(table), "--drop", "id", *QUICK, names=names), ["repeated_rows"])
        self.assertEqual(self.fit(self.copied(table), "--keep-together", "id", "--drop", "id", *QUICK, names=names), [])

    def test_copies_in_a_file_of_calibration_rows(self):
        copies = self.copied(samples.rows(300))
        self.write("cal.csv", samples.csv(copies[1000:]))
        self.assertEqual(self.fit(copies[:1000], "--calibrate-with", "cal.csv", *QUICK), ["repeated_rows"])

    def test_labels(self):
        table = [(x, z, colour, "high" if y > 0 else "low") for x, z, colour, y in samples.rows(300)]
        self.assertEqual(self.fit(self.copied(table), "--effort", "quick"), ["repeated_rows"])
        self.assertEqual(self.fit(table, "--effort", "quick"), [])

    def test_few_columns_of_categories_and_a_target_that_is_not_rounded(self):
        draw = random.Random(3)
        table = [(a := draw.choice("abc"), b := draw.choice("uv"), ord(a) + ord(b) + draw.gauss(0, 1)) for _ in range(400)]
        self.assertEqual(self.fit(self.copied(table), *QUICK, names=("a", "b", "y")), ["repeated_rows"])
        self.assertEqual(self.fit(table, *QUICK, names=("a", "b", "y")), [])

    def test_rounded_numbers(self):
        """Every value occurs in many rows, but rows as a whole are different."""
        draw = random.Random(4)
        table = [tuple(round(draw.gauss(0, 1), 1) for _ in range(6)) for _ in range(400)]
        table = [(*row, round(sum(row) + draw.gauss(0, 1), 1)) for row in table]
        names = ("a", "b", "c", "d", "e", "f", "y")
        self.assertEqual(self.fit(self.copied(table), *QUICK, names=names), ["repeated_rows"])
        self.assertEqual(self.fit(table, *QUICK, names=names), [])

    def test_rows_that_repeat_by_themselves_are_no_alarm(self):
        draw = random.Random(5)
        honest = {
            "categories and a count": ([(draw.choice("abc"), draw.choice("uv"), draw.choice("pq"), draw.randrange(5)) for _ in range(2000)], "abcy"),
            "rounded rows": ([(round(x), round(z), colour, round(y)) for x, z, colour, y in samples.rows(2000)], "xzcy"),
            "no noise": ([(a := draw.randrange(8), b := draw.randrange(8), c := draw.randrange(4), a * b + c) for _ in range(2000)], "abcy"),
            "mostly nothing": ([(0, 0, 0, 0) if draw.random() < 0.4 else
                                (draw.choice((0, 0, 1)), draw.choice((0, 0, 2)), draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(2000)], "abcy"),
            "a handful of kinds": ([(k := draw.randrange(8), 3 * k, k * k, 2 * k + draw.randrange(2)) for _ in range(2000)], "abcy"),
            "a list of things without noise": ([(k := draw.randrange(25), 3 * k, k % 5, k * k) for _ in range(2000)], "abcy"),
            "many rare categories": ([tuple(int(min(20, draw.expovariate(1))) for _ in range(6)) for _ in range(2000)], "abcdey"),
        }
        for name, (table, names) in honest.items():
            known = set(table[:1600])
            self.assertGreater(sum(row in known for row in table[1600:]), 25, name)  # of 400
            self.assertEqual(self.fit(table, *QUICK, names=names), [], name)


class LostColumns(Mistakes):
    """A column that is empty in all new rows, but in no calibration row."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(600)))
        self.fresh = samples.rows(400, seed=1)
        self.write("fresh.csv", samples.csv(self.fresh))
        self.write("lost.csv", samples.csv([("", *rest) for _, *rest in self.fresh]))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)

    def test_every_command_says_it(self):
        for command in [["predict", "m.taut"], ["evaluate", "m.taut"], ["calibrate", "m.taut", "-o", "n.taut"], ["report", "m.taut", "-o", "r.html"]]:
            self.assertIn("empty_columns", self.kinds(command[0], command[1], "lost.csv", *command[2:]), command)
            self.assertNotIn("empty_columns", self.kinds(command[0], command[1], "fresh.csv", *command[2:]), command)
        self.assertEqual(self.run_taut("predict", "m.taut", "lost.csv", "--strict").code, 3)
        said = self.taut("predict", "m.taut", "lost.csv").stderr
        self.assertIn("the column 'x' is empty in all 400 rows; of 120 rows that the model knows none lacks it", said)
        self.taut("calibrate", "m.taut", "lost.csv", "-o", "n.taut")
        self.write("more.csv", samples.csv([("", *rest) for _, *rest in samples.rows(300, seed=9)]))
        self.assertEqual(self.kinds("evaluate", "n.taut", "more.csv"), [])

    def test_several_columns_are_one_alarm(self):
        self.write("both.csv", samples.csv([("", "", *rest) for _, _, *rest in self.fresh]))
        self.taut("predict", "m.taut", "both.csv", "--alarms", "alarms.json")
        alarm, = json.loads(self.read("alarms.json"))["alarms"]
        self.assertEqual((alarm["kind"], alarm["names"], alarm["numbers"]), ("empty_columns", ["x", "z"], {"rows": 400, "columns": 2}))

    def test_a_value_in_the_last_of_many_batches(self):
        many = [("", *rest) for _, *rest in samples.rows(40_000, seed=2)]
        self.write("many.csv", samples.csv(many))
        self.assertEqual(self.kinds("predict", "m.taut", "many.csv", "-o", "out.csv"), ["empty_columns"])
        self.write("many.csv", samples.csv([*many, (0.5, 0, "red", 1)]))
        self.assertEqual(self.kinds("predict", "m.taut", "many.csv", "-o", "out.csv"), [])

    def test_what_is_said_already_or_may_be_chance(self):
        self.write("one.csv", samples.csv([("", *self.fresh[0][1:])]))
        self.assertEqual(self.kinds("predict", "m.taut", "one.csv"), [])
        self.write("texts.csv", samples.csv([("soon", *rest) for _, *rest in self.fresh]))
        self.assertEqual(self.kinds("predict", "m.taut", "texts.csv"), ["unusable_columns"])
        self.write("new.csv", samples.csv([(x, z, "violet", y) for x, z, _, y in self.fresh]))
        self.assertEqual(self.kinds("predict", "m.taut", "new.csv"), ["unusable_columns"])
        gaps = [("" if i % 3 else x, z, colour, y) for i, (x, z, colour, y) in enumerate(samples.rows(600))]
        self.write("gaps.csv", samples.csv(gaps))
        self.taut("fit", "gaps.csv", "--target", "y", "-o", "gaps.taut", *QUICK)
        for rows, expected in [(5, []), (400, ["empty_columns"])]:
            self.write("lost.csv", samples.csv([("", *rest) for _, *rest in self.fresh[:rows]]))
            self.assertEqual(self.kinds("predict", "gaps.taut", "lost.csv"), expected, rows)

    def test_labels_groups_and_cv(self):
        named = [(x, z, colour, "high" if y > 0 else "low") for x, z, colour, y in samples.rows(600)]
        self.write("labels.csv", samples.csv(named))
        self.taut("fit", "labels.csv", "--target", "y", "-o", "l.taut", "--effort", "quick")
        self.write("lost_labels.csv", samples.csv([("", z, colour, "high" if y > 0 else "low") for _, z, colour, y in self.fresh]))
        for command in [["predict", "l.taut"], ["evaluate", "l.taut"], ["calibrate", "l.taut", "-o", "n.taut"]]:
            self.assertIn("empty_columns", self.kinds(command[0], command[1], "lost_labels.csv", *command[2:]), command)
        for options in [["--by", "colour"], ["--split", "cv+"]]:
            self.taut("fit", "d.csv", "--target", "y", "-o", "o.taut", *QUICK, *options)
            self.assertIn("empty_columns", self.kinds("predict", "o.taut", "lost.csv"), options)
            self.assertNotIn("empty_columns", self.kinds("predict", "o.taut", "fresh.csv"), options)


class SeveralSeries(Mistakes):
    """--lags counts rows. If a table has several series, the row before is from another series at the same time."""

    def panel(self, shops, hours=200):
        draw = random.Random(6)
        return [(hour, shop, draw.gauss(shop, 1)) for hour, shop in itertools.product(range(hours), range(shops))]

    def test_lags_of_several_series_are_refused(self):
        self.write("panel.csv", samples.csv(self.panel(3), ("t", "shop", "y")))
        for past in (["--lags", "1"], ["--rolling", "6"]):
            self.fails(1, "fit", "panel.csv", "--target", "y", "--order-by", "t", *past, "-o", "m.taut", *QUICK,
                       says=["400 of 600 rows have the time of another row", "Fit each series by itself", "--in-order without --order-by"])
        self.taut("fit", "panel.csv", "--target", "y", "--order-by", "t", "-o", "m.taut", *QUICK)
        self.taut("fit", "panel.csv", "--target", "y", "--in-order", "--lags", "1", "-o", "m.taut", *QUICK)

    def test_a_few_equal_times_are_said(self):
        table = self.panel(1, 300)
        table[100] = (99, *table[100][1:])
        self.write("clock.csv", samples.csv(table, ("t", "shop", "y")))
        done = self.taut("fit", "clock.csv", "--target", "y", "--order-by", "t", "--lags", "1", "-o", "m.taut", *QUICK)
        self.assertIn("1 row has the time of another row", done.stderr)


class MissingIds(Mistakes):
    """Rows without a --keep-together id do not belong to the same patient."""

    def setUp(self):
        super().setUp()
        names = ("x", "z", "colour", "y", "patient")
        table = [(*row, f"p{i // 5}") for i, row in enumerate(samples.rows(600))]
        self.write("d.csv", samples.csv(table, names))
        self.write("holes.csv", samples.csv([(*row[:4], "" if i % 4 == 1 else row[4]) for i, row in enumerate(table)], names))

    def test_a_missing_id_is_an_error(self):
        says = ["line 3", "'patient'", "--keep-together needs a value in every row", "150 of 600 rows have none"]
        options = ["--keep-together", "patient", "--drop", "patient"]
        self.fails(1, "fit", "holes.csv", "--target", "y", *options, "-o", "m.taut", *QUICK, says=says)
        self.taut("fit", "d.csv", "--target", "y", *options, "-o", "m.taut", *QUICK)
        self.fails(1, "calibrate", "m.taut", "holes.csv", "-o", "n.taut", says=says)
        self.taut("fit", "d.csv", "--target", "y", "--drop", "patient", "-o", "plain.taut", *QUICK)
        self.fails(1, "calibrate", "plain.taut", "holes.csv", "--keep-together", "patient", "-o", "n.taut", says=says)
        self.taut("evaluate", "m.taut", "holes.csv")  # needs no ids

    def test_labels(self):
        for name in ("d.csv", "holes.csv"):
            head, *lines = self.read(name).splitlines()
            cells = [line.split(",") for line in lines]
            self.write(name, "\n".join([head, *(",".join([*c[:3], "high" if float(c[3]) > 0 else "low", c[4]]) for c in cells)]) + "\n")
        options = ["--target", "y", "--keep-together", "patient", "--drop", "patient", "--effort", "quick"]
        self.fails(1, "fit", "holes.csv", *options, "-o", "m.taut", says=["150 of 600 rows have none"])
        self.taut("fit", "d.csv", *options, "-o", "m.taut")
        self.fails(1, "calibrate", "m.taut", "holes.csv", "-o", "n.taut", says=["150 of 600 rows have none"])


if __name__ == "__main__":
    main()

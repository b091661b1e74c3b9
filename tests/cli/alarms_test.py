"""Alarms: one list of kinds, in JSON and as an exit code. Every output is complete even with an alarm."""
import gzip
import json
import random
import re

import samples
from harness import ROOT, TautTest, main, slow
from samples import QUICK

KINDS = ["coverage", "shift", "unseen_categories", "text_among_numbers", "training_rows", "calibration_rows", "too_few_rows",
         "crossed_predictions", "unseen_groups", "weights", "no_overlap", "empty_columns", "unusable_columns", "repeated_rows",
         "outside_rows"]


def recoloured(rows, colour):
    return [(x, z, colour if x > 0 else old, y) for x, z, old, y in rows]


class Alarms(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(500)))
        self.fresh = samples.rows(400, seed=1)
        self.write("fresh.csv", samples.csv(self.fresh))
        self.write("moved.csv", samples.csv([(x, z + 2, colour, y) for x, z, colour, y in self.fresh]))
        self.write("wrong.csv", samples.csv([(x, z, colour, y + 3) for x, z, colour, y in self.fresh]))
        self.write("violet.csv", samples.csv(recoloured(self.fresh, "violet")))
        self.write("texts.csv", samples.csv([("soon" if z > 0 else x, z, *rest) for x, z, *rest in self.fresh]))
        self.write("commas.csv", samples.csv([(f"{x};{z};{colour};{y}".replace(".", ","),) for x, z, colour, y in self.fresh], ("x;z;colour;y",)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *QUICK)
        self.taut("fit", "d.csv", "--target", "y", "-o", "trees.taut", "--effort", "quick", "--localizer", "none")
        self.taut("calibrate", "m.taut", "fresh.csv", "-o", "fresh.taut")
        ends = ("x", "z", "colour", "y", "lo", "hi")
        self.write("ends.csv", samples.csv([(*row, row[0] - 1, row[0] + 1) for row in samples.rows(500)], ends))
        self.write("crossed.csv", samples.csv([(*row, row[0] + 1, row[0] - 1) for row in self.fresh], ends))
        self.taut("fit", "ends.csv", "--target", "y", "--lower-prediction", "lo", "--upper-prediction", "hi", "-o", "ends.taut", "--localizer", "none")
        self.taut("calibrate", "m.taut", "fresh.csv", "--by", "colour", "-o", "groups.taut")
        heavy = [(*row, 1e9 if i == 0 else 1) for i, row in enumerate(self.fresh)]
        self.write("heavy.csv", samples.csv(heavy, ("x", "z", "colour", "y", "w")))
        self.write("far.csv", samples.csv([(x + 50, z, colour, y) for x, z, colour, y in self.fresh]))
        self.write("empty.csv", samples.csv([("", *rest) for _, *rest in self.fresh]))
        self.write("copies.csv", samples.csv(3 * self.fresh))
        self.raising = {
            "coverage": ["evaluate", "m.taut", "wrong.csv"],
            "shift": ["predict", "m.taut", "moved.csv", "--check-shift"],
            "unseen_categories": ["predict", "trees.taut", "violet.csv"],
            "text_among_numbers": ["predict", "m.taut", "texts.csv"],
            "training_rows": ["calibrate", "m.taut", "d.csv", "-o", "again.taut"],
            "calibration_rows": ["evaluate", "fresh.taut", "fresh.csv"],
            "too_few_rows": ["predict", "m.taut", "fresh.csv", "--confidence", "0.999"],
            "crossed_predictions": ["evaluate", "ends.taut", "crossed.csv"],
            "unseen_groups": ["predict", "groups.taut", "violet.csv"],
            "weights": ["calibrate", "m.taut", "heavy.csv", "--weights", "w", "-o", "again.taut"],
            "no_overlap": ["calibrate", "m.taut", "fresh.csv", "--towards", "far.csv", "-o", "again.taut"],
            "empty_columns": ["predict", "m.taut", "empty.csv"],
            "unusable_columns": ["predict", "m.taut", "commas.csv"],
            "repeated_rows": ["fit", "copies.csv", "--target", "y", "-o", "again.taut", *QUICK],
            "outside_rows": ["predict", "m.taut", "far.csv"],
        }

    def alarms(self):
        return json.loads(self.read("alarms.json"))["alarms"]

    def test_every_kind(self):
        """Each kind is raised where it should be: as a warning, as an entry of JSON, and with --strict as an exit code."""
        self.assertEqual(list(self.raising), KINDS)
        self.assertEqual(list(self.taut("lists", "--json").json()["alarms"]), KINDS)
        for kind, command in self.raising.items():
            with self.subTest(kind):
                plain = self.taut(*command)
                done = self.taut(*command, "--alarms", "alarms.json")
                self.assertEqual((done.stdout, done.stderr), (plain.stdout, plain.stderr))
                alarms = self.alarms()
                self.assertIn(kind, [alarm["kind"] for alarm in alarms])
                for alarm in alarms:
                    self.assertIn(f"taut: warning: {alarm['words']}\n", done.stderr)
                    self.assertTrue(all(isinstance(value, (int, float)) for value in alarm["numbers"].values()), alarm)
                strict = self.run_taut(*command, "--strict")
                self.assertEqual(strict.code, 3, strict)
                self.assertEqual(strict.stdout, plain.stdout)
                self.assertRegex(strict.stderr, r"taut: \d alarms?; the exit code is 3 because of --strict\n$")

    def test_none(self):
        for command in [["evaluate", "m.taut", "fresh.csv"], ["predict", "m.taut", "fresh.csv", "--check-shift"],
                        ["calibrate", "m.taut", "fresh.csv", "-o", "again.taut"]]:
            done = self.taut(*command, "--strict", "--alarms", "alarms.json")
            self.assertEqual(self.alarms(), [])
            self.assertNotIn("warning", done.stderr)

    def test_outputs_are_whole_with_an_alarm(self):
        plain = self.taut("predict", "m.taut", "moved.csv").stdout
        self.assertEqual(self.run_taut("predict", "m.taut", "moved.csv", "--check-shift", "--strict", "-o", "out.csv").code, 3)
        self.assertEqual(self.read("out.csv"), plain)
        self.assertEqual(self.run_taut("calibrate", "m.taut", "d.csv", "--strict", "-o", "again.taut").code, 3)
        self.assertEqual(self.taut("info", "again.taut", "--json").json()["rows"]["calibration"], 500)

    def test_evaluate_tells_them_in_its_json(self):
        report = self.taut("evaluate", "m.taut", "wrong.csv", "--json", "--confidence", "0.5,0.9").json()
        self.assertEqual([alarm["kind"] for alarm in report["alarms"]], ["coverage", "coverage"])
        for alarm, level in zip(report["alarms"], report["levels"], strict=True):
            self.assertEqual(alarm["numbers"], {"confidence": level["confidence"], "coverage": level["coverage"],
                                                "low": level["coverage_low"], "high": level["coverage_high"]})
        self.assertEqual(self.taut("evaluate", "m.taut", "fresh.csv", "--json").json()["alarms"], [])

    def test_unseen_categories_are_counted_and_named(self):
        rows = [(x, z, {0: "mauve", 1: "violet"}.get(index % 40, colour), y) for index, (x, z, colour, y) in enumerate(self.fresh)]
        self.write("mixed.csv", samples.csv(rows))
        for command in [["evaluate", "trees.taut", "mixed.csv"], ["predict", "trees.taut", "mixed.csv"],
                        ["calibrate", "trees.taut", "mixed.csv", "-o", "again.taut"]]:
            done = self.taut(*command, "--alarms", "alarms.json")
            alarm, = self.alarms()
            self.assertEqual((alarm["kind"], alarm["column"], alarm["names"], alarm["numbers"]),
                             ("unseen_categories", "colour", ["mauve", "violet"], {"rows": 20}))
            self.assertIn("20 rows have categories of 'colour' that the fit has not seen: 'mauve', 'violet'", done.stderr)

    def test_unseen_categories_of_many_batches(self):
        rows = recoloured(samples.rows(40_000, seed=2), "violet")
        self.write("many.csv", samples.csv(rows))
        self.taut("predict", "trees.taut", "many.csv", "-o", "out.csv", "--alarms", "alarms.json")
        self.assertEqual(self.alarms()[0]["numbers"], {"rows": sum(row[2] == "violet" for row in rows)})

    def test_rows_that_trained_and_rows_that_calibrated(self):
        def numbers(kind, model, data):
            alarms = {alarm["kind"]: alarm["numbers"] for alarm in self.taut("evaluate", model, data, "--json").json()["alarms"]}
            return alarms[kind]

        trained = numbers("training_rows", "m.taut", "d.csv")  # 400 of 500 train; hashes of three in four of them are kept
        self.assertEqual((trained["rows"], trained["other_rows"]), (500, 100))
        self.assertTrue(200 < trained["at_least"] <= trained["found"] <= 400, trained)
        calibrated = numbers("calibration_rows", "fresh.taut", "fresh.csv")
        self.assertEqual(calibrated["rows"], 400)
        self.assertTrue(200 < calibrated["at_least"] <= calibrated["found"] < 400, calibrated)

    def test_rows_that_repeat_by_themselves_are_no_alarm(self):
        """With few different rows, nearly every new row is equal to a training row."""
        draw = [(round(x), round(z), colour, round(y)) for x, z, colour, y in samples.rows(3000, seed=5)]
        self.write("few.csv", samples.csv(draw[:1500]))
        self.write("others.csv", samples.csv(draw[1500:]))
        self.taut("fit", "few.csv", "--target", "y", "-o", "few.taut", *QUICK)
        known = set(draw[:1500])
        self.assertGreater(sum(row in known for row in draw[1500:]), 1000)
        kinds = [alarm["kind"] for alarm in self.taut("evaluate", "few.taut", "others.csv", "--json").json()["alarms"]]
        self.assertNotIn("training_rows", kinds)
        self.assertNotIn("calibration_rows", kinds)

    @slow
    def test_repeated_rows_of_a_real_table_are_no_alarm(self):
        """CASP: 1,711 of its 45,730 rows occur twice or more."""
        header, *rows = gzip.decompress(self.data("CASP.csv.gz").read_bytes()).decode().split()
        random.Random(1).shuffle(rows)
        half = len(rows) // 2
        self.assertGreater(len(set(rows[:half]) & set(rows[half:])), 500)
        self.write("half.csv", "\n".join([header, *rows[:half]]) + "\n")
        self.write("other.csv", "\n".join([header, *rows[half:]]) + "\n")
        self.taut("fit", "half.csv", "--target", "RMSD", "-o", "casp.taut", *QUICK)
        honest = self.taut("evaluate", "casp.taut", "other.csv", "--json").json()["alarms"]
        self.assertEqual([alarm["kind"] for alarm in honest if alarm["kind"] != "coverage"], [])
        own = self.taut("evaluate", "casp.taut", "half.csv", "--json").json()["alarms"]
        self.assertEqual([alarm["kind"] for alarm in own if alarm["kind"] != "coverage"], ["training_rows", "calibration_rows"])

    def test_a_place_that_cannot_be_written_is_said_first(self):
        self.fails(2, "evaluate", "m.taut", "fresh.csv", "--alarms", "-", says=["--alarms", "'-'"])
        self.fails(1, "predict", "m.taut", "fresh.csv", "--alarms", "no/such/file", says=["no/such/file", "create it"])

    def test_kinds_and_exit_code_are_documented(self):
        self.assertIn(", ".join(KINDS), " ".join(self.taut("predict", "--help").stdout.split()))
        self.assertIn("3 an alarm with --strict", self.taut("--help").stdout)
        guarantees = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^\| `(\w+)` \|", guarantees.split("## Alarms")[1]), KINDS)


if __name__ == "__main__":
    main()

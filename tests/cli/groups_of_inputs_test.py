"""Groups by a column that is also an input: the values of the calibration rows are groups, also those that no training row has."""
import json
import math
import random

import samples
from harness import TautTest, main

QUICK = ["--predictor", "linear", "--localizer", "none"]
SPREAD = {"A": 1.0, "B": 1.0, "C": 0.1, "D": 10.0, "E": 100.0}


def regions(count, seed, names):
    """Columns x, region, y; the noise depends on the region."""
    draw = random.Random(seed)
    table = []
    for _ in range(count):
        x, region = draw.gauss(0, 1), draw.choice(names)
        table.append((x, region, 2 * x + SPREAD[region] * draw.gauss(0, 1)))
    return samples.csv(table, ("x", "region", "y"))


class GroupsOfAnInput(TautTest):
    """A column of groups may be an input. Groups are its values, not the category codes of the training rows."""

    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", regions(600, 1, "AB"))
        self.cal = self.write("cal.csv", regions(800, 2, "ABCD"))
        self.test = self.write("test.csv", regions(3000, 3, "ABCDE"))
        self.taut("fit", self.train, "--target", "y", *QUICK, "-o", "m.taut")

    def covered(self, *options):
        self.taut("calibrate", "m.taut", self.cal, *options, "-o", "m2.taut")
        done = self.taut("predict", "m2.taut", self.test, "--keep", "region,y", "--confidence", "0.9", "--alarms", "alarms.json")
        shares = {}
        for line in done.stdout.strip().split("\n")[1:]:
            region, y, _, low, high = line.split(",")
            shares.setdefault(region, []).append((float(low) <= float(y) <= float(high), float(high) - float(low)))
        return shares, {alarm["kind"]: alarm for alarm in json.loads((self.folder / "alarms.json").read_text())["alarms"]}, done

    def test_values_that_training_did_not_have_are_groups_of_their_own(self):
        for options in (["--by", "region"], ["--overlapping", "region"]):
            with self.subTest(options=options):
                shares, alarms, _ = self.covered(*options)
                for region in "ABCD":
                    share = sum(one for one, _ in shares[region]) / len(shares[region])
                    self.assertTrue(0.82 < share < 0.97, (region, share))
                self.assertEqual({width for _, width in shares["E"]}, {math.inf})
                self.assertEqual(alarms["unseen_groups"]["names"], ["E"])
                self.assertEqual(alarms["unseen_groups"]["numbers"]["rows"], len(shares["E"]))
                # The model has seen none of these values, and the message still says so.
                self.assertEqual(set(alarms["unseen_categories"]["names"]), {"C", "D", "E"})
                self.assertEqual(alarms["unseen_categories"]["numbers"]["rows"], sum(len(shares[region]) for region in "CDE"))

    def test_it_is_what_a_column_gives_that_is_no_input(self):
        shares, _, _ = self.covered("--by", "region")
        self.taut("fit", self.train, "--target", "y", "--drop", "region", *QUICK, "-o", "m.taut")
        others, _, _ = self.covered("--by", "region")
        for region in "CDE":
            self.assertEqual([math.isinf(width) for _, width in shares[region]], [math.isinf(width) for _, width in others[region]])

    def test_pooled(self):
        shares, alarms, done = self.covered("--by", "region", "--other-groups", "pool")
        self.assertTrue(all(math.isfinite(width) for _, width in shares["E"]))
        self.assertEqual(alarms["unseen_groups"]["names"], ["E"])
        self.assertIn("what holds on average over all groups", done.stderr)

    def test_evaluate_info_and_calibrating_again(self):
        self.covered("--by", "region")
        lines = {line["name"]: line for line in self.taut("evaluate", "m2.taut", self.test, "--by", "region", "--json").json()["by_group"][0]["groups"]}
        self.assertEqual(set(lines), set("ABCDE"))
        self.assertEqual(lines["E"]["infinite"], lines["E"]["rows"])
        told = self.taut("info", "m2.taut", "--json").json()
        self.assertEqual([group["name"] for group in told["calibration"]["groups"]], ["A", "B", "C", "D"] if
                         told["columns"][1]["categories"][:2] == ["A", "B"] else ["B", "A", "C", "D"])
        other = self.write("other.csv", regions(800, 4, "ABE"))
        self.taut("calibrate", "m2.taut", other, "-o", "m3.taut")  # the kind of calibration stays, with the groups of these rows
        self.taut("calibrate", "m.taut", other, "--by", "region", "-o", "m4.taut")
        self.assertEqual((self.folder / "m3.taut").read_bytes(), (self.folder / "m4.taut").read_bytes())
        done = self.taut("predict", "m3.taut", self.test)
        self.assertIn("without calibration rows: 'C', 'D'" if "'C', 'D'" in done.stderr else "without calibration rows: 'D', 'C'", done.stderr)

    def test_combinations_missing_cells_and_other_kinds_of_columns(self):
        draw = random.Random(5)
        days = ["2024-01-01", "2024-02-01", "2024-03-01"]

        def table(count, names, stores, missing):
            rows_ = []
            for _ in range(count):
                region = "" if draw.random() < missing else draw.choice(names)
                rows_.append((draw.gauss(0, 1), region, draw.choice(stores), draw.choice(days), draw.gauss(0, 1)))
            return samples.csv(rows_, ("x", "region", "store", "day", "y"))

        self.write("t.csv", table(600, "AB", (1, 2), 0))
        self.write("c.csv", table(900, "ABCD", (1, 2, 3), 0.2))
        self.write("n.csv", table(400, "ABCDE", (1, 2, 3, 4), 0.2))
        self.taut("fit", "t.csv", "--target", "y", *QUICK, "-o", "n.taut")
        for by, groups, unseen in (("region", 5, {"E"}), ("region,x:2", 10, None), ("store", 3, {"4"}), ("day", 3, set()), ("region,store", 15, None),
                                   ("x:3", 3, set())):
            with self.subTest(by=by):
                self.taut("calibrate", "n.taut", "c.csv", "--by", by, "-o", "n2.taut")
                self.assertEqual(len(self.taut("info", "n2.taut", "--json").json()["calibration"]["groups"]), groups)
                self.taut("predict", "n2.taut", "n.csv", "-o", "out.csv", "--alarms", "alarms.json")
                names = [set(alarm["names"]) for alarm in json.loads((self.folder / "alarms.json").read_text())["alarms"] if alarm["kind"] == "unseen_groups"]
                if unseen is not None:
                    self.assertEqual(names, [unseen] if unseen else [])

    def test_patients_that_training_did_not_have_are_not_one(self):
        self.taut("calibrate", "m.taut", self.cal, "--keep-together", "region", "-o", "m2.taut")
        self.assertEqual(len(self.taut("info", "m2.taut", "--json").json()["calibration"]["groups"]), 4)

    def test_labels(self):
        def labelled(count, seed, names):
            draw = random.Random(seed)
            table = []
            for _ in range(count):
                x, region = draw.gauss(0, 1), draw.choice(names)
                table.append((x, region, "yes" if x + SPREAD[region] * draw.gauss(0, 1) > 0 else "no"))
            return samples.csv(table, ("x", "region", "y"))

        self.write("lt.csv", labelled(500, 1, "AB"))
        self.write("lc.csv", labelled(600, 2, "ABCD"))
        self.write("ln.csv", labelled(400, 3, "ABCDE"))
        self.taut("fit", "lt.csv", "--target", "y", "--effort", "quick", "-o", "l.taut")
        self.taut("calibrate", "l.taut", "lc.csv", "--by", "region", "-o", "l2.taut")
        self.assertEqual({group["name"] for group in self.taut("info", "l2.taut", "--json").json()["calibration"]["groups"]}, set("ABCD"))
        done = self.taut("predict", "l2.taut", "ln.csv", "--keep", "region", "--alarms", "alarms.json")
        alarms = {alarm["kind"]: alarm for alarm in json.loads((self.folder / "alarms.json").read_text())["alarms"]}
        self.assertEqual(alarms["unseen_groups"]["names"], ["E"])
        self.assertEqual(set(alarms["unseen_categories"]["names"]), {"C", "D", "E"})
        del done


if __name__ == "__main__":
    main()

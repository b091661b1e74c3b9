"""Classification: report, stream, update, evaluate --in-order, compare and plan."""
import csv
import io
import json
import re

from classes_test import LABELS, rows, text
from harness import TautTest, main


def cells(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


class MoreOfClasses(TautTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", text(rows(600, 1)))
        self.test = self.write("test.csv", text(rows(700, 2)))
        self.taut("fit", self.train, "--target", "label", "--effort", "quick", "--transform", "fixed", "-o", "m.taut")

    def test_report(self):
        done = self.run_taut("report", "m.taut", self.test, "-o", "page.html", "--by", "kind")
        if "has no page for reports" in done.stderr:
            self.skipTest("this build has no page for reports: node or npm was missing")
        self.assertEqual(done.code, 0, done)
        page = self.read("page.html")
        self.assertIn("<title>Sets of labels for label</title>", page)
        document = json.loads(re.search(r'id="document">(.*?)</script>', page, re.DOTALL).group(1))
        self.assertEqual(document["labels"], LABELS)
        told = self.taut("evaluate", "m.taut", self.test, "--confidence", "0.9", "--json").json()["levels"][0]
        metric = {one["name"]: one["values"][document["start"]] for one in document["metrics"]}
        for name in ("coverage", "mean_size", "ert", "worst_slab_coverage", "singletons"):
            self.assertEqual(metric[name], told[name], name)
        self.assertRegex(document["facts"]["commands"][0], "^taut fit .*train.csv --target label --transform fixed --effort quick -o m.taut$")
        self.fails(2, "report", "m.taut", self.test, "--unit", "EUR", says=["--unit", "labels"])
        self.fails(2, "report", "m.taut", self.test, "--learning-curve", self.train, says=["--learning-curve", "one number"])

    def test_report_in_order(self):
        done = self.run_taut("report", "m.taut", self.test, "-o", "page.html", "--in-order", "--delay", "2")
        if "has no page for reports" in done.stderr:
            self.skipTest("this build has no page for reports: node or npm was missing")
        document = json.loads(re.search(r'id="document">(.*?)</script>', self.read("page.html"), re.DOTALL).group(1))
        levels = ",".join(str(percent / 100) for percent in range(50, 100))
        told = self.taut("evaluate", "m.taut", self.test, "--in-order", "--delay", "2", "--confidence", levels, "--json").json()["in_order"]
        self.assertEqual(document["over_time"]["window"], told["window"])
        at = document["start"]
        self.assertAlmostEqual(document["over_time"]["levels"][at]["all"], told["levels"][at]["coverage"], 4)
        self.assertAlmostEqual(document["over_time"]["levels"][at]["width"][-1], told["levels"][at]["rolling"][-1]["mean_size"], 3)

    def test_stream_and_what_it_leaves(self):
        lines = self.read(self.test).splitlines()
        unlabelled = [line.rsplit(",", 1)[0] + "," if i % 10 == 3 else line for i, line in enumerate(lines)]
        self.write("new.csv", "\n".join(unlabelled) + "\n")
        done = self.taut("stream", "m.taut", "new.csv", "--confidence", "0.8,0.9", "--save", "s.taut", "--keep", "label")
        self.assertIn("new.csv: 700 rows, 630 targets among them", done.stderr)
        found = cells(done)
        self.assertEqual(list(found[0]), ["label", "prediction", "probability", "set_0.8", "size_0.8", "set_0.9", "size_0.9"])
        known = [row for row in found if row["label"]]
        covered = sum(row["label"] in row["set_0.9"].split("|") for row in known) / len(known)
        self.assertIn(f"confidence 0.9: covered {covered:.4g}", done.stderr)
        # The same rows in two runs, with the model that was saved in between.
        self.write("a.csv", "\n".join(unlabelled[:301]) + "\n")
        self.write("b.csv", "\n".join([unlabelled[0], *unlabelled[301:]]) + "\n")
        options = ["--confidence", "0.8,0.9", "--keep", "label"]
        first = cells(self.taut("stream", "m.taut", "a.csv", *options, "--save", "half.taut"))
        second = cells(self.taut("stream", "half.taut", "b.csv", *options, "--save", "s2.taut"))
        self.assertEqual(first + second, found)
        self.assertEqual((self.folder / "s.taut").read_bytes(), (self.folder / "s2.taut").read_bytes())
        self.assertFalse((self.folder / "s.taut.journal").exists())
        # A pipe is answered too, without the column of labels.
        bare = "\n".join(line.rsplit(",", 1)[0] for line in lines[:20]) + "\n"
        self.assertEqual(len(cells(self.taut("stream", "m.taut", "-", stdin=bare))), 19)
        self.fails(2, "stream", "m.taut", "new.csv", "--refit-every", "100", says=["--refit-every", "labels"])
        self.fails(2, "stream", "m.taut", "new.csv", "--history", self.train, says=["--history", "labels"])

    def test_update_moves_the_scores(self):
        before = self.taut("predict", "m.taut", self.test).stdout
        done = self.taut("update", "m.taut", self.test, "-o", "u.taut", "--confidence", "0.9")
        self.assertIn(": 700 rows, 700 targets among them", done.stderr)
        self.assertNotEqual(self.taut("predict", "u.taut", self.test).stdout, before)
        self.assertEqual(self.taut("info", "u.taut", "--json").json()["rows"]["calibration"], 820)  # 120 from the fit
        self.fails(1, "update", "m.taut", self.train, "-o", "v.taut", says=["--allow-older"])

    def test_evaluate_in_order(self):
        told = self.taut("evaluate", "m.taut", self.test, "--in-order", "--confidence", "0.9", "--json").json()
        level = told["in_order"]["levels"][0]
        self.assertEqual((told["in_order"]["targets"], told["in_order"]["window"]), (700, 500))
        streamed = cells(self.taut("stream", "m.taut", self.test, "--keep", "label"))
        self.assertAlmostEqual(level["coverage"], sum(row["label"] in row["set_0.9"].split("|") for row in streamed) / 700)
        self.assertAlmostEqual(level["mean_size"], sum(int(row["size_0.9"]) for row in streamed) / 700)
        self.assertIn("In order, learning from each row", self.taut("evaluate", "m.taut", self.test, "--in-order").stdout)

    def test_rows_in_the_order_of_a_column(self):
        lines = self.read(self.train).splitlines()
        stamped = [lines[0] + ",day", *(f"{line},{i}" for i, line in enumerate(lines[1:]))]
        self.write("sorted.csv", "\n".join(stamped) + "\n")
        self.write("shuffled.csv", "\n".join([stamped[0], *stamped[301:], *stamped[1:301]]) + "\n")
        for name in ("sorted", "shuffled"):
            self.taut("fit", f"{name}.csv", "--target", "label", "--order-by", "day", "--effort", "quick", "-o", f"{name}.taut")
        told = [self.taut("info", f"{name}.taut", "--json").json() for name in ("sorted", "shuffled")]
        self.assertEqual(told[0]["validation"], told[1]["validation"])  # the roles of rows do not depend on their order in the file
        self.write("late.csv", "\n".join([stamped[0], *(f"{line},{600 + i}" for i, line in enumerate(self.read(self.test).splitlines()[1:]))]) + "\n")
        self.taut("stream", "sorted.taut", "late.csv", "-o", "out.csv")
        self.fails(1, "stream", "sorted.taut", "sorted.csv", says=["older than 599", "--allow-older"])

    def test_calibrating_knows_the_time_of_rows(self):
        def stamped(name, source, first, backwards=False):
            head, *lines = self.read(source).splitlines()
            lines = [f"{line},{first + i}" for i, line in enumerate(lines)]
            return self.write(name, "\n".join([head + ",day", *(lines[::-1] if backwards else lines)]) + "\n")

        stamped("train_days.csv", self.train, 0)
        stamped("cal.csv", self.test, 1000)
        stamped("backwards.csv", self.test, 1000, backwards=True)
        self.taut("fit", "train_days.csv", "--target", "label", "--order-by", "day", "--drop", "day", "--effort", "quick", "-o", "m.taut")
        for how in ([], ["--plain"]):
            for name in ("cal", "backwards"):
                self.taut("calibrate", "m.taut", f"{name}.csv", *how, "-o", f"{name}.taut")
            self.assertEqual((self.folder / "cal.taut").read_bytes(), (self.folder / "backwards.taut").read_bytes(), how)
            told = self.taut("info", "cal.taut", "--json").json()["stream"]
            self.assertEqual((told["time"], told["latest"], told["rows"]), ("day", "1699", 0))
            self.assertIn("rows up to 1699 by 'day'", self.taut("info", "cal.taut").stdout)
            self.fails(1, "update", "cal.taut", "cal.csv", "-o", "u.taut", says=["older than 1699"])
        self.fails(1, "calibrate", "m.taut", self.test, "-o", "n.taut", says=["'day'"])

    def test_a_calibration_of_another_kind_does_not_ask_for_the_groups(self):
        head, *lines = self.read(self.train).splitlines()
        self.write("shops.csv", "\n".join([head + ",shop", *(f"{line},s{i % 3}" for i, line in enumerate(lines))]) + "\n")
        self.taut("fit", "shops.csv", "--target", "label", "--drop", "shop", "--effort", "quick", "--by", "shop", "-o", "m.taut")
        for how in (["--plain"], ["--towards", self.test], ["--local"]):
            self.taut("calibrate", "m.taut", self.test, *how, "-o", "n.taut")
        self.fails(1, "calibrate", "m.taut", self.test, "-o", "n.taut", says=["'shop'"])

    def test_info_tells_what_it_tells_of_numbers(self):
        head, *lines = self.read(self.train).splitlines()
        self.write("noted.csv", "\n".join([head + ",same,when", *(f"{line},7,2024-01-{1 + i % 28:02d}" for i, line in enumerate(lines))]) + "\n")
        self.taut("fit", "noted.csv", "--target", "label", "--effort", "quick", "-o", "m.taut")
        told = self.taut("info", "m.taut", "--json").json()
        self.assertEqual({note["name"]: (note["kind"], note["left_out"]) for note in told["column_notes"]}["same"], ("constant", True))
        self.assertIsNone(told["stream"])
        self.taut("stream", "m.taut", "noted.csv", "--save", "s.taut", "--window", "400", "-o", "out.csv")
        stream = self.taut("info", "s.taut", "--json").json()["stream"]
        self.assertEqual((stream["window"], stream["rows"], stream["levels"], stream["latest"]), (400, len(lines), [0.9], None))
        self.assertIn(f"a stream of {len(lines)} rows", self.taut("info", "s.taut").stdout)

    def test_compare(self):
        options = ["--target", "label", "--effort", "quick", "--repeats", "2", "--methods", "lac:fixed,aps:fixed"]
        told = self.taut("compare", self.train, *options, "--json").json()
        former = self.taut("compare", self.train, *options[:-1], "least:fixed,cumulated:fixed", "--task", "classes", "--json").json()
        self.assertEqual(list(former["levels"][0]["methods"].values()), list(told["levels"][0]["methods"].values()))
        level = told["levels"][0]
        self.assertEqual(set(level["methods"]), {"lac:fixed", "aps:fixed"})
        self.assertEqual(level["by_mean_size"]["best"], "lac:fixed")  # LAC minimises the mean size
        for values in level["methods"].values():
            self.assertEqual(len(values["mean_size"]["values"]), 4)
            self.assertGreater(values["coverage"]["mean"], 0.8)
        words = self.taut("compare", self.train, *options).stdout
        self.assertIn("Smallest sets at confidence 0.9: lac:fixed", words)
        self.assertIn("L1-ERT", words)
        self.fails(2, "compare", self.train, "--target", "label", "--methods", "exp:boost", says=["score of labels", "lac"])
        self.fails(2, "compare", self.train, "--target", "label", "--methods", "least:width", says=["conditional", "OPTION=VALUE"])
        self.write("scored.csv", text(rows(400, 3), drop_probabilities=False))
        page = self.taut("compare", "scored.csv", "--target", "label", "--probabilities", "p_", "--repeats", "1", "--methods",
                         "lac:fixed,raps:0.1+1:fixed", "-o", "c.csv")
        self.assertIn("written: c.csv", page.stderr)
        self.assertIn("mean_size", self.read("c.csv").splitlines()[0])

    def test_plan(self):
        told = self.taut("plan", self.train, "--target", "label", "--repeats", "2", "--parts", "2", "--json").json()
        level = told["levels"][0]
        self.assertEqual([one["rows"] for one in level["found"]], [240, 480])
        for one in level["found"]:
            self.assertGreater(one["mean_size"], 0.9)
            self.assertNotIn("interval_score", one)
        self.assertEqual([one["rows"] for one in level["expected_mean_size"]], [600, 1200, 2400, 6000])
        self.assertIn("mean size of sets", level["words"])
        self.assertIn("mean size", self.taut("plan", self.train, "--target", "label", "--repeats", "2", "--parts", "2").stdout)


if __name__ == "__main__":
    main()

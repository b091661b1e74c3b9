"""`update` and `evaluate --in-order`: rows in batches, alarms, messages and errors."""
import json
import shutil

import samples
from harness import main
from streams import Streamed, csv, rows


class Update(Streamed):
    def test_update_is_a_stream_nobody_reads(self):
        self.fit()
        self.taut("stream", "m.taut", self.new, "--save", "streamed.taut", "-o", "i.csv")
        told = self.taut("update", "m.taut", self.new, "-o", "m.taut")
        self.assertIn("900 targets", told.stderr)
        self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "streamed.taut").read_bytes())
        self.assertIn("a stream of 900 rows", self.taut("info", "m.taut").stdout)
        # predict uses the recent scores, which are larger than the calibration scores.
        shutil.copy(self.folder / "m.taut", self.folder / "moved.taut")
        self.fit()
        width = {}
        for model in ("m.taut", "moved.taut"):
            names, cells = samples.intervals(self.taut("predict", model, self.new).stdout)
            width[model] = cells[0][names.index("upper_0.9")] - cells[0][names.index("lower_0.9")]
        self.assertGreater(width["moved.taut"], 1.2 * width["m.taut"])

    def test_rows_that_the_model_has_seen_are_refused(self):
        self.fit()
        self.fails(1, "update", "m.taut", self.train, "-o", "m2.taut", says=["older", "--allow-older"])
        self.taut("update", "m.taut", self.new, "-o", "m.taut")
        self.fails(1, "update", "m.taut", self.new, "-o", "m.taut", says=["the model has seen already"])
        self.taut("update", "m.taut", self.new, "-o", "m.taut", "--allow-older")
        self.fit(order=("--in-order",))
        self.fails(1, "update", "m.taut", self.train, "-o", "m2.taut", says=["--allow-older"])

    def test_rows_that_were_streamed_are_known(self):
        self.fit(order=("--in-order",))
        new, later = self.write("a.csv", csv(rows(400, 3))), self.write("b.csv", csv(rows(400, 4)))
        self.taut("stream", "m.taut", new, "--save", "m2.taut", "-o", "i.csv")
        alarms = [alarm["kind"] for alarm in self.taut("evaluate", "m2.taut", new, "--json").json()["alarms"]]
        self.assertEqual(alarms, ["calibration_rows"])
        self.assertEqual(self.taut("evaluate", "m2.taut", later, "--json").json()["alarms"], [])
        self.fails(1, "update", "m2.taut", new, "-o", "m3.taut", says=["were streamed", "--allow-older"])
        self.taut("update", "m2.taut", later, "-o", "m3.taut")
        before = (self.folder / "m3.taut").read_bytes()
        self.fails(1, "update", "m3.taut", later, "-o", "m3.taut", says=["were streamed"])
        self.assertEqual((self.folder / "m3.taut").read_bytes(), before)

    def test_calibrating_keeps_what_a_stream_was_told(self):
        for order in ((), ("--in-order",)):
            self.fit(order=order)
            self.taut("stream", "m.taut", self.new, "--controller", "pid", "--window", "200", "--delay", "7", "--save", "m2.taut", "-o", "i.csv")
            told = self.taut("calibrate", "m2.taut", self.train, "-o", "m3.taut").stderr
            self.assertIn("controller pid, window 200, delay 7", told)
            stream = self.taut("info", "m3.taut", "--json").json()["stream"]
            self.assertEqual((stream["controller"], stream["window"], stream["delay"], stream["rows"]), ("pid", 200, 7, 0))
            told = self.taut("calibrate", "m2.taut", self.train, "--local", "-o", "m4.taut").stderr
            self.assertIn("the stream and its settings (controller pid, window 200, delay 7) were removed", told)

    def test_nothing_to_learn_from(self):
        self.fit()
        self.fails(1, "update", "m.taut", self.write("none.csv", "t,x,y\n900,1,\n901,2,\n"), "-o", "m2.taut", says=["no row has a target"])


class Alarms(Streamed):
    """`stream` and `update` raise alarms as the other commands do."""

    def setUp(self):
        super().setUp()
        table = rows(100, 2, first=800)
        self.texts = {"good": csv(table), "empty": csv([(t, "", y) for t, _, y in table]), "text": csv([(t, "soon", y) for t, _, y in table]),
                      "some": csv([(t, "soon" if i == 7 else x, y) for i, (t, x, y) in enumerate(table)])}
        self.paths = {name: self.write(f"{name}.csv", text) for name, text in self.texts.items()}
        self.kinds = {"good": [], "empty": ["empty_columns"], "text": ["unusable_columns"], "some": ["text_among_numbers"]}

    def test_json_and_exit_code_after_all_outputs(self):
        for fit in ([], ["--lags", "1,2"]):
            self.fit(*fit)
            for name, path in self.paths.items():
                for command in (["update", "m.taut", path, "-o", "n.taut"], ["stream", "m.taut", path, "-o", "i.csv", "--save", "n.taut"]):
                    with self.subTest(command=command[0], file=name, fit=fit):
                        (self.folder / "n.taut").unlink(missing_ok=True)
                        plain = self.taut(*command)
                        before = (self.folder / "n.taut").read_bytes()
                        (self.folder / "n.taut").unlink()
                        done = self.run_taut(*command, "--alarms", "alarms.json", "--strict")
                        self.assertEqual(done.code, 3 if self.kinds[name] else 0, done)
                        alarms = json.loads(self.read("alarms.json"))["alarms"]
                        self.assertEqual([alarm["kind"] for alarm in alarms], self.kinds[name])
                        self.assertEqual((self.folder / "n.taut").read_bytes(), before)
                        for alarm in alarms:
                            self.assertEqual(alarm["column"], "x")
                            self.assertIn(f"taut: warning: {alarm['words']}\n", plain.stderr)
                        self.assertEqual(done.stderr.endswith("because of --strict\n"), bool(self.kinds[name]))
                        self.assertFalse((self.folder / "n.taut.journal").exists())

    def test_one_row_may_lack_a_cell(self):
        self.fit()
        one = self.write("one.csv", "t,x,y\n900,,1\n")
        self.taut("stream", "m.taut", one, "--strict")
        self.taut("update", "m.taut", one, "-o", "n.taut", "--strict")

    def test_labels(self):
        table = [(t, x, "up" if y > 0 else "down") for t, x, y in rows(300)]
        self.write("labels.csv", csv(table[:200]))
        self.write("later.csv", csv([(t, "", y) for t, _, y in table[200:]]))
        self.taut("fit", "labels.csv", "--target", "y", "--drop", "t", "--order-by", "t", "--effort", "quick", "-o", "l.taut")
        for command in (["update", "l.taut", "later.csv", "-o", "n.taut"], ["stream", "l.taut", "later.csv"]):
            self.assertEqual(self.run_taut(*command, "--strict", "--alarms", "alarms.json").code, 3)
            self.assertEqual([alarm["kind"] for alarm in json.loads(self.read("alarms.json"))["alarms"]], ["empty_columns"])

    def test_the_file_of_alarms_replaces_nothing(self):
        self.fit()
        good = self.paths["good"]
        for command in (["update", "m.taut", good, "-o", "n.taut"], ["stream", "m.taut", good, "-o", "i.csv", "--save", "n.taut"]):
            for taken in ("m.taut", "n.taut", good):
                before = (self.folder / "m.taut").read_bytes()
                self.fails(2, *command, "--alarms", taken)
                self.assertEqual((self.folder / "m.taut").read_bytes(), before)
        self.fails(2, "stream", "m.taut", good, "-o", "i.csv", "--alarms", "i.csv")
        self.fails(2, "update", "m.taut", good, "-o", "n.taut", "--alarms", "-", says=["standard output"])


class Evaluate(Streamed):
    def test_in_order(self):
        self.fit()
        told = self.taut("evaluate", "m.taut", self.new, "--in-order", "--confidence", "0.9", "--json").json()["in_order"]
        level = told["levels"][0]
        self.assertEqual((told["rows"], told["targets"], told["window"]), (900, 900, 500))
        self.assertAlmostEqual(level["coverage"], 0.9, delta=0.02)
        self.assertLessEqual(level["worst_coverage"], level["coverage"] + 0.02)
        self.assertGreater(level["asked_high"], level["asked_low"])
        self.assertEqual(len(level["rolling"]), 200)
        # The same as computed from the intervals.
        names, cells = self.intervals("m.taut", self.new)
        table = rows(900, 2, first=800, drift=0.002)
        covered = [row[1] <= y <= row[2] for row, (_, _, y) in zip(cells, table)]
        worst = min(sum(covered[i:i + 500]) / 500 for i in range(401))
        self.assertAlmostEqual(level["worst_coverage"], worst, places=9)
        self.assertAlmostEqual(level["mean_width"], sum(row[2] - row[1] for row in cells) / 900, places=6)
        score = sum(r[2] - r[1] + 20 * (max(0, r[1] - y) + max(0, y - r[2])) for r, (_, _, y) in zip(cells, table)) / 900
        self.assertAlmostEqual(level["interval_score"], score, places=6)
        self.assertIn("In order", self.taut("evaluate", "m.taut", self.new, "--in-order").stdout)
        self.fails(2, "evaluate", "m.taut", self.new, "--delay", "3", says=["--in-order"])


if __name__ == "__main__":
    main()

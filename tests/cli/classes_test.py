"""Classification: the output, the messages and the errors of every command."""
import csv
import io
import json
import math
import random

from harness import TautTest, main

LABELS = ["cat", "dog", "fox"]


def softmax(z):
    top = max(z)
    e = [math.exp(one - top) for one in z]
    return [one / sum(e) for one in e]


def rows(count, seed, labels=LABELS):
    """Columns x0, x1, kind, p_..., label; labels are sampled from known probabilities."""
    draw, table = random.Random(seed), []
    for _ in range(count):
        x0, x1, kind = draw.gauss(0, 1), draw.gauss(0, 1), draw.choice("uv")
        p = softmax([(2 * x0, 2 * x1, 0.5)[k % 3] + (1 if kind == "u" else 0) * (k == 2) for k in range(len(labels))])
        table.append([x0, x1, kind, *p, draw.choices(labels, p)[0]])
    return table


def text(table, labels=LABELS, drop_probabilities=True):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ["x0", "x1", "kind", *(f"p_{label}" for label in labels), "label"]
    keep = [i for i, name in enumerate(names) if not (drop_probabilities and name.startswith("p_"))]
    writer.writerow([names[i] for i in keep])
    for row in table:
        writer.writerow([row[i] for i in keep])
    return out.getvalue()


def cells(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Classes(TautTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", text(rows(500, 1)))
        self.test = self.write("test.csv", text(rows(800, 2)))
        self.scored = self.write("scored.csv", text(rows(500, 1), drop_probabilities=False))
        self.scored_test = self.write("scored_test.csv", text(rows(800, 2), drop_probabilities=False))

    def fit(self, *options, data=None, model="m.taut"):
        return self.taut("fit", data or self.train, "--target", "label", "--effort", "quick", *options, "-o", model)

    def test_a_text_target_makes_sets_that_cover(self):
        done = self.fit()
        self.assertIn("3 labels: cat, dog, fox", done.stderr)
        told = self.taut("evaluate", "m.taut", self.test, "--confidence", "0.8,0.9", "--json").json()
        self.assertEqual(told["labels"], LABELS)
        for level in told["levels"]:
            self.assertLessEqual(level["coverage_low"], level["coverage"])
            self.assertLessEqual(level["coverage"], level["coverage_high"])
            self.assertEqual(sum(line["rows"] for line in level["by_label"]), 800)
            self.assertEqual(sum(line["rows"] for line in level["by_size"]), 800)
            self.assertEqual(sum(line["covered"] for line in level["by_size"]), sum(line["covered"] for line in level["by_label"]))
            self.assertLess(level["mean_size"], 2.6)
            for k, line in enumerate(level["by_label"]):
                self.assertAlmostEqual(level["confusion"][k][k], line["coverage"])
        self.assertGreater(told["probabilities"]["accuracy"], 0.5)
        self.assertEqual(told["alarms"], [])

    def test_predict_writes_labels_probabilities_sets_and_sizes(self):
        self.fit()
        found = cells(self.taut("predict", "m.taut", self.test, "--confidence", "0.80,0.9", "--keep", "label"))
        self.assertEqual(list(found[0]), ["label", "prediction", "probability", "set_0.80", "size_0.80", "set_0.9", "size_0.9"])
        wide = cells(self.taut("predict", "m.taut", self.test, "--confidence", "0.9", "--wide"))
        self.assertEqual(list(wide[0]), ["prediction", "probability", "set_0.9_cat", "set_0.9_dog", "set_0.9_fox", "size_0.9"])
        for row, flags in zip(found, wide):
            held = row["set_0.9"].split("|") if row["set_0.9"] else []
            self.assertEqual(held, [label for label in LABELS if flags[f"set_0.9_{label}"] == "1"])
            self.assertEqual(len(held), int(row["size_0.9"]))
            self.assertLessEqual(set(row["set_0.80"].split("|")) - {""}, set(held))
            self.assertIn(row["prediction"], LABELS)
            self.assertGreaterEqual(float(row["probability"]), 1 / 3)
        told = self.taut("evaluate", "m.taut", self.test, "--json").json()["levels"][0]
        covered = sum(row["label"] in row["set_0.9"].split("|") for row in found)
        self.assertAlmostEqual(covered / 800, told["coverage"])

    def test_threads_and_batches_change_nothing(self):
        self.fit("--score", "randomized-aps", "--threads", "1")
        self.fit("--score", "randomized-aps", "--threads", "2", model="m2.taut")
        self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "m2.taut").read_bytes())
        one = self.taut("predict", "m.taut", self.test, "--threads", "1").stdout
        self.assertEqual(one, self.taut("predict", "m2.taut", self.test, "--threads", "2").stdout)

    def test_former_names_give_the_same_files(self):
        for former, present in (("least", "lac"), ("cumulated", "aps"), ("randomised", "randomized-aps"), ("regularised:0.05,1", "raps:0.05,1")):
            self.fit("--score", former, "--task", "classes")
            self.fit("--score", present, "--task", "classification", model="m2.taut")
            self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "m2.taut").read_bytes(), former)
        self.assertNotIn("cumulated", self.taut("fit", "--help").stdout)
        self.fit("--by-label")
        self.fit("--class-conditional", model="m2.taut")
        self.assertEqual((self.folder / "m.taut").read_bytes(), (self.folder / "m2.taut").read_bytes())

    def test_given_probabilities_and_fixed_are_the_classical_method(self):
        self.fit("--probabilities", "p_", "--transform", "fixed", data=self.scored)
        calibration, fresh = rows(99, 3), rows(50, 4)
        self.write("cal.csv", text(calibration, drop_probabilities=False))
        self.write("new.csv", text(fresh, drop_probabilities=False))
        self.taut("calibrate", "m.taut", "cal.csv", "-o", "c.taut")
        scores = sorted(1 - row[3 + LABELS.index(row[-1])] for row in calibration)
        q = scores[90 - 1]  # (99 + 1) · 0.9
        for row, got in zip(fresh, cells(self.taut("predict", "c.taut", "new.csv"))):
            wanted = [label for k, label in enumerate(LABELS) if 1 - row[3 + k] <= q]
            self.assertEqual(got["set_0.9"], "|".join(wanted))

    def test_few_rows_with_probabilities_all_calibrate(self):
        self.write("few.csv", text(rows(120, 13), drop_probabilities=False))
        done = self.taut("fit", "few.csv", "--target", "label", "--probabilities", "p_", "-o", "m.taut")
        self.assertIn("all of them calibrate", done.stderr)
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["rows"]["calibration"], 120)
        self.fit("--probabilities", "p_", data=self.scored)
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["rows"]["calibration"], 250)

    def test_by_label_and_groups(self):
        self.fit("--by-label")
        told = self.taut("info", "m.taut", "--json").json()
        self.assertEqual(told["calibration"]["kind"], "by-label")
        self.assertEqual(sum(group["rows"] for group in told["calibration"]["groups"]), told["rows"]["calibration"])
        self.taut("calibrate", "m.taut", self.test, "-o", "c.taut")
        self.assertEqual(self.taut("info", "c.taut", "--json").json()["calibration"]["kind"], "by-label")
        self.taut("calibrate", "m.taut", self.test, "--by", "kind", "-o", "g.taut")
        groups = self.taut("info", "g.taut", "--json").json()["calibration"]
        self.assertEqual(sorted(group["name"] for group in groups["groups"]), ["u", "v"])
        again = self.write("again.csv", text(rows(800, 5)))
        by = self.taut("evaluate", "g.taut", again, "--by", "kind", "--json").json()["levels"][0]["by_group"]
        self.assertEqual(sorted(line["name"] for line in by), ["u", "v"])
        for line in by:
            self.assertGreater(line["coverage"], 0.8)
        self.taut("calibrate", "g.taut", self.test, "--plain", "-o", "p.taut")
        self.assertEqual(self.taut("info", "p.taut", "--json").json()["calibration"]["kind"], "plain")
        self.fails(2, "fit", self.train, "--target", "label", "--by-label", "--by", "kind", "-o", "x.taut", says=["--by-label", "--by"])

    def test_labels_without_calibration_rows_are_in_every_set_and_said(self):
        self.fit("--by-label")
        self.write("few.csv", text([row for row in rows(300, 6) if row[-1] != "dog"]))
        done = self.taut("calibrate", "m.taut", "few.csv", "-o", "c.taut")
        self.assertIn("no calibration row has the label 'dog': it is in every set", done.stderr)
        for row in cells(self.taut("predict", "c.taut", self.test)):
            self.assertIn("dog", row["set_0.9"].split("|"))

    def test_labels_that_no_training_row_had(self):
        self.fit()
        table = rows(300, 7)
        for row in table[:60]:
            row[-1] = "wolf"
        self.write("wolves.csv", text(table))
        told = self.taut("evaluate", "m.taut", "wolves.csv", "--json").json()
        self.assertEqual(told["unknown_labels"], 60)
        self.assertIn("unseen_categories", [alarm["kind"] for alarm in told["alarms"]])
        self.assertLess(told["levels"][0]["coverage"], 0.82)
        done = self.taut("calibrate", "m.taut", "wolves.csv", "-o", "c.taut")
        self.assertIn("60 of 300 calibration rows have labels that no training row had", done.stderr)
        for row in cells(self.taut("predict", "c.taut", self.test)):  # a fifth of the rows has an unseen label, so the set at 0.9 is all labels
            self.assertEqual(row["set_0.9"], "cat|dog|fox")

    def test_odd_labels_are_escaped_and_quoted(self):
        labels = ["a|b", 'say "c"', "back\\slash, comma"]
        self.write("odd.csv", text(rows(300, 8, labels), labels))
        self.taut("fit", "odd.csv", "--target", "label", "--effort", "quick", "--transform", "fixed", "-o", "m.taut")
        written = {"a|b": r"a\|b", 'say "c"': 'say "c"', "back\\slash, comma": r"back\\slash, comma"}
        found = cells(self.taut("predict", "m.taut", "odd.csv", "--confidence", "0.99"))
        order = self.taut("info", "m.taut", "--json").json()["labels"]
        self.assertEqual(sorted(order), sorted(labels))
        self.assertIn("|".join(written[label] for label in order), {row["set_0.99"] for row in found})

    def test_numbers_are_labels_where_asked(self):
        table = [[*row[:-1], 10 * LABELS.index(row[-1])] for row in rows(400, 9)]
        self.write("numbers.csv", text(table))
        self.taut("fit", "numbers.csv", "--target", "label", "--task", "classification", "--effort", "quick", "-o", "m.taut")
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["labels"], ["0", "10", "20"])
        self.assertIn("coverage", self.taut("evaluate", "m.taut", "numbers.csv").stdout)
        self.taut("fit", "numbers.csv", "--target", "label", "--predictor", "linear", "--localizer", "none", "-o", "n.taut")
        self.assertIn("lower_0.9", self.taut("predict", "n.taut", "numbers.csv").stdout)

    def test_days_are_no_labels(self):
        self.write("days.csv", "x,day\n" + "".join(f"{i},2021-01-{1 + i % 28:02}\n" for i in range(100)))
        self.fails(1, "fit", "days.csv", "--target", "day", "-o", "m.taut", says=["'day'", "--task classification"])

    def test_too_many_labels_are_refused_before_training(self):
        self.write("many.csv", "x,label\n" + "".join(f"{i},n{i}\n" for i in range(1100) for _ in range(2)))
        self.fails(1, "fit", "many.csv", "--target", "label", "--task", "classification", "-o", "m.taut", says=["'label'", "different labels", "at most"])

    def test_missing_targets(self):
        table = text(rows(400, 10)) + "1,1,u,\n"
        self.write("gaps.csv", table)
        self.fails(1, "fit", "gaps.csv", "--target", "label", "-o", "m.taut", says=["line 402", "missing", "--skip-missing-target"])
        done = self.taut("fit", "gaps.csv", "--target", "label", "--skip-missing-target", "--effort", "quick", "-o", "m.taut")
        self.assertIn("1 row without a target left out", done.stderr)
        self.assertIn("1 row without a target left out", self.taut("evaluate", "m.taut", "gaps.csv").stderr)

    def test_what_makes_no_sense_is_refused(self):
        one = self.write("one.csv", text([row for row in rows(200, 11) if row[-1] == "cat"]))
        self.fails(1, "fit", one, "--target", "label", "-o", "x.taut", says=["one label only", "'cat'"])
        self.fails(2, "fit", self.train, "--target", "label", "--task", "classification", "--y-min", "0", "-o", "x.taut", says=["--y-min"])
        self.fails(2, "fit", self.train, "--target", "label", "--predictor", "knn", "-o", "x.taut", says=["--predictor knn"])
        self.fails(2, "fit", self.train, "--target", "label", "--score", "smallest", "-o", "x.taut", says=["lac", "aps"])
        self.fails(2, "fit", self.train, "--target", "x0", "--task", "regression", "--by-label", "-o", "x.taut", says=["--by-label"])
        self.fails(1, "fit", self.train, "--target", "label", "--task", "regression", "-o", "x.taut", says=["'label'", "texts"])
        self.fails(1, "fit", self.train, "--target", "label", "--probabilities", "q_", "-o", "x.taut", says=["q_cat"])
        self.fit()
        self.fails(2, "predict", "m.taut", self.test, "--quantiles", "0.5", says=["labels", "--confidence"])
        self.fails(1, "explain", "m.taut", self.test, says=["predicts labels", "taut report"])
        for wanted in ("--c", "--onnx"):
            self.fails(1, "export", "m.taut", wanted, "x.out", says=["predicts labels", "--json"])
        self.fails(2, "fit", self.train, "--target", "label", "--split", "cv+", "-o", "x.taut", says=["--split cv+", "labels", "0.4,0.2,0.2,0.2"])
        self.fails(2, "fit", self.train, "--target", "label", "--in-order", "--lags", "1", "-o", "x.taut", says=["--lags", "labels"])
        self.fails(2, "fit", self.train, "--target", "label", "--task", "classification", "--model", "x.json", "-o", "x.taut",
                   says=["--model", "--probabilities"])
        self.taut("fit", self.train, "--target", "x0", "--drop", "label", "--predictor", "linear", "--localizer", "none", "-o", "n.taut")
        self.fails(2, "predict", "n.taut", self.test, "--wide", says=["--wide"])
        self.fails(2, "calibrate", "n.taut", self.test, "--by-label", "-o", "c.taut", says=["--by-label"])

    def test_rows_that_trained_are_noticed(self):
        self.fit()
        told = self.taut("evaluate", "m.taut", self.train, "--json").json()
        self.assertIn("training_rows", [alarm["kind"] for alarm in told["alarms"]])

    def test_info_tells_what_was_chosen(self):
        self.fit("--objective", "conditional", "--score", "raps:0.05,1")
        told = self.taut("info", "m.taut", "--json").json()
        self.assertEqual((told["task"], told["parts"]["score"], told["parts"]["objective"]), ("classification", "raps:0.05,1", "conditional"))
        self.assertEqual(told["options"]["by_label"], False)
        self.assertIn("temperature", self.taut("info", "m.taut").stdout)

    def test_check_shift(self):
        self.fit()
        moved = [[row[0] + 3, *row[1:]] for row in rows(400, 12)]
        self.write("moved.csv", text(moved))
        self.assertIn("'x0'", self.taut("predict", "m.taut", "moved.csv", "--check-shift", "-o", "out.csv").stderr)
        self.assertIn("no difference of inputs", self.taut("predict", "m.taut", self.test, "--check-shift", "-o", "out.csv").stderr)

    def test_export_to_json_has_the_whole_file(self):
        self.fit()
        self.taut("export", "m.taut", "--json", "m.json")
        told = json.loads(self.read("m.json"))
        self.assertEqual(told["kind"], "classes")
        self.assertEqual(len(told["calibration"]["scores"]), 100)

    def test_every_kind_of_calibration(self):
        self.fit()
        others = self.write("others.csv", text([row for row in rows(600, 21) if row[0] > -0.5]))
        weighted = text(rows(400, 22)).splitlines()
        self.write("weighted.csv", "\n".join([weighted[0] + ",w", *(f"{line},{1 + i % 3}" for i, line in enumerate(weighted[1:]))]) + "\n")
        fresh = text(rows(800, 23)).splitlines()
        self.write("fresh.csv", "\n".join([fresh[0] + ",w", *(f"{line},{1 + i % 3}" for i, line in enumerate(fresh[1:]))]) + "\n")
        for data, how in ((self.test, ["--towards", others]), (self.test, ["--local"]), (self.test, ["--overlapping", "kind,x0:3"]),
                          ("weighted.csv", ["--weights", "w"])):
            self.taut("calibrate", "m.taut", data, *how, "-o", "c.taut")
            told = self.taut("evaluate", "c.taut", "fresh.csv", "--confidence", "0.9", "--json").json()["levels"][0]
            # Rows from the same distribution: weights only change the effective sample size.
            self.assertGreater(told["coverage"], 0.85, how)
            self.assertLess(told["mean_size"], 2.6, how)
            self.fails(1, "stream", "c.taut", "fresh.csv", says=["--plain"])

    def test_rows_that_belong_together(self):
        lines = text(rows(500, 24), drop_probabilities=False).splitlines()
        self.write("together.csv", "\n".join([lines[0] + ",id", *(f"{line},g{i // 4}" for i, line in enumerate(lines[1:]))]) + "\n")
        for more in ([], ["--probabilities", "p_"]):
            self.taut("fit", "together.csv", "--target", "label", "--keep-together", "id", "--effort", "quick", *more, "-o", "m.taut")
            told = self.taut("info", "m.taut", "--json").json()
            self.assertEqual(told["rows"]["calibration"] % 4, 0)  # whole groups
            self.assertNotIn("id", [column["name"] for column in told["columns"]])

    def test_spellings_of_true_are_one_label(self):
        table = rows(400, 25, ["True", "TRUE", "no"])
        self.write("case.csv", text(table, ["True", "TRUE", "no"]))
        self.taut("fit", "case.csv", "--target", "label", "--task", "classification", "--effort", "quick", "--transform", "fixed", "-o", "m.taut")
        self.assertEqual(self.taut("info", "m.taut", "--json").json()["labels"], ["no", "true"])
        self.assertEqual(self.taut("evaluate", "m.taut", "case.csv", "--json").json()["unknown_labels"], 0)

    def test_labels_of_any_letters(self):
        for labels in (["日本", "Ünï", "🙂"], [" lead", "trail ", "mid dle"], ["a\nb", "c", "d"]):
            table = rows(300, 26, labels)
            self.write("odd.csv", text(table, labels))
            self.taut("fit", "odd.csv", "--target", "label", "--effort", "quick", "--transform", "fixed", "-o", "m.taut")
            trimmed = [label.strip() for label in labels]
            self.assertEqual(sorted(self.taut("info", "m.taut", "--json").json()["labels"]), sorted(trimmed))
            found = cells(self.taut("predict", "m.taut", "odd.csv", "--confidence", "0.5", "--keep", "label"))
            self.assertEqual([row["label"] for row in found], [row[-1] for row in table])
            for row in found:
                self.assertLessEqual(set(row["set_0.5"].split("|")) - {""}, set(trimmed))

    def test_probabilities_that_say_nothing_or_the_wrong_thing(self):
        def fit(change, expect=None):
            table = []
            for row in rows(400, 27):
                row = list(row)
                change(row)
                table.append(row)
            self.write("p.csv", text(table, drop_probabilities=False))
            command = ["fit", "p.csv", "--target", "label", "--probabilities", "p_", "-o", "p.taut"]
            return self.fails(1, *command, says=expect) if expect else self.taut(*command)

        def put(row, values):
            row[3:6] = values

        fit(lambda row: put(row, [-0.1, 0.5, 0.6]), ["p_cat", "between 0 and 1", "-0.1"])
        fit(lambda row: put(row, ["nan", 0.5, 0.5]), ["p_cat", "missing"])
        fit(lambda row: put(row, [0.2, 0.2, 0.2]), ["sum to 1", "0.6"])
        fresh = self.write("fresh.csv", text([[*row[:3], 1 / 3, 1 / 3, 1 / 3, row[-1]] for row in rows(500, 28)], drop_probabilities=False))
        self.taut("fit", fresh, "--target", "label", "--probabilities", "p_", "--transform", "fixed", "-o", "ties.taut")
        told = self.taut("evaluate", "ties.taut", fresh, "--json").json()["levels"][0]
        self.assertEqual(told["coverage"], 1)  # all labels have the same score
        self.assertAlmostEqual(told["mean_size"], 3)
        # The errors of the probabilities are learned from the inputs.
        fit(lambda row: put(row, [1 / 3] * 3))
        told = self.taut("evaluate", "p.taut", fresh, "--json").json()["levels"][0]
        self.assertLess(told["mean_size"], 2.9)
        self.assertGreaterEqual(told["coverage"], told["coverage_low"])
        # Probability 1 for a wrong label in every row.
        fit(lambda row: put(row, [float(k == (LABELS.index(row[-1]) + 1) % 3) for k in range(3)]))

    def test_a_label_of_one_row_and_far_inputs(self):
        table = [[row[0] + 1e9, *row[1:]] for row in rows(400, 29)]
        table[5][-1] = "rare"
        self.write("far.csv", text(table))
        self.taut("fit", "far.csv", "--target", "label", "--effort", "quick", "-o", "m.taut")
        fresh = self.write("fresh.csv", text([[row[0] + 1e9, *row[1:]] for row in rows(800, 30)]))
        told = self.taut("evaluate", "m.taut", fresh, "--json").json()
        self.assertGreaterEqual(told["levels"][0]["coverage"], told["levels"][0]["coverage_low"])
        self.assertGreater(told["probabilities"]["accuracy"], 0.5)  # x0 is still used with an offset of a billion


if __name__ == "__main__":
    main()

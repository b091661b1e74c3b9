"""compare: methods on the same halvings of any table."""
import json
import random
import re
import signal

import samples
from harness import TautTest, main

COMMON = ["--target", "y", "--predictor", "linear", "--epochs", "40"]
METHODS = ["--methods", "fixed,exp:boost:sides=one"]


class Compare(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv(samples.rows(600)))

    def test_says_what_is_significant(self):
        done = self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "8")
        self.assertIn("600 rows of d.csv, halved at random 8 times", done.stdout)
        self.assertIn("each half (300 rows) is fitted and calibrated on once and tested once", done.stdout)
        self.assertRegex(done.stdout, r"Best, by the interval score, at confidence 0\.9: exp:boost:sides=one; nearest to it is fixed, "
                                      r"\S+ % larger \(\S+ ± \S+, p-value .*\): the difference is significant\.")
        self.assertIn("corrected for the number of methods, and\nconservative", done.stdout)
        self.assertRegex(done.stderr, r"seconds .* fixed 0?\.?\d")

    def test_the_same_method_twice_is_no_difference(self):
        done = self.taut("compare", "d.csv", *COMMON, "--methods", "exp:sides=one,linear:sides=one", "--repeats", "4", "--json").json()
        behind = done["levels"][0]["methods"]["linear:sides=one"]["interval_score"]["behind_best"]
        self.assertAlmostEqual(behind["mean"], 0, places=6)
        # Noise does not make a difference either.
        draw = random.Random(1)
        self.write("noise.csv", "x,y\n" + "".join(f"{draw.random()},{draw.gauss(0, 1)}\n" for _ in range(400)))
        words = self.taut("compare", "noise.csv", *COMMON, *METHODS, "--repeats", "5").stdout
        self.assertNotIn("difference is significant", words)

    def test_p_values_are_called_so(self):
        """In every format. They are the p-values of the paired differences, times the number of comparisons."""
        command = ["compare", "d.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed,fixed:split=0.5+0+0+0.5", "--repeats", "3"]
        level = self.taut(*command, "--json").json()["levels"][0]
        for ranking, metric in [("by_interval_score", "interval_score"), ("by_mean_width", "mean_width")]:
            p_value = level["methods"][level[ranking]["nearest"]][metric]["behind_best"]["p_value"]
            self.assertEqual(level[ranking]["p_value"], p_value)
            self.assertTrue(0 < p_value <= 1)
        for name in ["c.md", "c.json", "c.html"]:
            if name.endswith("html") and "has no page" in self.run_taut(*command, "-o", name).stderr:
                continue  # built without node
            done = self.taut(*command, "-o", name)
            for text in [self.read(name), *([] if name.endswith("json") else [done.stderr])]:
                self.assertRegex(text, r"p-value (below )?0?\.?\d")
                self.assertNotIn("by chance", text)

    def test_no_number_is_nan(self):
        """Too few calibration rows for one of the levels, one halving, predictions that are exact."""
        self.write("few.csv", samples.csv(samples.rows(41)))
        self.write("exact.csv", "x,y\n" + "".join(f"{i},{i}\n" for i in range(60)))
        for data in ["few.csv", "exact.csv"]:
            for output in ["c.md", "c.csv", "c.json", "c.html"]:
                done = self.run_taut("compare", data, "--target", "y", "--predictor", "linear", "--methods", "fixed,fixed:split=0.5+0+0+0.5",
                                     "--repeats", "1", "--confidence", "0.5,0.99", "-o", output)
                if "has no page" in done.stderr:
                    continue
                self.assertEqual(done.code, 0, f"\n{done}")
                text = re.search(r'(?s)type="application/json".*?</script>', self.read(output)).group() if output.endswith("html") else self.read(output)
                for words in [text, done.stderr]:
                    self.assertNotRegex(words, r"(?i)\bnan\b", f"\n{done}")

    def test_split_within_a_method(self):
        """Separated by '+', or by ',' if ';' separates the methods: the fits are the same."""
        command = ["compare", "d.csv", *COMMON[:4], "--repeats", "1", "--json", "--methods"]
        plus = self.taut(*command, "fixed,fixed:split=0.5+0+0+0.5").json()
        commas = self.taut(*command, "fixed;fixed:split=0.5,0,0,0.5").json()
        self.assertIn("split=0.5,0,0,0.5", plus["methods"][1]["options"])
        self.assertNotIn("split", plus["methods"][0]["options"])
        widths = [[list(one["levels"][0]["methods"].values())[m]["mean_width"]["values"] for m in range(2)] for one in (plus, commas)]
        self.assertEqual(widths[0], widths[1])
        self.assertNotEqual(widths[0][0], widths[0][1])
        self.fails(2, *command, "fixed,fixed:split=0.5,0,0,0.5", says=["split=0.4+0.3+0.1+0.2", "';'"])
        self.fails(2, *command, "fixed;;exp", says=["--methods", "empty"])

    def test_two_runs_agree_to_the_bit(self):
        command = ["compare", "d.csv", *COMMON, *METHODS, "--repeats", "2", "--confidence", "0.9,0.5"]
        self.assertEqual(self.taut(*command, "--threads", "1").stdout, self.taut(*command, "--threads", "3").stdout)
        one, two = (self.taut(*command, "--json").json() for _ in range(2))
        self.assertEqual(list(one)[-1], "seconds")
        del one["seconds"], two["seconds"]
        self.assertEqual(one, two)

    def test_metrics_are_those_of_evaluate(self):
        self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "2", "-o", "c.csv")
        lines = self.read("c.csv").splitlines()
        self.assertEqual(lines[0], "halving,half,method,confidence,mean_width,coverage,interval_score,ert,worst_slab_coverage,infinite,unbounded,seconds")
        self.assertEqual([line.split(",")[:4] for line in lines[1:]],
                         [[r, h, m, "0.9"] for r in "01" for h in "01" for m in ("fixed", "exp:boost:sides=one")])
        self.taut("compare", "d.csv", *COMMON, *METHODS, "--repeats", "2", "-o", "c.json")
        values = json.loads(self.read("c.json"))["levels"][0]["methods"]["fixed"]["mean_width"]["values"]
        self.assertEqual([float(line.split(",")[4]) for line in lines[1::2]], values)

    def test_resumes(self):
        command = ["compare", "d.csv", *COMMON, *METHODS, "--repeats"]
        self.taut(*command, "1", "--resume", "done")
        resumed = self.taut(*command, "2", "--resume", "done")
        self.assertIn("done: 12 of 24 fits are done already", resumed.stderr)
        self.assertEqual(resumed.stdout, self.taut(*command, "2").stdout)
        # Other data are fitted again.
        self.write("d.csv", samples.csv(samples.rows(600, seed=1)))
        self.assertNotIn("done already", self.taut(*command, "1", "--resume", "done").stderr)

    def test_a_quarter_that_is_too_small_costs_the_p_value(self):
        """100 rows at 0.95: a half has enough calibration rows, a quarter does not."""
        self.write("few.csv", samples.csv(samples.rows(100)))
        command = ["compare", "few.csv", *COMMON[:4], "--methods", "fixed:split=0.5+0+0+0.5,fixed:split=0.4+0+0+0.6", "--repeats", "3",
                   "--confidence", "0.95"]
        done = self.taut(*command)
        self.assertIn("there is no p-value, because a quarter of the rows is too few", done.stdout)
        self.assertNotIn("significant", done.stdout)
        ranking = self.taut(*command, "--json").json()["levels"][0]["by_interval_score"]
        self.assertIsNone(ranking["p_value"])
        self.assertEqual(ranking["not_ranked"], [])

    def test_default_methods_take_missing_cells(self):
        table = samples.rows(200)
        self.write("gaps.csv", samples.csv([("", *row[1:]) if i % 9 == 0 else row for i, row in enumerate(table)]))
        done = self.taut("compare", "gaps.csv", "--effort", "quick", "--epochs", "5", "--repeats", "1", "--target", "y")
        self.assertIn("| exp:mlp ", done.stdout)

    def test_own_predictions_and_range(self):
        rows = [(x, 2 * x, abs(y)) for x, _, _, y in samples.rows(400)]
        self.write("p.csv", samples.csv(rows, ["x", "f", "y"]))
        done = self.taut("compare", "p.csv", "--target", "y", "--prediction", "f", "--y-min", "0", "--methods", "fixed,exp:focus",
                         "--repeats", "2", "--epochs", "20")
        self.assertIn("exp:focus", done.stdout)

    def test_bad_usage_and_data(self):
        self.fails(2, "compare", "d.csv", "--target", "y", "--repeats", "0", says=["--repeats", "at least 1"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "exq", says=["did you mean 'exp'", "erc"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "exp:bost", says=["did you mean 'boost'", "OPTION=VALUE"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--methods", "fixed,fixed", says=["named twice"])
        self.fails(2, "compare", "d.csv", "--target", "y", "--confidence", "90", says=["0.9"])
        self.fails(2, "compare", "d.csv", "--target", "y", "-o", "c.txt", says=["c.txt", ".md"])
        self.fails(1, "compare", "d.csv", "--target", "q", says=["no column 'q'"])
        self.fails(1, "compare", "d.csv", "--target", "y", "--drop", "q", says=["'q'"])
        gaps = [(*row[:3], "") if i % 9 == 0 else row for i, row in enumerate(samples.rows(100))]
        self.write("gaps.csv", samples.csv(gaps))
        self.fails(1, "compare", "gaps.csv", *COMMON[:2], "--methods", "exp:predictor=knn", says=["method 'exp:predictor=knn': gaps.csv"])
        self.write("few.csv", samples.csv(samples.rows(20)))
        self.fails(1, "compare", "few.csv", "--target", "y", says=["few.csv", "too few rows", "40"])
        self.assertEqual(self.files(), ["d.csv", "few.csv", "gaps.csv"])


class Unbounded(TautTest):
    def test_a_method_that_gives_up_is_not_ranked(self):
        """One group in ten has too few calibration rows. Infinite intervals there and narrow ones elsewhere are not better."""
        draw = random.Random(5)
        lines = []
        for i in range(600):
            rare = i % 20 == 0
            x = draw.uniform(-1, 1)
            lines.append((x, "rare" if rare else "usual", x + (30 if rare else 1) * draw.gauss(0, 1)))
        self.write("r.csv", samples.csv(lines, ["x", "group", "y"]))
        command = ["compare", "r.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed,fixed:by=group", "--repeats", "3",
                   "--confidence", "0.95"]
        done = self.taut(*command)
        self.assertRegex(done.stdout, r"Unbounded at confidence 0\.95: fixed:by=group gives \d\S* % of the rows an interval with an infinite end")
        self.assertRegex(done.stdout, r"method +\| unbounded +\| interval score")
        self.assertRegex(done.stdout, r"fixed:by=group +\| 0\.0\d+ +\| inf +\| not ranked")
        self.assertIn("Best, by the interval score, at confidence 0.95: fixed, the only method.", done.stdout)
        self.assertLess(done.stdout.index("Unbounded at"), done.stdout.index("Best, by"))
        level = self.taut(*command, "--json").json()["levels"][0]
        self.assertEqual(level["by_interval_score"]["not_ranked"], ["fixed:by=group"])
        score = level["methods"]["fixed:by=group"]["interval_score"]
        self.assertIsNone(score["mean"])
        self.assertTrue(score["infinite"])
        self.assertGreater(level["methods"]["fixed:by=group"]["unbounded"]["mean"], 0.01)
        self.assertIsNotNone(level["methods"]["fixed"]["interval_score"]["mean"])
        # evaluate reports the same for such a model.
        self.taut("fit", "r.csv", "--target", "y", "--predictor", "linear", "--localizer", "none", "--by", "group", "-o", "m.taut")
        found = self.taut("evaluate", "m.taut", "r.csv", "--confidence", "0.995", "--json", "--by", "group").json()
        one = found["levels"][0]
        self.assertEqual(one["unbounded"], one["infinite"] / 600)
        self.assertGreater(one["infinite"], 0)
        self.assertIsNone(one["mean_width"])
        self.assertIsNone(one["interval_score"])
        widths = {line["name"]: line["mean_width"] for line in found["by_group"][0]["groups"]}
        self.assertIsNone(widths["rare"])
        self.assertRegex(self.taut("evaluate", "m.taut", "r.csv", "--confidence", "0.995").stdout, r"mean width +inf ")


class Designs(TautTest):
    def test_a_random_walk_is_judged_on_its_future(self):
        """Random halves contain the rows before and after each test row, so they hide the error on future rows."""
        draw = random.Random(2)
        y, lines = 0.0, []
        for t in range(600):
            y += draw.gauss(0, 1)
            lines.append((t, draw.gauss(0, 1), y))
        draw.shuffle(lines)
        self.write("w.csv", samples.csv(lines, ["t", "x", "y"]))
        command = ["compare", "w.csv", "--target", "y", "--predictor", "knn", "--methods", "fixed,fixed:split=0.5+0+0+0.5", "--repeats", "5"]
        halves, later = self.taut(*command, "--json").json(), self.taut(*command, "--order-by", "t", "--json").json()
        self.assertEqual((halves["design"], later["design"]), ("rows", "time"))
        coverage = [one["levels"][0]["methods"]["fixed"]["coverage"]["mean"] for one in (halves, later)]
        self.assertGreater(coverage[0], 0.85)
        self.assertLess(coverage[1], coverage[0] - 0.1)
        score = [one["levels"][0]["methods"]["fixed"]["interval_score"]["mean"] for one in (halves, later)]
        self.assertGreater(score[1], 1.5 * score[0])
        ranking = later["levels"][0]["by_interval_score"]
        self.assertIsNone(ranking["p_value"])
        self.assertEqual(len(later["levels"][0]["methods"]["fixed"]["coverage"]["values"]), 5)
        words = self.taut(*command, "--order-by", "t").stdout
        self.assertIn("in the order of time, alike for all methods: the later half is cut into 5 blocks of about 60 rows", words)
        self.assertRegex(words, r"it is better in \d of 5 blocks\. .* there is no p-value, because blocks of one series depend on one another")
        self.assertNotIn("significant", words)
        # The order of the file does not matter, the order of time does.
        self.write("w.csv", samples.csv(sorted(lines), ["t", "x", "y"]))
        self.assertEqual(self.taut(*command, "--order-by", "t").stdout, words)
        self.assertEqual(self.taut(*command, "--in-order", "--json").json()["levels"], later["levels"])
        self.fails(1, *command[:-1], "50", "--order-by", "t", says=["--repeats 50", "blocks of 6 rows"])
        self.fails(2, *command[:-4], "--methods", "fixed:order-by=t", says=["'order-by' is the same for all methods"])
        curve = self.taut("plan", "w.csv", "--target", "y", "--predictor", "knn", "--order-by", "t", "--parts", "2", "--json").json()
        self.assertEqual(curve["design"], "time")
        self.assertLess(curve["levels"][0]["found"][-1]["coverage"], 0.85)
        self.fails(2, "plan", "--rows", "500", "--order-by", "t", says=["exchangeable"])

    def test_groups_stay_together(self):
        """Rows of a patient are nearly equal, so with random halves nearest neighbours predict nearly perfectly."""
        draw = random.Random(3)
        lines = []
        for patient in range(60):
            x, level = draw.gauss(0, 1), draw.gauss(0, 5)
            lines += [(x + draw.gauss(0, 1e-3), f"p{patient}", level + draw.gauss(0, 0.1)) for _ in range(10)]
        self.write("g.csv", samples.csv(lines, ["x", "patient", "y"]))
        command = ["compare", "g.csv", "--target", "y", "--predictor", "knn", "--methods", "fixed,fixed:split=0.5+0+0+0.5", "--repeats", "3", "--json"]
        rows = self.taut(*command, "--drop", "patient").json()
        groups = self.taut(*command, "--keep-together", "patient").json()
        self.assertEqual(groups["design"], "groups")
        score = [one["levels"][0]["methods"]["fixed"]["interval_score"]["mean"] for one in (rows, groups)]
        self.assertGreater(score[1], 2 * score[0])
        words = self.taut(*command[:-1], "--keep-together", "patient").stdout
        self.assertIn("in 60 groups of 'patient', halved at random 3 times", words)
        self.assertIn("groups count, not rows", words)
        curve = self.taut("plan", "g.csv", "--target", "y", "--predictor", "knn", "--keep-together", "patient", "--parts", "2", "--confidence", "0.8",
                          "--json").json()
        self.assertEqual(curve["design"], "groups")
        self.fails(2, "plan", "--rows", "500", "--keep-together", "patient", says=["number of groups"])


class Unfinished(TautTest):
    """Finished fits are always kept next to the output, until the result is written."""

    # The second method is slow, so that the test can stop the program after the first.
    LONG = ["--methods", "fixed;exp:mlp:epochs=1000000:patience=1000000", "--target", "y", "--predictor", "linear", "--repeats", "2",
            "--threads", "2"]

    def setUp(self):
        super().setUp()
        self.write("d.csv", samples.csv([(x, z, y) for x, z, _, y in samples.rows(200)], ["x", "z", "y"]))

    def unfinished(self):
        return [name for name in self.files() if name.endswith(".unfinished")]

    def stopped(self, *options):
        """The name of the file that a comparison leaves if it is stopped after its first fit."""
        process = self.start("compare", "d.csv", *self.LONG, *options)
        for line in process.stderr:  # ends when the process does
            if b"the first of 24 fits took" in line:
                process.send_signal(signal.SIGINT)
                break
        words = process.communicate(timeout=600)[1].decode()
        self.assertEqual(process.returncode, 130, words)
        (name,) = self.unfinished()
        self.assertRegex(words, rf"interrupted: {re.escape(name)} holds ([1-9]|1[0-2]) of 24 fits; the same command goes on from there")
        return name

    def test_stopped_work_goes_on_and_leaves_nothing(self):
        name = self.stopped("-o", "c.json")
        self.assertRegex(name, r"^c\.json\.[0-9a-f]{8}\.unfinished$")
        # Fits of a method do not depend on the other methods, so finished fits are reused.
        done = self.taut("compare", "d.csv", "--methods", "fixed", *self.LONG[2:], "-o", "c.json")
        self.assertIn(f"finished fits are kept in {name} until the result is written", done.stderr)
        self.assertRegex(done.stderr, rf"{re.escape(name)}: [1-4] of 4 fits are done already")
        self.assertEqual(self.files(), ["c.json", "d.csv"])
        whole = self.taut("compare", "d.csv", "--methods", "fixed", *self.LONG[2:], "--json", "--resume", "none").json()
        resumed = json.loads(self.read("c.json"))
        del whole["seconds"], resumed["seconds"]
        self.assertEqual(resumed, whole)

    def test_other_data_or_settings_use_nothing_of_it(self):
        name = self.stopped()
        self.assertRegex(name, r"^d\.csv\.compare\.[0-9a-f]{8}\.unfinished$")
        kept = self.read(name)
        common = ["compare", "d.csv", "--methods", "fixed", *self.LONG[2:]]
        for other in [["--seed", "1"], ["--confidence", "0.8"], ["--split", "0.5,0,0,0.5"]]:
            done = self.taut(*common, *other)
            self.assertNotIn("done already", done.stderr, other)
        self.write("d.csv", self.read("d.csv") + "0,0,0\n")
        self.assertNotIn("done already", self.taut(*common).stderr)
        self.assertEqual(self.read(name), kept)
        # Not even in the same file: the key of each fit contains the data and the settings.
        self.assertNotIn("done already", self.taut(*common, "--resume", name).stderr)

    def test_nothing_is_kept_where_nothing_can_be(self):
        self.write("d.csv", samples.csv(samples.rows(60)))
        command = ["compare", "d.csv", "--methods", "fixed", "--predictor", "linear", "--target", "y", "--repeats", "1"]
        self.assertNotIn("kept", self.taut(*command, "--resume", "none").stderr)
        name = re.search(r"kept in (\S+) until", self.taut(*command).stderr).group(1)
        self.write(name, "something else")
        self.assertIn("finished fits are not kept: " + name, self.taut(*command).stderr)
        self.assertEqual(self.read(name), "something else")


class Plan(TautTest):
    def test_says_what_it_will_do_before_it_starts(self):
        self.write("d.csv", samples.csv(samples.rows(101)))
        words = self.taut("compare", "d.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed,fixed:split=0.5+0+0+0.5", "--repeats",
                          "3", "--threads", "1").stderr
        plan = words.index("comparing 2 methods on 3 random halvings of 101 rows, either half fitted and the other tested, and the same within each half: "
                           "36 fits, 1 at a time")
        first = re.search(r"the first of 36 fits took \S+ s; the rest will take about \d+ (s|min)", words)
        timed = re.search(r"2 fits done, each method timed: about \d+ (s|min) left", words)
        self.assertTrue(plan < first.start() < timed.start(), words)

    def test_one_is_one(self):
        self.write("d.csv", samples.csv(samples.rows(60)))
        done = self.taut("compare", "d.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed", "--repeats", "1")
        self.assertIn("comparing 1 method on 1 random halving of 60 rows", done.stderr)
        self.assertIn("halved at random 1 time,", done.stdout)

    def test_quick_says_what_it_left_out(self):
        self.write("d.csv", samples.csv(samples.rows(2100)))
        command = ["compare", "d.csv", "--target", "y", "--predictor", "linear", "--methods", "fixed", "--quick"]
        done = self.taut(*command)
        for text in (done.stdout, done.stderr):
            self.assertIn("A quick comparison: 2,000 of 2,100 rows drawn at random, 3 halvings (by default 10), --effort quick. "
                          "Left out: what methods learn from the other 100 rows", text)
        self.assertIn("2,000 rows of d.csv, halved at random 3 times", done.stdout)
        result = self.taut(*command, "--json", "--repeats", "2", "--effort", "thorough").json()  # explicit options take precedence
        self.assertEqual([result["quick"], result["rows"], result["rows_of_table"], result["repeats"]], [True, 2000, 2100, 2])
        self.assertIn("effort=thorough", result["methods"][0]["options"])
        self.assertIn("left out", result["left_out"].lower())
        self.assertEqual(self.files(), ["d.csv"])


if __name__ == "__main__":
    main()

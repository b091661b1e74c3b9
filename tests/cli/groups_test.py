"""Group-conditional, weighted, covariate-shift, localized and hierarchical calibration: the messages and the errors of every command."""
import math
import random

import samples
from harness import TautTest, main

QUICK = ["--predictor", "linear", "--localizer", "none"]
NOISE = {"north": 0.2, "south": 1.0, "west": 3.0}


def rows(count, seed, regions=("north", "south", "west"), mean=0.0):
    draw = random.Random(seed)
    table = []
    for i in range(count):
        x, region, age = draw.gauss(mean, 1), draw.choice(regions), draw.uniform(18, 90)
        y = 2 * x + NOISE.get(region, 1.0) * draw.gauss(0, 1)
        table.append((x, age, region, i // 5, math.exp(min(50, mean * x - mean * mean / 2)), y))
    return table


def csv(table):
    return samples.csv(table, ("x", "age", "region", "patient", "w", "y"))


class Grouped(TautTest):
    def setUp(self):
        super().setUp()
        self.train = self.write("train.csv", csv(rows(600, 1)))
        self.cal = self.write("cal.csv", csv(rows(600, 2)))
        self.test = self.write("test.csv", csv(rows(900, 3)))

    def fit(self, *options, drop="region,patient,w", data=None):
        self.taut("fit", data or self.train, "--target", "y", "--drop", drop, *QUICK, *options, "-o", "m.taut")

    def widths(self, model="m2.taut", data="test.csv"):
        names, cells = samples.intervals(self.taut("predict", model, data, "--confidence", "0.9").stdout)
        return [row[names.index("upper_0.9")] - row[names.index("lower_0.9")] for row in cells]

    def by_region(self, model="m2.taut", *options):
        told = self.taut("evaluate", model, self.test, "--by", "region", "--json", *options).json()["by_group"][0]
        return told, {line["name"]: line for line in told["groups"]}


class By(Grouped):
    def test_fit_and_calibrate_give_each_region_its_own(self):
        self.fit("--by", "region")
        self.taut("calibrate", "m.taut", self.cal, "-o", "m2.taut")  # the groups stay
        for model in ("m.taut", "m2.taut"):
            _, lines = self.by_region(model)
            self.assertEqual(set(lines), set(NOISE))
            for line in lines.values():
                self.assertGreater(line["coverage"], 0.8)
                self.assertLess(line["coverage"], 0.98)
            self.assertLess(lines["north"]["mean_width"], lines["west"]["mean_width"] / 5)

    def test_without_groups_the_hard_region_is_named(self):
        self.fit()
        told, lines = self.by_region("m.taut")
        self.assertEqual(told["below"], ["west"])
        self.assertEqual(told["groups"][0]["name"], "west")
        self.assertLess(lines["west"]["high"], 0.9)
        words = self.taut("evaluate", "m.taut", self.test, "--by", "region").stdout
        self.assertIn("1 of 3 groups covers less than 0.9, beyond what chance explains: west", words)

    def test_a_rank_for_each_group(self):
        self.fit()
        done = self.taut("calibrate", "m.taut", self.cal, "--by", "region", "-o", "m2.taut")
        self.assertIn("3 groups by region", done.stderr)
        info = self.taut("info", "m2.taut", "--json").json()["calibration"]
        self.assertEqual((info["kind"], info["by"], sum(group["rows"] for group in info["groups"])), ("by-group", "region", 600))
        self.assertEqual(len(set(round(width, 9) for width in self.widths())), 3)

    def test_numbers_predictions_and_combinations(self):
        self.fit()
        for by, groups in (("age:4", 4), ("x:3", 3), ("prediction:5", 5), ("region,age:2", 6), ("age:30/60", 3), ("patient:2", 2)):
            with self.subTest(by=by):
                done = self.taut("calibrate", "m.taut", self.cal, "--by", by, "-o", "m2.taut")
                self.assertIn(f"{groups} groups by", done.stderr)
                self.assertEqual("quantiles of the calibration rows" in done.stderr, by == "patient:2")  # not an input of the model, so the calibration rows define the bins
                self.assertEqual(len(self.widths()), 900)
        self.fit("--by", "prediction:2")
        self.assertEqual(len(set(round(width, 9) for width in self.widths("m.taut"))), 2)

    def test_what_new_rows_do_not_have_makes_no_groups(self):
        self.fit()
        for options in (["--by", "y"], ["--by", "region,y:5"], ["--by", "y:0/1"], ["--overlapping", "y"], ["--overlapping", "region,y:3"],
                        ["--weights", "y"], ["--keep-together", "y"]):
            self.fails(2, "calibrate", "m.taut", self.cal, *options, "-o", "m2.taut", says=[f"{options[0]} names the target 'y'"])
        for options in (["--by", "y:5"], ["--keep-together", "y"], ["--keep-together", "y:5"]):
            self.fails(2, "fit", self.train, "--target", "y", *QUICK, *options, "-o", "m2.taut", says=[f"{options[0]} names the target 'y'"])
        self.assertNotIn("m2.taut", self.files())

    def test_scales_can_be_cut(self):
        self.taut("fit", self.train, "--target", "y", "--drop", "patient,w", "--predictor", "linear", "--by", "scale:3", "-o", "m.taut")
        self.assertEqual(len(self.taut("info", "m.taut", "--json").json()["calibration"]["groups"]), 3)

    def test_without_a_scale_nothing_is_trained_in_vain(self):
        fit = ["fit", self.train, "--target", "y", "--drop", "patient,w", "--predictor", "linear", "-o", "m.taut"]
        for options in (["--localizer", "none"], ["--localizer", "constant"], ["--transform", "fixed"]):
            done = self.fails(2, *fit, *options, "--by", "region,scale:3", "--verbose",
                              says=["--by 'scale:3'", options[1], "no scale to cut", "prediction:5"])
            self.assertNotIn("out-of-fold", done.stderr)
        self.assertNotIn("m.taut", self.files())
        named = self.write("named.csv", csv(rows(300, 1)).replace("age", "scale", 1))  # a column of this name is a column
        self.taut("fit", named, *fit[2:], "--localizer", "none", "--by", "scale:3")
        self.assertEqual(len(self.taut("info", "m.taut", "--json").json()["calibration"]["groups"]), 3)

    def test_a_fit_that_falls_back_to_one_width_has_one_part(self):
        draw = random.Random(5)
        exact = [(x := draw.gauss(0, 1), "ab"[i % 2], 2 * x, 2 * x) for i in range(300)]  # exact predictions: nothing to adapt to
        same = self.write("same.csv", samples.csv(exact, ("x", "k", "f", "y")))
        plain = ["fit", same, "--target", "y", "--prediction", "f"]
        self.taut(*plain, "-o", "plain.taut")
        self.assertEqual(self.taut("info", "plain.taut", "--json").json()["parts"]["transform"], "fixed")
        done = self.taut(*plain, "--by", "scale:5", "--other-groups", "pool", "-o", "one.taut")
        self.assertIn("--by scale:5 is left out", done.stderr)
        self.assertEqual(self.taut("predict", "one.taut", same).stdout, self.taut("predict", "plain.taut", same).stdout)
        done = self.taut(*plain, "--by", "k,scale:5", "--calibrate-with", same, "-o", "two.taut")
        self.assertIn("--by scale:5 is left out", done.stderr)
        self.assertEqual(len(self.taut("info", "two.taut", "--json").json()["calibration"]["groups"]), 2)
        labels = self.write("labels.csv", samples.csv([(x := draw.gauss(0, 1), "ab"[x + draw.gauss(0, 1) > 0]) for _ in range(300)], ("x", "y")))
        self.taut("fit", labels, "--target", "y", "--effort", "quick", "--by", "scale:3", "-o", "labels.taut")
        self.fails(2, "fit", labels, "--target", "y", "--transform", "fixed", "--by", "scale:3", "-o", "labels.taut", says=["no scale to cut"])
        self.taut(*plain, "--transform", "shift", "--by", "scale:3", "-o", "shift.taut")

    def test_predictions_can_be_cut_where_there_is_one_width(self):
        for options in (QUICK, ["--predictor", "linear", "--transform", "fixed"]):
            self.taut("fit", self.train, "--target", "y", "--drop", "patient,w", *options, "--by", "prediction:3", "-o", "m.taut")
            self.assertEqual(len(self.taut("info", "m.taut", "--json").json()["calibration"]["groups"]), 3)

    def test_an_unseen_group(self):
        self.fit()
        new = self.write("new.csv", csv(rows(20, 4, regions=("east",))))
        self.taut("calibrate", "m.taut", self.cal, "--by", "region", "-o", "m2.taut")
        done = self.taut("predict", "m2.taut", new)
        self.assertIn("20 rows are of groups (region) without calibration rows: 'east'", done.stderr)
        self.assertTrue(all(line.split(",")[1:] == ["-inf", "inf"] for line in done.stdout.split("\n")[1:-1]), done.stdout[:200])
        self.taut("calibrate", "m.taut", self.cal, "--by", "region", "--other-groups", "pool", "-o", "pooled.taut")
        self.taut("calibrate", "m.taut", self.cal, "-o", "plain.taut")
        done = self.taut("predict", "pooled.taut", new)
        self.assertIn("they get what holds on average over all groups", done.stderr)
        self.assertEqual(done.stdout, self.taut("predict", "plain.taut", new).stdout)
        self.assertEqual(self.run_taut("predict", "m2.taut", new, "--strict").code, 3)

    def test_too_few_rows_in_a_group(self):
        self.fit()
        few = self.write("few.csv", csv(rows(50, 5, regions=("north", "south")) + rows(8, 6, regions=("west",))))
        done = self.taut("calibrate", "m.taut", few, "--by", "region", "-o", "m2.taut")
        self.assertIn("1 of 3 groups has too few calibration rows for confidence 0.9, where intervals are the whole line; at least 9 "
                      "are needed: west (8)", done.stderr)
        self.assertEqual(math.inf, max(self.widths()))

    def test_thousands_of_levels(self):
        self.fit()
        many = self.write("many.csv", samples.csv([(*row[:3], i, *row[4:]) for i, row in enumerate(rows(10_000, 7))],
                                                  ("x", "age", "region", "patient", "w", "y")))
        done = self.taut("calibrate", "m.taut", many, "--by", "patient", "-o", "m2.taut")
        self.assertIn("--by patient makes 10,000 groups", done.stderr)
        self.assertIn("coarser column", done.stderr)

    def test_every_question_works(self):
        self.fit("--by", "region")
        done = self.taut("predict", "m.taut", self.test, "--quantiles", "0.1,0.5,0.9", "--below", "0", "--p-value", "y", "--samples", "2",
                         "--tails", "equal", "--confidence", "0.9")
        names, cells = samples.intervals(done.stdout)
        for row in cells:
            low, middle, high = (row[names.index(f"q{p}")] for p in ("0.1", "0.5", "0.9"))
            self.assertTrue(low <= middle <= high)
        self.assertGreater(sum(row[names.index("p_value")] <= 0.1 for row in cells) / 900, 0.05)

    def test_errors(self):
        self.fit()
        for options, says in ((["--by", "regoin"], ["'regoin'", "did you mean 'region'"]), (["--by", "age:1"], ["2 to 1,000", "age:5"]),
                              (["--by", "region:3"], ["categories, which cannot be cut"]), (["--by", "prediction"], ["prediction:5"]),
                              (["--by", "age:40/20"], ["increasing"]), (["--by", "region,region"], ["twice"]),
                              (["--by", "scale:3"], ["no scale"])):
            with self.subTest(options=options):
                done = self.run_taut("calibrate", "m.taut", self.cal, *options, "-o", "m2.taut")
                self.assertIn(done.code, (1, 2))
                for words in says:
                    self.assertIn(words, done.stderr)
        self.fails(2, "calibrate", "m.taut", self.cal, "--by", "region", "--local", "-o", "m2.taut", says=["--by", "--local", "exclude"])
        self.fails(2, "calibrate", "m.taut", self.cal, "--by", "region", "--other-groups", "all", "-o", "m2.taut", says=["whole-line, pool"])
        self.fails(2, "fit", self.train, "--target", "y", "--by", "y", "-o", "m2.taut", says=["target"])
        self.taut("calibrate", "m.taut", self.cal, "--by", "region", "-o", "m2.taut")
        bare = self.write("bare.csv", "x,age\n1,2\n")
        self.fails(1, "predict", "m2.taut", bare, says=["'region'", "bare.csv"])


class Weights(Grouped):
    def test_a_weight_that_sums_to_infinity_has_a_share(self):
        self.fit()
        table = [(*row[:4], 1e308 if i < 2 else 1.0, row[5]) for i, row in enumerate(rows(50, 2))]
        done = self.taut("calibrate", "m.taut", self.write("w.csv", csv(table)), "--weights", "w", "-o", "m2.taut")
        self.assertRegex(done.stderr, r"have an effective sample size of 2\b")
        table[1] = (*table[1][:4], 1.0, table[1][5])
        done = self.taut("calibrate", "m.taut", self.write("w.csv", csv(table)), "--weights", "w", "-o", "m2.taut")
        self.assertIn("one calibration row has 100 % of all weight", done.stderr)

    def test_weights_near_the_largest_number_are_weights(self):
        """600 times 1e306 is infinite. Levels stay nested, and equal weights act like any other equal weights."""
        self.fit()
        widths = {}
        for weight in (1.0, 1e306):
            for name, seed in (("w.csv", 2), ("new.csv", 3)):
                self.write(name, csv([(*row[:4], weight, row[5]) for row in rows(600, seed)]))
            self.taut("calibrate", "m.taut", "w.csv", "--weights", "w", "-o", "m2.taut")
            widths[weight] = self.widths("m2.taut", "new.csv")
        self.assertEqual(widths[1.0], widths[1e306])

    def test_words_without_the_option_they_go_with(self):
        self.fit()
        self.fails(2, "calibrate", "m.taut", self.cal, "--other-groups", "pool", "-o", "m2.taut", says=["--other-groups", "--by"])
        self.fails(2, "calibrate", "m.taut", self.cal, "--local-in", "inputs", "-o", "m2.taut", says=["--local-in", "--local"])

    def test_weights_of_ones_own(self):
        self.fit()
        shifted = self.write("shifted.csv", csv(rows(600, 8, mean=1.0)))
        done = self.taut("calibrate", "m.taut", shifted, "--weights", "w", "-o", "m2.taut")
        self.assertRegex(done.stderr, r"the 600 calibration rows have an effective sample size of \d+")
        self.assertEqual(len(self.widths("m2.taut", shifted)), 600)
        bare = self.write("bare.csv", "x,age\n1,2\n")
        self.fails(1, "predict", "m2.taut", bare, says=["'w'"])

    def test_equal_weights_are_plain(self):
        self.fit()
        ones = self.write("ones.csv", csv([(*row[:4], 7.5, row[5]) for row in rows(600, 2)]))
        self.taut("calibrate", "m.taut", ones, "--weights", "w", "-o", "m2.taut")
        self.taut("calibrate", "m2.taut", ones, "--plain", "-o", "m3.taut")
        self.assertEqual(self.taut("predict", "m2.taut", ones).stdout, self.taut("predict", "m3.taut", ones).stdout)

    def test_bad_weights(self):
        self.fit()
        for weight, says in ((-1, ["not negative", "-1"]), ("inf", ["finite"]), ("", ["missing"]), ("much", ["much"])):
            bad = self.write("bad.csv", csv([(*row[:4], weight if i == 3 else 1, row[5]) for i, row in enumerate(rows(30, 2))]))
            with self.subTest(weight=weight):
                done = self.fails(1, "calibrate", "m.taut", bad, "--weights", "w", "-o", "m2.taut", says=["bad.csv", "line 5", "'w'", *says])
                del done
        zero = self.write("zero.csv", csv([(*row[:4], 0, row[5]) for row in rows(30, 2)]))
        self.fails(1, "calibrate", "m.taut", zero, "--weights", "w", "-o", "m2.taut", says=["all weights", "are 0"])
        one = self.write("one.csv", csv([(*row[:4], 1e9 if i == 3 else 1, row[5]) for i, row in enumerate(rows(30, 2))]))
        done = self.taut("calibrate", "m.taut", one, "--weights", "w", "-o", "m2.taut")
        self.assertIn("one calibration row has 100 % of all weight", done.stderr)


class Towards(Grouped):
    def test_weights_are_learnt(self):
        self.fit()
        new = self.write("new.csv", "\n".join(line.rsplit(",", 1)[0] for line in csv(rows(500, 9, mean=1.0)).strip().split("\n")) + "\n")
        done = self.taut("calibrate", "m.taut", self.cal, "--towards", new, "-o", "m2.taut")
        for words in ("are learnt, so coverage there is as good as they are", "clipped, at", "effective sample size"):
            self.assertIn(words, done.stderr)
        remaining = r"on held-out rows .* still differ by ([0-9.e-]+) of their weight, where chance alone makes ([0-9.e-]+)"
        self.assertRegex(done.stderr, remaining)
        self.assertRegex(self.taut("info", "m2.taut").stdout, remaining)
        self.assertEqual(len(self.widths("m2.taut", new)), 500)
        self.fails(2, "calibrate", "m2.taut", self.cal, "-o", "m3.taut", says=["--towards", "--plain"])

    def test_the_order_of_calibration_rows_does_not_matter(self):
        self.fit()
        new = self.write("new.csv", csv(rows(300, 9, mean=1.0)))
        table = [(round(x), *others) for x, *others in rows(400, 2)]  # with ties
        table += table[:50]
        for name in ("a", "b"):
            self.write("cal.csv", csv(table))
            self.taut("calibrate", "m.taut", "cal.csv", "--towards", new, "-o", f"{name}.taut")
            random.Random(7).shuffle(table)
        self.assertEqual((self.folder / "a.taut").read_bytes(), (self.folder / "b.taut").read_bytes())

    def test_other_columns_and_no_overlap(self):
        self.fit()
        other = self.write("other.csv", "a,age\n1,2\n2,3\n")
        self.fails(1, "calibrate", "m.taut", self.cal, "--towards", other, "-o", "m2.taut", says=["--towards", "other.csv", "'x'"])
        few = self.write("few.csv", "x,age\n1,2\n2,3\n")
        self.fails(1, "calibrate", "m.taut", self.cal, "--towards", few, "-o", "m2.taut", says=["at least 10 rows"])
        far = self.write("far.csv", csv(rows(300, 10, mean=50.0)))
        done = self.taut("calibrate", "m.taut", self.cal, "--towards", far, "-o", "m2.taut")
        self.assertIn("from the calibration rows almost perfectly", done.stderr)
        self.assertIn("'x'", done.stderr)

    def test_a_shift_recommends_it(self):
        self.fit()
        far = self.write("far.csv", csv(rows(300, 10, mean=3.0)))
        self.assertIn("--towards", self.taut("predict", "m.taut", far, "--check-shift").stderr)


class Local(Grouped):
    def test_neighbours(self):
        self.fit()
        done = self.taut("calibrate", "m.taut", self.cal, "--local", "-o", "m2.taut")
        self.assertIn("about 200 of the 600 calibration rows count for a row", done.stderr)
        widths = self.widths()
        self.assertGreater(len(set(round(width, 9) for width in widths)), 10)
        self.assertEqual(widths, self.widths())
        whole = self.taut("predict", "m2.taut", self.test).stdout.split("\n")
        half = self.write("half.csv", csv(rows(900, 3)[450:]))
        self.assertEqual(whole[451:], self.taut("predict", "m2.taut", half).stdout.split("\n")[1:])  # the random anchor of a row does not depend on its position
        self.taut("calibrate", "m.taut", self.cal, "--local", "100", "--local-in", "inputs", "-o", "m2.taut")
        self.taut("calibrate", "m.taut", self.cal, "--local", "1000", "-o", "m3.taut")
        self.taut("calibrate", "m.taut", self.cal, "-o", "m4.taut")
        self.assertEqual(self.taut("predict", "m3.taut", self.test).stdout, self.taut("predict", "m4.taut", self.test).stdout)
        self.fails(2, "calibrate", "m.taut", self.cal, "--local", "1", "-o", "m2.taut", says=["at least 2"])


class Together(Grouped):
    def test_patients(self):
        done = self.taut("fit", self.train, "--target", "y", "--drop", "region,w", *QUICK, "--keep-together", "patient", "-o", "m.taut")
        self.assertIn("24 values of patient in 120 calibration rows, each counting once", done.stderr)
        self.assertIn("24 values of patient among the calibration rows are too few for confidence 0.99", done.stderr)
        names = [column["name"] for column in self.taut("info", "m.taut", "--json").json()["columns"]]
        self.assertEqual(names, ["x", "age"])
        bare = self.write("bare.csv", "x,age\n1,2\n")
        self.taut("predict", "m.taut", bare)
        self.taut("calibrate", "m.taut", self.cal, "-o", "m2.taut")
        self.assertEqual(self.taut("info", "m2.taut", "--json").json()["calibration"]["kind"], "hierarchical")
        self.taut("evaluate", "m2.taut", self.test)

    def test_errors(self):
        self.fails(2, "fit", self.train, "--target", "y", "--by", "region", "--keep-together", "patient", "-o", "m.taut", says=["exclude"])
        self.fails(1, "fit", self.train, "--target", "y", "--keep-together", "patent", "-o", "m.taut", says=["'patient'"])
        self.fails(1, "fit", self.train, "--target", "y", "--keep-together", "region", "-o", "m.taut", says=["too few groups", "at least 4"])


class Overlapping(Grouped):
    def test_groups_that_overlap(self):
        self.fit()
        done = self.taut("calibrate", "m.taut", self.cal, "--overlapping", "region,age:3,x", "-o", "m2.taut")
        self.assertIn("of region, age:3, x at once", done.stderr)
        _, lines = self.by_region("m2.taut")
        for line in lines.values():
            self.assertGreater(line["coverage"], 0.8)
        self.assertLess(lines["north"]["mean_width"], lines["west"]["mean_width"] / 3)
        self.taut("predict", "m2.taut", self.test, "--smooth", "--confidence", "0.8,0.9", "-o", "smooth.csv")
        self.fails(1, "predict", "m2.taut", self.test, "--upper", "0.9", says=["--overlapping", "intervals"])
        self.taut("calibrate", "m2.taut", self.cal, "-o", "m3.taut")  # the kind of calibration stays
        self.assertEqual(self.widths("m2.taut"), self.widths("m3.taut"))
        new = self.write("new.csv", csv(rows(20, 4, regions=("east",))))
        self.assertIn("'east'", self.taut("predict", "m2.taut", new).stderr)
        self.assertEqual(set(self.widths("m2.taut", new)), {math.inf})

    def test_one_column_is_its_groups(self):
        self.fit()
        self.taut("calibrate", "m.taut", self.cal, "--overlapping", "region", "-o", "m2.taut")
        self.taut("calibrate", "m.taut", self.cal, "--by", "region", "-o", "m3.taut")
        for one, other in zip(self.widths("m2.taut"), self.widths("m3.taut")):
            self.assertAlmostEqual(one, other, delta=1e-6)


class Page(Grouped):
    def test_a_picture_by_group(self):
        self.fit()
        self.taut("report", "m.taut", self.test, "--by", "region", "-o", "r.html")
        page = (self.folder / "r.html").read_text(encoding="utf-8")
        self.assertIn('"by_group":{"by":"region"', page.replace(" ", ""))


if __name__ == "__main__":
    main()

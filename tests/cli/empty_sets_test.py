"""Prediction sets are never empty unless --allow-empty asks for exact sets."""
import csv
import io
import random

from harness import TautTest, main


def easy(count, seed):
    """Two labels that x tells apart nearly always."""
    draw = random.Random(seed)
    table = ["x,k,way"]
    for _ in range(count):
        x = draw.gauss(0, 1)
        table.append(f"{x},{draw.choice('uv')},{'up' if x + draw.gauss(0, 0.05) > 0 else 'down'}")
    return "\n".join(table) + "\n"


def cells(done):
    return list(csv.DictReader(io.StringIO(done.stdout)))


class EmptySets(TautTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", easy(300, 1))
        self.write("test.csv", easy(200, 2))

    def fit(self, *options):
        self.taut("fit", "train.csv", "--target", "way", "--effort", "quick", "-o", "m.taut", *options)

    def test_default_sets_differ_only_where_the_exact_set_is_empty(self):
        for options in ([], ["--by-label"], ["--by", "k"], ["--score", "aps"]):
            self.fit(*options)
            for more in ([], ["--smooth", "3"]):
                with self.subTest([*options, *more]):
                    ask = ["predict", "m.taut", "test.csv", "--confidence", "0.5", *more]
                    usual, exact = cells(self.taut(*ask)), cells(self.taut(*ask, "--allow-empty"))
                    empty = 0
                    for own, other in zip(usual, exact):
                        if other["size_0.5"] == "0":
                            empty += 1
                            self.assertEqual((other["set_0.5"], own["size_0.5"]), ("", "1"))
                            if "--by-label" not in options:
                                self.assertEqual(own["set_0.5"], own["prediction"])
                        else:
                            self.assertEqual(own, other)
                    self.assertGreater(empty, 20)
                    wide = cells(self.taut(*ask, "--wide"))
                    self.assertTrue(all(row["size_0.5"] == str(int(row["set_0.5_up"]) + int(row["set_0.5_down"])) != "0" for row in wide))

    def test_evaluate_and_report(self):
        self.fit()
        ask = ["evaluate", "m.taut", "test.csv", "--confidence", "0.5", "--strict"]  # no alarm, though far more than half is covered
        usual, exact = (self.taut(*ask, "--json", *more).json()["levels"][0] for more in ([], ["--allow-empty"]))
        self.assertEqual((usual["empty"], exact["completed"]), (0, 0))
        self.assertEqual(usual["completed"], exact["empty"])
        self.assertGreater(usual["completed"], 0.2)
        self.assertEqual(usual["exact_coverage"], exact["coverage"])
        self.assertGreater(usual["coverage"], 0.9)
        self.assertLess(exact["coverage"], 0.7)
        self.assertIn("completed", self.taut(*ask).stdout)
        page = self.taut("report", "m.taut", "test.csv", "-o", "-", "--confidence", "0.5").stdout
        self.assertIn("can only raise the coverage: nothing is wrong", page)
        self.assertNotIn("can only raise the coverage: nothing is wrong",
                         self.taut("report", "m.taut", "test.csv", "-o", "-", "--confidence", "0.5", "--allow-empty").stdout)

    def test_stream(self):
        self.fit()
        ask = ["stream", "m.taut", "test.csv", "--confidence", "0.5", "--save"]
        usual, exact = cells(self.taut(*ask, "a.taut")), cells(self.taut(*ask, "b.taut", "--allow-empty"))
        self.assertTrue(all(row["size_0.5"] != "0" for row in usual))
        self.assertTrue(any(row["size_0.5"] == "0" for row in exact))
        self.assertEqual((self.folder / "a.taut").read_bytes(), (self.folder / "b.taut").read_bytes())
        told = [self.taut("evaluate", "m.taut", "test.csv", "--confidence", "0.5", "--in-order", "--json", *more).json()["in_order"]["levels"][0]
                for more in ([], ["--allow-empty"])]
        self.assertGreater(told[0]["coverage"], told[1]["coverage"])

    def test_numbers_have_no_sets(self):
        self.write("n.csv", "x,y\n" + "".join(f"{i},{i % 7 + i / 50}\n" for i in range(100)))
        self.taut("fit", "n.csv", "--target", "y", "--predictor", "linear", "--localizer", "none", "-o", "n.taut")
        for command in (["predict"], ["evaluate"], ["stream"], ["report", "-o", "r.html"]):
            self.fails(2, command[0], "n.taut", "n.csv", *command[1:], "--allow-empty", says=["--allow-empty", "predicts numbers"])


if __name__ == "__main__":
    main()

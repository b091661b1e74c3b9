"""--repeats: f is trained several times over different folds. --time: a budget that chooses effort and repeats."""
import random
import re
import time

from harness import TautTest, main
from samples import csv
from screen import Watched

FIT = ["--target", "y", "--predictor", "boost", "-o", "m.taut"]
QUICK = ["--effort", "quick", "--epochs", "20"]
NAMES = ("x", "z", "group", "y")


def rows(count=200, seed=0):
    draw = random.Random(seed)
    made = []
    for i in range(count):
        x, z = draw.uniform(-1, 1), draw.uniform(-1, 1)
        made.append((x, z, f"g{i // 5}", x + z * z + (0.1 + abs(x)) * draw.gauss(0, 0.3)))
    return made


class Budget(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", csv(rows(), names=NAMES))

    def fit(self, *options):
        self.taut("fit", "d.csv", *FIT, *options)
        return (self.folder / "m.taut").read_bytes()

    def options(self):
        facts = self.taut("info", "m.taut", "--json").json()["options"]
        self.assertNotIn("time", facts)
        return facts

    def test_one_repeat_is_the_default_and_is_not_stored(self):
        plain = self.fit(*QUICK)
        self.assertEqual(plain, self.fit(*QUICK, "--repeats", "1"))
        self.assertNotEqual(plain, self.fit(*QUICK, "--repeats", "2"))
        self.assertEqual(self.options()["repeats"], 2)
        self.assertIn("f is the mean of 2 trainings", self.taut("info", "m.taut").stdout)

    def test_repeats_do_not_depend_on_threads(self):
        one = self.fit(*QUICK, "--repeats", "3", "--threads", "1")
        self.assertEqual(one, self.fit(*QUICK, "--repeats", "3", "--threads", "2"))

    def test_a_budget_gives_the_model_of_the_options_that_it_names(self):
        for budget in ("3", "0.001s", "0.05m"):
            done = self.taut("fit", "d.csv", *FIT, "--epochs", "20", "--time", budget)
            timed = (self.folder / "m.taut").read_bytes()
            named = re.search(r"the same model comes from --effort (\w+) --repeats ([\d,]+)", done.stderr)
            self.assertTrue(named, done.stderr)
            effort, repeats = named[1], named[2]
            self.assertEqual((self.options()["effort"], str(self.options()["repeats"])), (effort, repeats))
            self.assertEqual(timed, self.fit("--epochs", "20", "--effort", effort, "--repeats", repeats))

    def test_without_time_the_quickest_fit_is_the_result(self):
        done = self.taut("fit", "d.csv", *FIT, "--time", "0.001")
        self.assertIn("--effort quick --repeats 1", done.stderr)
        self.assertIn("took longer than --time", done.stderr)
        self.assertEqual(self.options()["effort"], "quick")

    def test_more_time_than_can_be_used_ends_early(self):
        start = time.monotonic()
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", "linear", "--localizer", "none", "--time", "1h")
        self.assertLess(time.monotonic() - start, 600)
        self.assertEqual(self.options()["repeats"], 16)

    def test_every_answer_of_a_model_with_repeats(self):
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--epochs", "20", "--predictor", "boost", "--repeats", "2")
        predicted = self.taut("predict", "m.taut", "d.csv").stdout
        self.assertEqual(len(predicted.splitlines()), 201)
        self.taut("explain", "m.taut", "d.csv")
        for kind in ("c", "json", "onnx"):
            self.taut("export", "m.taut", f"--{kind}", f"m.{kind}", *(["--confidence", "0.9"] if kind == "c" else []))

    def test_groups_stay_whole(self):
        self.fit(*QUICK, "--keep-together", "group", "--repeats", "2")
        self.assertEqual(self.options()["repeats"], 2)

    def test_progress_shows_the_budget_and_the_rest(self):
        with Watched(self, "fit", "d.csv", *FIT, *QUICK, "--time", "1h") as running:
            running.wait_for(b" of 59:59")  # reading took some of it
            running.wait_for(b"repeat 2; about 16 repeats; ")
            running.wait_for(b" left")

    def test_what_is_refused(self):
        fit = ["fit", "d.csv", *FIT]
        for budget in ("soon", "0", "-3", "10x", "m", "1e300h"):
            self.fails(2, *fit, f"--time={budget}", says=["--time", f"'{budget}'", "90s, 10m, 0.5h"])
        self.fails(2, *fit, "--time", "1m", "--repeats", "2", says=["--time and --repeats exclude each other"])
        for count in ("0", "1001"):
            self.fails(2, *fit, "--repeats", count, says=["--repeats", "1 to 1,000"])
        for option in (["--repeats", "2"], ["--time", "5s"]):
            self.fails(2, *fit, *option, "--in-order", says=[option[0], "--in-order", "neighbours in time"])
            self.fails(2, "fit", "d.csv", "--target", "y", "--prediction", "x", *option, "-o", "m.taut", says=[option[0], "of your own"])
            self.fails(2, "fit", "d.csv", "--target", "group", "--task", "classification", *option, "-o", "m.taut", says=[option[0], "labels"])
        self.fails(2, *fit, "--time", "5s", "--split", "cv+", says=["--time is not for --split cv+"])
        self.fails(2, "fit", "d.csv", "--target", "y,z", "--time", "5s", "-o", "m.taut", says=["--time is not for several targets"])
        self.assertNotIn("m.taut", self.files())


if __name__ == "__main__":
    main()

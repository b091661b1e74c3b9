"""--increasing and --decreasing: messages, what `info` shows, and what is refused."""
import math
import random

from harness import TautTest, main
from samples import csv, intervals

NAMES = ("a", "b", "k", "y")


def rows(count, seed=0):
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        a, b, k = draw.gauss(0, 1), draw.uniform(0, 3), draw.choice("uvw")
        made.append((a, b, k, a + math.sin(4 * a) - b + (k == "v") + 0.5 * draw.gauss(0, 1)))
    return made


class Monotone(TautTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", csv(rows(300), names=NAMES))

    def fit(self, *options):
        return self.taut("fit", "d.csv", "--target", "y", "--epochs", "20", "-o", "m.taut", *options)

    def test_predictions_and_ends_are_in_order(self):
        self.fit("--increasing", "a", "--decreasing", "b", "--effort", "quick")
        draw = random.Random(1)
        pairs = []
        for _ in range(500):
            low, high = sorted(draw.gauss(0, 2) for _ in range(2))
            far, near = sorted((draw.uniform(-1, 4) for _ in range(2)), reverse=True)
            k = draw.choice("uvwx")
            pairs += [(low, far, k, 0), (high, near, k, 0)]
        self.write("new.csv", csv(pairs, names=NAMES))
        answers = intervals(self.taut("predict", "m.taut", "new.csv", "--confidence", "0.5,0.9", "--quantiles", "0.1,0.5,0.9", "--upper", "0.9").stdout)[1]
        for one, other in zip(answers[::2], answers[1::2]):
            self.assertTrue(all(x <= y for x, y in zip(one, other)), (one, other))

    def test_fit_names_what_is_left_out_and_info_the_columns(self):
        done = self.fit("--increasing", "a", "--decreasing", "b")
        self.assertIn("left out of the stack, because they cannot keep the directions of --increasing and --decreasing:", done.stderr)
        self.assertIn("network", done.stderr)
        self.assertIn("never fall in a and never rise in b", self.taut("info", "m.taut").stdout)
        told = self.taut("info", "m.taut", "--json").json()
        self.assertEqual((told["parts"]["increasing"], told["parts"]["decreasing"]), (["a"], ["b"]))
        self.assertLessEqual({member["predictor"] for member in told["stack"]}, {"boost", "symmetric"})
        self.taut("explain", "m.taut", "d.csv")
        self.fit("--effort", "quick")
        self.assertNotIn("increasing", self.taut("info", "m.taut", "--json").json()["parts"])

    def test_what_is_refused(self):
        start = ("fit", "d.csv", "--target", "y", "-o", "n.taut")
        self.fails(1, *start, "--increasing", "k", says=["'k'", "which have no order", "--ordered 'k:A<B<C'"])
        self.fails(1, *start, "--increasing", "bb", says=["'bb'", "which --increasing names"])
        self.fails(2, *start, "--increasing", "a", "--decreasing", "a", says=["both name 'a'"])
        self.fails(2, *start, "--increasing", "y", says=["--target", "'y'"])
        self.fails(2, *start, "--increasing", "a", "--predictor", "gp", says=["--predictor gp", "boost, symmetric, deep, linear"])
        self.fails(2, *start, "--increasing", "a", "--by", "prediction:3", says=["--by prediction:3"])
        self.fails(2, *start, "--increasing", "a", "--task", "classification", says=["--increasing", "about numbers"])
        self.assertNotIn("n.taut", self.files())

    def test_compare_leaves_out_what_cannot_keep_directions(self):
        common = ("compare", "d.csv", "--target", "y", "--predictor", "linear", "--epochs", "3", "--repeats", "1", "--resume", "none")
        done = self.taut(*common, "--increasing", "a")
        self.assertEqual(done.stderr.count("left out, because they cannot keep the directions of --increasing and --decreasing: exp:mlp\n"), 1)
        self.assertNotIn("exp:mlp", done.stdout)
        self.assertIn("exp:boost", done.stdout)
        refused = self.fails(2, *common[:-2], "--increasing", "a", "--methods", "fixed,exp:mlp", says=["exp:mlp", "cannot keep the directions"])
        self.assertNotIn("finished fits are kept", refused.stderr)

    def test_a_calibration_that_breaks_the_order_is_refused(self):
        self.fit("--increasing", "a", "--effort", "quick")
        self.fails(2, "calibrate", "m.taut", "d.csv", "--local", "50", "-o", "n.taut", says=["--local", "thresholds depend on the row"])
        self.fails(2, "calibrate", "m.taut", "d.csv", "--by", "a:3", "-o", "n.taut", says=["--by a:3"])
        self.taut("calibrate", "m.taut", "d.csv", "--by", "k", "-o", "n.taut")


if __name__ == "__main__":
    main()

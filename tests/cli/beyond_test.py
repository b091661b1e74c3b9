"""Rows unlike the training rows have wider intervals, and evaluate, explain and distil agree with that."""
import random

from harness import TautTest, main
from samples import csv, intervals


class Beyond(TautTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        rows = []
        for _ in range(1400):
            x = draw.uniform(0, 10)
            rows.append((x, draw.uniform(0, 10), 3 * x + draw.gauss(0, 1) * (0.3 + x / 10)))
        self.write("fresh.csv", csv(rows[1200:], ["x", "other", "y"]))
        rows = rows[:1200]
        new = [(9.9, 5), (12, 5), (20, 5), (1e30, 5), (9.9, 40), ("", 5)]
        self.write("d.csv", csv(rows, ["x", "other", "y"]))
        self.write("new.csv", csv(new, ["x", "other"]))
        self.write("given.csv", csv([(x, 3 * x, y) for x, _, y in rows], ["x", "yhat", "y"]))
        self.write("given_new.csv", csv([(9.9, 29.7), (12, 36)], ["x", "yhat"]))

    def widths(self, *options, model="m.taut", data="d.csv", new="new.csv"):
        if options:
            self.taut("fit", data, "--target", "y", "--effort", "quick", "-o", model, *options)
        _, rows = intervals(self.taut("predict", model, new).stdout)
        return [high - low for _, low, high in rows]

    def test_widths_grow_with_the_slope_of_the_target_up_to_its_range(self):
        for predictor, transform in (("boost", "exp"), ("boost", "curve"), ("linear", "linear")):
            near, far, further, infinite, other, missing = self.widths("--predictor", predictor, "--transform", transform)
            # One standard deviation of noise is at most 1.3, and y goes on by about 6 and 30.
            self.assertGreater(far, near + 2 * 4)
            self.assertGreater(further, near + 2 * 20)
            self.assertLess(further, near + 2 * 45)
            self.assertGreaterEqual(infinite, further)
            self.assertLess(infinite, near + 2 * 60, "y of the training rows has a range of about 33")
            self.assertAlmostEqual(other, near, delta=0.2 * near, msg="a column that says nothing about y")
            self.assertLess(missing, 3 * near)

    def test_widths_grow_in_a_gap_between_the_rows(self):
        """Two clouds of rows: each number of a row between them is usual."""
        draw, rows = random.Random(2), []
        for i in range(1200):
            a, b = (draw.gauss(10 * (i % 2), 1) for _ in range(2))
            rows.append((a, b, a + b + draw.gauss(0, 1)))
        self.write("clouds.csv", csv(rows, ["a", "b", "y"]))
        self.write("between.csv", csv([(0, 0), (10, 10), (0, 10), (10, 0), (5, 5)], ["a", "b"]))
        for predictor, transform in (("boost", "exp"), ("linear", "linear")):
            first, second, *between = self.widths("--predictor", predictor, "--transform", transform, data="clouds.csv", new="between.csv")
            self.assertLess(max(first, second), 8)
            # The nearer rows end about 3 from the centre of their cloud, and one of a or b changes y by 2 where both go together.
            self.assertGreater(min(between[:2]), 2 * 2 * (10 - 3) - 4)
            self.assertGreater(between[2], 8)

    def test_where_it_is_left_out(self):
        for options in (["--predictor", "boost", "--increasing", "x"], ["--predictor", "boost", "--in-order"],
                        ["--predictor", "boost", "--transform", "fixed"], ["--predictor", "quantile:0.1,0.9"]):
            near, far, *_ = self.widths(*options)
            self.assertLess(far, 1.5 * near, options)
        near, far = self.widths("--prediction", "yhat", data="given.csv", new="given_new.csv")
        self.assertLess(far, 1.5 * near)

    def test_explain_names_the_column_and_a_student_does_the_same(self):
        wide = self.widths("--predictor", "boost", "--transform", "exp")
        lines = self.taut("explain", "m.taut", "new.csv").stdout.splitlines()
        names, rows = lines[0].split(","), [[float(cell) for cell in line.split(",")] for line in lines[1:]]
        for row, width in zip(rows, wide):
            found = dict(zip(names, row))
            self.assertAlmostEqual(found["width"], width, delta=1e-6 * width)
            shares = 1.0
            for name in names:
                if name.startswith("width:"):
                    shares *= found[name]
            self.assertAlmostEqual(shares, found["width_factor"], delta=1e-4 * shares)
        self.assertGreater(dict(zip(names, rows[2]))["width:x"], 5)
        self.taut("distil", "m.taut", "d.csv", "--calibrate-with", "fresh.csv", "-o", "s.taut", "--learn-from", "2000")
        student = self.widths(model="s.taut")
        self.assertGreater(student[2], wide[2] / 3)
        self.assertLess(student[2], wide[2] * 3)


if __name__ == "__main__":
    main()

"""Predictions outside of their interval are counted and explained."""
import random

from harness import TautTest, main


class Outside(TautTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)

        def table(rows):
            lines = ["x,yhat,y"]
            for _ in range(rows):
                x = draw.uniform(-1, 1)
                lines.append(f"{x},{3000 + x},{draw.lognormvariate(0.3 * x, 4)}")  # the mean is about e^8
            return "\n".join(lines) + "\n"

        self.write("d.csv", table(1500))
        self.write("new.csv", table(400))

    def outside(self, *options):
        lines = self.taut("predict", "m.taut", "new.csv", *options).stdout.splitlines()[1:]
        return sum(not float(low) <= float(f) <= float(high) for f, low, high in (line.split(",") for line in lines))

    def test_it_is_counted_and_explained(self):
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "yhat", "-o", "m.taut")
        count = self.outside()
        self.assertGreater(count, 100, "the mean of a skewed target is no typical value")
        words = f"in {count} of 400 rows the prediction lies outside of its own interval at 0.9"
        for command in (["predict", "m.taut", "new.csv"], ["evaluate", "m.taut", "new.csv"]):
            said = self.taut(*command).stderr
            self.assertIn(words, said)
            self.assertIn("--quantiles 0.5", said)
            self.assertNotIn("warning: in", said)
        found = self.taut("evaluate", "m.taut", "new.csv", "--confidence", "0.9,0.5", "--json").json()["predictions_outside"]
        self.assertEqual(found[0], {"confidence": 0.9, "rows": count})
        self.assertEqual(found[1]["rows"], self.outside("--confidence", "0.5"))
        medians = [float(line.split(",")[1]) for line in self.taut("predict", "m.taut", "new.csv", "--quantiles", "0.5").stdout.splitlines()[1:]]
        ends = [line.split(",")[1:] for line in self.taut("predict", "m.taut", "new.csv").stdout.splitlines()[1:]]
        self.assertTrue(all(float(low) <= median <= float(high) for median, (low, high) in zip(medians, ends)))

    def test_it_is_no_alarm_and_not_said_where_it_is_not_so(self):
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "yhat", "-o", "m.taut")
        self.taut("predict", "m.taut", "new.csv", "--strict")
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "yhat", "--transform", "fixed", "-o", "m.taut")
        self.assertNotIn("outside", self.taut("predict", "m.taut", "new.csv").stderr)

    def test_an_impossible_prediction_counts_as_the_nearest_possible_value(self):
        draw = random.Random(2)
        rows = "".join(f"{draw.gauss(0, 1)},-2,{max(0, round(draw.gauss(-0.5, 1)))}\n" for _ in range(400))
        self.write("counts.csv", "x,yhat,y\n" + rows)
        self.taut("fit", "counts.csv", "--target", "y", "--prediction", "yhat", "--y-min", "0", "--y-step", "1", "--transform", "fixed",
                  "-o", "m.taut")
        self.assertNotIn("outside", self.taut("predict", "m.taut", "counts.csv").stderr)


if __name__ == "__main__":
    main()

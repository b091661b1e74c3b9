"""Files that earlier versions wrote are read for ever, and mean what they meant: tests/model/old has one of every kind for each."""
import csv
import math

from harness import ROOT, TautTest, main
from samples import intervals

OLD = ROOT / "tests" / "model" / "old"
# Files are read elsewhere: other machines and compilers round a network's sums, which are floats, in another order.
TOLERANCE = 1e-5


class OldFiles(TautTest):
    def test_every_kind_gives_its_intervals(self):
        files = sorted(OLD.glob("*/*.taut"))
        self.assertGreaterEqual(len(files), 24)
        for model in files:
            with self.subTest(model.relative_to(OLD)):
                rows = "holes.csv" if model.stem.endswith("holes") else "rows.csv"
                names, expected = intervals(model.with_suffix(".csv").read_text(encoding="utf-8"))
                levels = ",".join(name.removeprefix("lower_") for name in names if name.startswith("lower_"))
                again, got = intervals(self.taut("predict", model, model.with_name(rows), "--confidence", levels).stdout)
                self.assertEqual(again, names)
                self.assertEqual(len(got), len(expected))
                for row, (old, new) in enumerate(zip(expected, got)):
                    for name, before, now in zip(names, old, new):
                        self.assertTrue(same(before, now), f"row {row}, {name}: {before} became {now}")

    def test_they_can_be_told_about_and_calibrated_anew(self):
        for model in OLD.glob("*/*.taut"):
            with self.subTest(model.relative_to(OLD)):
                rows = model.with_name("holes.csv" if model.stem.endswith("holes") else "rows.csv")
                about = self.taut("info", model, "--json").json()
                self.assertEqual(about["format"], 1)
                if about["options"]["y_step"] > 0:
                    rows = self.with_possible_targets(rows, about["options"])
                evaluation = self.taut("evaluate", model, rows, "--json").json()
                self.assertIsNone(evaluation["law"]["crps"])  # 0.1 does not know the sides of its calibration rows
                self.assertEqual((len(evaluation["law"]["quantiles"]), len(evaluation["law"]["p_values"])), (0, 4))
                self.fails(1, "predict", model, rows, "--upper", "0.9", says=["calibrate it anew"])
                kinds = {alarm["kind"] for alarm in evaluation["alarms"]}
                self.assertLessEqual(kinds, {"coverage"})  # a file without sketches of its rows knows none of them
                self.taut("calibrate", model, rows, "-o", "new.taut")
                self.assertEqual(self.taut("info", "new.taut", "--json").json()["rows"]["calibration"], 40)
                self.assertEqual(len(self.taut("evaluate", "new.taut", rows, "--json").json()["law"]["quantiles"]), 7)

    def with_possible_targets(self, rows, options):
        """The rows with targets that the model's range and steps allow: others are refused."""
        with open(rows, newline="", encoding="utf-8") as file:
            header, *table = csv.reader(file)
        at, step = header.index(options["target"]), options["y_step"]
        for row in table:
            row[at] = str(min(max(step * round(float(row[at]) / step), options["y_min"]), options["y_max"]))
        return self.write("possible.csv", "\n".join(map(",".join, [header, *table])) + "\n")


def same(before, now):
    if before is None or now is None or math.isinf(before):
        return before == now
    return abs(before - now) <= TOLERANCE * max(1, abs(before))


if __name__ == "__main__":
    main()

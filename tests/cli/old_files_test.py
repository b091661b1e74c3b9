"""Files of earlier versions can be read and predict the same intervals: tests/model/old has one of every kind for each version."""
import csv
import math

from harness import ROOT, TautTest, main

OLD = ROOT / "tests" / "model" / "old"
FILES = sorted(OLD.glob("*/*.taut"))
LEVELS = "0.5,0.8,0.95,0.99"
# A tolerance, because other machines and compilers add the floats of a network in another order.
TOLERANCE = 1e-5


def rows_of(model):
    """The rows of the file's predictions: with missing cells, with targets in steps, or plain."""
    kind = model.stem.rpartition("-")[2]
    return model.with_name(f"{kind if kind in ('holes', 'steps') else 'rows'}.csv")


def cells(text):
    return list(csv.reader(text.splitlines()))


class OldFiles(TautTest):
    def test_every_kind_gives_its_intervals(self):
        self.assertGreaterEqual(len(FILES), 24)
        for model in FILES:
            with self.subTest(model.relative_to(OLD)):
                expected = cells(model.with_suffix(".csv").read_text(encoding="utf-8"))
                exact = ["--allow-empty"] if "set_0.5" in expected[0] else []  # no set is empty by default since 0.3
                got = cells(self.taut("predict", model, rows_of(model), "--confidence", LEVELS, *exact).stdout)
                self.assertEqual([len(row) for row in got], [len(row) for row in expected])
                for row, (old, new) in enumerate(zip(expected, got)):
                    for name, before, now in zip(expected[0], old, new):
                        self.assertTrue(same(before, now), f"row {row}, {name}: {before} became {now}")

    def test_they_can_be_told_about_and_calibrated_anew(self):
        for model in FILES:
            with self.subTest(model.relative_to(OLD)):
                self.assertEqual(self.taut("info", model, "--json").json()["format"], 2)
                self.taut("evaluate", model, rows_of(model), "--json")
                self.taut("calibrate", model, rows_of(model), "-o", "new.taut")
                self.assertEqual(self.taut("info", "new.taut", "--json").json()["rows"]["calibration"], 40)
                self.taut("evaluate", "new.taut", rows_of(model), "--json")


def same(before, now):
    try:
        before, now = float(before), float(now)
    except ValueError:
        return before == now
    return before == now if math.isinf(before) else abs(before - now) <= TOLERANCE * max(1, abs(before))


if __name__ == "__main__":
    main()

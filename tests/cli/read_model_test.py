"""docs/model-file.md is enough to read a model and to compute its intervals: done here with Python's standard library alone."""
import math
import struct
import sys

import samples
from harness import ROOT, TautTest, main
from samples import exact_rank, intervals

sys.path.insert(0, str(ROOT / "docs"))
import read_model  # noqa: E402

LEVEL = 0.9


def as_float(value):
    """Trees compare floats; rounded otherwise, a cell could fall on the other side of a threshold."""
    return struct.unpack("f", struct.pack("f", value))[0]


class File:
    """A model as the page describes it, its sums in double precision."""

    def __init__(self, path):
        self.values = {name: value for name, _, value in read_model.entries(path)}

    def under(self, scope):
        return {name[len(scope) + 1:]: value for name, value in self.values.items() if name.startswith(scope + "/")}

    def encode(self, scope, row):
        """`row` has a cell for each column, a category as its text."""
        encoder, columns = self.under(scope), self.under("columns")
        inputs, first = [], 0
        for i, (cell, is_category) in enumerate(zip(row, columns["categories"])):
            if not is_category:
                inputs.append(float(cell))
                continue
            found = columns[f"levels{i}"].index(cell)
            if encoder["encoding"] == "raw":
                inputs.append(float(encoder["codes"][first + found]))
            else:
                inputs += [float(found == level) for level in range(encoder["levels"][i])]
            first += encoder["levels"][i]
        if encoder["encoding"] == "raw":
            return inputs
        units = zip(inputs, encoder["centre"], encoder["scale"])
        return [(x - centre) / scale if scale > 0 else 0.0 for x, centre, scale in units]

    def trees(self, scope, x, outputs=1):
        trees, sums, first = self.under(scope), [0.0] * outputs, 0
        x = [as_float(value) for value in x]
        for number, size in enumerate(trees["sizes"]):
            features, values = trees["features"][first:first + size], trees["values"][first:first + size]
            inner = [at for at in range(size) if features[at] >= 0]
            at = 0
            while features[at] >= 0:
                at = 2 * inner.index(at) + (1 if x[features[at]] < values[at] else 2)
            sums[number % outputs] += values[at]
            first += size
        return sums

    def f(self, row):
        predictor, x = self.under("predictor"), self.encode("predictor/encoder", row)
        total = 0.0
        for m in range(predictor["members"]):
            member = self.under(f"predictor/member{m}")
            if predictor["name"] == "linear":
                total += member["intercept"] + sum(w * value for w, value in zip(member["weights"], x))
            else:
                total += member["centre"] + self.trees(f"predictor/member{m}/trees", x)[0]
        return predictor["centre"] + predictor["unit"] * total / predictor["members"]

    def log_scales(self, row, f):
        """log s of the side below and of the side above, for the transformation exp."""
        x = self.encode("localizer_encoder", row) + ([f / self.values["unit"]] if self.values["sees_prediction"] else [])
        about = self.under("localization")
        mean = [0.0] * about["sides"]
        for m in range(about["members"]):
            u = [0.0] * about["sides"]
            for stage, exponent in enumerate(about["exponents"]):
                scope = f"localization/member{m}/stage{stage}"
                added = [a + b for a, b in zip(self.values[scope + "/initial"], self.trees(scope + "/trees", x, about["sides"]))]
                u = [exponent * (log_s - g / 2) for log_s, g in zip(u, added)]
            mean = [a + (b - about[f"member{m}/centre"]) / about["members"] for a, b in zip(mean, u)]
        return mean[0], mean[-1]

    def interval(self, row):
        f, scores = self.f(row), self.values["calibration/scores"]
        q = scores[exact_rank(len(scores), LEVEL) - 1]
        if self.values["transform"] == "fixed":
            return f, f - q, f + q
        below, above = self.log_scales(row, f)
        return f, f - self.values["unit"] * math.exp(q + below), f + self.values["unit"] * math.exp(q + above)


class ReadModel(TautTest):
    def check(self, *options):
        table = samples.rows(600)
        self.write("d.csv", samples.csv(table))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *options)
        _, expected = intervals(self.taut("predict", "m.taut", "d.csv", "--confidence", LEVEL).stdout)
        file = File(self.folder / "m.taut")
        for row, (f, lower, upper) in list(zip(table, expected))[:50]:
            got = file.interval(row[:3])
            for a, b in zip(got, (f, lower, upper)):
                self.assertAlmostEqual(a, b, delta=1e-4, msg=f"{row}: computed {got}, the program says {f, lower, upper}")
        return file

    def test_linear_and_fixed(self):
        self.check("--predictor", "linear", "--localizer", "none")

    def test_trees(self):
        file = self.check("--effort", "quick", "--sides", "one")
        self.assertEqual(file.values["transform"], "exp")

    def test_stages_and_two_sides(self):
        file = self.check("--effort", "quick", "--sides", "two", "--focus", "0.9")
        self.assertEqual(file.values["localization/sides"], 2)

    def test_the_script_lists_every_type_and_refuses_damage(self):
        self.write("d.csv", samples.csv(samples.rows(200)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", "knn", "--localizer", "mlp", "--hidden", "4",
                  "--epochs", "2")
        kinds = {kind for _, kind, _ in read_model.entries(self.folder / "m.taut")}
        self.assertLessEqual({"number", "integer", "text", "texts", "bytes", "doubles", "int64s", "float matrix"}, kinds)
        damaged = bytearray((self.folder / "m.taut").read_bytes())
        damaged[100] ^= 1
        self.write("bad.taut", bytes(damaged))
        with self.assertRaises(AssertionError):
            list(read_model.entries(self.folder / "bad.taut"))

    def test_every_entry_is_in_the_page(self):
        """Entries of the top level and of its scopes; members and stages are written with a letter there."""
        page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
        self.write("d.csv", samples.csv(samples.rows(200)))
        for predictor, localizer in [("linear", "boost"), ("knn", "mlp"), ("boost", "none")]:
            self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", predictor, "--localizer", localizer,
                      "--hidden", "4", "--epochs", "2", "--effort", "quick")
            for name, _, _ in read_model.entries(self.folder / "m.taut"):
                last = name.split("/")[-1].rstrip("0123456789")
                self.assertIn(last, page, f"{name} is not described")


if __name__ == "__main__":
    main()

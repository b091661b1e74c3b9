"""docs/model-file.md suffices to read a model and compute its intervals; this test does so with Python's standard library alone."""
import math
import struct
import sys

import samples
from harness import ROOT, TautTest, main
from samples import exact_rank, intervals

sys.path.insert(0, str(ROOT / "docs"))
import read_model  # noqa: E402

LEVEL = 0.9
FLOAT_MAX = struct.unpack("f", b"\xff\xff\x7f\x7f")[0]


def as_float(value):
    """Rounds to a float. Trees compare floats; with another rounding a cell could be on the other side of a threshold."""
    return struct.unpack("f", struct.pack("f", value))[0]


def number(text):
    """The number of a cell; None, which means missing, for a text."""
    try:
        return float(text)
    except ValueError:
        return None


class File:
    """A model as the page describes it, with sums in double precision."""

    def __init__(self, path):
        self.values = {name: value for name, _, value in read_model.entries(path)}

    def under(self, scope):
        return {name[len(scope) + 1:]: value for name, value in self.values.items() if name.startswith(scope + "/")}

    def cells(self, row):
        """A number, the code of a category, or None if the cell is missing."""
        columns = self.under("columns")
        for i, (text, is_category) in enumerate(zip(map(str, row), columns["categories"])):
            if text in ("", "NA"):
                yield None
            elif is_category:
                known = columns[f"levels{i}"]
                yield known.index(text) if text in known else len(known)
            else:
                yield number(text)

    def encode(self, scope, row):
        """`row` has the text of each column."""
        encoder = self.under(scope)
        raw = encoder["encoding"] == "raw"
        inputs, first = [], 0
        for i, (cell, categories) in enumerate(zip(self.cells(row), encoder["levels"])):
            if raw and not categories:
                inputs.append(None if cell is None else cell - encoder.get("offsets", [0.0] * (i + 1))[i])
                continue
            if raw:
                codes = encoder["codes"][first:first + categories] + [-1]
                code = None if cell is None or codes[cell] == -1 else codes[cell]
                inputs += [code] + self.means(encoder, i, cell)
                first += categories
                continue
            if not categories and cell is not None and math.isinf(cell):
                cell = None
            width = min(categories, 1000) or 1
            values = [cell] if not categories else [float(cell == category) for category in range(width)]
            inputs += [None] * width if cell is None else values
            inputs += [float(cell is None)] * encoder["missing_inputs"][i]
        if raw:
            return inputs
        units = zip(inputs, encoder["centre"], encoder["scale"])
        return [(x - centre) / scale if scale > 0 and x is not None else 0.0 for x, centre, scale in units]

    @staticmethod
    def means(encoder, column, cell):
        """The mean and the count of a category, if they are inputs."""
        asked = encoder.get("category_inputs", [1] * (column + 1))
        if not asked[column] & 2:
            return []
        before = [i for i in range(column) if asked[i] & 2]
        first, size = sum(encoder["levels"][i] for i in before), encoder["levels"][column]
        means = encoder["category_means"][first:first + size] + [encoder["category_mean"][len(before)]]
        counts = encoder["category_counts"][first:first + size] + [0]
        known = [None, None] if cell is None else [means[cell], min(counts[cell], 64)]
        return known[:1 + (asked[column] & 4) // 4]

    def trees(self, scope, x, outputs=1):
        trees, sums, first = self.under(scope), [0.0] * outputs, 0
        x = [None if value is None else as_float(value) for value in x]
        for number, size in enumerate(trees["sizes"]):
            features, values, missing_left = (trees[name][first:first + size] for name in ("features", "values", "missing_left"))
            inner = [at for at in range(size) if features[at] >= 0]
            at = 0
            while features[at] >= 0:
                cell = x[features[at]]
                left = missing_left[at] if cell is None else cell < values[at]
                at = 2 * inner.index(at) + (1 if left else 2)
            sums[number % outputs] += values[at]
            first += size
        return sums

    def symmetric_trees(self, scope, x):
        trees, total = self.under(scope), 0.0
        count = len(trees["values"]) >> trees["depth"]
        x = [None if value is None else as_float(value) for value in x]
        for tree in range(count):
            leaf = 0
            for at in range(tree, trees["depth"] * count, count):
                cell = x[trees["features"][at]]
                leaf = 2 * leaf + (1 - trees["missing_left"][at] if cell is None else cell >= trees["thresholds"][at])
            total += trees["values"][(tree << trees["depth"]) + leaf]
        return total

    @staticmethod
    def curves(member, x):
        total, first = 0.0, 0
        for column, size, low, high in zip(*(member[name] for name in ("columns", "sizes", "low", "high"))):
            knots, values = (member[name][first:first + size] for name in ("knots", "values"))
            total += natural_spline(knots, values, min(max(x[column], low), high))
            first += size
        return total

    def ends(self, row):
        """The two predicted ends, in order; f twice if only f is predicted."""
        predictor, x = self.under("predictor"), self.encode("predictor/encoder", row)
        scopes = ["/lower", "/upper"] if predictor["name"].startswith("quantile") else [""]
        totals = [0.0] * len(scopes)
        for m in range(predictor["members"]):
            for i, scope in enumerate(scopes):
                member = self.under(f"predictor/member{m}{scope}")
                if predictor["name"] == "symmetric":
                    totals[i] += member["centre"] + self.symmetric_trees(f"predictor/member{m}/symmetric_trees", x)
                elif predictor["name"] == "additive":
                    totals[i] += member["intercept"] + self.curves(member, x)
                elif predictor["name"] == "elastic":
                    totals[i] += member["intercept"] + sum(w * x[c] for c, w in zip(member["columns"], member["weights"]))
                elif predictor["name"] == "linear":
                    totals[i] += member["intercept"] + sum(w * value for w, value in zip(member["weights"], x))
                else:
                    totals[i] += member["centre"] + self.trees(f"predictor/member{m}{scope}/trees", x)[0]
        ends = sorted(self.in_units(predictor, predictor["centre"] + predictor["unit"] * total / predictor["members"]) for total in totals)
        return ends[0], ends[-1]

    @staticmethod
    def in_units(predictor, value):
        """Converts from the scale on which the target was learnt, and applies the limits of predictions."""
        scale = predictor.get("target_scale", "as-is")
        if scale != "as-is":
            value = min(max(value, predictor["target_least"]), predictor["target_most"])
            value = math.copysign(value * value, value) if scale == "root" else math.exp(value)
        return min(max(value, predictor.get("lower_limit", -math.inf)), predictor.get("upper_limit", math.inf))

    def log_scales(self, row, lower, upper):
        """log s of the transformation exp, for one or two sides, and the inputs of the localizer."""
        least, unit = self.values.get("least_half_width"), self.values["unit"]
        start, seen = 0.0, [(self.centre((lower + upper) / 2) - self.values.get("prediction_offset", 0)) / unit]
        if least is not None:
            start = math.log(max((upper - lower) / 2, least) / unit)
            seen.append(start)
        x = self.encode("localizer_encoder", row) + (seen if self.values["sees_prediction"] else [])
        about = self.under("localization")
        mean = [0.0] * about["sides"]
        for m in range(about["members"]):
            u = [start] * about["sides"]
            for stage, exponent in enumerate(about["exponents"]):
                scope = f"localization/member{m}/stage{stage}"
                added = [a + b for a, b in zip(self.values[scope + "/initial"], self.trees(scope + "/trees", x, about["sides"]))]
                u = [exponent * (log_s - g / 2) for log_s, g in zip(u, added)]
            mean = [a + (b - about[f"member{m}/centre"]) / about["members"] for a, b in zip(mean, u)]
        return mean, x

    def complete_trees(self, scope, x, outputs):
        """Sums the leaves of the trees for each output."""
        trees, depth = self.under(scope), self.values[scope + "/depth"]
        inner, sums = 2 ** depth - 1, [0.0] * outputs
        x = [None if value is None else as_float(value) for value in x]
        for tree in range(len(trees["features"]) // inner):
            at = 0
            for _ in range(depth):
                node = tree * inner + at
                cell = x[trees["features"][node]]
                left = trees["missing_left"][node] if cell is None else cell < trees["values"][node]
                at = 2 * at + (1 if left else 2)
            leaf = (tree * (inner + 1) + at - inner) * outputs
            sums = [a + b for a, b in zip(sums, trees["leaves"][leaf:leaf + outputs])]
        return sums

    def lines(self, scope, x, outputs):
        """The sum of the slopes for each output; 0 if the member has none."""
        lines, sums = self.under(scope), [0.0] * outputs
        for i, cell in enumerate(x if "slopes" in lines else []):
            if cell is None or not lines["unit"][i]:
                continue
            cell = (min(max(as_float(cell), lines["least"][i]), lines["most"][i]) - lines["centre"][i]) / lines["unit"][i]
            sums = [a + cell * b for a, b in zip(sums, lines["slopes"][i * outputs:(i + 1) * outputs])]
        return sums

    def curve(self, log_scales, x, q):
        """The distances of the centre and of the interval's ends from f, in the units of the residuals."""
        p, members = self.values["curve/probabilities"], self.values["curve/members"]
        quantiles = [0.0] * len(p)
        for m in range(members):
            added = self.complete_trees(f"curve/member{m}/trees", x + log_scales, len(p))
            added = [a + b for a, b in zip(added, self.lines(f"curve/member{m}/lines", x + log_scales, len(p)))]
            quantiles = [a + (b + c) / members for a, b, c in zip(quantiles, self.values[f"curve/member{m}/initial"], added)]
        y = [z * math.exp(log_scales[0 if z < 0 else -1]) for z in sorted(quantiles)]
        middle, least, ends = len(p) // 2, 0.001 * (y[-1] - y[0]), []
        for step in (-1, 1):
            reach, odds, end = 0.0, 0.0, y[middle]
            for k in range(1, middle + 1):
                width = max(abs(y[middle + step * k] - y[middle + step * (k - 1)]), least)
                next_odds = math.log(p[middle + k] / (1 - p[middle + k]))
                share = (q - odds) / (next_odds - odds)
                if k == middle or share < 1:
                    end = y[middle] + step * (reach + share * width)
                    break
                reach, odds = reach + width, next_odds
            ends.append(end)
        return y[middle], *ends

    def centre(self, f):
        """f on the scale of the score."""
        scale = self.values.get("score_scale", "as-is")
        if scale == "log":
            return math.log(max(f, self.values["score_min_centre"]))
        if scale == "root" and "score_min_centre" in self.values:
            return math.sqrt(max(f, 0))
        return math.copysign(math.sqrt(abs(f)), f) if scale == "root" else f

    def back(self, end):
        """An end on the scale of the score in units of the target."""
        scale = self.values.get("score_scale", "as-is")
        end = max(end, 0) if scale == "root" and "score_min_centre" in self.values else end
        return math.exp(end) if scale == "log" else math.copysign(end * end, end) if scale == "root" else end

    def interval(self, row):
        (lower, upper), scores = self.ends(row), self.values["calibration/scores"]
        f, q = (lower + upper) / 2, scores[exact_rank(len(scores), LEVEL) - 1]
        return f, *map(self.back, self.scaled_ends(row, lower, upper, q))

    def scaled_ends(self, row, lower, upper, q):
        if self.values["transform"] == "fixed":
            return self.centre(lower) - q, self.centre(upper) + q
        log_scales, x = self.log_scales(row, lower, upper)
        f, unit = self.centre((lower + upper) / 2), self.values["unit"]
        wide = unit * self.factor(x, (math.exp(log_scales[0]) + math.exp(log_scales[-1])) / 2)
        if self.values["transform"] == "curve":
            middle, *ends = self.curve(log_scales, x, q)
            return [f + unit * middle + wide * (end - middle) for end in ends]
        return f - wide * math.exp(q + log_scales[0]), f + wide * math.exp(q + log_scales[-1])

    def factor(self, x, scale):
        """How much wider the interval is because the row is unlike the training rows."""
        largest, ranges = 0.0, self.under("beyond_training")
        for i, low, high, slope in zip(*(ranges.get(name, []) for name in ("inputs", "low", "high", "slope"))):
            largest = max(largest, slope * self.outside(x[i], low, high))
        return 1 + min(max(largest, self.beyond_boxes(x)), ranges.get("max_growth", 0)) / scale

    @staticmethod
    def outside(cell, low, high):
        if cell is None:
            return 0
        cell = as_float(min(max(cell, -FLOAT_MAX), FLOAT_MAX))
        return max(low - cell, cell - high, 0)

    def beyond_boxes(self, x):
        boxes = self.under("beyond_training/boxes")
        if not boxes:
            return 0
        node, first_child, leaves, children, leaf_of = 0, 1, 0, {}, {}
        for k, feature in enumerate(boxes["feature"]):
            if feature < 0:
                leaf_of[k], leaves = leaves, leaves + 1
            else:
                children[k], first_child = first_child, first_child + 2
        while node in children:
            cell = x[boxes["inputs"][boxes["feature"][node]]]
            node = children[node] + (0 if cell is not None and as_float(cell) < boxes["threshold"][node] else 1)
        low, high, total = boxes["low"][leaf_of[node]], boxes["high"][leaf_of[node]], 0.0
        for i, (place, slope) in enumerate(zip(boxes["inputs"], boxes["slope"])):
            total += slope * self.outside(x[place], low[i], high[i])
        return max(0.0, total - boxes["usual"])


def natural_spline(knots, values, x):
    """Second derivatives at the knots by elimination, 0 at both ends; then the cubic of the interval, or the tangent outside."""
    n, h = len(knots), [b - a for a, b in zip(knots, knots[1:])]
    slopes = [(b - a) / width for a, b, width in zip(values, values[1:], h)]
    ratio, rest, bend = [0.0] * n, [0.0] * n, [0.0] * n
    for i in range(1, n - 1):
        pivot = 2 * (h[i - 1] + h[i]) - h[i - 1] * ratio[i - 1]
        ratio[i] = h[i] / pivot
        rest[i] = (6 * (slopes[i] - slopes[i - 1]) - h[i - 1] * rest[i - 1]) / pivot
    for i in range(n - 2, 0, -1):
        bend[i] = rest[i] - ratio[i] * bend[i + 1]
    if x < knots[0]:
        return values[0] + (slopes[0] - h[0] * bend[1] / 6) * (x - knots[0])
    if x > knots[-1]:
        return values[-1] + (slopes[-1] + h[-1] * bend[-2] / 6) * (x - knots[-1])
    k = max(i for i in range(n - 1) if x >= knots[i])
    a, b = x - knots[k], knots[k + 1] - x
    return (values[k] * b + values[k + 1] * a) / h[k] + ((b ** 3 / h[k] - h[k] * b) * bend[k] + (a ** 3 / h[k] - h[k] * a) * bend[k + 1]) / 6


class ReadModel(TautTest):
    def check(self, *options, positive=False):
        table = [list(row) for row in samples.rows(600)]
        if positive:
            table = [[*cells, math.exp(y / 2)] for *cells, y in table]
        for i, row in enumerate(table):  # missing cells, and values that occur once
            row[0] = "" if i % 10 == 3 else row[0]
            row[2] = {5: "NA", 15: f"once {i}"}.get(i % 20, row[2])
        self.write("d.csv", samples.csv(table))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *options)
        corners = [[end(row[i] for row in table if row[i] != "") for i in (0, 1)] + ["red", 0] for end in (min, max)]  # in gaps between the rows
        new = table[:50] + corners + [["?", 0.5, "red", 0], [0.5, "", "violet", 0], ["", "?", "", 0], ["inf", -0.25, "blue", 0], [2, 0.5, "red", 0], [0, -3, "red", 0]]
        self.write("new.csv", samples.csv(new))
        _, expected = intervals(self.taut("predict", "m.taut", "new.csv", "--confidence", LEVEL).stdout)
        file = File(self.folder / "m.taut")
        self.assertEqual(len(expected), len(new))
        for row, (f, lower, upper) in zip(new, expected):
            got = file.interval(row[:3])
            for a, b in zip(got, (f, lower, upper)):
                self.assertAlmostEqual(a, b, delta=1e-4 * max(1, abs(b) / 100), msg=f"{row}: computed {got}, the program says {f, lower, upper}")
        return file

    def test_linear_and_fixed(self):
        self.check("--predictor", "linear", "--localizer", "none")

    def test_other_predictors(self):
        for predictor in ("symmetric", "additive", "elastic"):
            self.check("--predictor", predictor, "--localizer", "none", "--effort", "quick")

    def test_another_scale_and_limits(self):
        file = self.check("--predictor", "elastic", "--localizer", "none", "--effort", "quick", "--target-scale", "root")
        self.assertIn("predictor/lower_limit", file.values)

    def test_trees(self):
        file = self.check("--effort", "quick", "--sides", "one", "--transform", "exp")
        self.assertEqual(file.values["transform"], "exp")

    def test_curve(self):
        for sides in ("one", "two"):
            file = self.check("--predictor", "boost", "--effort", "quick", "--sides", sides, "--transform", "curve")
            self.assertEqual(file.values["transform"], "curve")

    def test_scores_on_another_scale(self):
        for scale, options in (("log", ["--localizer", "none"]), ("root", ["--transform", "exp"]), ("log", ["--sides", "two"])):
            file = self.check("--predictor", "boost", "--effort", "quick", "--score-scale", scale, *options, positive=True)
            self.assertEqual(file.values["score_scale"], scale)

    def test_stages_and_two_sides(self):
        file = self.check("--effort", "quick", "--sides", "two", "--focus", "0.9")
        self.assertEqual(file.values["localization/sides"], 2)

    def test_quantile_predictions(self):
        for options in (["--sides", "two"], ["--transform", "fixed"]):
            self.check("--effort", "quick", "--predictor", "quantile:0.2,0.8", *options)

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
        """Entries of the top level and of its scopes; the page writes numbers of members and stages as letters."""
        page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
        self.write("d.csv", samples.csv(samples.rows(200)))
        for predictor, localizer in [("linear", "boost"), ("knn", "mlp"), ("boost", "none"), ("quantile:0.1,0.9", "boost"),
                                     ("symmetric", "none"), ("additive", "none"), ("elastic", "none")]:
            self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", predictor, "--localizer", localizer,
                      "--hidden", "4", "--epochs", "2", "--effort", "quick")
            for name, _, _ in read_model.entries(self.folder / "m.taut"):
                last = name.split("/")[-1].rstrip("0123456789")
                self.assertIn(last, page, f"{name} is not described")


if __name__ == "__main__":
    main()

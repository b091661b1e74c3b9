#!/usr/bin/env python3
"""taut export: the compiled C file predicts the bits of `taut predict`, JSON has the whole file, and an error names parts that cannot be exported."""
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import unittest

import samples
from foreign_test import xgboost_json
from harness import ROOT, TautTest, main, slow

COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
LEVELS = ["0.5", "0.9", "0.99"]

MAIN = """
#include <stdio.h>
#include <stdlib.h>
void predict(const double* cells, double* out);
int main(int count, char** words) {
  const int columns = atoi(words[1]), outputs = atoi(words[2]);
  double cells[64], out[64];
  char word[64];
  int at = 0, k;
  (void)count;
  while (scanf("%63s", word) == 1) {
    cells[at++] = strtod(word, NULL);
    if (at < columns) continue;
    at = 0;
    predict(cells, out);
    for (k = 0; k < outputs; ++k) printf("%.17g ", out[k]);
    printf("\\n");
  }
  return 0;
}
"""


def table(count=500):
    rows = [list(row) for row in samples.rows(count)]
    for i, row in enumerate(rows):
        row[0] = "" if i % 10 == 3 else row[0]
        row[2] = {5: "NA", 15: f"once {i}"}.get(i % 20, row[2])
    return rows


@slow
@unittest.skipIf(COMPILER is None, "there is no C compiler")
class ExportC(TautTest):
    """Tests that compile the exported C file."""

    def compiled(self, model="m.taut"):
        self.taut("export", model, "--c", "m.c", "--function", "predict", "--confidence", ",".join(LEVELS))
        self.write("main.c", MAIN)
        subprocess.run([COMPILER, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "m.c", "main.c", "-o", "m", "-lm"],
                       cwd=self.folder, check=True)

    def outputs(self, cells):
        text = "\n".join(" ".join(repr(cell) for cell in row) for row in cells)
        done = subprocess.run([str(self.folder / "m"), str(len(cells[0])), str(1 + 2 * len(LEVELS))], input=text, capture_output=True,
                              text=True, cwd=self.folder, check=True)
        return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]

    def cells_of(self, rows, names):
        """Rows as arguments of the C function: categories are numbers."""
        columns = {column["name"]: column for column in self.taut("info", "m.taut", "--json").json()["columns"]}
        for row in rows:
            cells = []
            for name in names:
                text = str(row[name])
                known = columns[name].get("categories")
                if text in ("", "NA"):
                    cells.append(math.nan)
                elif known is not None:
                    cells.append(float(known.index(text)) if text in known else float(len(known)))
                else:
                    cells.append(float(text))
            yield cells

    def check(self, *options, rows=None, extra=(), header=None):
        rows = rows or table()
        self.write("d.csv", samples.csv(rows) if header is None else "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *options)
        self.check_model(rows + list(extra), header)

    def check_model(self, rows, header=None):
        self.compiled()
        self.write("new.csv", samples.csv(rows) if header is None else "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        self.taut("predict", "m.taut", "new.csv", "--confidence", ",".join(LEVELS), "-o", "p.csv")
        with open(self.folder / "p.csv", encoding="utf-8") as file:
            wanted = [[float(cell or "nan") for cell in row] for row in list(csv.reader(file))[1:]]
        with open(self.folder / "new.csv", encoding="utf-8") as file:
            texts = list(csv.DictReader(file))
        names = [column["name"] for column in self.taut("info", "m.taut", "--json").json()["columns"]]
        found = self.outputs(list(self.cells_of(texts, names)))
        self.assertEqual(len(found), len(wanted))
        for row, one, other in zip(texts, found, wanted):
            for a, b in zip(one, other):
                self.assertTrue(a == b or (math.isnan(a) and math.isnan(b)), f"{row}: {one} instead of {other}")

    EXTRA = [[0.5, "", "violet", 0], ["", 0.1, "", 0], ["inf", -0.25, "blue", 0], ["-1e300", 1e39, "red", 0]]

    def test_predictors(self):
        for predictor in ("boost", "symmetric", "additive", "elastic", "linear"):
            self.check("--predictor", predictor, "--effort", "quick", extra=self.EXTRA)

    def test_transformations(self):
        for options in (["--transform", "exp", "--sides", "one"], ["--transform", "exp", "--sides", "two"], ["--transform", "fixed"],
                        ["--transform", "curve", "--sides", "two"], ["--transform", "linear"], ["--focus", "0.9", "--sides", "two"],
                        ["--localizer", "none"], ["--see-prediction", "no"], ["--transform", "sigma"]):
            self.check("--predictor", "boost", "--effort", "quick", *options, extra=self.EXTRA)

    def test_transformations_with_formulas(self):
        """Includes empty sets, which are NaN in both. The errors have two sizes, so that the trained scale is kept."""
        draw = random.Random(0)
        rows = []
        for _ in range(900):
            x, z = draw.uniform(-1, 1), draw.gauss(0, 1)
            rows.append([x, z, z + draw.choice([-1, 1]) * (8 if x > 0 else 2) + 0.1 * draw.gauss(0, 1)])
        extra = [["", 0.5, 0], [0.5, "", 0], ["inf", 1e39, 0]]
        for transform, objective in (("shift", "likelihood"), ("offset", "size")):
            for sides in ("one", "two"):
                self.check("--predictor", "linear", "--transform", transform, "--objective", objective, "--sides", sides, rows=rows, extra=extra, header="x,z,y")
                self.assertEqual(self.taut("info", "m.taut", "--json").json()["parts"]["transform"], transform)

    def test_curves_that_begin_with_lines(self):
        """Noise with two modes, which moves along lines, also with a jump in its scale. Missing cells, categories, odd cells."""
        for jumps in (False, True):
            rows = []
            for i in range(500):
                x, z, sign = (i * 0.618) % 2 - 1, (i * 0.377) % 2 - 1, 1 if (i * i * 7 // 3) % 2 else -1
                size = (1 + 0.6 * z) * (4 if jumps and i % 5 == 0 else 1)
                rows.append([round(x, 3), round(z, 3), "abcde"[i % 5], 0.3 * x + sign * size + 0.02 * ((i * 31) % 7)])
            for i in range(3, 500, 40):
                rows[i][1] = ""
            self.check("--predictor", "linear", "--transform", "curve", rows=rows, extra=self.EXTRA)
            self.assertRegex((self.folder / "m.c").read_text(), r" taut_lines\(\d", jumps)

    def test_scales_of_the_target_and_ranges(self):
        rows = [[*row[:3], math.exp(float(row[3]) / 2)] for row in table()]
        for scale in ("log", "root"):
            self.check("--predictor", "boost", "--effort", "quick", "--target-scale", scale, "--y-min", "0", "--y-max", "4",
                       rows=[row if row[3] <= 4 else [*row[:3], 4] for row in rows])

    def test_limits_of_predictions(self):
        """Cells far outside of the training rows, where a smooth member on the logarithmic scale would overflow."""
        rows = [[*row[:3], math.exp(float(row[3]))] for row in table()]
        for predictor in ("additive", "elastic"):
            self.check("--predictor", predictor, "--effort", "quick", "--target-scale", "log", rows=rows,
                       extra=[*self.EXTRA, [30, -30, "red", 0], [-1e4, 1e4, "blue", 0], [0.9, -1e6, "green", 0]])
            most = max(row[3] for row in rows)
            with open(self.folder / "p.csv", encoding="utf-8") as file:
                self.assertLessEqual(max(float(row["prediction"]) for row in csv.DictReader(file)), 2 * most)
            self.assertIn("are held between", self.taut("info", "m.taut").stdout)

    def test_shares_and_given_predictions(self):
        self.check("--predictor", "linear", "--split", "0.4,0.3,0.1,0.2")
        header = "f,x0,y"
        rows = [[i % 7, i % 11, i % 7 + (i * 37 % 10) / 10] for i in range(400)]
        self.write("d.csv", "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        self.taut("fit", "d.csv", "--target", "y", "--prediction", "f", "-o", "m.taut")
        self.check_model(rows, header)

    def test_few_rows_give_the_whole_line(self):
        self.check("--predictor", "linear", rows=table(60))

    def test_an_imported_model(self):
        header = "a,b,y"
        rows = [[i % 13 / 10 - 0.5, i % 7 - 3, i % 13 / 13 + (i * 17 % 11) / 5] for i in range(400)] + [["", 1, 1], [0.25, "", 2]]
        for objective in ("reg:squarederror", "reg:gamma", "reg:logistic"):
            self.write("x.json", json.dumps(xgboost_json(objective=objective)))
            self.check("--model", "x.json", rows=rows, header=header)


class Export(TautTest):
    """Tests that need no compiler: the files that are written, and the errors."""

    def test_c_says_what_it_takes_and_gives(self):
        self.write("d.csv", samples.csv(table(200)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", *samples.QUICK)
        self.taut("export", "m.taut", "--c", "m.c", "--function", "price", "--confidence", "0.5,0.9")
        source = self.read("m.c")
        self.assertRegex(source, r"(?m)^void price\(const double\* \w+, double\* \w+\)")
        for words in ["cells[0]  x\n", "cells[1]  z\n", "cells[2]  colour: ", " red", "any other", "out[0]  f(x)", "confidence 0.5", "out[3], out[4]  ends of the interval at confidence 0.9"]:
            self.assertIn(words, source)

    def several(self, *options):
        rows = table(300)
        self.write("d.csv", "\n".join(["x,z,colour,y1,y2", *(",".join(map(str, [*row, i % 7 - 2 * row[3]])) for i, row in enumerate(rows))]) + "\n")
        self.taut("fit", "d.csv", "--target", "y1,y2", "-o", "m.taut", *samples.QUICK, *options)

    def test_boxes_of_several_targets(self):
        self.several("--region", "box")
        self.taut("export", "m.taut", "--c", "m.c", "--function", "price", "--onnx", "m.onnx", "--confidence", "0.5,0.9")
        source = self.read("m.c")
        self.assertRegex(source, r"(?m)^void price\(const double\* \w+, double\* \w+\)")
        for words in ["targets 'y1'", "'y2'", "out[0]  f(x), the prediction of y1\n", "out[5]  f(x), the prediction of y2\n",
                      "out[8], out[9]  ends of the interval of y2 at confidence 0.9", "hold all targets at once"]:
            self.assertIn(words, source)
        graph = (self.folder / "m.onnx").read_bytes()
        for name in (b"prediction_y1", b"lower_y1", b"upper_y1", b"prediction_y2", b"lower_y2", b"upper_y2"):
            self.assertIn(name, graph)

    def test_regions_that_are_no_boxes_are_refused(self):
        for region in ("ellipsoid", "density"):
            self.several("--region", region)
            for kind in ("c", "onnx"):
                self.fails(1, "export", "m.taut", f"--{kind}", f"m.{kind}", says=[f"'{region}'", "--region box", "a model for each target"])
                self.assertFalse((self.folder / f"m.{kind}").exists())
            self.taut("export", "m.taut", "--json", "m.json")
            self.assertIn(region, (self.folder / "m.json").read_text(encoding="utf-8"))
        self.several("--region", "box", "--by", "x:2")
        self.fails(1, "export", "m.taut", "--c", "m.c", says=["by-group", "--plain"])

    def test_labels_are_refused(self):
        self.write("d.csv", samples.csv(table(200)))
        self.taut("fit", "d.csv", "--target", "colour", "-o", "m.taut", "--predictor", "boost", "--effort", "quick", "--skip-missing-target")
        self.fails(1, "export", "m.taut", "--onnx", "m.onnx", says=["labels", "--json"])

    def test_refusals_name_the_part(self):
        self.write("d.csv", samples.csv(table(300)))
        fit = lambda *options: self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--effort", "quick", *options)
        for options, words in [(["--predictor", "knn", "--localizer", "none"], ["knn", "boost", "network"]),
                               (["--predictor", "quantile:0.1,0.9", "--localizer", "none"], ["two ends"]),
                               (["--predictor", "linear", "--transform", "mixture:exp,sigma", "--epochs", "5"], ["mixture", "--transform", "exp, sigma", "curve"]),
                               (["--predictor", "linear", "--localizer", "mlp", "--hidden", "4", "--epochs", "2"], ["mlp", "--localizer", "boost"]),
                               ([*samples.QUICK, "--split", "cv+"], ["cv+", "--split cross"]),
                               ([*samples.QUICK, "--in-order", "--lags", "1"], ["--lags"]),
                               ([*samples.QUICK, "--by", "x:2"], ["by-group", "--plain"])]:
            fit(*options)
            if ("mlp" in options or "--transform" in options) and self.taut("info", "m.taut", "--json").json()["parts"]["transform"] == "fixed":
                continue
            self.fails(1, "export", "m.taut", "--c", "m.c", says=words)
            self.assertFalse((self.folder / "m.c").exists())
        self.fails(2, "export", "m.taut", says=["--c FILE"])
        fit(*samples.QUICK)
        self.fails(2, "export", "m.taut", "--c", "m.c", "--function", "1 x", says=["C function"])

    def test_json_holds_every_entry(self):
        sys.path.insert(0, str(ROOT / "docs"))
        import read_model

        self.write("d.csv", samples.csv(table(300)))
        self.taut("fit", "d.csv", "--target", "y", "-o", "m.taut", "--predictor", "boost", "--effort", "quick")
        self.taut("export", "m.taut", "--json", "m.json")
        document = json.loads((self.folder / "m.json").read_text(encoding="utf-8"))
        numbers = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
        for name, _, value in read_model.entries(self.folder / "m.taut"):
            found = document
            for part in name.split("/"):
                found = found[part]
            if isinstance(value, list) and value and isinstance(value[0], float):
                found = [numbers.get(one, one) if isinstance(one, str) else one for one in found]
                self.assertEqual(len(found), len(value), name)
                for a, b in zip(found, value):
                    self.assertTrue(a == b or abs(a - b) <= 1e-7 * abs(b) or (a != a and b != b), name)  # floats are written as floats
            elif isinstance(value, (int, str)) and not isinstance(value, bool):
                self.assertEqual(found, value, name)


if __name__ == "__main__":
    main()

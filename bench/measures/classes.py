"""Classification: `taut fit` against LightGBM with as many rounds, and the probabilities of many rows from as many trees."""
import json
import subprocess

from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "classes", "fit of ten labels", "LightGBM, multiclass, the same trees"
LABELS = 10
PATIENCE = 20  # rounds after the best one; the same number as in taut/task/label/class_growth.cpp


def run(context):
    rows = context.sized(100_000, 10_000)
    data, model = context.folder / "labels.csv", context.folder / "m.taut"
    context.script("classes", "make", data, rows)
    fit = [context.taut, "fit", data, "--target", "label", "--split", "0.6,0.1,0.1,0.2", "--transform", "fixed", "-o", model]
    context.clock(fit)
    told = json.loads(subprocess.run([str(context.taut), "info", str(model), "--json"], capture_output=True, text=True, check=True).stdout)
    best = told["parts"]["trees"] // LABELS
    rounds = 2 * best + PATIENCE  # once to find the best number of rounds, once on all rows
    clocks = in_turn({"ours": lambda: context.clock(fit),
                      "theirs": lambda: clock_of(context.script("classes", "fit", data, round(0.6 * rows), rounds))}, context.sized(3, 1))
    note = (f"{rounds} rounds of {LABELS} trees, depth 6, on 60 % of the rows. Taut's time includes reading the file, early stopping (with an eighth of the rows held "
            "out), the temperature and calibration; LightGBM's excludes reading. The default of `taut fit` also trains five folds")
    found = [compared(f"fit of ten labels, {rows:,} rows × 50", INSTEAD, at_least(1), clocks["ours"], clocks["theirs"], note)]
    theirs = context.folder / "m.txt"
    context.script("classes", "fit", data, round(0.6 * rows), best, theirs)
    clocks = in_turn({"ours": lambda: clock_of(context.script("classes", "predict", data, model)),
                      "theirs": lambda: clock_of(context.script("classes", "predict", data, theirs))}, context.sized(3, 1))
    note = f"{best} rounds of {LABELS} trees of depth 6, an array in and an array of probabilities out, through Python on both sides"
    return [*found, compared(f"probabilities of ten labels, {rows:,} rows × 50", "LightGBM's predict, as many trees", None, clocks["ours"],
                             clocks["theirs"], note)]

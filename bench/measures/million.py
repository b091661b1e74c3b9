"""`taut fit` on a million rows: time, memory and interval score."""
import json
import subprocess

from harness.context import clock_of
from harness.rows import Goal, at_least, compared, row

NAME, WHAT, INSTEAD = "million", "the whole of `taut fit`, default, 1e6 rows × 10 (× 100 with --full)", "MAPIE and crepes, adaptive"
WAYS = {"mapie_cqr": "MAPIE CQR, LightGBM", "crepes_residual_model": "crepes, XGBoost of out-of-fold residuals"}
NOTE = "one run; synthetic rows, 75 % for training, 25 % for calibration, and a fifth as many test rows; settings as for homes and CASP. MAPIE predicts one level"


def run(context):
    table = []
    for columns in [10, 100] if context.full else [10]:
        table += compare(context, context.sized(1_000_000, 20_000), columns)
    return table


def compare(context, rows, columns):
    names = [context.folder / f"{part}.csv" for part in ("train", "calibrate", "test")]
    context.script("million", rows, columns, *names)
    train, calibrate, test = names
    model = context.folder / "m.taut"
    ours = context.clock([context.taut, "fit", train, "--target", "y", "--calibrate-with", calibrate, "-o", model])
    said = subprocess.run([context.taut, "evaluate", model, test, "--confidence", "0.9", "--json"], check=True, capture_output=True, text=True).stdout
    score = json.loads(said)["levels"][0]["interval_score"]
    table, what = [], f"`taut fit`, {rows:,} rows × {columns}"
    for way, name in WAYS.items():
        found = context.script("fit", train, calibrate, "y", "", way, test)
        theirs = clock_of(found)
        table.append(compared(what, name, at_least(1), [ours], [theirs], NOTE if not table else ""))
        for figure, mine, other, text in (("memory", ours.memory, found["memory"], lambda value: f"{value / 1e6:.0f} MB"),
                                          ("interval score at 0.9", score, found["score"], lambda value: f"{value:.4g}")):
            table.append(row(f"{figure}, {what}", name, Goal("≤", 1, "× theirs"), ours=text(mine), theirs=text(other), figure=mine / other))
    for path in names:
        path.unlink()
    return table

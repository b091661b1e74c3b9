"""The time of the whole command `taut fit`."""
import random

from harness.context import clock_of
from harness.rows import at_least, compared, in_turn, median
from protocol_p import SETS, read, write

NAME, WHAT, INSTEAD = "fit", "the whole of `taut fit`, default, homes and CASP", "MAPIE and crepes, adaptive"
WAYS = {"mapie_cqr": "MAPIE CQR, LightGBM", "crepes_neighbours": "crepes, k-NN of out-of-fold residuals",
        "crepes_residual_model": "crepes, XGBoost of out-of-fold residuals"}
NOTE = ("The time of `taut fit` includes reading the files; the others exclude it. All: 60 % of the rows train, 20 % calibrate. MAPIE: three LightGBM quantile "
        "models of 500 rounds, rate .05. crepes: XGBoost, 500 rounds, rate .05, depth 6, refitted in five folds for residuals, then its k-NN "
        "difficulty estimator on them, or XGBoost again. The goal applies to the fastest of them")


def prepare(context, name):
    header, rows = read(context.set(name))
    random.Random(0).shuffle(rows)
    first, second = round(0.6 * len(rows)), round(0.8 * len(rows))
    write(context.folder / "train.csv", header, rows[:first])
    write(context.folder / "calibrate.csv", header, rows[first:second])


def run(context):
    table = []
    for name in (["homes"] if context.quick else ["homes", "CASP"]):
        target, drop = SETS[name]
        prepare(context, name)
        fit = [context.taut, "fit", context.folder / "train.csv", "--target", target, "--calibrate-with", context.folder / "calibrate.csv",
               "-o", context.folder / "m.taut", *(["--drop", ",".join(drop)] if drop else [])]
        files = (context.folder / "train.csv", context.folder / "calibrate.csv", target, ",".join(drop))
        ways = ["mapie_cqr"] if context.quick else list(WAYS)
        sides = {"ours": lambda: context.clock(fit)}
        sides.update({way: lambda way=way: clock_of(context.script("fit", *files, way)) for way in ways})
        clocks = in_turn(sides, context.sized(3, 1))
        fastest = min(ways, key=lambda way: median(clocks[way]))
        for way in ways:
            table.append(compared(f"the whole of `taut fit`, default, {name}", WAYS[way], at_least(2) if way == fastest else None, clocks["ours"],
                                  clocks[way], NOTE if not table else ""))
    return table

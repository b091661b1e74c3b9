"""Intervals for many new rows."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "model_rows", "intervals from model and rows, 1e5 training rows, 1e5 queries × 10", "crepes with its difficulty estimator"


def run(context):
    rows = context.sized(100_000, 10_000)
    for side in ("taut", "crepes"):
        context.script("model_rows", context.folder, side, "make", rows, rows)
    clocks = in_turn({side: lambda side=side: clock_of(context.script("model_rows", context.folder, side)) for side in ("taut", "crepes")},
                     context.sized(3, 1))
    return [compared(f"intervals from model and rows, {rows:,} training rows, {rows:,} queries × 10", INSTEAD, at_least(100), clocks["taut"],
                     clocks["crepes"], "through Python on both sides, f(x) included; crepes: nearest residuals (k = 25), f by XGBoost")]

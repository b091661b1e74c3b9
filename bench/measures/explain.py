"""Shapley values of columns."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "explain", "exact shares of 20 columns, 500 trees of depth 5", "shap.TreeExplainer"


def run(context):
    rows = context.sized(20_000, 2_000)
    context.script("explain", context.folder, "make", rows)
    sides = {"taut": lambda: clock_of(context.script("explain", context.folder, "taut")),
             "shap": lambda: clock_of(context.script("explain", context.folder, "shap"))}
    clocks = in_turn(sides, context.sized(3, 1))
    return [compared(f"{WHAT}, {rows:,} rows", INSTEAD, at_least(1), clocks["taut"], clocks["shap"],
                     "the same trees, grown by XGBoost; the C++ of the shap package, path-dependent, which uses one thread; Taut uses two")]

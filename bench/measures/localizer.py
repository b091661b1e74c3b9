"""Boosting rounds of the localizer."""
from harness.context import clock_of
from harness.rows import LONGER, at_most, compared, in_turn

NAME, WHAT, INSTEAD = "localizer", "localizer, 200 rounds of depth 4, 1e6 rows × 10", "XGBoost from Python, squared error built in"


def run(context):
    rows = context.sized(1_000_000, 100_000)
    path = context.folder / "rows.f32"
    context.script("localizer", path, "make", rows)
    clocks = in_turn({"ours": lambda: clock_of(context.program("localizer", path, 2)),
                      "builtin": lambda: clock_of(context.script("localizer", path, 2, "builtin")),
                      "custom": lambda: clock_of(context.script("localizer", path, 2, "custom"))}, context.sized(3, 1))
    what = f"localizer, 200 rounds of depth 4, {rows:,} rows × 10"
    return [compared(what, "XGBoost from Python, built-in squared error", at_most(1.15), clocks["ours"], clocks["builtin"],
                     "from raw floats to trees; XGBoost with quantile matrix, histograms and threads that do not spin (OMP_WAIT_POLICY=passive)"),
            compared(what, "XGBoost from Python, an objective of one's own", None, clocks["ours"], clocks["custom"], unit=LONGER)]

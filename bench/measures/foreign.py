"""Predictions of imported models of other libraries."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "foreign", "300 trees of another library, taken over", "the library"
LIBRARIES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost", "sklearn": "HistGradientBoosting"}


def run(context):
    rows = context.sized(200_000, 20_000)
    found = []
    for library, name in LIBRARIES.items():
        context.script("foreign", context.folder, "make", library, rows)
        for how, goal, words in (("many", 2, f"{rows:,} rows"), ("one", 10, "one row")):
            sides = {side: lambda side=side: clock_of(context.script("foreign", context.folder, side, library, how)) for side in ("taut", "library")}
            clocks = in_turn(sides, context.sized(3, 1))
            found.append(compared(f"predictions of a {name} model with 300 trees, {words}", f"{name}'s predict", at_least(goal), clocks["taut"],
                                  clocks["library"], "the same bits, from Python and with two threads"))
    return found

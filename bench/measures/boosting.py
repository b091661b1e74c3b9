"""Training one forest: Taut, XGBoost and LightGBM."""
from harness.context import clock_of
from harness.rows import LONGER, at_most, compared, in_turn

NAME, WHAT, INSTEAD = "boosting", "one forest, 200 rounds of depth 6 and 8, 1e6 rows × 10 and × 100", "XGBoost, LightGBM"
THREADS = 2


def run(context):
    rows, table = context.sized(1_000_000, 50_000), []
    for columns in (10, 100):
        path = context.folder / f"rows{columns}.f32"
        context.script("boosting", path, columns, "make", rows, 0)
        for depth in (6, 8):
            table += compare(context, path, rows, columns, depth)
        path.unlink()
    return table


def compare(context, path, rows, columns, depth):
    """The goal applies to the faster of XGBoost and LightGBM."""
    errors = {}

    def side(name, run):
        def clocked():
            answer = run()
            errors[name] = answer["error"]
            return clock_of(answer)
        return clocked
    others = ("XGBoost", "LightGBM")
    sides = {"Taut": side("Taut", lambda: context.program("boosting", path, columns, depth, THREADS))}
    for other in others:
        sides[other] = side(other, lambda other=other: context.script("boosting", path, columns, depth, THREADS, other.lower()))
    clocks = in_turn(sides, context.sized(3, 1))
    faster = min(others, key=lambda other: min(clock.seconds for clock in clocks[other]))
    note = "training errors: " + ", ".join(f"{name} {errors[name]:.4f}" for name in sides)
    return [compared(f"one forest, 200 rounds of depth {depth}, {rows:,} rows × {columns}", other, at_most(1.0) if other == faster else None,
                     clocks["Taut"], clocks[other], note if other == faster else "", unit=LONGER) for other in others]

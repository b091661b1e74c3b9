"""Metrics of conditional coverage."""
from harness.context import clock_of
from harness.rows import Missing, at_least, at_most, compared, duration, in_turn, row

NAME, WHAT, INSTEAD = "metrics", "HSIC, worst slab, L1-ERT", "MAPIE"


def run(context):
    return hsic(context) + slab(context) + ert(context)


def against_mapie(context, which, rows, goal, label, environment, note="", repeats=1):
    """MAPIE's slab and ERT need PyTorch."""
    sides = {"taut": lambda: clock_of(context.script("metrics", which, "taut", rows)),
             "mapie": lambda: clock_of(context.script("metrics", which, "mapie", rows, environment=environment))}
    try:
        clocks = in_turn(sides, repeats)
    except Missing as missing:
        return row(label, "MAPIE", goal, note=f"not measured: {missing}")
    return compared(label, "MAPIE", goal, clocks["taut"], clocks["mapie"], note)


def hsic(context):
    rows, many = context.sized(10_000, 2000), context.sized(1_000_000, 100_000)
    exact = context.script("metrics", "hsic", "taut", 2000)
    large = context.script("metrics", "hsic", "taut", many)
    return [against_mapie(context, "hsic", rows, at_least(500), f"HSIC, {rows:,} rows", "peers"),
            row("HSIC, difference from the definition, 2,000 rows", "all matrices written out", at_most(1e-9, ""), figure=exact["error"]),
            row(f"HSIC, {many:,} rows", "", ours=duration(large["seconds"]), note=f"memory grew by {large['growth'] / 1e6:.0f} MB over the arrays")]


def slab(context):
    rows, many = context.sized(2000, 500), context.sized(1_000_000, 20_000)
    large = context.script("metrics", "slab", "taut", many, 20)
    return [against_mapie(context, "slab", rows, at_least(100), f"worst slab, 1000 directions, {rows:,} rows × 10", "torch"),
            row(f"worst slab, 1000 directions, {many:,} rows × 20", "", at_most(60, "s"), ours=duration(large["seconds"]), figure=large["seconds"],
                processor=large["processor"])]


def ert(context):
    rows = context.sized(10_000, 2000)
    return [against_mapie(context, "ert", rows, at_least(3), f"L1-ERT, {rows:,} rows × 10", "torch", repeats=context.sized(3, 1))]

"""Intervals from given predictions and scales."""
from harness.context import clock_of
from harness.rows import LONGER, at_most, compared, in_turn

NAME, WHAT, INSTEAD = "intervals", "intervals from given predictions and scales, 1e6 rows", "NumPy, the arithmetic alone"


def run(context):
    sides = ("taut", "floor", "crepes", "mapie")
    clocks = in_turn({side: lambda side=side: clock_of(context.script("intervals", side, 1_000_000)) for side in sides}, context.repeats)
    return [compared(WHAT, "NumPy, the arithmetic alone", at_most(1.2), clocks["taut"], clocks["floor"],
                     "NumPy only does the arithmetic, into a new array; Taut's function also checks every number and finds the quantile of "
                     "10,000 calibration scores"),
            *(compared(WHAT, name, None, clocks["taut"], clocks[side], unit=LONGER) for name, side in (("crepes", "crepes"), ("MAPIE", "mapie")))]

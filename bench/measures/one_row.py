"""Intervals for one row at a time."""
from harness.context import clock_of
from harness.rows import at_most, duration, in_turn, median, row

NAME, WHAT, INSTEAD = "one_row", "one row through the C++ API, 200 trees of depth 4, three levels", "XGBoost's C call for one row"


def run(context):
    clocks = in_turn({"ours": lambda: context.google("predict_row", "predict_row", 0.3)[0],
                      "theirs": lambda: clock_of(context.script("one_row"))}, context.repeats)
    ours, theirs = median(clocks["ours"]), median(clocks["theirs"])
    processor = sorted(clock.processor for clock in clocks["ours"])[len(clocks["ours"]) // 2]
    return [row(WHAT, INSTEAD, at_most(5, "µs"), ours=duration(ours), theirs=duration(theirs), figure=ours * 1e6, processor=processor * 1e6,
                note=f"{theirs / ours:.1f} times as fast as XGBoost's function alone, which predicts but makes no interval")]

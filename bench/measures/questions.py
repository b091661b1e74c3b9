"""Bounds, quantiles and probabilities, on top of f(x) and g(x)."""
from harness.context import clock_of
from harness.rows import at_most, duration, in_turn, median, row

NAME, WHAT, INSTEAD = "questions", "bounds, quantiles and probabilities", "one interval, and writing seven numbers more"
QUANTILES = "0.05,0.1,0.2,0.3,0.5,0.7,0.8,0.9,0.95"


def run(context):
    return [one_row(context), many_rows(context)]


def one_row(context):
    clocks = [context.google("predict_row", "five_questions", 0.3)[0] for _ in range(context.repeats)]
    ours, processor = median(clocks), middle(clock.processor for clock in clocks)
    return row("five questions about one row, on top of f(x) and g(x)", "", at_most(5, "µs"), ours=duration(ours), figure=ours * 1e6,
               processor=processor * 1e6, note="a bound, an interval with equal tails, a quantile, a probability, a p-value; 800 calibration rows")


def many_rows(context):
    """Nine quantiles should cost little more than one interval and writing seven more numbers."""
    rows = context.sized(1_000_000, 100_000)
    data, model = context.folder / "rows.csv", context.folder / "m.taut"
    train = context.folder / "train.csv"
    context.program("csv", "make", data, rows)
    context.program("csv", "make", train, 10_000)
    context.clock([context.taut, "fit", train, "--target", "y", "--predictor", "linear", "--effort", "quick", "-o", model])
    predict = [context.taut, "predict", model, data, "--threads", "1", "-o", context.folder / "answers.csv"]
    clocks = in_turn({"quantiles": lambda: context.clock([*predict, "--quantiles", QUANTILES]),
                      "interval": lambda: context.clock([*predict, "--confidence", "0.9"]),
                      "write": lambda: clock_of(context.program("csv", "make", context.folder / "written.csv", rows))}, context.sized(3, 1))
    # The file that is written has eleven columns; nine quantiles are seven numbers more than one interval.
    ours = [clock.processor for clock in clocks["quantiles"]]
    theirs = [interval.processor + 7 / 11 * write.processor for interval, write in zip(clocks["interval"], clocks["write"])]
    figure = middle(a / b for a, b in zip(ours, theirs))
    return row(f"{rows:,} rows × 9 quantiles", INSTEAD, at_most(1.25, "× as long"), ours=duration(middle(ours)), theirs=duration(middle(theirs)),
               figure=figure, processor=figure, note="processor time on one thread, reading, f(x) and g(x) included on both sides")


def middle(values):
    values = sorted(values)
    return values[len(values) // 2]

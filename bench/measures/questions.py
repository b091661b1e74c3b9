"""Bounds, quantiles and probabilities, on top of f(x) and g(x)."""
from harness.context import clock_of
from harness.rows import at_most, duration, in_turn, median, row

NAME, WHAT, INSTEAD = "questions", "bounds, quantiles and probabilities", "writing the numbers"
QUANTILES = "0.05,0.1,0.2,0.3,0.5,0.7,0.8,0.9,0.95"


def run(context):
    return [one_row(context), many_rows(context)]


def one_row(context):
    clocks = [context.google("predict_row", "five_questions", 0.3)[0] for _ in range(context.repeats)]
    ours, processor = median(clocks), sorted(clock.processor for clock in clocks)[len(clocks) // 2]
    return row("five questions about one row, on top of f(x) and g(x)", "", at_most(5, "µs"), ours=duration(ours), figure=ours * 1e6,
               processor=processor * 1e6, note="a bound, an interval with equal tails, a quantile, a probability, a p-value; 800 calibration rows")


def many_rows(context):
    """What nine quantiles cost besides one interval, beside writing as many numbers."""
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
    more = [a.processor - b.processor for a, b in zip(clocks["quantiles"], clocks["interval"])]
    written = [7 / 11 * clock.processor for clock in clocks["write"]]
    figure = sorted(a / b for a, b in zip(more, written))[len(more) // 2]
    return row(f"{rows:,} rows × 9 quantiles, beyond one interval", INSTEAD, at_most(2, "× as long"), ours=duration(sorted(more)[len(more) // 2]),
               theirs=duration(sorted(written)[len(written) // 2]), figure=figure, processor=figure,
               note=f"processor time on one thread; all of `predict` takes {duration(median(clocks['quantiles']))}, with one interval "
                    f"{duration(median(clocks['interval']))}")

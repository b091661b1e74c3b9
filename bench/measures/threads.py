"""Two threads against one."""
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "threads", "two threads: fit on 1e6 rows, batch prediction", "one thread"


def run(context):
    data, model = context.folder / "rows.csv", context.folder / "m.taut"
    rows = context.sized(1_000_000, 20_000)
    context.program("csv", "make", data, rows)

    def with_threads(count, *command):
        return lambda: context.clock([context.taut, *command, "--threads", count])
    fit = in_turn({count: with_threads(count, "fit", data, "--target", "y", "-o", model) for count in (2, 1)}, 1)
    predict = in_turn({count: with_threads(count, "predict", model, data, "--confidence", "0.9") for count in (2, 1)}, context.sized(3, 1))
    intervals = in_turn({count: lambda count=count: context.google("predict_interval", f"predict_interval/{count}/.*", 0.5)[0] for count in (2, 1)},
                        context.repeats)
    return [compared(f"fit on {rows:,} rows, two threads", INSTEAD, at_least(1.6), fit[2], fit[1], "with reading of the file"),
            compared("intervals of 100,000 rows × 10 in memory, two threads", INSTEAD, at_least(1.6), intervals[2], intervals[1]),
            compared(f"`taut predict` on {rows:,} rows, two threads", INSTEAD, None, predict[2], predict[1], "reading and writing files included")]

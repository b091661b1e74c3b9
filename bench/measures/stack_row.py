"""One row at a time through the complete model of a default fit."""
import gzip
import itertools

from harness.rows import at_most, duration, median, row
from protocol_p import SETS

NAME, WHAT, INSTEAD = "stack_row", "one row through the C++ API, a default model", ""


def run(context):
    return [of_set(context, name) for name in (["homes"] if context.quick else ["homes", "CASP"])]


def of_set(context, name):
    target, drop = SETS[name]
    model = context.folder / "m.taut"
    context.clock([context.taut, "fit", context.set(name), "--target", target, *(["--drop", ",".join(drop)] if drop else []), "-o", model])
    with gzip.open(context.set(name), "rt") as rows:
        (context.folder / "rows.csv").write_text("".join(itertools.islice(rows, 5001)))
    clocks = [context.google("stack_row", "stack_row", environment={"TAUT_BENCH_FOLDER": str(context.folder)})[0] for _ in range(context.repeats)]
    processor = sorted(clock.processor for clock in clocks)[len(clocks) // 2]
    return row(f"{WHAT} of {name}, three levels", INSTEAD, at_most(20, "µs"), ours=duration(median(clocks)), theirs="", figure=median(clocks) * 1e6,
               processor=processor * 1e6, note=f"5,000 different rows in turn; the model takes {model.stat().st_size / 1e6:.1f} MB")

"""Reading numbers from a CSV file."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "csv", "CSV, 200 MB of numbers, one thread", "pandas' read_csv"


def run(context):
    path = context.folder / "numbers.csv"
    context.program("csv", "make", path, context.sized(1_000_000, 200_000))
    sides = {"ours": lambda: context.program("csv", "read", path), "one": lambda: context.script("read_csv", path, 1),
             "two": lambda: context.script("read_csv", path, 2)}
    cells = {name: run()["cells"] for name, run in sides.items()}
    if len(set(cells.values())) != 1:
        raise RuntimeError(f"the two sides read different numbers of cells: {cells}")
    clocks = in_turn({name: lambda run=run: clock_of(run()) for name, run in sides.items()}, context.repeats)
    what = f"CSV, {path.stat().st_size / 1e6:.0f} MB of numbers, one thread"
    return [compared(what, "pandas' read_csv on one core", at_least(3), clocks["ours"], clocks["one"]),
            compared(what, "pandas' read_csv, which takes two threads", None, clocks["ours"], clocks["two"])]

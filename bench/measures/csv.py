"""Reading a CSV file: numbers, and numbers with some columns of texts."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "csv", "CSV, 200 MB, one thread and two", "pandas', polars' and DuckDB's readers"


def run(context):
    return [*rows_of(context, "numbers", context.sized(1_000_000, 200_000), 0),
            *rows_of(context, "numbers, four of 15 columns texts", context.sized(800_000, 160_000), 4)]


def rows_of(context, content, rows, texts):
    path = context.folder / f"{texts}.csv"
    context.program("csv", "make", path, rows, texts)

    def ours(threads):
        return lambda: context.program("csv", "read", path, threads)

    def theirs(reader, cores):
        return lambda: context.script("read_csv", reader, path, cores)

    sides = {"one": ours(1), "two": ours(2), "pandas on one core": theirs("pandas", 1), "pandas": theirs("pandas", 2),
             "polars": theirs("polars", 2), "DuckDB": theirs("duckdb", 2)}
    cells = {name: run()["cells"] for name, run in sides.items()}
    if len(set(cells.values())) != 1:
        raise RuntimeError(f"the sides read different numbers of cells: {cells}")
    clocks = in_turn({name: lambda run=run: clock_of(run()) for name, run in sides.items()}, context.repeats)
    what = f"CSV, {path.stat().st_size / 1e6:.0f} MB of {content}"
    return [compared(f"{what}, one thread", "pandas' read_csv on one core", at_least(3), clocks["one"], clocks["pandas on one core"]),
            *(compared(f"{what}, two threads", f"{name} on two cores", at_least(1), clocks["two"], clocks[name])
              for name in ("pandas", "polars", "DuckDB"))]

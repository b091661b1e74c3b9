"""Reading a Parquet file. The goal is pyarrow's time: both decode it with the same library, and Taut also converts the columns."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "parquet", "Parquet, numbers, texts and dates", "pyarrow's read_table"


def run(context):
    path = context.folder / "table.parquet"
    context.script("read_parquet", "make", path, context.sized(2_000_000, 200_000))
    sides = {"ours": lambda: context.program("parquet", path, 0), "arrow": lambda: context.script("read_parquet", "table", path),
             "pandas": lambda: context.script("read_parquet", "pandas", path)}
    cells = {name: run()["cells"] for name, run in sides.items()}
    if len(set(cells.values())) != 1:
        raise RuntimeError(f"the sides read different numbers of cells: {cells}")
    clocks = in_turn({name: lambda run=run: clock_of(run()) for name, run in sides.items()}, context.repeats)
    what = f"Parquet, {path.stat().st_size / 1e6:.0f} MB of numbers, texts and dates, all cores"
    return [compared(what, "pyarrow's read_table", at_least(1), clocks["ours"], clocks["arrow"]),
            compared(what, "pandas' read_parquet", None, clocks["ours"], clocks["pandas"])]

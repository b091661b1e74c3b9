"""Exact nearest neighbours; both sides must find the same."""
from harness.context import clock_of
from harness.rows import at_least, compared, in_turn

NAME, WHAT, INSTEAD = "knn", "16 nearest of 1e5 rows for 1e5 queries, 8 and 50 columns", "scikit-learn"


def run(context):
    table, count = [], context.sized(100_000, 10_000)
    for columns, way, goal in ((8, "kd-tree", at_least(3)), (50, "brute force", at_least(1.5))):
        data, queries, found = (context.folder / name for name in ("data.f32", "queries.f32", "found.i64"))
        context.script("nearest", data, queries, columns, "make", count)
        same = []

        def theirs():
            answer = context.script("nearest", data, queries, columns, 16, 2, found)
            same.append(answer["same"])
            return clock_of(answer)
        clocks = in_turn({"ours": lambda: clock_of(context.program("nearest", data, queries, columns, 16, 2, found)), "theirs": theirs},
                         context.sized(3, 1))
        table.append(compared(f"16 nearest of {count:,} rows for {count:,} queries, {columns} columns, two threads", f"scikit-learn, {way}", goal,
                              clocks["ours"], clocks["theirs"], f"the same neighbours for {100 * min(same):.2f} % of the queries"
                              + ("" if min(same) == 1 else "; in the others ours are no farther, because scikit-learn's brute force rounds distances")))
    return table

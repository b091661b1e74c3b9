"""Time and memory against the number of rows. `predict` reads its rows as a stream."""
import dataclasses
import math

from harness.rows import at_most, row, three_digits

NAME, WHAT, INSTEAD = "growth", "fit and predict from 1e4 to 1e6 rows (1e7 with --full)", ""
COLUMNS = 11


def run(context):
    sizes = [10_000, 30_000] if context.quick else [10_000, 100_000, 1_000_000] + ([10_000_000] if context.full else [])
    points = [point(context, rows) for rows in sizes]
    span = f"from {sizes[0]:,} to {sizes[-1]:,} rows × {COLUMNS}"
    table = [slope_row(points, verb, span) for verb in ("fit", "predict")]
    largest = points[-1]
    times = largest["fit"]["memory"] / largest["raw"]
    grown = max(p["predict"]["memory"] for p in points[1:]) / points[0]["predict"]["memory"]
    table.append(row(f"memory of fit at {sizes[-1]:,} rows", "the raw floats", at_most(4, "× the floats"), ours=f"{largest['fit']['memory'] / 1e6:.0f} MB",
                     theirs=f"{largest['raw'] / 1e6:.0f} MB", figure=times, note="raw floats: four bytes for each cell, target included"))
    table.append(row(f"memory of predict, {span}", "that at the fewest rows", at_most(1.5, "× as much"), figure=grown,
                     ours=f"{largest['predict']['memory'] / 1e6:.0f} MB", theirs=f"{points[0]['predict']['memory'] / 1e6:.0f} MB",
                     note="1 is constant memory; the goal is higher because buffers are not full at the fewest rows"))
    return {"rows": table, "points": points}


def point(context, rows):
    data, model = context.folder / "rows.csv", context.folder / "m.taut"
    context.program("csv", "make", data, rows)
    fit = context.clock([context.taut, "fit", data, "--target", "y", "-o", model])
    predict = context.clock([context.taut, "predict", model, data, "--confidence", "0.9"])
    data.unlink()
    return {"rows": rows, "raw": 4 * rows * COLUMNS, "fit": dataclasses.asdict(fit), "predict": dataclasses.asdict(predict)}


def slope_row(points, verb, span):
    """The slope of the least-squares line through the logarithms, for wall-clock and processor time."""
    return row(f"{verb}, slope of log time, {span}", "", at_most(1.1, ""), ours=f"{three_digits(points[-1][verb]['seconds'])} s",
               figure=slope(points, verb, "seconds"), processor=slope(points, verb, "processor"))


def slope(points, verb, part):
    x, y = ([math.log(value) for value in values] for values in ([p["rows"] for p in points], [p[verb][part] for p in points]))
    middle = sum(x) / len(x)
    return sum((a - middle) * b for a, b in zip(x, y)) / sum((a - middle) ** 2 for a in x)

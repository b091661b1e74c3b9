"""From the start of the program to the first interval."""
from harness.rows import at_most, duration, in_turn, median, row

NAME, WHAT, INSTEAD = "start", "start of the program, load of a model with 500 trees, one row", "Python and `import mapie`"


def model_of_500_trees(context):
    data, model = context.folder / "data.csv", context.folder / "m.taut"
    context.clock([context.taut, "synth", "cos", "--rows", "4000", "--seed", "1", "--truth", "-o", data])
    # With a rate this small, early stopping never ends the training.
    context.clock([context.taut, "fit", data, "--target", "y", "--prediction", "f", "--drop", "sigma", "--sides", "one", "--depth", "4",
                   "--epochs", "500", "--patience", "500", "--rate", "0.001", "-o", model])
    lines = data.read_text().splitlines()
    (context.folder / "row.csv").write_text("\n".join(lines[:2]) + "\n")
    return model


def run(context):
    model = model_of_500_trees(context)
    predict = [context.taut, "predict", model, context.folder / "row.csv"]
    mapie = [context.python("peers"), "-c", "import mapie.regression"]
    clocks = in_turn({"ours": lambda: context.clock(predict), "theirs": lambda: context.clock(mapie)}, context.sized(7, 3))
    ours, theirs = median(clocks["ours"]), median(clocks["theirs"])
    processor = sorted(clock.processor for clock in clocks["ours"])[len(clocks["ours"]) // 2]
    return [row(WHAT, INSTEAD, at_most(20, "ms"), ours=duration(ours), theirs=duration(theirs), figure=ours * 1e3, processor=processor * 1e3,
                note=f"`taut predict` on a file of one row, {model.stat().st_size / 1e3:.0f} kB of model, {theirs / ours:.0f} times as fast")]

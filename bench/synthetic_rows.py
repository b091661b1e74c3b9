"""Synthetic rows in three parts, with the true f as a column, and the intervals of a model fitted to them."""
import csv
import subprocess


def draw(taut, folder, set_name, seed, train, calibrate, test):
    """One table in three parts. The coefficients of f depend on the seed, so all parts come from one call."""
    whole = folder / "all.csv"
    rows = train + calibrate + test
    subprocess.run([taut, "synth", set_name, "--rows", str(rows), "--seed", str(seed), "--truth", "-o", whole], check=True, stderr=subprocess.DEVNULL)
    header, *lines = whole.read_text().splitlines()
    for name, first, last in (("train", 0, train), ("calibrate", train, train + calibrate), ("test", train + calibrate, rows)):
        (folder / f"{name}.csv").write_text("\n".join([header, *lines[first:last]]) + "\n")


def intervals(taut, folder, truth, levels, extra):
    """For the test rows: the columns of `truth`, the prediction, and both ends of each level, as numbers. The columns of `truth` are not used in training."""
    subprocess.run([taut, "fit", folder / "train.csv", "--target", "y", "--prediction", "f", "--drop", truth, "--split", "cross",
                    "--calibrate-with", folder / "calibrate.csv", "-o", folder / "m.taut", *extra], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([taut, "predict", folder / "m.taut", folder / "test.csv", "--confidence", ",".join(levels), "--keep", truth,
                    "-o", folder / "intervals.csv"], check=True, stderr=subprocess.DEVNULL)
    with open(folder / "intervals.csv", newline="") as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]

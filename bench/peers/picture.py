"""Draws time and memory against the number of rows.   picture.py RESULTS.json OUT.svg"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "taut", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False,
                            "axes.spines.right": False})
from matplotlib import pyplot

COLOURS = {"fit": "#1f5fa8", "predict": "#c8641e"}


def main():
    points = json.loads(pathlib.Path(sys.argv[1]).read_text())["growth"]["points"]
    rows = [point["rows"] for point in points]
    figure, (time, memory) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for verb, colour in COLOURS.items():
        time.loglog(rows, [point[verb]["seconds"] for point in points], "o-", color=colour, label=verb)
        memory.loglog(rows, [point[verb]["memory"] / 1e6 for point in points], "o-", color=colour, label=verb)
    memory.loglog(rows, [point["raw"] / 1e6 for point in points], "--", color="#777777", label="the raw floats")
    start = points[0]["fit"]["seconds"]
    time.loglog(rows, [start * n / rows[0] for n in rows], "--", color="#777777", label="slope 1")
    for axes, name in ((time, "seconds"), (memory, "peak memory, MB")):
        axes.set(xlabel="rows", ylabel=name)
        axes.grid(True, which="major", color="#e4e4e4", linewidth=0.8)
        axes.legend(frameon=False)
    figure.savefig(sys.argv[2], metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()

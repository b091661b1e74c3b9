"""Draws the ratios of bench/edge_table.py: one row for each set, one point for each figure that has a goal."""
import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "taut", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False,
                            "axes.spines.right": False})
from matplotlib import pyplot  # noqa: E402

# (method, ratio, words, colour, marker)
SHOWN = [
    ("default", "score / best peer", "default: interval score / best peer's", "#1f5fa8", "o"),
    ("default", "score / practitioner", "default: interval score / practitioner's", "#c8641e", "s"),
    ("focus", "width / best peer", "--focus 0.9: width / narrowest peer's", "#3a8f4d", "^"),
]


def draw(ratios, path):
    """`ratios`: {method: {set: {ratio: value or None}}}"""
    sets = list(dict.fromkeys(name for of_sets in ratios.values() for name in of_sets))
    figure, axes = pyplot.subplots(figsize=(9, 0.32 * len(sets) + 1.4), layout="constrained")
    for method, name, label, colour, marker in SHOWN:
        points = [(row[name], sets.index(set_name)) for set_name, row in ratios.get(method, {}).items() if row[name] is not None]
        if points:
            axes.plot(*zip(*points), marker, color=colour, label=label)
    axes.axvline(1, color="#777777", linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_xticks([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2], labels=["0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1", "1.2"])
    axes.xaxis.minorticks_off()
    axes.set(xlabel="ratio at 90 %; below 1 Taut is better", yticks=range(len(sets)), yticklabels=sets)
    axes.invert_yaxis()
    axes.grid(True, axis="x", color="#e4e4e4", linewidth=0.8)
    figure.legend(frameon=False, loc="outside upper center", ncols=3, fontsize=9)
    figure.savefig(path, metadata={"Date": None, "Creator": None})

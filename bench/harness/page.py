"""Writes docs/performance.md: the table of results and the text around it."""
import os
import pathlib
import platform

from .context import BENCH, ROOT
from .rows import Goal, three_digits

INTRODUCTION = """\
# Performance

Time and memory of Taut, and of what one would use instead, on the same data in the same run.

`make bench` installs the other libraries into an environment of their own, runs every measure and writes this page; `make bench-quick`
prints a smaller table within two minutes. `bench/run.py --list` lists the measures, `bench/run.py --only csv,knn` repeats some of them
and updates their rows here.

The two sides take turns, several times, and a ratio is the median of the ratios of the turns. "By processor time" is the same ratio of
user and system time of all threads, which depends little on other work of the machine. Each side runs in its best documented form, with
two threads unless a row says one. [Laboratory notes](notes/performance.md) say what made Taut faster or smaller, and what did not.
"""


def met(row):
    if row["figure"] is None:
        return "" if row["ours"] else "not measured"
    if not row["goal"]:
        return ""
    return "yes" if Goal(**row["goal"]).met(row["figure"]) else "**no**"


def table(measures, results):
    """A measure without results has a row too, so that its goal stays visible."""
    lines = ["| what | compared with | Taut | the other | result | by processor time | goal | met | day | load |", "|---|---|---|---|---|---|---|---|---|---|"]
    for measure in measures:
        result = results.get(measure.name)
        if result is None:
            lines.append(f"| {measure.what} | {measure.instead} | | | | | | not run | | |")
        else:
            lines += [_line(row, result) for row in result["rows"]]
    return "\n".join(lines)


def _line(row, result):
    goal = Goal(**row["goal"]).text() if row["goal"] else ""
    cells = [row["what"], row["instead"], row["ours"], row["theirs"], _figure(row["figure"], row["unit"]), _figure(row["processor"]), goal,
             met(row), result["date"].split()[0], f"{result['load']:.1f}"]
    return "| " + " | ".join(cells) + " |"


def notes(measures, results):
    """Details of single rows. Rows with the same note share a line."""
    said = {}
    for measure in measures:
        for row in results[measure.name]["rows"] if measure.name in results else []:
            if row["note"]:
                said.setdefault(row["note"], {})[row["what"]] = None
    return "\n".join(f"- {'; '.join(whats)}: {note}" for note, whats in said.items())


def page(measures, results, versions):
    parts = [INTRODUCTION, "## Conditions\n", conditions(results, versions), "\n## Results\n", table(measures, results), "\n## Details of rows\n", notes(measures, results)]
    if "growth" in results:
        parts += ["\n## Growth\n", "![Time and memory of fit and predict against the number of rows, both axes logarithmic](performance.svg)\n",
                  growth(results["growth"].get("points", []))]
    parts += ["\n" + (BENCH / "notes.md").read_text().strip()]
    return "\n".join(parts) + "\n"


def conditions(results, versions):
    if not results:
        return "Nothing measured yet."
    dates, commits = (sorted({result[part] for result in results.values()}) for part in ("date", "commit"))
    return (f"{os.cpu_count()} cores ({_processor()}), {_memory()}, {platform.system()}, Python {platform.python_version()}.\n"
            f"Measured from {dates[0]} to {dates[-1]} UTC at commit {', '.join(commits)}; `load` is the load average when a measure began.\n"
            "Rows may come from different commits and machine loads: compare figures within a row, not between rows.\n"
            + ", ".join(f"{name} {number}" for name, number in sorted(versions.items())) + ".")


def growth(points):
    lines = ["| rows | fit | its memory | × raw floats | predict | its memory |", "|---|---|---|---|---|---|"]
    for point in points:
        fit, predict = point["fit"], point["predict"]
        lines.append(f"| {point['rows']:,} | {three_digits(fit['seconds'])} s | {fit['memory'] / 1e6:.0f} MB | "
                     f"{fit['memory'] / point['raw']:.2f} | {three_digits(predict['seconds'])} s | {predict['memory'] / 1e6:.0f} MB |")
    return "\n".join(lines)


def write(measures, results, versions):
    whole = ROOT / "docs" / "performance.md"
    whole.write_text(page(measures, results, versions))
    return whole


def _figure(value, unit=""):
    return "" if value is None else f"{three_digits(value)} {unit or ''}".strip()


def _processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _memory():
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB of memory"

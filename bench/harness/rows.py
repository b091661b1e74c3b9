"""Rows of the table, and how the times of two sides become one row."""
import dataclasses
import statistics


class Missing(Exception):
    """A peer or a file that a measure needs is missing."""


@dataclasses.dataclass
class Goal:
    relation: str  # "≥" or "≤"
    value: float
    unit: str  # of the figure that is compared

    def met(self, figure):
        return figure >= self.value if self.relation == "≥" else figure <= self.value

    def text(self):
        return f"{self.relation} {self.value:g} {self.unit}"


FASTER, LONGER = "× as fast", "× as long"


def at_least(value, unit=FASTER):
    return Goal("≥", value, unit)


def at_most(value, unit=LONGER):
    return Goal("≤", value, unit)


@dataclasses.dataclass
class Clock:
    """Wall-clock seconds, processor seconds, and peak memory in bytes where it is known."""
    seconds: float
    processor: float = None
    memory: float = None


def row(what, instead, goal=None, *, ours="", theirs="", figure=None, unit=None, processor=None, note=""):
    """`figure` is the number that the goal is about; `processor` the same by processor time. `note` says what else a reader must know."""
    return {"what": what, "instead": instead, "ours": ours, "theirs": theirs, "figure": figure, "processor": processor, "note": note,
            "unit": goal.unit if goal else unit, "goal": goal and dataclasses.asdict(goal)}


def in_turn(sides, repeats):
    """Calls all functions in turn, `repeats` times: {name: [Clock, ...]}. Other load on the machine then affects all sides alike."""
    clocks = {name: [] for name in sides}
    for _ in range(repeats):
        for name, run in sides.items():
            clocks[name].append(run())
    return clocks


def compared(what, instead, goal, ours, theirs, note="", unit=None):
    """A row from repeated times of both sides. The figure is the median of the ratios: how many times as fast Taut is, or, if the unit is
    LONGER, how many times as long it takes."""
    unit = goal.unit if goal else unit or FASTER

    def ratio(part):
        pairs = [(getattr(a, part), getattr(b, part)) for a, b in zip(ours, theirs)]
        if any(not a or not b for a, b in pairs):
            return None
        return statistics.median(b / a if unit == FASTER else a / b for a, b in pairs)

    return row(what, instead, goal, ours=duration(median(ours)), theirs=duration(median(theirs)), figure=ratio("seconds"), unit=unit,
               processor=ratio("processor"), note=note)


def median(clocks):
    return statistics.median(clock.seconds for clock in clocks)


def duration(seconds):
    """Three digits, in s, ms or µs."""
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            break
    return f"{three_digits(seconds / size)} {unit}"


def three_digits(value):
    """0.0123, 1.23, 12.3, 123, 12345"""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"

"""Evaluation: the result of `evaluate`, a dict that shows itself as tables."""
from __future__ import annotations

import copy

from ._frames import frame_of
from ._tables import Part, ShownAsTables, Table
from ._types import Any, Dicts, Library

__all__ = ["Evaluation"]

# Columns of the printed table, by their keys; a level has those of numbers or those of labels.
SHOWN = {"confidence": "confidence", "delivered": "promised", "coverage": "coverage", "coverage_low": "99 % band from", "coverage_high": "to",
         "mean_width": "mean width", "median_width": "median", "interval_score": "interval score", "unbounded": "unbounded",
         "mean_volume": "mean volume", "side": "side",
         "mean_size": "mean size", "singletons": "one label", "empty": "empty"}
SHOWN_OF_GROUPS = {"name": "group", "rows": "rows", "coverage": "coverage", "low": "low", "high": "high", "mean_width": "mean width",
                   "mean_size": "mean size"}
GROUPS_SHOWN = 12
PARTS = ("levels", "groups", "labels", "sizes", "quantiles", "p_values", "alarms")


class Evaluation(ShownAsTables, dict[str, Any]):
    """The result of `evaluate`: a dict with the keys of `taut evaluate --json`, which is shown as a table.

    The most used keys are `levels` (a dict for each confidence level: `coverage`, `coverage_low` and `coverage_high`, the band of chance,
    `mean_width` or `mean_size`, ...), `by_group`, `distribution`, `probabilities` and `alarms`. `to_frame()` makes a frame of one of the lists.
    """

    def to_dict(self) -> dict[str, Any]:
        """A plain dict with the same contents, a copy."""
        return copy.deepcopy(dict(self))

    def to_frame(self, part: str = "levels", *, library: Library = "pandas") -> Any:
        """One part of the evaluation as a frame.

        Parameters
        ----------
        part : {'levels', 'groups', 'labels', 'sizes', 'quantiles', 'p_values', 'alarms'}, default='levels'
            A row for each confidence level, for each level and group of `by`, true label or size of a set, for each quantile of the
            distribution, for each threshold of p-values, or for each alarm.
        library : {'pandas', 'polars'}, default='pandas'
        """
        if part not in PARTS:
            raise ValueError(f"part must be one of {', '.join(map(repr, PARTS))}, got {part!r}")
        records = self._records(part)
        if not records and part != "alarms":
            raise ValueError(f"this evaluation has no {part}; it has: {', '.join(repr(one) for one in PARTS if self._records(one))}")
        names = list(dict.fromkeys(name for record in records for name in record))
        return frame_of({name: [record.get(name) for record in records] for name in names}, library)

    def _records(self, part: str) -> Dicts:
        if part == "levels":
            return [{name: value for name, value in level.items() if not isinstance(value, (list, dict)) and name != "confusion"}
                    for level in self["levels"]]
        if part == "groups":
            return [{"confidence": each["confidence"], **group} for each in self.get("by_group", []) for group in each["groups"]]
        if part in ("labels", "sizes"):
            key = "by_label" if part == "labels" else "by_size"
            return [{"confidence": level["confidence"], **line} for level in self["levels"] for line in level.get(key, [])]
        if part == "alarms":
            return [{"kind": alarm["kind"], "words": alarm["words"]} for alarm in self.get("alarms", [])]
        return list(self.get("distribution", {}).get(part, []))

    def _parts(self) -> list[Part]:
        calibrated = self.get("calibration_rows")
        after = "" if calibrated is None else f", {calibrated:,} calibration rows"
        levels = self._records("levels")
        shown = [name for name in SHOWN if any(level.get(name) is not None for level in levels)]
        parts: list[Part] = [f"evaluation of {self.get('rows', 0):,} rows{after}",
                             Table([SHOWN[name] for name in shown], [[level.get(name) for name in shown] for level in levels])]
        for each in self.get("by_group", []):
            groups = each["groups"]
            names = [name for name in SHOWN_OF_GROUPS if any(group.get(name) is not None for group in groups)]
            more = "" if len(groups) <= GROUPS_SHOWN else f"; the first {GROUPS_SHOWN} of {len(groups):,}"
            parts += [f"groups at {each['confidence']:g}{more}",
                      Table([SHOWN_OF_GROUPS[name] for name in names], [[group.get(name) for name in names] for group in groups[:GROUPS_SHOWN]])]
        one_line = [f"{name} {value:.4g}" for name, value in
                    [("CRPS", self.get("distribution", {}).get("crps")), *self.get("probabilities", {}).items()] if value is not None]
        parts += [", ".join(one_line).replace("_", " ")] if one_line else []
        parts += [f"alarm: {alarm['words']}" for alarm in self.get("alarms", [])]
        return parts

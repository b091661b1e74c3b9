"""Joint regions of several targets: the result of `ConformalRegressor.predict_region`."""
from __future__ import annotations

from typing import Protocol

import numpy as np

from ._frames import frame_of, named
from ._tables import Part, ShownAsTables, Table
from ._types import Any, ArrayLike, BoolArray, FloatArray, Library, Sequence

__all__ = ["Regions"]

ROWS_SHOWN = 5


class Contains(Protocol):
    """Whether the regions of the rows hold targets (rows, targets): (rows, levels)."""

    def __call__(self, y: ArrayLike) -> BoolArray: ...


class Regions(ShownAsTables):
    """A region for each row and level: all targets lie in it at once with the confidence of the level.

    kind: "box", "ellipsoid" or "density"; targets: their names; levels; prediction: (rows, targets); boxes: (rows, targets, 2, levels), the
    region itself for boxes, else the smallest box that is known to enclose it; volume: (rows, levels), in units of all targets multiplied,
    estimated by points for the kind "density". It is shown as a table; `to_frame()` makes a frame.
    """

    def __init__(self, kind: str, targets: Sequence[str], levels: Sequence[float], prediction: FloatArray, boxes: FloatArray, volume: FloatArray,
                 contains: Contains, index: Any = None) -> None:
        self.kind = kind
        self.targets = list(targets)
        self.levels = list(levels)
        self.prediction = prediction
        self.boxes = boxes
        self.volume = volume
        self._contains = contains
        self._index = index

    def __len__(self) -> int:
        return len(self.prediction)

    def contains(self, y: ArrayLike) -> BoolArray:
        """Whether each row's region holds the row's targets y (rows, targets): (rows, levels). Raises ValueError if the model has been fitted,
        calibrated or updated since."""
        return self._contains(y)

    @property
    def side(self) -> FloatArray:
        """volume ** (1 / targets), (rows, levels): the side of a cube of the same volume."""
        sides: FloatArray = self.volume ** (1 / len(self.targets))
        return sides

    def to_dict(self) -> dict[str, FloatArray]:
        """Arrays (rows,) by the names of columns that `taut predict` writes: prediction_A, lower_A_0.9, upper_A_0.9, ..., volume_0.9."""
        columns = boxes_by_name(self.targets, self.levels, self.prediction, self.boxes)
        return {**columns, **{f"volume_{level}": np.ascontiguousarray(self.volume[:, i]) for i, level in enumerate(self.levels)}}

    def to_frame(self, *, library: Library = "pandas") -> Any:
        """`to_dict` as a frame of pandas or polars."""
        return frame_of(self.to_dict(), library, self._index)

    def _parts(self) -> list[Part]:
        title = f"{self.kind} regions of {', '.join(self.targets)} for {len(self):,} row{'' if len(self) == 1 else 's'}"
        if self.kind != "box":
            title += "; lower and upper are the boxes around them"
        columns = self.to_dict()
        names = range(len(self)) if self._index is None else self._index
        rows = [[name, *(float(column[i]) for column in columns.values())] for i, name in zip(range(min(len(self), ROWS_SHOWN)), names)]
        rest = [f"and {len(self) - ROWS_SHOWN:,} more"] if len(self) > ROWS_SHOWN else []
        return [title, Table(["row", *columns], rows), *rest]


def boxes_by_name(targets: Sequence[str], levels: Sequence[float], prediction: FloatArray, boxes: FloatArray) -> dict[str, FloatArray]:
    """The columns of `taut predict` for predictions and boxes."""
    columns = named([f"prediction_{name}" for name in targets], prediction)
    for i, level in enumerate(levels):
        for j, name in enumerate(targets):
            columns[f"lower_{name}_{level}"] = np.ascontiguousarray(boxes[:, j, 0, i])
            columns[f"upper_{name}_{level}"] = np.ascontiguousarray(boxes[:, j, 1, i])
    return columns

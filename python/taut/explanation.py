"""Explanations of predictions and widths: the result of `ConformalRegressor.explain`."""
from __future__ import annotations

import numpy as np

from . import _core
from ._frames import frame_of, index_of, named
from ._model import ConformalModel
from ._tables import Part, ShownAsTables, Table
from ._types import Any, ArrayLike, FloatArray, Library, Mapping, Rows

__all__ = ["Explanation", "Shares"]


COLUMNS_SHOWN = 12


class ExplainsRows(ConformalModel):
    """The method of ConformalRegressor that explains rows."""

    def explain(self, X: Rows | None, *, confidence_level: float = 0.9, walks: int = 32, seed: int = 0, y_pred: ArrayLike | None = None) -> Explanation:
        """The share of every column in predictions and in widths (Shapley values), as an `Explanation`. A share is what the model uses, not a
        cause. Shares of trees and linear predictors are exact; others are sampled, with `walks` random orders of the columns for each row
        from `seed`. `confidence_level` is the level of the widths; it matters if levels differ by more than a factor.
        """
        self._check_fitted()
        self._refuse_exposure("explain")
        table = self._rows_table(X, given=y_pred)
        if not isinstance(self.model_, _core.Regressor):
            raise ValueError("explain is for one target, and this model predicts several; fit a model of one target for it")
        return Explanation(_core.explain(self.model_, table, float(confidence_level), int(walks), int(seed), self._threads()), index_of(X))


class Shares(ShownAsTables):
    """One quantity of every row as a sum over columns, with the names of the shap package: `base_values + values.sum(axis=1)` is
    `total`.

    values: (rows, columns), the share of each column; base_values: (rows,), the same number for every row; total: (rows,), the explained
    quantity; data: (rows, columns), the cells, categories as their codes; feature_names: of the columns.
    """

    def __init__(self, found: Mapping[str, Any], data: FloatArray, feature_names: list[str], index: Any = None) -> None:
        self.values: FloatArray = found["values"]
        self.total: FloatArray = found["total"][:, 0]
        self.base_values: FloatArray = np.full(len(self.values), found["base"])
        self.data = data
        self.feature_names = list(feature_names)
        self._index = index

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of `values`."""
        return (len(self.values), len(self.feature_names))

    def to_frame(self, *, library: Library = "pandas") -> Any:
        """`values` as a frame of pandas or polars: a row for each row, a column for each column."""
        return frame_of(named(self.feature_names, self.values), library, self._index)

    def to_dict(self) -> dict[str, Any]:
        """The arrays and names by the names of the attributes."""
        return {"values": self.values, "base_values": self.base_values, "total": self.total, "data": self.data, "feature_names": self.feature_names}

    def to_shap(self) -> Any:
        """The shares as a shap.Explanation, for the plots of the shap package, which must be installed."""
        try:
            import shap
        except ImportError as error:
            raise ImportError("to_shap() needs the shap package: pip install shap") from error
        return shap.Explanation(values=self.values, base_values=self.base_values, data=self.data, feature_names=self.feature_names)

    def importance(self) -> list[tuple[str, float]]:
        """Mean size of each column's share: a list of (column, size), the largest first."""
        sizes = np.abs(self.values).mean(axis=0) if len(self.values) else np.zeros(len(self.feature_names))
        order = np.argsort(-sizes, kind="stable")
        return [(self.feature_names[i], float(sizes[i])) for i in order]

    def _parts(self) -> list[Part]:
        rows, columns = self.shape
        found = self.importance()
        rest = [f"and {columns - COLUMNS_SHOWN:,} more columns"] if columns > COLUMNS_SHOWN else []
        return [f"shares of {columns:,} columns in {rows:,} rows", Table(["column", "mean size of the share"], found[:COLUMNS_SHOWN]), *rest]


class Explanation(ShownAsTables):
    """Shares of every column. A share is what the model uses, not a cause. It is shown as a table of columns, the most important first.

    prediction: `Shares` of f(x), in units of the target; None if predictions are given.
    width: `Shares` of the logarithm of the interval's width, so that `factors` = exp(width.values) multiply it; None if all
    intervals are equally wide. If widths depend on the prediction, it is the last column, after those of the table.
    lower, upper: the same for the distance of each end from f, if the two sides have different scales; else None.
    notes: what is sampled rather than exact, and what is not explained.
    """

    def __init__(self, found: Mapping[str, Any], index: Any = None) -> None:
        names, inputs, cells = found["columns"], found["inputs"], found["cells"]
        self.feature_names: list[str] = names[:inputs]
        self.prediction: Shares | None = None
        self.width: Shares | None = None
        self.lower: Shares | None = None
        self.upper: Shares | None = None
        if found["prediction"] is not None:
            self.prediction = Shares(found["prediction"], cells[:, :inputs], names[:inputs], index)
        if found["width"] is not None:
            self.width = Shares(found["width"], cells, names, index)
        if found["ends"]:
            self.lower, self.upper = (Shares(end, cells, names, index) for end in found["ends"])
        self.notes: list[str] = found["notes"]
        self._rows = len(cells)

    def to_dict(self) -> dict[str, Any]:
        """The shares as dicts of arrays, by the names of the attributes; None where there are none."""
        parts = {"prediction": self.prediction, "width": self.width, "lower": self.lower, "upper": self.upper}
        return {**{name: None if shares is None else shares.to_dict() for name, shares in parts.items()}, "notes": self.notes}

    def to_frame(self, *, library: Library = "pandas") -> Any:
        """A frame with a row for each column, the most important first.

        column : its name; `prediction`: the mean size of its share in predictions, in units of the target; `width`: the factor by which it
        typically changes widths, exp of the mean size of its share; `lower`, `upper`: the same for the two ends, if they have different
        scales. The shares of each row are in `prediction.to_frame()`, `width.to_frame()`, ...
        """
        names, rows = self._summary()
        return frame_of({name: [row[i] for row in rows] for i, name in enumerate(names)}, library)

    def _summary(self) -> tuple[list[str], list[list[Any]]]:
        sizes: dict[str, dict[str, float]] = {}
        if self.prediction is not None:
            sizes["prediction"] = dict(self.prediction.importance())
        for name, shares in (("width", self.width), ("lower", self.lower), ("upper", self.upper)):
            if shares is not None:
                sizes[name] = {column: float(np.exp(size)) for column, size in shares.importance()}
        columns = list(dict.fromkeys(column for found in sizes.values() for column in found))
        return ["column", *sizes], [[column, *(found.get(column) for found in sizes.values())] for column in columns]

    def _parts(self) -> list[Part]:
        names, rows = self._summary()
        words = {"prediction": "mean share of prediction", "width": "factor of width", "lower": "of lower end", "upper": "of upper end"}
        rest = [f"and {len(rows) - COLUMNS_SHOWN:,} more columns"] if len(rows) > COLUMNS_SHOWN else []
        return [f"explanation of {self._rows:,} row{'' if self._rows == 1 else 's'}",
                Table([words.get(name, name) for name in names], rows[:COLUMNS_SHOWN]), *rest, *self.notes]

    @property
    def factors(self) -> FloatArray | None:
        """(rows, columns): how many times wider each column makes an interval; None if all are equally wide."""
        return None if self.width is None else np.exp(self.width.values)

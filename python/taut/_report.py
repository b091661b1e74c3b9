"""The report: an HTML page, written to a file or shown in a notebook."""
from __future__ import annotations

import os
import pathlib
import tempfile
from html import escape

from . import _core, _groups
from ._model import ConformalModel
from ._numbers import levels_of
from ._types import ArrayLike, Names, Path, Rows, Self


class Report:
    """An HTML page: `html` is its text, `path` the file it was written to, or None. A notebook shows it below the cell."""

    def __init__(self, html: str, path: str | None = None, height: int = 720) -> None:
        self.html = html
        self.path = path
        self.height = height

    def save(self, path: Path) -> Self:
        """Writes the page and returns self."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")
        self.path = os.fspath(path)
        return self

    def _repr_html_(self) -> str:
        """An iframe, which keeps the styles and scripts of the page separate from those of the notebook."""
        return (f'<iframe title="report" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
                f'style="width: 100%; height: {int(self.height)}px; border: 1px solid #8888"></iframe>')

    def __repr__(self) -> str:
        return f"<report of {len(self.html):,} characters{f' at {self.path}' if self.path else ''}; in a notebook it is shown>"


class WritesReports(ConformalModel):
    """The method of ConformalRegressor that writes reports."""

    def report(self, X: Rows | None, y: ArrayLike, path: Path | None = None, confidence_level: float = 0.9, *, unit: str = "", title: str = "",
               y_pred: ArrayLike | None = None, by: Names | None = None, groups: ArrayLike | None = None,
               sample_weight: ArrayLike | None = None, in_order: bool = False) -> Report:
        """The page of `taut report`: HTML about the intervals on rows that the model has not seen, written to the file `path`, or without
        one shown in a notebook. `by`, `groups` and `sample_weight` as in `evaluate`; with `in_order` also charts over time of a stream
        that learns from each row. Returns a `Report`."""
        by = _groups.listed(by)
        self._check_fitted()
        self._refuse_exposure("a report")
        table = self._rows_table(X, y, y_pred, further={"groups": groups, "sample_weight": sample_weight, "by": by})
        return written(self, table, path, confidence_level, unit, title, by, in_order)


class WritesSetReports(ConformalModel):
    """The method of ConformalClassifier that writes reports."""

    def report(self, X: Rows, y: ArrayLike, path: Path | None = None, confidence_level: float = 0.9, *, title: str = "",
               y_proba: ArrayLike | None = None, by: Names | None = None, in_order: bool = False,
               allow_empty: bool = False) -> Report:
        """The page of `taut report`: HTML about the sets on rows that the model has not seen, written to the file `path`, or without one
        shown in a notebook. `by` as in `evaluate`; with `in_order` also charts over time of a stream that learns from each row; the model
        itself does not change. `allow_empty` as in `predict_set`. Returns a `Report`."""
        return written(self, self._rows_table(X, y, y_proba), path, confidence_level, "", title, by, in_order, allow_empty)


def written(estimator, table, path, confidence_level, unit, title, by, in_order, allow_empty=False):
    (level,) = levels_of(confidence_level)

    def write(file):
        _core.write_report(estimator.model_, table, file, level, unit, title, estimator._threads(), _groups.listed(by), in_order, allow_empty)
        return pathlib.Path(file).read_text(encoding="utf-8")

    if path is not None:
        return Report(write(os.fspath(path)), os.fspath(path))
    with tempfile.TemporaryDirectory(prefix="taut-report-") as folder:
        return Report(write(os.path.join(folder, "report.html")))

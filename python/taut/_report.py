"""The report: an HTML page, written to a file or shown in a notebook."""
import os
import pathlib
import tempfile
from html import escape

from . import _core, _groups
from ._numbers import levels_of


class Report:
    """An HTML page: `html` is its text, `path` the file it was written to, or None. A notebook shows it below the cell."""

    def __init__(self, html, path=None, height=720):
        self.html = html
        self.path = path
        self.height = height

    def save(self, path):
        """Writes the page and returns self."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")
        self.path = os.fspath(path)
        return self

    def _repr_html_(self):
        """An iframe, which keeps the styles and scripts of the page separate from those of the notebook."""
        return (f'<iframe title="report" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
                f'style="width: 100%; height: {int(self.height)}px; border: 1px solid #8888"></iframe>')

    def __repr__(self):
        return f"<report of {len(self.html):,} characters{f' at {self.path}' if self.path else ''}; in a notebook it is shown>"


class WritesReports:
    """The method of ConformalRegressor that writes reports."""

    def report(self, X, y, path=None, confidence_level=0.9, *, unit="", title="", y_pred=None, by=None, groups=None, sample_weight=None,
               in_order=False):
        """The page of `taut report`: HTML about the intervals on rows that the model has not seen, written to the file `path`, or without
        one shown in a notebook. `by`, `groups` and `sample_weight` as in `evaluate`; with `in_order` also charts over time of a stream
        that learns from each row. Returns a `Report`."""
        by = _groups.listed(by)
        table = self._rows_table(X, y, y_pred, further={"groups": groups, "sample_weight": sample_weight, "by": by})
        return written(self, table, path, confidence_level, unit, title, by, in_order)


class WritesSetReports:
    """The method of ConformalClassifier that writes reports."""

    def report(self, X, y, path=None, confidence_level=0.9, *, title="", y_proba=None, by=None, in_order=False):
        """The page of `taut report`: HTML about the sets on rows that the model has not seen, written to the file `path`, or without one
        shown in a notebook. `by` as in `evaluate`; with `in_order` also charts over time of a stream that learns from each row; the model
        itself does not change. Returns a `Report`."""
        return written(self, self._rows_table(X, y, y_proba), path, confidence_level, "", title, by, in_order)


def written(estimator, table, path, confidence_level, unit, title, by, in_order):
    (level,) = levels_of(confidence_level)

    def write(file):
        _core.write_report(estimator.model_, table, file, level, unit, title, estimator._threads(), _groups.listed(by), in_order)
        return pathlib.Path(file).read_text(encoding="utf-8")

    if path is not None:
        return Report(write(os.fspath(path)), os.fspath(path))
    with tempfile.TemporaryDirectory(prefix="taut-report-") as folder:
        return Report(write(os.path.join(folder, "report.html")))

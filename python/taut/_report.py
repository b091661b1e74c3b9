"""The report: a page for everybody else, written to a file or shown in a notebook."""
import os
import pathlib
import tempfile
from html import escape

from sklearn.utils.validation import check_is_fitted

from . import _columns, _core, _groups, _options
from ._levels import levels_of


class Report:
    """A page: `html` is its text, `path` the file where it was written or None. A notebook shows it below the cell."""

    def __init__(self, html, path=None, height=720):
        self.html = html
        self.path = path
        self.height = height

    def save(self, path):
        """Writes the page, and returns itself."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")
        self.path = os.fspath(path)
        return self

    def _repr_html_(self):
        """In a frame: the page's styles and scripts stay apart from the notebook's."""
        return (f'<iframe title="report" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
                f'style="width: 100%; height: {int(self.height)}px; border: 1px solid #8888"></iframe>')

    def __repr__(self):
        return f"<report of {len(self.html):,} characters{f' at {self.path}' if self.path else ''}; in a notebook it is shown>"


class WritesReports:
    """The part of ConformalRegressor that writes pages."""

    def report(self, X, y, path=None, confidence_level=0.9, *, unit="", title="", y_pred=None, by=None, groups=None, sample_weight=None,
               in_order=False):
        """What `taut report` writes: one HTML page about the intervals on rows that the model has not seen, to the file `path`, or
        without one to be shown in a notebook. `by`, `groups` and `sample_weight` as in `evaluate`; with `in_order` also pictures along
        time, of a stream that learns from each row. Returns a `Report`."""
        check_is_fitted(self, "model_")
        (level,) = levels_of(confidence_level)
        X, y = self._check(X, y, reset=False)
        further = self._further(_columns.rows_of(X, y), groups, sample_weight, self._names(X))
        table = self._table(X, self._predictions(X, y_pred), y, self._names(X), self.model_.options, further)

        return written(self, table, path, level, unit, title, by, in_order)


class WritesSetReports:
    """The part of ConformalClassifier that writes pages."""

    def report(self, X, y, path=None, confidence_level=0.9, *, title="", y_proba=None, by=None, in_order=False):
        """What `taut report` writes: one HTML page about the sets on rows that the model has not seen, to the file `path`, or without one
        to be shown in a notebook. `by` as in `evaluate`; with `in_order` also pictures along time, of a stream that learns from each row,
        while the model itself learns nothing. Returns a `Report`."""
        check_is_fitted(self, "model_")
        (level,) = levels_of(confidence_level)
        X, y = self._check(X, y, reset=False)
        table = self._table(X, self._probabilities(X, y_proba), self._codes(y), self.model_.options)
        return written(self, table, path, level, "", title, by, in_order)


def written(estimator, table, path, level, unit, title, by, in_order):
    def write(file):
        _core.write_report(estimator.model_, table, file, level, unit, title, _options.threads_of(estimator.n_jobs), _groups.listed(by),
                           in_order)
        return pathlib.Path(file).read_text(encoding="utf-8")

    if path is not None:
        return Report(write(os.fspath(path)), os.fspath(path))
    with tempfile.TemporaryDirectory(prefix="taut-report-") as folder:
        return Report(write(os.path.join(folder, "report.html")))

"""Warnings: what a program should hear of when a promise may not hold, or is not worth what was asked for.

Every warning of Taut is a TautWarning, so one filter serves them all:

    warnings.simplefilter("error", taut.TautWarning)  # a script stops where it would otherwise go on

This is the one place where findings become warnings.
"""
import sys
import warnings

from . import _core

__all__ = ["CoverageWarning", "EmptyColumnsWarning", "FallbackWarning", "NoOverlapWarning", "RepeatedRowsWarning", "SeenRowsWarning", "ShiftWarning", "TautWarning", "TextAmongNumbersWarning",
           "CrossedPredictionsWarning", "TooFewRowsWarning", "UnseenCategoriesWarning",
           "UnseenGroupsWarning", "WeightsWarning"]


class TautWarning(UserWarning):
    """Any warning of Taut."""


class CoverageWarning(TautWarning):
    """`evaluate`: the coverage, or the share of rows below a quantile, lies outside the 99 % band that chance explains."""


class ShiftWarning(TautWarning):
    """`check_shift`: the inputs differ from those of the calibration rows by more than chance explains."""


class UnseenCategoriesWarning(TautWarning):
    """A column has categories that the fit has not seen."""


class TextAmongNumbersWarning(TautWarning):
    """A column of numbers has cells of text, which count as missing."""


class SeenRowsWarning(TautWarning):
    """`evaluate`, `calibrate`: some of the rows trained or calibrated the model."""


class TooFewRowsWarning(TautWarning):
    """There are too few calibration rows for a level: intervals are the whole line, bounds and quantiles infinite."""


class CrossedPredictionsWarning(TautWarning):
    """Rows have a lower prediction above their upper one; the two are taken in order."""


class UnseenGroupsWarning(TautWarning):
    """Rows are of a group that no calibration row is of."""


class WeightsWarning(TautWarning):
    """`calibrate`: one calibration row has most of the weight."""


class NoOverlapWarning(TautWarning):
    """`calibrate(towards=...)`: these rows are unlike all calibration rows."""


class EmptyColumnsWarning(TautWarning):
    """Columns are empty in every row, and hardly any calibration row lacked them."""


class RepeatedRowsWarning(TautWarning):
    """`fit`: calibration rows are copies of training rows, as after a join that matches rows several times."""


class FallbackWarning(TautWarning):
    """`fit`: no trained transformation was better than one width everywhere."""


def of_too_few_rows(calibration_rows, levels, sure=0.0):
    for level in levels:
        words = _core.too_few_rows(calibration_rows, level, sure)
        if words:
            _warn(TooFewRowsWarning, words)


def of_fallback(record):
    if record["fell_back"]:
        _warn(FallbackWarning, "no trained transformation was better than one width everywhere on validation rows: intervals have one "
                               "width. localizer='none' asks for that from the start")


# By the names of `taut lists`.
_CLASSES = {
    "coverage": CoverageWarning,
    "shift": ShiftWarning,
    "unseen_categories": UnseenCategoriesWarning,
    "text_among_numbers": TextAmongNumbersWarning,
    "training_rows": SeenRowsWarning,
    "calibration_rows": SeenRowsWarning,
    "too_few_rows": TooFewRowsWarning,
    "crossed_predictions": CrossedPredictionsWarning,
    "unseen_groups": UnseenGroupsWarning,
    "weights": WeightsWarning,
    "no_overlap": NoOverlapWarning,
    "empty_columns": EmptyColumnsWarning,
    "repeated_rows": RepeatedRowsWarning,
}


def of_findings(found):
    """What the library found: a list of dicts with `kind` and `words`, as in `taut evaluate --json`."""
    for alarm in found:
        _warn(_CLASSES[alarm["kind"]], alarm["words"])


def _warn(category, words):
    """Shown at the line of the user's that led here, whatever lies between in this package."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(words, category, stacklevel=depth)

"""Warnings that a guarantee may not hold, or that the result is less useful than requested.

Every warning about results is a TautWarning, so one filter is enough for all:

    warnings.simplefilter("error", taut.TautWarning)  # warnings become errors

Only this module turns findings into warnings.
"""
import sys
import warnings

from . import _core

__all__ = ["CoverageWarning", "EmptyColumnsWarning", "FallbackWarning", "NoOverlapWarning", "OutsideRowsWarning", "RepeatedRowsWarning", "SeenRowsWarning", "ShiftWarning", "TautWarning", "TextAmongNumbersWarning",
           "CrossedPredictionsWarning", "TooFewRowsWarning", "UnseenCategoriesWarning",
           "UnseenGroupsWarning", "UnusableColumnsWarning", "WeightsWarning"]


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
    """The lower prediction of some rows is above the upper one; the two are swapped."""


class UnseenGroupsWarning(TautWarning):
    """Rows belong to a group without calibration rows."""


class WeightsWarning(TautWarning):
    """`calibrate`: one calibration row has most of the weight."""


class NoOverlapWarning(TautWarning):
    """`calibrate(towards=...)`: these rows have no overlap with the calibration rows."""


class UnusableColumnsWarning(UnseenCategoriesWarning, TextAmongNumbersWarning):
    """No cell of a column can be used: all categories are new, or no text can be read."""


class EmptyColumnsWarning(TautWarning):
    """Columns are empty in every row, although almost all calibration rows had values."""


class RepeatedRowsWarning(TautWarning):
    """`fit`: calibration rows are copies of training rows, as after a join that matches rows several times."""


class OutsideRowsWarning(TautWarning):
    """`predict` and its kind, `evaluate`: rows have numbers beyond those of all calibration rows."""


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


# The class of each kind of alarm in `taut lists`.
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
    "unusable_columns": UnusableColumnsWarning,
    "repeated_rows": RepeatedRowsWarning,
    "outside_rows": OutsideRowsWarning,
}


def of_findings(found):
    """Warns of the findings of the library: a list of dicts with `kind` and `words`, as in `taut evaluate --json`."""
    for alarm in found:
        _warn(_CLASSES[alarm["kind"]], alarm["words"])


def of_renamed(old, new, removal):
    """Warns that an argument or a function has a new name. The version `removal` no longer accepts the old one."""
    _warn(DeprecationWarning, f"{old} is now called {new}; version {removal} removes the old name")


def renamed(new, value, old, former, default):
    """The value of the argument `new`, which may still be given by its name `old`; `default` if both are None."""
    if former is None:
        return default if value is None else value
    if value is not None:
        raise TypeError(f"{old} is the former name of {new}; give only {new}")
    of_renamed(old, new, "0.3")
    return former


def _warn(category, words):
    """Issues a warning at the user's line of code, outside this package."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and (frame.f_globals.get("__package__") or "").partition(".")[0] == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(words, category, stacklevel=depth)

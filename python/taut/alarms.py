"""Warnings: what a program should hear of when a promise may not hold, or is not worth what was asked for.

Every warning of Taut is a TautWarning, so one filter serves them all:

    warnings.simplefilter("error", taut.TautWarning)  # a script stops where it would otherwise go on

This is the one place where findings become warnings.
"""
import sys
import warnings

import numpy as np

from . import _core

__all__ = ["CoverageWarning", "FallbackWarning", "ShiftWarning", "TautWarning", "TooFewRowsWarning"]

_MOST_COLUMNS = 5


class TautWarning(UserWarning):
    """Any warning of Taut."""


class CoverageWarning(TautWarning):
    """`evaluate`: the coverage lies outside the 99 % band that chance explains."""


class ShiftWarning(TautWarning):
    """`check_shift`: the inputs differ from those of the calibration rows by more than chance explains."""


class TooFewRowsWarning(TautWarning):
    """There are too few calibration rows for a level: intervals are the whole line."""


class FallbackWarning(TautWarning):
    """`fit`: no trained transformation was better than one width everywhere."""


def of_too_few_rows(calibration_rows, levels):
    for level in levels:
        words = _core.too_few_rows(calibration_rows, level)
        if words:
            _warn(TooFewRowsWarning, words)


def of_fallback(record):
    if record["fell_back"]:
        _warn(FallbackWarning, "no trained transformation was better than one width everywhere on validation rows: intervals have one "
                               "width. localizer='none' asks for that from the start")


def of_coverage(evaluation, options):
    """Where the target's range restricts, intervals may be rounded up to a possible value: more coverage is no alarm then."""
    restricted = np.isfinite([options["y_min"], options["y_max"]]).any() or options["y_step"] > 0
    for level in evaluation["levels"]:
        coverage, low, high = level["coverage"], level["coverage_low"], level["coverage_high"]
        if low is None or not (coverage < low or (coverage > high and not restricted)):
            continue
        _warn(CoverageWarning, f"coverage at confidence {level['confidence']:g} is {coverage:.4g}, outside the band from {low:.4g} to "
                               f"{high:.4g} that chance explains: these rows are probably not exchangeable with the calibration rows; "
                               "collect fresh rows like them and use calibrate(X, y), or fit anew")


def of_shift(found, rows, calibration_rows):
    if not found:
        return
    words = "; ".join(f"{shift['column']}: {shift['words']}" for shift in found[:_MOST_COLUMNS])
    if len(found) > _MOST_COLUMNS:
        words += f"; and {len(found) - _MOST_COLUMNS} more columns"
    _warn(ShiftWarning, f"{rows} rows differ from the {calibration_rows} calibration rows by more than chance explains: {words}. "
                        "Coverage is not guaranteed here; calibrate(X, y) with fresh rows like these mends it")


def _warn(category, words):
    """Shown at the line of the user's that led here, whatever lies between in this package."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(words, category, stacklevel=depth)

"""Exact ranks, and plain or normalised split conformal intervals from predictions and residuals."""
from __future__ import annotations

import numpy as np

from . import _core, alarms
from ._numbers import column, levels_of
from ._types import ArrayLike, FloatArray, Levels


def exact_rank(rows: int, confidence_level: float, sure: float = 0.0) -> int:
    """The rank of the quantile among the sorted scores of `rows` calibration rows; rows + 1 if there are too few.

    `sure`: returns the smallest rank with which coverage is at least the level with this probability over calibration sets; 0: on average over them.
    """
    return _core.exact_rank(rows, confidence_level, sure)


def min_calibration_rows(confidence_level: float, sure: float = 0.0) -> int:
    """The smallest number of calibration rows with which intervals at this level are finite."""
    return _core.min_calibration_rows(confidence_level, sure)


def least_calibration_rows(confidence_level: float, sure: float = 0.0) -> int:
    """The former name of `min_calibration_rows`; version 0.3 removes it."""
    alarms.of_renamed("least_calibration_rows", "min_calibration_rows", "0.3")
    return min_calibration_rows(confidence_level, sure)


def intervals_from_residuals(residuals: ArrayLike, y_pred: ArrayLike, confidence_level: Levels = 0.9, *, sigmas_cal: ArrayLike | None = None,
                             sigmas: ArrayLike | None = None, y_min: float = -np.inf, y_max: float = np.inf) -> FloatArray:
    """Split conformal intervals y_pred ± q σ, (rows, 2, levels), from the residuals y - f(x) of calibration rows.

    Parameters
    ----------
    residuals : array of shape (calibration rows,)
        Of rows that were used neither to train f nor for model selection.
    y_pred : array of shape (rows,)
        Predictions for the rows that need intervals.
    confidence_level : float or sequence of float, default=0.9
        A level between 0 and 1, or several.
    sigmas_cal, sigmas : array, optional
        The scale of the residual for the calibration rows and the new rows, positive; both or neither.
    y_min, y_max : float, default=-inf, inf
        The target is never below, never above.
    """
    residuals, y_pred = _finite("residuals", residuals), column("y_pred", y_pred)
    if (sigmas_cal is None) != (sigmas is None):
        raise ValueError("give both sigmas_cal and sigmas, or neither: calibration and prediction must use the same scale")
    scales = np.ones_like(y_pred) if sigmas is None else column("sigmas", sigmas)
    scores = np.abs(residuals)
    if sigmas_cal is not None:
        scores = scores / _scales("sigmas_cal", sigmas_cal, len(residuals))
    levels = levels_of(confidence_level)
    alarms.of_too_few_rows(len(scores), levels)
    ends = np.empty((len(y_pred), 2, len(levels)))
    quantiles = _core.quantiles(np.ascontiguousarray(scores), levels)
    if not _core.fill_ends(np.ascontiguousarray(y_pred), np.ascontiguousarray(scales), quantiles, y_min, y_max, ends):
        _scales("sigmas", scales, len(_finite("y_pred", y_pred)))
    return ends


def _finite(name, values):
    values = column(name, values)
    if not np.isfinite(values).all():
        raise ValueError(f"{name}: every value must be a finite number; look at row {np.flatnonzero(~np.isfinite(values))[0]}")
    return values


def _scales(name, values, rows):
    values = _finite(name, values)
    if len(values) != rows:
        raise ValueError(f"{name}: expected {rows} values, one for each row, got {len(values)}")
    if not (values > 0).all():
        raise ValueError(f"{name}: a scale must be positive, got {values.min()}")
    return values

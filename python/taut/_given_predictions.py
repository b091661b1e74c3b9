"""Predictions that the user gives: one number for each row, or a lower and an upper quantile."""
import numpy as np
from sklearn.utils.validation import column_or_1d

from ._targets import numbers_of


def given(y_pred, rows):
    """(rows,) or (rows, 2) numbers."""
    y_pred = numbers_of(y_pred)
    if np.ndim(y_pred) == 2 and np.shape(y_pred)[1] == 2:
        y_pred = np.asarray(y_pred, dtype=np.float64)
    else:
        y_pred = column_or_1d(y_pred, dtype=np.float64)
    if len(y_pred) != rows:
        raise ValueError(f"y_pred: expected one number for each of {rows} rows, got {len(y_pred)}")
    return y_pred


def as_fitted(y_pred, rows, options):
    """The same, as many for each row as the model was fitted with."""
    y_pred = given(y_pred, rows)
    wanted = 2 if options["lower_prediction"] else 1
    if y_pred.size != wanted * len(y_pred):
        raise ValueError(f"y_pred: this model was fitted with {_in_words(wanted)} for each row, got {_in_words(3 - wanted)}")
    return y_pred


def options_of(y_pred):
    """Which options of C++ name the columns."""
    return ["prediction"] if y_pred.ndim == 1 else ["lower_prediction", "upper_prediction"]


def _in_words(predictions):
    return "one prediction" if predictions == 1 else "two predictions, a lower and an upper one,"

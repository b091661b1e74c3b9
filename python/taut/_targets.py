"""Targets and predictions: one number for each row, from arrays and columns of any library."""
import numpy as np
from sklearn.utils.validation import _check_y, column_or_1d

from . import _core, _pandas


def numbers_of(y):
    """A target, or predictions, from a column of any library in a form that scikit-learn accepts; anything else unchanged."""
    if _pandas.is_pandas(y) and hasattr(y, "dtype") and not isinstance(y.dtype, np.dtype) and y.dtype.kind in "biuf":
        return y.to_numpy(dtype=np.float64, na_value=np.nan)
    if _pandas.is_pandas(y) or isinstance(y, np.ndarray) or not hasattr(y, "__arrow_c_stream__"):
        return y
    table = _core.Table.from_arrow("y", y.__arrow_c_stream__(), "y")
    if len(table.names) != 1:
        raise ValueError(f"y must be one column, got {len(table.names)}: {', '.join(table.names[:5])}")
    values = table.numbers(0)
    if values is None:
        raise ValueError(f"y must hold numbers, got texts or categories in '{table.names[0]}'")
    return values


def holds_labels(y):
    """Whether y has texts that are no numbers: class labels."""
    values = np.asarray(y)
    return values.dtype.kind in "OUS" and any(isinstance(value, (str, np.str_)) and not _is_number(value) for value in values.reshape(-1))


def _is_number(value):
    try:
        return np.ndim(np.float64(value)) == 0  # an empty tuple, as an array, is one of floats
    except (TypeError, ValueError):
        return False


def _refuse(y, row):
    found = f"{type(y[row]).__name__} {str(y[row])!r} in row {row}" if row < len(y) else f"{y.dtype.name} and no rows"
    raise ValueError(f"y must hold numbers, got {found}; for labels there is ConformalClassifier") from None


def numeric_target(y, missing_numbers=(), may_lack=False, advice=""):
    """One number for each row; NaN only if rows `may_lack` a target. A number in `missing_numbers` is a missing target."""
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "O":
        try:
            y = y.astype(np.float64)  # None is NaN
        except (TypeError, ValueError):
            _refuse(y, next(row for row, value in enumerate(y) if not _is_number(value)))
    if y.dtype.kind not in "biuf":
        _refuse(y, 0)
    lacks = np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)
    if len(missing_numbers) > 0:
        lacks = lacks | np.isin(y, missing_numbers)
    if lacks.any() and not may_lack:
        raise ValueError(f"Input y contains NaN: {lacks.sum():,} of {len(y):,} rows have no target, the first is row {lacks.argmax()}; fill them "
                         f"in, or leave these rows out{advice}")
    _check_y(y[~lacks], y_numeric=True, estimator="ConformalRegressor")
    return np.where(lacks, np.nan, y).astype(np.float64, copy=False)


def predictions_of(y_pred, rows, options=None):
    """Predictions given by the user: (rows,), or (rows, 2) for a lower and an upper quantile. With the `options` of a model, the shape must be
    that of its fit."""
    y_pred = numbers_of(y_pred)
    if np.ndim(y_pred) == 2 and np.shape(y_pred)[1] == 2:
        y_pred = np.asarray(y_pred, dtype=np.float64)
    else:
        y_pred = column_or_1d(y_pred, dtype=np.float64)
    if len(y_pred) != rows:
        raise ValueError(f"y_pred: expected one number for each of {rows} rows, got {len(y_pred)}")
    words = {1: "one prediction", 2: "two predictions, a lower and an upper one,"}
    wanted = y_pred.ndim if options is None else 2 if options["lower_prediction"] else 1
    if y_pred.size != wanted * len(y_pred):
        raise ValueError(f"y_pred: this model was fitted with {words[wanted]} for each row, got {words[3 - wanted]}")
    return y_pred


def prediction_options(y_pred):
    """The options of C++ that name the columns of predictions."""
    return ["prediction"] if y_pred.ndim == 1 else ["lower_prediction", "upper_prediction"]

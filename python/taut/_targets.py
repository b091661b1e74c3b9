"""Targets and predictions: one number for each row, from arrays and columns of any library."""
import numpy as np
from sklearn.utils.validation import _check_y, column_or_1d

from . import _core, _pandas


def numbers_of(y):
    """A target, or predictions, from a column of any library as what scikit-learn knows; anything else as it is."""
    if _pandas.is_pandas(y) or isinstance(y, np.ndarray) or not hasattr(y, "__arrow_c_stream__"):
        return y
    table = _core.Table.from_arrow("y", y.__arrow_c_stream__(), "y")
    if len(table.names) != 1:
        raise ValueError(f"y must be one column, got {len(table.names)}: {', '.join(table.names[:5])}")
    values = table.numbers(0)
    if values is None:
        raise ValueError(f"y must hold numbers, got texts or categories in '{table.names[0]}'")
    return values


def numeric_target(y):
    y = _check_y(column_or_1d(y, warn=True), y_numeric=True, estimator="ConformalRegressor")
    return np.asarray(y, dtype=np.float64)

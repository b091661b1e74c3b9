"""Targets and predictions: one number for each row, from arrays and columns of any library."""
import numpy as np
from sklearn.utils.validation import _check_y, column_or_1d

from . import _core, _pandas


def numbers_of(y):
    """A target, or predictions, from a column of any library as what scikit-learn knows; anything else as it is."""
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


def _is_number(value):
    try:
        return np.ndim(np.float64(value)) == 0  # an empty tuple, as an array, is one of floats
    except (TypeError, ValueError):
        return False


def _refuse(y, row):
    found = f"{type(y[row]).__name__} {str(y[row])!r} in row {row}" if row < len(y) else f"{y.dtype.name} and no rows"
    raise ValueError(f"y must hold numbers, got {found}; for labels there is ConformalClassifier") from None


def numeric_target(y, missing_numbers=(), may_lack=False, advice=""):
    """One number for each row; NaN only if rows `may_lack` a target. `missing_numbers` mean that there is none."""
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

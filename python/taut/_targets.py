"""Targets and predictions: one number for each row, from arrays and columns of any library."""
import numpy as np
from sklearn.utils.validation import _check_y, column_or_1d

from . import _columns, _core, _pandas


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


class SeveralColumns:
    """The columns of a target with several: arrays or columns of tables, with their names or None."""

    def __init__(self, columns, names=None):
        self.columns, self.names = columns, names
        if names is not None:
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"y has {names.count(twice)} columns called '{twice}'; give every target a different name")
            odd = next((name for name in names if "," in name or name != name.strip() or not name), None)
            if odd is not None:
                raise ValueError(f"y: the target {odd!r} must have a name without commas, and without blanks at its ends; rename it")

    @classmethod
    def of(cls, y):
        """None if y is one column. Raises ValueError for more than two dimensions and for no column."""
        if isinstance(y, cls):
            return y
        if _pandas.is_pandas(y):
            if not hasattr(y, "columns") or y.shape[1] == 1:
                return None
            return cls.checked([y.iloc[:, j] for j in range(y.shape[1])], list(map(str, y.columns)))
        if not isinstance(y, np.ndarray) and hasattr(y, "__arrow_c_stream__"):
            if not hasattr(y, "shape") or len(y.shape) == 1 or y.shape[1] == 1:
                return None
            names = list(map(str, y.column_names if hasattr(y, "column_names") else y.columns))
            return cls.checked([y[name] for name in names] if len(set(names)) == len(names) else names, names)
        if not isinstance(y, np.ndarray):
            if not isinstance(y, (list, tuple)) or not len(y) or not isinstance(y[0], (list, tuple, np.ndarray)):
                return None
            try:
                y = np.array(y)
            except ValueError:
                raise ValueError("y has rows of different lengths; give one target as (rows,), several as (rows, targets)") from None
        if y.ndim > 2:
            raise ValueError(f"y has {y.ndim} dimensions, the shape {y.shape}; give one target as (rows,), several as (rows, targets)")
        return None if y.ndim < 2 or y.shape[1] == 1 else cls.checked([y[:, j] for j in range(y.shape[1])], None)

    @classmethod
    def checked(cls, columns, names):
        if not columns:
            raise ValueError("y has no columns; give one target as (rows,), several as (rows, targets)")
        return cls(columns, names)

    def names_beside(self, taken):
        """The names of the targets: their own, which must not be those of inputs, or y0, y1, ..."""
        for name in self.names or []:
            if name in taken:
                raise ValueError(f"'{name}' is a column of X and of y: a target cannot be an input; leave it out of one of them")
        if self.names is not None:
            return list(self.names)
        names = []
        for j in range(len(self.columns)):
            names.append(_columns.free_name(f"y{j}", [*taken, *names]))
        return names

    def numbers(self, missing_numbers=(), may_lack=False, advice=""):
        """(rows, targets). NaN only if rows `may_lack` targets."""
        found = []
        for j, values in enumerate(self.columns):
            try:
                found.append(numeric_target(numbers_of(values), missing_numbers, may_lack, advice))
            except ValueError as error:
                name = f"column {j}" if self.names is None else f"the column '{self.names[j]}'"
                words = str(error).replace("y must hold numbers", "it must hold numbers").replace(
                    "for labels there is ConformalClassifier", "a joint region is for numbers only: leave it out, and fit it alone with "
                    "ConformalClassifier")
                raise ValueError(f"y, {name}: {words}") from None
        return np.column_stack(found)


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

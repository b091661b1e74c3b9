"""Groups and weights of rows: names of columns of X, or arrays with a value for each row. Arrays become columns of the table."""
import numbers

import numpy as np

from . import _columns, alarms


def is_named(groups):
    """Whether `groups` are names of columns ("region", "age:5", "prediction:5") instead of an array of values."""
    return isinstance(groups, str) or (isinstance(groups, (list, tuple)) and len(groups) > 0 and all(isinstance(one, str) for one in groups))


def named(groups, rows):
    """The names as a list, or None for an array of values. A list of texts as long as the table is an array of values."""
    if not is_named(groups) or (not isinstance(groups, str) and len(groups) == rows and rows > 3):
        return None
    return [groups] if isinstance(groups, str) else list(groups)


def by_or_array(by, groups, rows):
    """The columns that define groups, as a list, and the array of groups or None. Names of columns may still be given as `groups`."""
    names = None if groups is None else named(groups, rows)
    if names is not None:
        by, groups = alarms.renamed("by", by, "groups with names of columns", names, None), None
    by = listed(by)
    if by and groups is not None:
        raise ValueError("by names columns of X that define groups, groups is an array of them; give one of them")
    return by, groups


def listed(by):
    """One name or several as a list."""
    names = [] if by is None else [by] if isinstance(by, str) else list(by)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("by takes names of columns of X; give an array with a value for each row as groups")
    return list(map(str, names))


def columns_of(what, values, rows, names):
    """A dict of columns with these `names`, from an array (rows,) or (rows, k)."""
    array = np.asarray(values, dtype=object if _is_text(values) else None)
    array = array.reshape(len(array), -1) if array.ndim > 0 else array
    if array.ndim != 2 or len(array) != rows:
        raise ValueError(f"{what} takes names of columns of X, or an array with a value for each of the {rows:,} rows; got shape "
                         f"{np.shape(values)}")
    if array.shape[1] != len(names):
        raise ValueError(f"{what}: the model has {len(names)} such columns ({', '.join(names)}), got {array.shape[1]}")
    return {name: array[:, i] for i, name in enumerate(names)}


def new_names(name, values, taken):
    count = 1 if np.ndim(values) < 2 else np.shape(values)[1]
    result = []
    for i in range(count):
        result.append(_columns.free_name(name if count == 1 else f"{name}{i}", [*taken, *result]))
    return result


def numbered(values):
    """Integer codes from 0, equal for equal values."""
    array = np.asarray(values, dtype=object if _is_text(values) else None)
    if array.dtype == object:
        array = array.astype(str)
    return np.unique(array, return_inverse=True)[1].reshape(-1)


def weights_of(sample_weight, rows):
    return numbers_of("sample_weight", sample_weight, rows)


def numbers_of(what, values, rows):
    array = np.asarray(values, dtype=float)
    if array.shape != (rows,):
        raise ValueError(f"{what} takes a number for each of the {rows:,} rows; got shape {array.shape}")
    return array


def column_of(what, values, X, names, rows):
    """The name of a column and its numbers: those of the column of X that `values` names, or an array, which gets a free name."""
    if not isinstance(values, str):
        return _columns.free_name(what, names), numbers_of(what, values, rows)
    if not _columns.is_frame(X) or values not in names:
        raise ValueError(f"{what}: X has no column '{values}'; name one, or give an array with a number for each row")
    return values, np.asarray(X[values], dtype=float) if not isinstance(X, _columns.ArrowRows) else None


def _is_text(values):
    array = np.asarray(values)
    return array.dtype.kind in "OUS" or any(not isinstance(one, numbers.Number) for one in array.reshape(-1)[:1])


def refusal_of(name):
    return f"fit: unexpected argument '{name}'"

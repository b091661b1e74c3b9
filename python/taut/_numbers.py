"""Conversion of arrays of numbers and confidence levels for C++."""
import numpy as np

from . import _core

SOURCE = "X"  # the name of a table from Python in messages


def plain(value):
    """Numbers and texts of numpy as those of Python, also in lists; anything else unchanged."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.item() if np.ndim(value) == 0 else value.tolist()
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def shown(value):
    """The value in a message: 0.0 instead of np.float64(0.0)."""
    return repr(plain(value))


def numbers(name, values, dimensions=None):
    """`values` as float64 (float32 stays). Raises TypeError if they are not numbers, ValueError if the number of dimensions is not in `dimensions`."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected numbers, got {type(values).__name__} with something else in it") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: expected numbers, got an array of {array.dtype}")
    if dimensions is not None and array.ndim not in dimensions:
        raise ValueError(f"{name}: expected an array with {' or '.join(map(str, dimensions))} dimension(s), got the shape {array.shape}")
    return array if array.dtype in (np.float64, np.float32) and array.dtype.isnative else array.astype(np.float64)


def column(name, values):
    """`values` as one float64 for each row."""
    return numbers(name, values, (1,)).astype(np.float64, copy=False)


def borrowable(array):
    """The array itself if C++ can read it in place (native float64 or float32, aligned, strides in multiples of the item size), else a copy."""
    if array.dtype not in (np.float64, np.float32) or not array.dtype.isnative:
        return np.ascontiguousarray(array, dtype=np.float64)
    if any(stride % array.itemsize for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array


def levels_of(confidence_level):
    """A level or a sequence of levels as a list of floats; C++ checks that they lie between 0 and 1."""
    levels = numbers("confidence_level", confidence_level, (0, 1))
    if levels.size == 0:
        raise ValueError("confidence_level takes a number between 0 and 1 or several, got none")
    levels = [float(level) for level in np.atleast_1d(levels)]
    for level in levels:
        _core.exact_rank(1, level)  # raises ValueError for levels outside (0, 1)
    return levels

"""Arrays of numbers and confidence levels, as people give them and as C++ reads them."""
import numpy as np

from . import _core

SOURCE = "the arrays"  # what messages call a table from Python


def numbers(name, values, dimensions=None):
    """`values` as float64 (float32 stays) with one of these numbers of `dimensions`; anything but numbers is a TypeError."""
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
    """One float64 for each row."""
    return numbers(name, values, (1,)).astype(np.float64, copy=False)


def borrowable(array):
    """The array itself when C++ can read it where it is: native float64 or float32, strides of whole numbers; else a copy."""
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
        _core.exact_rank(1, level)  # complains of levels outside (0, 1)
    return levels

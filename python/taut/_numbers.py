"""Arrays of numbers for functions that take nothing else."""
import numpy as np


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

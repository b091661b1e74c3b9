"""Confidence levels as people give them."""
import numpy as np

from . import _core
from ._numbers import numbers


def levels_of(confidence_level):
    """A level or a sequence of levels as a list of floats; C++ checks that they lie between 0 and 1."""
    levels = numbers("confidence_level", confidence_level, (0, 1))
    if levels.size == 0:
        raise ValueError("confidence_level takes a number between 0 and 1 or several, got none")
    levels = [float(level) for level in np.atleast_1d(levels)]
    for level in levels:
        _core.exact_rank(1, level)  # complains of levels outside (0, 1)
    return levels

"""A loss of the user's for the boosted trees of f: the check of what it returns."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._numbers import column

Loss = Callable[..., Any]


def not_in_file(prediction, y, weight):
    """The loss of a model from a file, which has the trees alone."""
    raise ValueError("loss: this model was trained with a loss of your own, which its file does not contain; give it before another fit: "
                     "set_params(loss=...), or loss=None for Taut's own")


def refuse_outside(regressor, y_pred):
    """Raises ValueError if f is not trained by Taut."""
    if regressor.loss is None:
        return
    if not callable(regressor.loss):
        raise TypeError(f"loss: expected a function of (prediction, y, weight), got {type(regressor.loss).__name__}; objective names what "
                        "training of the transformation minimises")
    if regressor.estimator is not None or regressor.prefit or y_pred is not None:
        raise ValueError("loss: it is for trees that Taut trains, and an estimator or y_pred defines the predictions; leave one of them out")


def checked(regressor, y_pred):
    """The loss of the regressor as a function that returns two or three arrays with a number for each row, or None."""
    refuse_outside(regressor, y_pred)
    if regressor.loss is None:
        return None

    def slopes(prediction, y, weight):
        found = regressor.loss(prediction, y, weight)
        if not isinstance(found, (tuple, list)) or len(found) not in (2, 3):
            what = f"{len(found)} of them" if isinstance(found, (tuple, list)) else type(found).__name__
            raise ValueError(f"loss: expected (gradient, curvature) or (gradient, curvature, loss), got {what}")
        arrays = [column(f"loss: {name}", values) for name, values in zip(("gradient", "curvature", "loss"), found)]
        for name, array in zip(("gradient", "curvature", "loss"), arrays):
            if array.shape != y.shape:
                raise ValueError(f"loss: expected a {name} with one number for each of {len(y)} rows, got the shape {array.shape}")
        return tuple(arrays)

    return slopes

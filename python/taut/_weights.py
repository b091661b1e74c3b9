"""Weights and exposures of rows: arrays, which become columns of the table, or columns of X."""
from __future__ import annotations

import numpy as np

from . import _columns, _groups, _pandas
from ._types import Any


class WeighsRows:
    """What the estimators do with `sample_weight` and `exposure`. Rows of weight 0 may lack a target."""

    model_: Any
    estimator: Any

    def _weighed(self, X, options, rows, sample_weight, further):
        """Sets the option of C++ for the weights of the rows of a fit and adds their column to `further`. Returns the weights, or None."""
        if sample_weight is None:
            return None
        if isinstance(sample_weight, str) and self.estimator is not None:
            raise ValueError(f"sample_weight: the estimator would see the column '{sample_weight}' of X as an input; give the weights as an array, and "
                             "X without that column")
        names = _columns.names_of(X) if X is not None else []
        name, weights = _groups.column_of("sample_weight", sample_weight, X, [*names, options["target"], *further], rows)
        options["sample_weight"] = name
        if weights is not None and len(weights) > 0 and not weights.any():
            raise ValueError("all sample weights are zero: no row would count")
        odd = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0))) if weights is not None and self.estimator is not None else []
        if len(odd) > 0:  # C++ says the same, but only after the estimator was trained
            raise ValueError(f"row {odd[0]}: the sample weight must be a finite number that is not negative, found {weights[odd[0]]}")
        if not isinstance(sample_weight, str):
            further[name] = weights
        return weights

    def _exposed(self, exposure, rows, names):
        """The column of exposures of rows to predict; empty if X has it, or if the model needs none."""
        name = self.model_.options["exposure"]
        if exposure is not None and not name:
            raise ValueError("exposure: this model was fitted without exposures")
        if exposure is not None and not isinstance(exposure, str):
            _refuse_both("exposure", name, names)
            return {name: _groups.numbers_of("exposure", exposure, rows)}
        if exposure is not None and exposure != name:
            raise ValueError(f"exposure: this model was fitted with the column '{name}', got '{exposure}'; give an array, or X with that column")
        if name and name not in names:
            raise ValueError(f"this model was fitted with exposures: give exposure=..., a number for each row, or a column '{name}' of X")
        return {}

    def _refuse_exposure(self, what):
        """Raises ValueError for a model with exposures, before its rows are asked for their exposures."""
        if self.model_.options["exposure"]:
            raise ValueError(f"{what} cannot take a model with exposures: its answers depend on the exposure of a row; fit without it")

    def _weights_to_average(self, X, y, sample_weight):
        """The name and the column of weights that only an evaluation needs; ("", None) if the model was calibrated with weights."""
        self._check_fitted()
        if sample_weight is None or self.model_.calibration["kind"] == "weighted":
            return "", None
        names = _columns.names_of(X) if hasattr(X, "shape") else []
        name = _columns.free_name("sample_weight", [*names, self.model_.options["target"]])
        return name, {name: _groups.weights_of(sample_weight, len(y))}

    def _of_new_weights(self, sample_weight, name, rows, names):
        """The column of the weights that the kind of calibration needs, from an array."""
        _refuse_both("sample_weight", name, names)
        return {name: _groups.weights_of(sample_weight, rows)}

    def _absent(self, X, sample_weight):
        """A mask of the rows of weight 0, or None. `sample_weight`: an array, the name of a column of X, or None."""
        if isinstance(sample_weight, str):
            # A stream can be read only once, which is not here.
            is_readable = sample_weight and (_pandas.is_pandas(X) or _columns.can_be_read_again(X))
            sample_weight = X[sample_weight] if is_readable and sample_weight in _columns.names_of(X) else None
        try:
            weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        except (TypeError, ValueError):  # the error that names the cell comes later
            return None
        return None if weights is None or weights.ndim != 1 or not (weights == 0).any() else weights == 0

    def _check_weighed(self, X, y, absent, *, reset, skip):
        """_check() of rows with targets, where rows of weight 0 may lack one."""
        if skip or absent is None:
            return self._check(X, y, reset=reset, skip=skip)
        checked, found = self._check(X, y, reset=reset, skip=True)
        lacks = self._lacking(found)
        if lacks.ndim > 1 or len(lacks) != len(absent) or (lacks & ~absent).any():
            return self._check(X, y, reset=reset, skip=False)  # says which rows lack a target
        return checked, found


def _refuse_both(what, name, names):
    if name in names:
        raise ValueError(f"{what}: X has the column '{name}'; give one of them")

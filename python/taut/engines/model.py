"""A model on a cluster. Workers get the bytes of its `.taut` file."""
from __future__ import annotations

import os

from .. import _core, _distributions
from .._types import Any, Path


class EngineModel:
    """The result of `fit` and `calibrate`. `save` writes a file for the command line, Python and C++; `calibration_` describes the calibration."""

    def __init__(self, core: _core.Regressor, calibration: dict[str, Any] | None = None) -> None:
        self.core = core
        self.calibration_ = calibration or {}

    def save(self, path: Path) -> None:
        """Writes a model file."""
        self.core.save(os.fspath(path))

    def to_bytes(self) -> bytes:
        """The contents of a model file."""
        return self.core.to_bytes()

    @property
    def target(self) -> str:
        """The name of the target."""
        return str(self.core.options["target"])

    @property
    def columns_to_predict(self) -> list[str]:
        """The columns that rows to predict need."""
        options = self.core.options
        given = [options[name] for name in ("prediction", "lower_prediction", "upper_prediction") if options[name]]
        given += _distributions.names_in(options)[0]
        return list(dict.fromkeys([name for name, _ in self.core.columns] + given + list(self.core.further_columns)))

    @property
    def columns_to_evaluate(self) -> list[str]:
        """The columns that rows to evaluate need."""
        return list(dict.fromkeys([*self.columns_to_predict, self.target]))

    def __reduce__(self):
        return _restored, (self.to_bytes(), self.calibration_)

    def __repr__(self) -> str:
        record = self.core.record
        return f"EngineModel(target={self.target!r}, rows={record['rows']:,}, calibration_rows={record['calibration_rows']:,})"


def _restored(model_bytes, calibration):
    return EngineModel(_core.Regressor.from_bytes(model_bytes), calibration)


def model_of(given):
    """An EngineModel from one, from the path of a `.taut` file, from its bytes, or from a fitted ConformalRegressor."""
    if isinstance(given, EngineModel):
        return given
    if isinstance(given, _core.Regressor):
        return EngineModel(given)
    if isinstance(given, (bytes, bytearray)):
        return EngineModel(_core.Regressor.from_bytes(bytes(given)))
    if isinstance(given, (str, os.PathLike)):
        return EngineModel(_core.Regressor.load(os.fspath(given)))
    if hasattr(given, "model_"):
        if getattr(given, "estimators_", None) and given._is_outside():
            raise ValueError("this model's predictions come from a Python estimator, which a file does not contain; add a column of its predictions to "
                             "the rows and load the saved file, or fit without an estimator")
        return EngineModel(_core.Regressor.from_bytes(given.model_.to_bytes()))
    raise TypeError(f"a model is an EngineModel, the path of a .taut file, its bytes, or a fitted ConformalRegressor, got {type(given).__name__}")

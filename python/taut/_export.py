"""Models as files for places without Taut: C, ONNX, JSON."""
from __future__ import annotations

import os

from . import _core
from ._numbers import levels_of, shown
from ._types import Any, Levels, Literal, Path

FORMATS = ("c", "onnx", "json")


class ExportsItself:
    """The method of ConformalRegressor and ConformalClassifier that writes a model for places without Taut."""

    model_: Any

    def export(self, path: Path, confidence_level: Levels = 0.9, *, format: Literal["c", "onnx", "json"] | None = None,
               function: str = "taut_predict_row") -> None:
        """Writes what `taut export` writes.

        Parameters
        ----------
        path : str or path
            The file; its ending is the format, unless `format` names one.
        confidence_level : float or sequence of float, default=0.9
            The levels of the intervals that C and ONNX compute.
        format : {'c', 'onnx', 'json'}, optional
            "c": a C file without dependencies with one function that returns f and the ends of intervals; "onnx": a graph for any
            ONNX runtime, in floats, whose ends are moved outward by the rounding error of floats; "json": everything that the model
            file holds. Classes can be exported as JSON only, and so can regions of several targets that are no box. For a box, C
            and ONNX compute the prediction and the interval of each target.
        function : str, default='taut_predict_row'
            The name of the function in C.

        If an estimator of another library is called, its prediction is the last input of C and ONNX.
        """
        self._check_fitted()
        path, levels = os.fspath(path), levels_of(confidence_level)
        kind = os.path.splitext(path)[1][1:].lower() if format is None else format
        if kind not in FORMATS:
            raise ValueError(f"export: the format is 'c', 'onnx' or 'json', by the ending of the path or by format=...; got {shown(kind)}")
        if kind == "json":
            _core.export_json(self.model_, path)
            return
        if len(set(levels)) < len(levels):
            raise ValueError("export: confidence_level has a level twice; give each once")
        _core.export_formula(self.model_, path, kind == "onnx", levels, [f"{level!r}" for level in levels], function)

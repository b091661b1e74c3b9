"""Prediction, calibration and evaluation of Arrow batches, for any engine that can call a function on batches: Ray, Flink, DuckDB, a script.

    import taut.arrow
    for batch in taut.arrow.predict("m.taut", batches, confidence_level=[0.9, 0.95]):
        ...

`model` is the path of a `.taut` file, its bytes, or a fitted model. Rows are record batches, a table, a reader, or anything with
__arrow_c_stream__; `predict` holds one batch at a time.
"""
from __future__ import annotations

from collections.abc import Iterator

from ._types import Any, Levels, Names, Sequence
from .engines.batches import batches_of, checked_levels, predict_batches, score_batches
from .engines.calibration import calibrate as _calibrate
from .engines.engine import LocalEngine
from .engines.evaluation import evaluate as _evaluate
from .engines.model import EngineModel, model_of
from .evaluation import Evaluation

__all__ = ["calibrate", "evaluate", "predict", "scores"]


def predict(model: Any, rows: Any, confidence_level: Levels = 0.9, *, keep: Sequence[str] | None = None, threads: int = 0) -> Iterator[Any]:
    """Yields a batch for each batch, with the columns `keep` (None: all) and prediction, lower_0.9, upper_0.9, ...: exactly the numbers of `taut predict`."""
    return predict_batches(model_of(model).to_bytes(), checked_levels(confidence_level), keep, threads, batches_of(rows))


def scores(model: Any, rows: Any, *, threads: int = 0) -> Any:
    """The conformity scores of rows with a target, and 1 for each row whose target is at or above its prediction, else 0."""
    return score_batches(model_of(model).to_bytes(), threads, batches_of(rows))


def calibrate(model: Any, rows: Any, *, key: Names | None = None, **options: Any) -> EngineModel:
    """The same model with new calibration rows; options as in taut.spark.calibrate. Returns a model with the method `save`."""
    return _calibrate(LocalEngine(rows), model, None, key=key, **options)


def evaluate(model: Any, rows: Any, confidence_level: Levels = (0.8, 0.9, 0.95), *, by: Names | None = None, threads: int = 0) -> Evaluation:
    """Coverage with its band, widths and interval scores, also by the values of columns."""
    return _evaluate(LocalEngine(rows), model, None, confidence_level, by=by, worker_threads=threads)

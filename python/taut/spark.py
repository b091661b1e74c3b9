"""Taut on Spark: fit with XGBoost on all executors, calibrate exactly, predict and evaluate on the executors.

    from taut.spark import fit, calibrate, predict, evaluate
    model = fit(train_df, target="price", key="id", folds=5, num_workers=8)
    model = calibrate(model, cal_df)
    out = predict(model, new_df, confidence_level=[0.9, 0.95])
    report = evaluate(model, test_df)
    model.save("m.taut")

Executors need the packages taut and pyarrow, for `fit` xgboost too. `calibrate`, `predict` and `evaluate` take any `.taut` file.
"""
from __future__ import annotations

import functools
import pickle

import pyarrow as pa

from ._types import Any, Levels, Mapping, Names, Sequence
from .engines import calibration, evaluation, fitting
from .engines.batches import check_kept, checked_levels, output_fields, predict_batches
from .engines.engine import communicator, itself, tracker_for
from .engines.model import EngineModel, model_of
from .evaluation import Evaluation

__all__ = ["calibrate", "evaluate", "fit", "predict"]

MANY_PARTITIONS = 32  # from this number on, executors merge answers first


def fit(rows: Any, target: str, *, key: Names | None, folds: int = 5, num_workers: int = 2, seed: int = 0, objective: str = "conditional",
        sides: str = "auto", threads_per_worker: int = 1, predictor: Mapping[str, Any] | None = None,
        localizer: Mapping[str, Any] | None = None, **options: Any) -> EngineModel:
    """A model from a DataFrame of training rows; none of them may calibrate it.

    Parameters
    ----------
    key : str, sequence of str or None
        Column, or columns, that identify a row: its fold depends only on the key; None: on all cells. The key is not an input.
    folds : int, default=5
        Cross-fitting: f is trained `folds` times, each time without one fold, and predicts by the mean; g learns from out-of-fold residuals.
    num_workers : int, default=2
        Number of tasks that train at the same time; the cluster must have at least as many slots.
    objective : str, default='conditional'
        "conditional", equal coverage for every x; "size", narrowest intervals; "power:P" between the two.
    sides : {'one', 'two', 'auto'}, default='auto'
        Whether the two ends of an interval have different scales.
    predictor, localizer : mapping, optional
        Parameters of XGBoost for f and for g, also `rounds` and `patience`: {"max_depth": 6}.
    **options
        columns, drop, categorical, numeric, date, ordered, na, decimal, y_min, y_max, y_step, skip_missing_target: as in `taut fit`.
    """
    return fitting.fit(_Spark(), rows, target, key=key, folds=folds, num_workers=num_workers, seed=seed, objective=objective, sides=sides,
                       threads_per_worker=threads_per_worker, predictor=predictor, localizer=localizer, **options)


def calibrate(model: Any, rows: Any, *, key: Names | None = None, **options: Any) -> EngineModel:
    """Calibrates the model on new rows that were not used in the fit; f and g stay the same.

    Up to max_rows=1,000,000 rows, the result is that of `taut calibrate`, byte for byte. Of more rows, the scores are counted exactly on the
    executors, and the file keeps distribution_points=9,999 of their order statistics. by, other_groups, weights, keep_together, towards, local,
    overlapping: the kind of calibration, as in `taut calibrate`; then at most about max_rows rows are sampled by `key`. sure: as in
    `taut calibrate`, for up to max_rows rows. The former name of distribution_points, law_points, is deprecated; version 0.3 removes it.
    """
    return calibration.calibrate(_Spark(), model, rows, key=key, **options)


def predict(model: Any, rows: Any, confidence_level: Levels = 0.9, *, keep: Sequence[str] | None = None) -> Any:
    """The DataFrame with additional columns prediction, lower_0.9, upper_0.9, ...; `keep`: the input columns to keep, None: all."""
    from pyspark.sql.types import DoubleType, StructField, StructType

    levels = checked_levels(confidence_level)
    kept = rows.columns if keep is None else list(keep)
    model = model_of(model)
    needed = list(dict.fromkeys([*kept, *(name for name in model.columns_to_predict if name in rows.columns)]))
    check_kept(kept, levels)
    schema = StructType([rows.schema[name] for name in kept] + [StructField(field.name, DoubleType(), True) for field in output_fields(levels)])
    return rows.select(*needed).mapInArrow(functools.partial(predict_batches, model.to_bytes(), levels, kept, 1), schema)


def evaluate(model: Any, rows: Any, confidence_level: Levels = (0.8, 0.9, 0.95), *, by: Names | None = None) -> Evaluation:
    """Coverage with its exact band, widths and interval scores in one pass, also by the values of columns: a dict."""
    return evaluation.evaluate(_Spark(), model, rows, confidence_level, by=by)


def _one_row(value):
    return pa.RecordBatch.from_arrays([pa.array([pickle.dumps(value, protocol=5)], type=pa.binary())], names=["object"])


def _objects(batches):
    for batch in batches:
        for each in batch.column(0):
            yield pickle.loads(each.as_buffer())


class _Spark:
    """Objects of partitions are rows of one binary column, so that Spark caches, moves and recomputes them like other rows."""

    def columns(self, rows):
        return rows.columns

    def count(self, rows):
        return rows.count()

    def map(self, rows, function):
        def apply(batches):
            yield _one_row(function(batches))

        return rows.mapInArrow(apply, "object binary").persist()

    def gather(self, kept, function, merge):
        def merged(answer):
            def apply(batches):
                parts = [answer(each) for each in _objects(batches)]
                if parts:
                    yield _one_row(merge(parts))

            return apply

        answers = kept.mapInArrow(merged(function), "object binary")
        partitions = _partitions(kept)
        if partitions >= MANY_PARTITIONS:
            answers = answers.repartition(max(2, int(partitions**0.5))).mapInArrow(merged(itself), "object binary")
        return merge([pickle.loads(row[0]) for row in answers.collect()])

    def release(self, kept):
        kept.unpersist()

    def train(self, rows, key, function, workers):
        """One barrier stage: all tasks run at the same time, each on the rows that a hash of their key assigns to it."""
        with tracker_for(workers, _driver_host(rows.sparkSession)) as arguments:

            def apply(batches):
                from pyspark import TaskContext

                rank = TaskContext.get().partitionId()
                with communicator(arguments, rank):
                    yield _one_row(function(batches, rank))

            parts = rows.repartition(workers, *key).mapInArrow(apply, "object binary", barrier=True).collect()
        return sorted((pickle.loads(part[0]) for part in parts), key=lambda result: result["rank"])


def _partitions(rows):
    try:
        return rows.rdd.getNumPartitions()
    except Exception:  # Spark Connect has no RDDs
        return MANY_PARTITIONS


def _driver_host(session):
    try:
        return session.conf.get("spark.driver.host")
    except Exception:  # not available in Spark Connect
        return None

"""Taut on Spark: fit with XGBoost on all executors, calibrate exactly, predict and evaluate where the rows are.

    from taut.spark import fit, calibrate, predict, evaluate
    model = fit(train_df, target="price", key="id", folds=5, num_workers=8)
    model = calibrate(model, cal_df)
    out = predict(model, new_df, confidence_level=[0.9, 0.95])
    report = evaluate(model, test_df)
    model.save("m.taut")

Executors need the packages taut and pyarrow, for `fit` xgboost too. `calibrate`, `predict` and `evaluate` take any `.taut` file.
"""
import functools
import pickle

import pyarrow as pa

from .engines import calibration, evaluation, fitting
from .engines.batches import check_kept, checked_levels, output_fields, predict_batches
from .engines.engine import communicator, itself, tracker_for
from .engines.model import model_of

__all__ = ["calibrate", "evaluate", "fit", "predict"]

MANY_PARTITIONS = 32  # from here on answers are merged on executors first


def fit(rows, target, *, key, folds=5, num_workers=2, seed=0, objective="conditional", sides="auto", threads_per_worker=1, predictor=None,
        localizer=None, **options):
    """A model from a DataFrame of training rows; none of them may calibrate it.

    Parameters
    ----------
    key : column, or columns, that tell rows apart: a row's fold depends on it alone; None: on all cells. It is no input
    folds : f is trained so many times, each time without one fold, and the mean predicts; g learns from residuals of rows that their f has not seen
    num_workers : tasks that train at once; the cluster must have so many slots
    objective : "conditional", equal coverage for every x; "size", narrowest; "power:P" between
    sides : "one", "two" or "auto": whether each end has a scale of its own
    predictor, localizer : parameters of XGBoost for f and for g, besides `rounds` and `patience`: {"max_depth": 6}
    columns, drop, categorical, numeric, date, ordered, na, decimal, y_min, y_max, y_step, skip_missing_target : as in `taut fit`
    """
    return fitting.fit(_Spark(), rows, target, key=key, folds=folds, num_workers=num_workers, seed=seed, objective=objective, sides=sides,
                       threads_per_worker=threads_per_worker, predictor=predictor, localizer=localizer, **options)


def calibrate(model, rows, *, key=None, **how):
    """The same f and g with new calibration rows, which must have played no part in the fit.

    Up to max_rows=1,000,000 rows all are kept, as by `taut calibrate`, byte for byte. Of more the scores are counted where they lie, exactly, and
    the file keeps law_points=9,999 of their order statistics. by, other_groups, weights, keep_together, towards, local, overlapping: which
    calibration rows count for a new row, as in `taut calibrate`; there more than max_rows rows are drawn by `key`. sure: as there, for up to
    max_rows rows.
    """
    return calibration.calibrate(_Spark(), model, rows, key=key, **how)


def predict(model, rows, confidence_level=0.9, *, keep=None):
    """The DataFrame with further columns prediction, lower_0.9, upper_0.9, ...; `keep`: which of its own columns stay, None: all."""
    from pyspark.sql.types import DoubleType, StructField, StructType

    levels = checked_levels(confidence_level)
    kept = rows.columns if keep is None else list(keep)
    model = model_of(model)
    needed = list(dict.fromkeys([*kept, *(name for name in model.columns_to_predict if name in rows.columns)]))
    check_kept(kept, levels)
    schema = StructType([rows.schema[name] for name in kept] + [StructField(field.name, DoubleType(), True) for field in output_fields(levels)])
    return rows.select(*needed).mapInArrow(functools.partial(predict_batches, model.to_bytes(), levels, kept, 1), schema)


def evaluate(model, rows, confidence_level=(0.8, 0.9, 0.95), *, by=None):
    """Coverage with its exact band, widths and interval scores in one pass, also by the values of columns: a dict."""
    return evaluation.evaluate(_Spark(), model, rows, confidence_level, by=by)


def _one_row(value):
    return pa.RecordBatch.from_arrays([pa.array([pickle.dumps(value, protocol=5)], type=pa.binary())], names=["object"])


def _objects(batches):
    for batch in batches:
        for each in batch.column(0):
            yield pickle.loads(each.as_buffer())


class _Spark:
    """Objects of partitions are rows of one binary column, so that Spark keeps, moves and recomputes them like any others."""

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
        """One barrier stage: all tasks at once, each with its part of the rows by a hash of their key."""
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
    except Exception:  # Spark Connect does not tell
        return None

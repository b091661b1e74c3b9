"""Taut on Dask: the same functions as taut.spark for DataFrames of dask.dataframe, on the client's workers.

    from taut.dask import fit, calibrate, predict, evaluate
    model = fit(train_df, target="price", key="id", folds=5, num_workers=8)

`rows` may also be a list of partitions: delayed objects or futures of pandas frames or Arrow tables; `predict` then returns such a list.
Workers need the packages taut and pyarrow, for `fit` xgboost too.
"""
from __future__ import annotations

from ._types import Any, Levels, Mapping, Names, Sequence
from .engines import calibration, evaluation, fitting
from .engines.batches import batches_of, check_kept, checked_levels, output_fields, output_names, predict_batches
from .engines.engine import communicator, itself, tracker_for
from .engines.model import EngineModel, model_of
from .evaluation import Evaluation

__all__ = ["calibrate", "evaluate", "fit", "predict"]

MERGED_AT_ONCE = 16  # answers; if there are more, workers merge them first


def fit(rows: Any, target: str, *, key: Names | None, folds: int = 5, num_workers: int | None = None, seed: int = 0,
        objective: str = "conditional", sides: str = "auto", threads_per_worker: int = 1, predictor: Mapping[str, Any] | None = None,
        localizer: Mapping[str, Any] | None = None, client: Any = None, **options: Any) -> EngineModel:
    """See taut.spark.fit. `num_workers` None: all workers of the client."""
    engine = _Dask(client)
    return fitting.fit(engine, engine.partitions(rows), target, key=key, folds=folds, num_workers=num_workers or engine.workers(), seed=seed,
                       objective=objective, sides=sides, threads_per_worker=threads_per_worker, predictor=predictor, localizer=localizer, **options)


def calibrate(model: Any, rows: Any, *, key: Names | None = None, client: Any = None, **options: Any) -> EngineModel:
    """See taut.spark.calibrate."""
    engine = _Dask(client)
    if options.get("towards") is not None:
        options["towards"] = engine.partitions(options["towards"])
    return calibration.calibrate(engine, model, engine.partitions(rows), key=key, **options)


def predict(model: Any, rows: Any, confidence_level: Levels = 0.9, *, keep: Sequence[str] | None = None, client: Any = None) -> Any:
    """A dask DataFrame with additional columns prediction, lower_0.9, upper_0.9, ...; for a list of partitions a list of futures of Arrow tables."""
    levels = checked_levels(confidence_level)
    model_bytes = model_of(model).to_bytes()
    kept = None if keep is None else list(keep)
    if not hasattr(rows, "map_partitions"):
        engine = _Dask(client)
        return [engine.client.submit(_predicted_table, each, model_bytes, levels, kept, pure=False) for each in engine.partitions(rows)]
    meta = rows._meta if kept is None else rows._meta[kept]
    check_kept(meta.columns, levels)
    meta = meta.assign(**{name: 0.0 for name in output_names(levels)})
    return rows.map_partitions(_predicted_frame, model_bytes, levels, kept, meta=meta)


def evaluate(model: Any, rows: Any, confidence_level: Levels = (0.8, 0.9, 0.95), *, by: Names | None = None, client: Any = None) -> Evaluation:
    """See taut.spark.evaluate."""
    engine = _Dask(client)
    return evaluation.evaluate(engine, model, engine.partitions(rows), confidence_level, by=by)


def _predicted_table(part, model_bytes, levels, keep):
    import pyarrow as pa

    return pa.Table.from_batches(list(predict_batches(model_bytes, levels, keep, 1, batches_of(part))))


def _predicted_frame(part, model_bytes, levels, keep):
    """The frame with additional columns; index and dtypes do not change."""
    result = part.copy() if keep is None else part[keep].copy()
    if len(part) == 0:
        return result.assign(**{name: 0.0 for name in output_names(levels)})
    made = _predicted_table(part, model_bytes, levels, [])
    for field in output_fields(levels):
        result[field.name] = made.column(field.name).to_numpy()
    return result


def _mapped(part, function):
    return function(batches_of(part))


def _rows_in(part):
    return sum(batch.num_rows for batch in batches_of(part))


def _names(part):
    return next((batch.schema.names for batch in batches_of(part)), None) or [str(name) for name in getattr(part, "columns", [])]


def _applied(function, merge, *objects):
    return merge([function(each) for each in objects])


def _merged(merge, *parts):
    return merge(list(parts))


def _trained(function, arguments, rank, *parts):
    with communicator(arguments, rank):
        return function((batch for part in parts for batch in batches_of(part)), rank)


class _Dask:
    """Partitions and kept results are futures: those of a lost worker are computed again, the others stay where they are."""

    def __init__(self, client=None):
        from distributed import get_client

        self.client = client or get_client()

    def workers(self):
        return len(self.client.scheduler_info(n_workers=-1)["workers"])

    def partitions(self, rows):
        from dask import is_dask_collection
        from distributed import Future

        parts = rows.to_delayed() if hasattr(rows, "to_delayed") else list(rows)
        return [part if isinstance(part, Future) else self.client.compute(part) if is_dask_collection(part)
                else self.client.submit(itself, part, pure=False) for part in parts]

    def columns(self, rows):
        return self.client.submit(_names, rows[0], pure=False).result() if rows else []

    def count(self, rows):
        return sum(self.client.gather([self.client.submit(_rows_in, part, pure=False) for part in rows]))

    def map(self, rows, function):
        return [self.client.submit(_mapped, part, function, pure=False) for part in rows]

    def gather(self, kept, function, merge):
        answers = [self.client.submit(_applied, function, merge, each, pure=False) for each in kept]
        while len(answers) > MERGED_AT_ONCE:
            answers = [self.client.submit(_merged, merge, *answers[i:i + MERGED_AT_ONCE], pure=False) for i in range(0, len(answers), MERGED_AT_ONCE)]
        return merge(self.client.gather(answers))

    def release(self, kept):
        kept.clear()

    def train(self, rows, key, function, workers):
        """Rank r gets the partitions r, r + workers, ..., wherever the scheduler has placed them, so that two runs give the same result."""
        addresses = sorted(self.client.scheduler_info(n_workers=-1)["workers"])
        if workers > len(addresses):
            raise ValueError(f"num_workers={workers}, but the cluster has {len(addresses)} workers")
        host = self.client.scheduler.address.rpartition("://")[2].rpartition(":")[0]
        with tracker_for(workers, host if host in ("127.0.0.1", "localhost") else None) as arguments:
            tasks = [self.client.submit(_trained, function, arguments, rank, *rows[rank::workers], pure=False, retries=0, workers=[addresses[rank]],
                                        allow_other_workers=False) for rank in range(workers)]
            return self.client.gather(tasks)

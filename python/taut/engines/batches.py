"""Functions of Arrow batches that run on every worker. They take an iterator of batches and keep one batch at a time."""
import hashlib

import numpy as np
import pyarrow as pa

from .. import _core
from .._numbers import levels_of
from .model import EngineModel

SOURCE = "the data"


def batches_of(rows):
    """Record batches of a pyarrow table or reader, of anything with __arrow_c_stream__ (polars, DuckDB, pandas), or of an iterable of these."""
    if isinstance(rows, pa.RecordBatch):
        yield rows
    elif isinstance(rows, pa.Table):
        yield from rows.to_batches() or [pa.RecordBatch.from_pylist([], schema=rows.schema)]
    elif hasattr(rows, "to_numpy") and hasattr(rows, "columns") and not hasattr(rows, "to_arrow"):
        yield from batches_of(pa.Table.from_pandas(rows, preserve_index=False))
    elif hasattr(rows, "__arrow_c_stream__"):
        yield from pa.RecordBatchReader.from_stream(rows)
    elif hasattr(rows, "__iter__") and not isinstance(rows, (str, bytes, dict)):
        for each in rows:
            yield from batches_of(each)
    else:
        raise TypeError(f"rows are Arrow batches, a table, or anything with __arrow_c_stream__, got {type(rows).__name__}")


_models = {}  # cache of this process, by digest: a worker reads a model once, not once for each batch


def decoded(model_bytes):
    digest = hashlib.blake2b(model_bytes, digest_size=16).digest()
    if digest not in _models:
        while len(_models) >= 4:
            _models.pop(next(iter(_models)))
        _models[digest] = _core.Regressor.from_bytes(model_bytes)
    return _models[digest]


def table_of(batch, names):
    """A table of C++ with the named columns of a batch or table. C++ raises an error if it needs a column that is absent."""
    known = [name for name in names if name in batch.schema.names]
    table = batch.select(known)
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    return _core.Table.from_arrow(SOURCE, table.__arrow_c_stream__())


def output_names(levels):
    names = ["prediction"]
    for level in levels:
        names += [f"lower_{level}", f"upper_{level}"]
    return names


def output_fields(levels):
    return [pa.field(name, pa.float64()) for name in output_names(levels)]


def check_kept(kept, levels):
    """Raises ValueError if a column of the rows has the name of an output column."""
    taken = [name for name in kept if name in output_names(levels)]
    if taken:
        raise ValueError(f"the rows already have a column '{taken[0]}', which is the name of an output column; rename it, or leave it out with keep=[...]")


def predict_batch(model, names, levels, batch, threads):
    """The columns prediction, lower_0.9, upper_0.9, ... for the rows of a batch."""
    if batch.num_rows == 0:
        return [pa.array([], type=pa.float64()) for _ in output_names(levels)]
    y_pred, intervals, _ = model.predict_interval(table_of(batch, names), levels, threads)
    columns = [pa.array(y_pred)]
    for i in range(len(levels)):
        columns += [pa.array(np.ascontiguousarray(intervals[:, side, i])) for side in (0, 1)]
    return columns


def predict_batches(model_bytes, levels, keep, threads, batches):
    """Yields each batch with the columns `keep`, then the predictions and intervals."""
    model = decoded(model_bytes)
    names = EngineModel(model).columns_to_predict
    for batch in batches:
        kept = batch.schema.names if keep is None else keep
        check_kept(kept, levels)
        columns = [batch.column(name) for name in kept] + predict_batch(model, names, levels, batch, threads)
        yield pa.RecordBatch.from_arrays(columns, schema=pa.schema([batch.schema.field(name) for name in kept] + output_fields(levels)))


def score_batches(model_bytes, threads, batches):
    """The scores of all rows with a target, and 1 for each row whose target is at or above its prediction, else 0."""
    model = decoded(model_bytes)
    names = EngineModel(model).columns_to_evaluate
    scores, above = [np.zeros(0)], [np.zeros(0, dtype=np.uint8)]
    for batch in batches:
        if batch.num_rows:
            found, side = _core.row_scores(model, table_of(batch, names), threads)
            scores.append(found)
            above.append(side)
    return np.concatenate(scores), np.concatenate(above)


def checked_levels(confidence_level):
    levels = levels_of(confidence_level)
    if len(set(levels)) < len(levels):
        raise ValueError("confidence_level has a level twice; give each once, because it names columns of the output")
    return levels

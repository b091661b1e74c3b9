"""Rows that are collected on the driver: all of them, or a random sample that depends only on their keys. Calibration on a sample is valid, because
the selection does not depend on the content of the rows."""
import functools
from collections import Counter

import numpy as np
import pyarrow as pa

from . import keys
from .engine import gathered


def kept_rows(names, key, share, batches):
    """The named columns of a random share of the rows; of all rows if the share is 1."""
    return [(batch if share >= 1 else _sampled_from(batch, key, share)).select(names) for batch in batches]


def kept_of_groups(names, key, shares, columns, batches):
    """The named columns of a random sample of the rows, with a different share for each group."""
    return [_sampled_from(batch, key, np.array([shares[name] for name in group_names(batch, columns).tolist()])).select(names) for batch in batches]


def _sampled_from(batch, key, share):
    return batch.filter(pa.array(keys.share_of(keys.of_batch(batch, key), keys.DRAW) < share, type=pa.bool_()))


def group_rows(columns, batches):
    """The number of rows of each combination of values."""
    return add_counts(Counter(group_names(batch, columns).tolist()) for batch in batches)


def add_counts(parts):
    return sum(parts, Counter())


def group_names(batch, columns):
    """The name of the group of each row: its values, separated by commas."""
    if batch.num_rows == 0:
        return np.zeros(0, dtype=object)
    texts = [np.array(["" if value is None else str(value) for value in batch.column(name).to_pylist()], dtype=object) for name in columns]
    return np.array([", ".join(values) for values in zip(*texts)], dtype=object)


def as_bytes(batches):
    """A list with the batches as one Arrow stream; empty if there are no batches."""
    if not batches:
        return []
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return [sink.getvalue().to_pybytes()]


def joined(parts):
    return [one for part in parts for one in part]


def to_table(streams, names):
    tables = [pa.ipc.open_stream(stream).read_all() for stream in streams]
    tables = [table for table in tables if table.num_rows] or tables[:1]
    if not tables:
        raise ValueError("there are no rows")
    return pa.concat_tables(tables, promote_options="permissive").select(names)


def collect(engine, rows, function, names):
    """The rows that `function` keeps of each partition, as one Arrow table on the driver."""
    return to_table(gathered(engine, rows, function, joined, as_bytes), names)


def share_for(max_rows, rows):
    """The share with which about `max_rows` of `rows` rows are sampled; four standard deviations lower, so that the sample is hardly ever larger."""
    return 1.0 if rows <= max_rows else max(0.0, max_rows - 4 * max_rows**0.5) / rows


def sampled(engine, rows, names, key, max_rows, count):
    """A random sample of at most about `max_rows` rows."""
    return collect(engine, rows, functools.partial(kept_rows, names, key, share_for(max_rows, count)), names)

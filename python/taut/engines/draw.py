"""Rows that come to the driver: all of them, or a draw that depends on their keys alone. A draw of calibration rows is as valid as all rows are:
which rows are drawn has nothing to do with what is in them."""
import functools
from collections import Counter

import numpy as np
import pyarrow as pa

from . import keys
from .engine import gathered


def kept_rows(names, key, share, batches):
    """The named columns of the rows that are drawn; with 1 of all rows."""
    return [(batch if share >= 1 else _drawn_from(batch, key, share)).select(names) for batch in batches]


def kept_of_groups(names, key, shares, columns, batches):
    """Of every group its own share."""
    return [_drawn_from(batch, key, np.array([shares[name] for name in group_names(batch, columns).tolist()])).select(names) for batch in batches]


def _drawn_from(batch, key, share):
    return batch.filter(pa.array(keys.share_of(keys.of_batch(batch, key), keys.DRAW) < share, type=pa.bool_()))


def group_rows(columns, batches):
    """How many rows each combination of values has."""
    return add_counts(Counter(group_names(batch, columns).tolist()) for batch in batches)


def add_counts(parts):
    return sum(parts, Counter())


def group_names(batch, columns):
    """A text for the group of each row: its values, with a comma between them."""
    if batch.num_rows == 0:
        return np.zeros(0, dtype=object)
    texts = [np.array(["" if value is None else str(value) for value in batch.column(name).to_pylist()], dtype=object) for name in columns]
    return np.array([", ".join(values) for values in zip(*texts)], dtype=object)


def as_bytes(batches):
    """Batches as an Arrow stream; nothing where there are none."""
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
    """Rows that `function` keeps of each partition, as one Arrow table on the driver."""
    return to_table(gathered(engine, rows, function, joined, as_bytes), names)


def share_for(most, rows):
    """A share that draws about `most` of `rows` rows, and never many more."""
    return 1.0 if rows <= most else max(0.0, most - 4 * most**0.5) / rows


def drawn(engine, rows, names, key, most, count):
    """About `most` rows at most."""
    return collect(engine, rows, functools.partial(kept_rows, names, key, share_for(most, count)), names)

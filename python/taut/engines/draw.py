"""Rows that come to the driver: all of them, or a draw that depends on their keys alone. A draw of calibration rows is as valid as all rows are:
which rows are drawn has nothing to do with what is in them."""
import functools

import numpy as np
import pyarrow as pa

from . import keys


def kept_rows(names, key, salt, share, batches):
    """An Arrow table of the named columns of the rows that are drawn; with 1 of all rows."""
    kept = []
    for batch in batches:
        if share < 1:
            batch = batch.filter(pa.array(keys.share_of(keys.of_batch(batch, key), salt) < share))
        kept.append(batch.select(names))
    return kept


def group_rows(columns, batches):
    """How many rows each combination of values has."""
    counts = {}
    for batch in batches:
        names, numbers = np.unique(group_names(batch, columns), return_counts=True)
        for name, number in zip(names.tolist(), numbers.tolist()):
            counts[name] = counts.get(name, 0) + number
    return counts


def add_counts(parts):
    total = {}
    for part in parts:
        for name, number in part.items():
            total[name] = total.get(name, 0) + number
    return total


def group_names(batch, columns):
    """A text for the group of each row: its values, with a comma between them."""
    if batch.num_rows == 0:
        return np.zeros(0, dtype=object)
    texts = [np.array(["" if value is None else str(value) for value in batch.column(name).to_pylist()], dtype=object) for name in columns]
    return np.array([", ".join(values) for values in zip(*texts)], dtype=object)


def kept_of_groups(names, key, salt, shares, columns, batches):
    """Of every group its own share."""
    kept = []
    for batch in batches:
        if batch.num_rows:
            share = np.array([shares[name] for name in group_names(batch, columns).tolist()])
            batch = batch.filter(pa.array(keys.share_of(keys.of_batch(batch, key), salt) < share))
        kept.append(batch.select(names))
    return kept


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
    kept = engine.map(rows, function)
    try:
        return to_table(engine.gather(kept, as_bytes, joined), names)
    finally:
        engine.release(kept)


def share_for(most, rows):
    """A share that draws about `most` of so many rows, and never many more."""
    return 1.0 if rows <= most else max(0.0, most - 4 * most**0.5) / rows


def drawn(engine, rows, names, key, most, count, salt=keys.DRAW):
    """About `most` rows at most."""
    return collect(engine, rows, functools.partial(kept_rows, names, key, salt, share_for(most, count)), names)

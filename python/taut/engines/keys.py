"""Sixty-four bits from a row's key: which fold a row is in and whether it is drawn depend on these alone, so that neither partitions, nor their
order, nor a retry can move a row. A row has one place for ever, also where `rand()` would draw anew."""
import hashlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .._groups import listed

_GOLDEN = 0x9E3779B97F4A7C15
DRAW, FOLD, HOLD = 1, 2, 3  # what the bits are for: each has its own


def mixed(bits, salt=0):
    """The finaliser of SplitMix64: every input bit moves every output bit."""
    with np.errstate(over="ignore"):
        bits = np.asarray(bits, dtype=np.uint64) + np.uint64((_GOLDEN * (salt + 1)) % 2**64)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return bits ^ (bits >> np.uint64(31))


def of_batch(batch, key, seed=0):
    """A hash for each row of an Arrow batch or table from its key columns; without a key from all cells of the row."""
    names = batch.schema.names if key is None else listed(key)
    missing = [name for name in names if name not in batch.schema.names]
    if missing:
        raise ValueError(f"key: there is no column '{missing[0]}'; there are: {', '.join(batch.schema.names)}")
    result = np.full(batch.num_rows, seed % 2**64, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for name in names:
            result = mixed(result) ^ _of_column(batch.column(name))
    return mixed(result)


def in_order(table):
    """The rows of a table in one order, whatever order partitions came in."""
    return table.take(np.argsort(of_batch(table, None), kind="stable"))


def _of_column(column):
    """Equal values have equal bits, whatever the width of their type."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # no chunk at all
        return np.zeros(0, dtype=np.uint64)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    known = ~np.asarray(column.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    kind = column.type
    if pa.types.is_integer(kind) and kind != pa.uint64():
        bits = pc.fill_null(column.cast(pa.int64()), 0).to_numpy(zero_copy_only=False).view(np.uint64)
    elif pa.types.is_floating(kind):
        bits = (pc.fill_null(column.cast(pa.float64()), 0.0).to_numpy(zero_copy_only=False) + 0.0).view(np.uint64)
    else:
        texts = column.cast(pa.string()) if not pa.types.is_binary(kind) else column
        bits = np.fromiter((_of_text(text) for text in texts.to_pylist()), dtype=np.uint64, count=len(texts))
    return np.where(known, mixed(bits), np.uint64(0))


def _of_text(text):
    if text is None:
        return 0
    return int.from_bytes(hashlib.blake2b(text if isinstance(text, bytes) else text.encode(), digest_size=8).digest(), "little")


def share_of(hashes, salt):
    """Numbers in [0, 1) from hashes, for one use."""
    return (mixed(hashes, salt) >> np.uint64(11)).astype(np.float64) * 2.0**-53

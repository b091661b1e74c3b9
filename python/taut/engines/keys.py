"""A 64-bit hash of a row's key. The fold of a row and whether it is sampled depend only on this hash, so that neither partitions, nor their order,
nor a retry changes them."""
import hashlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .._groups import listed

_GOLDEN = 0x9E3779B97F4A7C15
DRAW, FOLD, HOLD = 1, 2, 3  # salts, one for each use of the hash


def mixed(bits, salt=0):
    """The finaliser of SplitMix64: every input bit affects every output bit."""
    with np.errstate(over="ignore"):
        bits = np.asarray(bits, dtype=np.uint64) + np.uint64((_GOLDEN * (salt + 1)) % 2**64)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return bits ^ (bits >> np.uint64(31))


def of_batch(batch, key, seed=0):
    """A hash of the key columns for each row of an Arrow batch or table; without a key, of all cells of the row."""
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
    """The rows of a table in an order that does not depend on the order of partitions."""
    return table.take(np.argsort(of_batch(table, None), kind="stable"))


def _of_column(column):
    """A hash for each cell. Equal values have equal hashes, whatever the width of their type."""
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
    """Pseudo-random numbers in [0, 1) from hashes; different for each salt."""
    return (mixed(hashes, salt) >> np.uint64(11)).astype(np.float64) * 2.0**-53

"""The engine of one process: partitions are Arrow tables. What `taut.arrow` uses, and what tests compare the others with."""
import pyarrow as pa

from .batches import batches_of


class LocalEngine:
    def __init__(self, rows):
        self.partitions = [list(batches_of(part)) for part in (rows if isinstance(rows, list) else [rows])]

    def columns(self, _):
        return next((batch.schema.names for part in self.partitions for batch in part), [])

    def count(self, _):
        return sum(batch.num_rows for part in self.partitions for batch in part)

    def map(self, _, function):
        return [function(iter(part)) for part in self.partitions]

    def gather(self, kept, function, merge):
        return merge([function(each) for each in kept])

    def release(self, kept):
        kept.clear()

    def transform(self, _, function, keep, fields):
        return pa.Table.from_batches([batch for part in self.partitions for batch in function(iter(part))])

    def train(self, _, key, function, workers):
        return [function((batch for part in self.partitions for batch in part), 0)]

"""What an engine must be able to do; `taut.spark` and `taut.dask` each have a class of this form. Functions that are sent to workers are those
of this package with arguments bound by functools.partial, so a worker needs the package and nothing of the driver's memory."""
from typing import Protocol


class Engine(Protocol):
    def columns(self, rows):
        """Names of the columns."""

    def count(self, rows):
        """Number of rows."""

    def map(self, rows, function):
        """function(iterator of Arrow batches) for every partition, also empty ones: one object each, kept on the cluster until `release`."""

    def gather(self, kept, function, merge):
        """function(object) for each, merged by merge(list of results) in any order and nesting; the result comes to the driver."""

    def release(self, kept):
        """Lets go of what `map` kept."""

    def transform(self, rows, function, keep, fields):
        """Rows again: function(iterator of batches) yields batches with the columns `keep` and then those of `fields`."""

    def train(self, rows, key, function, workers):
        """function(iterator of batches, rank) on `workers` processes at once, inside XGBoost's communicator; their results by rank. Which rows a
        rank gets depends on the rows and on `workers` alone."""

"""The interface of an engine. `taut.spark` and `taut.dask` each have a class with this interface; LocalEngine runs in one process.

Functions that are sent to workers are functions of this package with arguments bound by functools.partial, so a worker needs only the package, not
the memory of the driver."""
import contextlib
import socket
from typing import Protocol

from .batches import batches_of


class Engine(Protocol):
    def columns(self, rows):
        """Names of the columns."""

    def count(self, rows):
        """Number of rows."""

    def map(self, rows, function):
        """Calls function(iterator of Arrow batches) for every partition, also empty ones. The results are kept on the cluster until `release`."""

    def gather(self, kept, function, merge):
        """Calls function(object) for each kept object. Returns the results, merged by merge(list of results) in any order and nesting, to the driver."""

    def release(self, kept):
        """Releases the objects that `map` kept."""

    def train(self, rows, key, function, workers):
        """Calls function(iterator of batches, rank) on `workers` processes at the same time, inside XGBoost's communicator. Returns the results by rank.
        The rows of a rank depend only on the rows and on `workers`."""


class LocalEngine:
    """An engine in one process, whose partitions are lists of Arrow batches. `taut.arrow` uses it, and tests compare other engines with it."""

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

    def train(self, _, key, function, workers):
        return [function((batch for part in self.partitions for batch in part), 0)]


def itself(value):
    return value


def gathered(engine, rows, function, merge, answer=itself):
    """The merged answer(function(batches)) of every partition. Nothing is kept on the cluster."""
    kept = engine.map(rows, function)
    try:
        return engine.gather(kept, answer, merge)
    finally:
        engine.release(kept)


def require_columns(engine, rows, names, what):
    """The columns of the rows. Raises ValueError if one of `names` is absent."""
    known = engine.columns(rows)
    absent = [name for name in names if name not in known]
    if absent:
        raise ValueError(f"the {what} have no column '{absent[0]}'; there are: {', '.join(known)}")
    return known


@contextlib.contextmanager
def tracker_for(workers, host=None):
    """Runs XGBoost's tracker on this machine, which connects the workers. Yields the arguments of `communicator` for the workers."""
    from xgboost.tracker import RabitTracker

    tracker = RabitTracker(n_workers=workers, host_ip=_own_address(host), sortby="task")
    tracker.start()
    try:
        yield tracker.worker_args()
    finally:
        tracker.free()


def communicator(arguments, rank):
    from xgboost.collective import CommunicatorContext

    return CommunicatorContext(**arguments, dmlc_task_id=f"{rank:06d}")


def _own_address(host):
    """The address of `host` or, without one, the address that other machines see. No packet is sent: connecting a UDP socket only looks up its
    route."""
    if host:
        return socket.gethostbyname(host)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is reserved for documentation
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostbyname(socket.gethostname())

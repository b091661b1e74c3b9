"""Shared by the tests of engines: rows, and a model like that of `taut fit`."""
import os
import pathlib
import signal

import numpy as np
import pandas as pd

import taut


def frame(count, seed=0):
    """Rows whose noise grows with |b|; some cells are missing, one column has texts."""
    draw = np.random.default_rng(seed)
    a, b = draw.normal(size=(2, count))
    town = draw.choice(["oslo", "bergen", "tromsø"], size=count, p=[0.6, 0.3, 0.1])
    y = a + (town == "oslo") + (0.2 + np.abs(b)) * draw.normal(size=count)
    a[draw.random(count) < 0.02] = np.nan
    return pd.DataFrame({"id": np.arange(count) + 10_000_000 * seed, "a": a, "b": b, "town": town, "y": y})


def fitted(path, count=600):
    """Saves a small model of Taut, fitted to rows that the tests do not use."""
    rows = frame(count, seed=9)
    regressor = taut.ConformalRegressor(effort="quick", epochs=20, random_state=0, predictor="boost", transform="exp")
    regressor.fit(rows[["a", "b", "town"]], rows["y"])
    regressor.save(path)
    return path


class KillExecutor:
    """Kills the Spark executor that evaluates a certain row for the n-th time; its cached data are lost."""

    def __init__(self, folder, at):
        self.folder, self.at = str(folder), at

    def __call__(self, batches):
        for batch in batches:
            if any(number % 10_000_000 == 11 for number in batch.column("id").to_pylist()):
                seen = len(os.listdir(self.folder))
                pathlib.Path(self.folder, str(seen)).touch()
                if seen + 1 == self.at:
                    os.kill(_executor(), signal.SIGKILL)
            yield batch


def _executor():
    """The parent Java process that runs tasks; it never returns another process."""
    process = os.getpid()
    while b"CoarseGrainedExecutorBackend" not in pathlib.Path(f"/proc/{process}/cmdline").read_bytes():
        process = int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process


class KillWorker:
    """Kills the Dask worker that first processes the partition of three rows."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, part):
        if len(part) == 3:
            seen = len(os.listdir(self.folder))
            pathlib.Path(self.folder, str(seen)).touch()
            if seen == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return part

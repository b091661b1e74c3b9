"""The predictive distribution of y for every row, with the method names of scipy.stats."""
from __future__ import annotations

import warnings
from typing import Protocol

import numpy as np

from . import _core
from ._frames import frame_of, named
from ._tables import Part, ShownAsTables, Table
from ._types import Any, ArrayLike, FloatArray, Levels, Library, Sequence

__all__ = ["Distribution"]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ROWS_SHOWN = 5
MAX_ROWS_TO_SHOW = 10_000  # for more rows, the numbers of the table would take longer to compute than anyone waits for a display


class Ask(Protocol):
    """Answers questions with the names of `taut lists`: (rows, columns)."""

    def __call__(self, questions: list[str], values: FloatArray | None = None, seed: int = 0) -> FloatArray: ...


class Distribution(ShownAsTables):
    """The result of `ConformalRegressor.predict_distribution`: one calibrated predictive distribution for each row.

    One number for each row is an array (rows,); several probabilities or values at once give (rows, number). It is shown as a table of
    means and quantiles; `to_frame()` makes a frame of them.
    """

    def __init__(self, ask: Ask, rows: int, index: Any = None) -> None:
        self._ask = ask
        self._rows = rows
        self._index = index

    def __len__(self) -> int:
        return self._rows

    def ppf(self, q: Levels) -> FloatArray:
        """Quantiles: for one probability (rows,), for several (rows, number). They never cross."""
        several = np.ndim(q) > 0
        answers = self._ask(_questions(q))
        return answers if several else answers[:, 0]

    def interval(self, confidence: float) -> FloatArray:
        """The two ends of the interval at a confidence, as `predict_interval` gives them: (rows, 2)."""
        return self._ask([f"interval:{float(confidence)!r}"])

    def cdf(self, y: ArrayLike) -> FloatArray:
        """P(y <= value) for every row, for one value or one value for each row. It is calibrated at the value itself
        (docs/questions.md), so `cdf(ppf(p))` may differ from p if the model's scale is wrong."""
        return self._ask(["cdf"], self._values(y))[:, 0]

    def sf(self, y: ArrayLike) -> FloatArray:
        """P(y > value)."""
        return 1 - self.cdf(y)

    def mean(self) -> FloatArray:
        """The mean of every row's distribution."""
        return self._ask(["mean"])[:, 0]

    def median(self) -> FloatArray:
        """The median of every row's distribution."""
        return self.ppf(0.5)

    def crps(self, y: ArrayLike) -> FloatArray:
        """The continuous ranked probability score at the true values: smaller is better, in units of y."""
        return self._ask(["crps"], self._values(y))[:, 0]

    def rvs(self, size: int = 1, random_state: int | np.random.Generator | None = None) -> FloatArray:
        """Random values (rows, size), drawn from the distributions with the function `cdf`."""
        seed = int(np.random.default_rng(random_state).integers(2**63)) if not isinstance(random_state, (int, np.integer)) \
            else int(random_state)
        return self._ask([f"samples:{int(size)}"], None, seed)

    def to_dict(self, quantiles: Sequence[float] = QUANTILES) -> dict[str, FloatArray]:
        """The mean and these quantiles of every row: arrays by the names of columns that `taut predict` writes, mean, q0.05, ..."""
        questions = ["mean", *_questions(quantiles)]
        return named(_core.question_columns(questions), self._ask(questions))

    def to_frame(self, quantiles: Sequence[float] = QUANTILES, *, library: Library = "pandas") -> Any:
        """The mean and these quantiles of every row as a frame of pandas or polars, with the names of `to_dict`."""
        return frame_of(self.to_dict(quantiles), library, self._index)

    def _parts(self) -> list[Part]:
        title = f"predictive distributions of {self._rows:,} row{'' if self._rows == 1 else 's'}"
        if self._rows > MAX_ROWS_TO_SHOW:
            return [f"{title}; to_frame() has means and quantiles"]
        if self._rows == 0:
            return [title]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # too few rows: infinite quantiles are seen, and methods warn of them
            try:
                columns = self.to_dict()
            except ValueError as error:  # there is no mean without calibration rows
                return [f"{title}: {error}"]
        names = range(self._rows) if self._index is None else self._index
        rows = [[name, *(float(column[i]) for column in columns.values())] for i, name in zip(range(min(self._rows, ROWS_SHOWN)), names)]
        rest = [f"and {self._rows - ROWS_SHOWN:,} more"] if self._rows > ROWS_SHOWN else []
        return [title, Table(["row", *columns], rows), *rest]

    def _values(self, y: ArrayLike) -> FloatArray:
        values = np.broadcast_to(np.asarray(y, dtype=float), (self._rows,)) if np.ndim(y) < 2 else None
        if values is None:
            raise ValueError("y must be one number, or one for each row")
        if not np.isfinite(values).all():
            raise ValueError("y must be finite")
        return np.ascontiguousarray(values)


def _questions(quantiles: Levels) -> list[str]:
    return [f"quantile:{float(p)!r}" for p in np.atleast_1d(quantiles)]

"""The predictive distribution of y for every row, with the method names of scipy.stats."""
import numpy as np

__all__ = ["Distribution"]


class Distribution:
    """The result of `ConformalRegressor.predict_distribution`: one calibrated predictive distribution for each row.

    One number for each row is an array (rows,); several probabilities or values at once give (rows, number).
    """

    def __init__(self, ask, rows):
        self._ask = ask  # (questions, values, seed) -> (rows, columns)
        self._rows = rows

    def __len__(self):
        return self._rows

    def ppf(self, q):
        """Quantiles: for one probability (rows,), for several (rows, number). They never cross."""
        several = np.ndim(q) > 0
        answers = self._ask([f"quantile:{float(p)!r}" for p in np.atleast_1d(q)])
        return answers if several else answers[:, 0]

    def interval(self, confidence):
        """The two ends of the interval at a confidence, as `predict_interval` gives them: (rows, 2)."""
        return self._ask([f"interval:{float(confidence)!r}"])

    def cdf(self, y):
        """P(y <= value) for every row, for one value or one value for each row. It is calibrated at the value itself
        (docs/questions.md), so `cdf(ppf(p))` may differ from p if the model's scale is wrong."""
        return self._ask(["cdf"], self._values(y))[:, 0]

    def sf(self, y):
        """P(y > value)."""
        return 1 - self.cdf(y)

    def mean(self):
        return self._ask(["mean"])[:, 0]

    def median(self):
        return self.ppf(0.5)

    def crps(self, y):
        """The continuous ranked probability score at the true values: smaller is better, in units of y."""
        return self._ask(["crps"], self._values(y))[:, 0]

    def rvs(self, size=1, random_state=None):
        """Random values (rows, size), drawn from the distributions with the function `cdf`."""
        seed = int(np.random.default_rng(random_state).integers(2**63)) if not isinstance(random_state, (int, np.integer)) \
            else int(random_state)
        return self._ask([f"samples:{int(size)}"], None, seed)

    def _values(self, y):
        values = np.broadcast_to(np.asarray(y, dtype=float), (self._rows,)) if np.ndim(y) < 2 else None
        if values is None:
            raise ValueError("y must be one number, or one for each row")
        if not np.isfinite(values).all():
            raise ValueError("y must be finite")
        return np.ascontiguousarray(values)

"""Explanations of predictions and widths: the result of `ConformalRegressor.explain`."""
import numpy as np

from . import _core

__all__ = ["Explanation", "Shares"]


class ExplainsRows:
    """The method of ConformalRegressor that explains rows."""

    def explain(self, X, *, confidence_level=0.9, walks=32, seed=0, y_pred=None):
        """The share of every column in predictions and in widths (Shapley values), as an `Explanation`. A share is what the model uses, not a
        cause. Shares of trees and linear predictors are exact; others are sampled, with `walks` random orders of the columns for each row
        from `seed`. `confidence_level` is the level of the widths; it matters if levels differ by more than a factor.
        """
        table = self._rows_table(X, given=y_pred)
        return Explanation(_core.explain(self.model_, table, float(confidence_level), int(walks), int(seed), self._threads()))


class Shares:
    """One quantity of every row as a sum over columns, with the names of the shap package: `base_values + values.sum(axis=1)` is
    `total`.

    values: (rows, columns), the share of each column; base_values: (rows,), the same number for every row; total: (rows,), the explained
    quantity; data: (rows, columns), the cells, categories as their codes; feature_names: of the columns.
    """

    def __init__(self, found, data, feature_names):
        self.values = found["values"]
        self.total = found["total"][:, 0]
        self.base_values = np.full(len(self.values), found["base"])
        self.data = data
        self.feature_names = list(feature_names)

    def __len__(self):
        return len(self.values)

    @property
    def shape(self):
        return self.values.shape

    def to_shap(self):
        """The shares as a shap.Explanation, for the plots of the shap package, which must be installed."""
        try:
            import shap
        except ImportError as error:
            raise ImportError("to_shap() needs the shap package: pip install shap") from error
        return shap.Explanation(values=self.values, base_values=self.base_values, data=self.data, feature_names=self.feature_names)

    def importance(self):
        """Mean size of each column's share: a list of (column, size), the largest first."""
        sizes = np.abs(self.values).mean(axis=0) if len(self.values) else np.zeros(len(self.feature_names))
        order = np.argsort(-sizes, kind="stable")
        return [(self.feature_names[i], float(sizes[i])) for i in order]


class Explanation:
    """Shares of every column. A share is what the model uses, not a cause.

    prediction: `Shares` of f(x), in units of the target; None if predictions are given.
    width: `Shares` of the logarithm of the interval's width, so that `factors` = exp(width.values) multiply it; None if all
    intervals are equally wide. If widths depend on the prediction, it is the last column, after those of the table.
    lower, upper: the same for the distance of each end from f, if the two sides have different scales; else None.
    notes: what is sampled rather than exact, and what is not explained.
    """

    def __init__(self, found):
        names, inputs, cells = found["columns"], found["inputs"], found["cells"]
        self.feature_names = names[:inputs]
        self.prediction = None if found["prediction"] is None else Shares(found["prediction"], cells[:, :inputs], names[:inputs])
        self.width = None if found["width"] is None else Shares(found["width"], cells, names)
        ends = [Shares(end, cells, names) for end in found["ends"]]
        self.lower, self.upper = ends if ends else (None, None)
        self.notes = found["notes"]

    @property
    def factors(self):
        """(rows, columns): how many times wider each column makes an interval; None if all are equally wide."""
        return None if self.width is None else np.exp(self.width.values)

"""Frames of pandas and polars from named columns, and the output that `set_output` selects."""
from __future__ import annotations

from . import _pandas
from ._numbers import shown
from ._types import Any, Container, Library, Mapping, Self

CONTAINERS = ("default", "pandas", "polars")


def index_of(X: Any) -> Any:
    """The row names of a result for the rows X: the index of a pandas frame, the name of a Series that is one row; else None."""
    if not _pandas.is_pandas(X):
        return None
    return X.index if hasattr(X, "columns") else [X.name]


def frame_of(columns: Mapping[str, Any], library: Library = "pandas", index: Any = None) -> Any:
    """A frame of pandas or polars with these columns."""
    if library == "polars":
        import polars as pl

        return pl.DataFrame(dict(columns))
    if library != "pandas":
        raise ValueError(f"library must be 'pandas' or 'polars', got {library!r}")
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame() needs pandas: pip install pandas; library='polars' makes a frame of polars") from None
    return pd.DataFrame(dict(columns), index=index)


def named(names: list[str], values: Any) -> dict[str, Any]:
    """The columns of an array (rows, columns) by their names, which must differ."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two columns have the name '{twice}'; ask for one of them only, or for arrays: set_output(transform='default')")
    return {name: values[:, i] for i, name in enumerate(names)}


class NamedOutput:
    """The method `set_output` of an estimator."""

    def set_output(self, *, transform: Container | None = None) -> Self:
        """Sets what methods return whose results have several named columns.

        Parameters
        ----------
        transform : {'default', 'pandas', 'polars'} or None, default=None
            "default": arrays; "pandas" or "polars": one frame with the names of columns that `taut predict` writes. None changes nothing.
            Results of one number for each row, and `predict_proba`, stay arrays, which scikit-learn requires.

        Returns
        -------
        self
        """
        if transform is not None and transform not in CONTAINERS:
            raise ValueError(f"set_output takes 'default', 'pandas' or 'polars', got {shown(transform)}")
        if transform is not None:
            self._container: Container = transform
        return self

    def _frame_or_none(self, X: Any, columns: Any) -> Any:
        """The frame that `set_output` asks for, of the columns that the function `columns` returns; None if arrays are asked for."""
        container = self.__dict__.get("_container", "default")
        return None if container == "default" else frame_of(columns(), container, index_of(X))

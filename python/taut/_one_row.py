"""One row of inputs as a Series of pandas or as a dict: a frame with one row, whose columns have types of their own."""
from __future__ import annotations

from . import _pandas
from ._types import Any, Mapping


def is_one_row(X: Any) -> bool:
    """Whether X is a Series of pandas or a mapping from names to cells; a frame is neither."""
    if isinstance(X, Mapping):
        return not hasattr(X, "shape")  # a sparse matrix of scipy in the format "dok" is a dict too
    return _pandas.is_pandas(X) and not hasattr(X, "columns")


def refuse_to_fit(X: Any) -> None:
    """Raises an error, because a fit needs a table."""
    if isinstance(X, Mapping):
        raise TypeError("X is a dict; a fit takes a table, such as pandas.DataFrame(X)")
    raise ValueError("Expected 2D array, got 1D array instead: X is a Series, one column; give X.to_frame() for a table of one column")


def frame_of_row(X: Any, fitted: list[str] | None) -> Any:
    """A frame of one row. `fitted`: the names of the columns of the fit, None if they had no names."""
    what = "a dict" if isinstance(X, Mapping) else "a Series"
    if fitted is None:
        raise ValueError(f"X is {what}, but the model was fitted without names of columns, so the cells of a row cannot be identified; give an "
                         "array of two dimensions, for one row of shape (1, columns)")
    cells = {str(name): cell for name, cell in X.items()}
    if len(cells) < len(X):
        raise ValueError(f"X is {what} in which a name stands twice; give every column a different name")
    lacking = [name for name in fitted if name not in cells]
    if lacking:
        found = f"its names begin with {', '.join(list(cells)[:3])}" if cells else "it is empty"
        raise ValueError(f"X is {what}, which is read as one row with the names of its columns, but it lacks {', '.join(map(repr, lacking[:5]))}"
                         f"{' and others' if len(lacking) > 5 else ''}; {found}. One row is frame.iloc[0] or frame.iloc[[0]]; several rows are "
                         "a table, not a column of it")
    many = next((name for name, cell in cells.items() if hasattr(cell, "__len__") and not isinstance(cell, (str, bytes))), None)
    if many is not None:
        raise ValueError(f"X is {what}, which is read as one row, but '{many}' has several cells: {cells[many]!r:.60}; give a table, such as "
                         "pandas.DataFrame(X)")
    try:
        import pandas as pd
    except ImportError:
        raise TypeError("X is a dict: install pandas to read it as one row, or give a table or an array") from None
    ordered = {name: cells[name] for name in fitted}
    return pd.DataFrame([{**ordered, **cells}], index=None if isinstance(X, Mapping) else [X.name])

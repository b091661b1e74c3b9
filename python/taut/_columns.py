"""Arrays and tables of any library as tables of C++. Numbers are not copied where possible, types are respected, and texts are read as
the command line reads them."""
import numpy as np

from . import _core, _pandas
from ._numbers import SOURCE, borrowable


class ArrowRows:
    """A table that was read from an Arrow stream. It is kept, because many streams can be read only once."""

    def __init__(self, X):
        self.table = _core.Table.from_arrow(SOURCE, X.__arrow_c_stream__())
        self.columns = self.table.names
        self.shape = (self.table.rows, len(self.columns))

    def __len__(self):
        return self.shape[0]


def understood(X):
    """X as a type that this package supports: an array or a list, a sparse matrix, a pandas, polars or pyarrow table, ArrowRows."""
    if X is None or isinstance(X, (np.ndarray, list, tuple, ArrowRows)) or _pandas.is_pandas(X):
        return X
    if library_of(X) == "polars" and hasattr(X, "collect") and not hasattr(X, "__arrow_c_stream__"):
        raise TypeError("X is a lazy frame of polars, which holds no rows yet; give X.collect()")
    if hasattr(X, "__arrow_c_stream__"):
        return X if can_be_read_again(X) else ArrowRows(X)
    if hasattr(X, "__dataframe__"):
        return from_interchange(X)
    return X


def is_plain(X, fitted, min_rows):
    """Whether X is an array that needs no checks by scikit-learn, which take longer than predicting a row: numbers in native float32 or
    float64, with the columns of the fit, which had no names. `fitted` has the attributes of the estimator."""
    if type(X) is not np.ndarray or X.ndim != 2:
        return False
    rows, columns = X.shape
    kind = X.dtype
    return rows >= min_rows and 0 < columns == fitted.get("n_features_in_") and "feature_names_in_" not in fitted and (
        kind.char in "df" and kind.isnative)


def library_of(X):
    return type(X).__module__.partition(".")[0]


def can_be_read_again(X):
    """Whether X is a table from which scikit-learn and other estimators can select rows."""
    return library_of(X) == "polars" or (library_of(X) == "pyarrow" and hasattr(X, "to_batches"))


def from_interchange(X):
    """A pandas frame, by the dataframe interchange protocol."""
    try:
        from pandas.api.interchange import from_dataframe
    except ImportError:
        raise TypeError(f"X is a {type(X).__name__}: install pandas to read it, or give a table with __arrow_c_stream__ or an array") from None
    return from_dataframe(X)


def is_frame(X):
    """Whether X is a table with column names, whose columns may have different types."""
    return isinstance(X, ArrowRows) or _pandas.is_pandas(X) or hasattr(X, "__arrow_c_stream__")


def is_sparse(X):
    return library_of(X) == "scipy" and hasattr(X, "tocsc")


def names_of(X):
    """The names of a table's columns, x0, x1, ... for arrays."""
    if X is None:
        return []
    if not is_frame(X):
        return [f"x{i}" for i in range(X.shape[1])]
    names = [str(name) for name in (X.column_names if library_of(X) == "pyarrow" else X.columns)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the column '{twice}' is there {names.count(twice)} times; give every column a different name")
    return names


def rows_of(X, others):
    return len(others) if X is None else X.shape[0]


# Names of the columns that are no columns of X, if X has a column of the usual name. Messages and model files show them.
_INSTEAD = {"y": "target", "prediction": "y_pred", "group": "groups", "together": "kept_together", "sample_weight": "weight", "exposure": "exposure_of_row"}


def free_name(name, taken):
    if name in taken:
        name = _INSTEAD.get(name, name)
    while name in taken:
        name += "_"
    return name


def table_of(X, names, further=None, **columns):
    """A `_core.Table` with the columns of X under `names`, then `columns` (numbers), then `further` columns (numbers or categories)."""
    if isinstance(X, ArrowRows):
        table = X.table.copy()
    elif X is not None and is_frame(X) and not _pandas.is_pandas(X):
        table = _core.Table.from_arrow(SOURCE, X.__arrow_c_stream__())
    else:
        table = _core.Table(SOURCE, len(next(iter(columns.values()))) if X is None else X.shape[0])
        if _pandas.is_pandas(X):
            _pandas.add_frame(table, X, names)
        elif X is not None:
            table.add_matrix(names, borrowable(dense(X) if is_sparse(X) else X))
    for name, values in columns.items():
        table.add_column(name, borrowable(values))
    for name, values in (further or {}).items():
        add_values(table, name, np.asarray(values))
    return table


def add_values(table, name, values):
    if values.dtype.kind in "biuf":
        table.add_column(name, np.ascontiguousarray(values, dtype=float))
        return
    absent = np.array([value is None or value != value for value in values])
    texts = np.array(["" if gone else str(value) for value, gone in zip(values, absent)])
    categories = sorted(set(texts[~absent]))
    codes = np.searchsorted(np.array(categories), texts).astype(float) if categories else np.zeros(len(texts))
    codes[absent] = np.nan
    table.add_category(name, codes, list(map(str, categories)), True)


def dense(X):
    """A dense copy of a sparse matrix, because trees read every cell. float32 stays float32."""
    needed = X.shape[0] * X.shape[1] * X.dtype.itemsize
    if needed > memory_of_machine():
        raise MemoryError(f"X is sparse; with all its zeros its {X.shape[0]:,} rows and {X.shape[1]:,} columns take {needed / 2**30:,.1f} GiB, "
                          "more than this machine has: give fewer columns (feature selection, TruncatedSVD), fewer rows at a time, or float32")
    return X.tocsc().toarray(order="F")


def memory_of_machine():
    import os

    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")

"""Arrays and frames as tables of C++: numbers are borrowed, texts and categories become what the command line would read."""
import numpy as np

from . import _core

SOURCE = "the arrays"


def is_frame(X):
    """A pandas or polars frame, whose columns may be of different kinds."""
    return type(X).__module__.partition(".")[0] in ("pandas", "polars") and hasattr(X, "columns")


def is_polars(X):
    return type(X).__module__.partition(".")[0] == "polars"


def names_of(X):
    """The names of a frame's columns, x0, x1, ... for arrays."""
    if X is None:
        return []
    if not is_frame(X):
        return [f"x{i}" for i in range(X.shape[1])]
    names = [str(name) for name in X.columns]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the column '{name}' is there {names.count(name)} times; give every column a name of its own")
    return names


def table_of(X, names, **columns):
    """A `_core.Table` of X under `names`, followed by further columns (name=values) of numbers."""
    rows = len(next(iter(columns.values()))) if X is None else X.shape[0]
    table = _core.Table(SOURCE, rows)
    if X is None:
        pass
    elif is_frame(X):
        add_frame(table, X, names)
    else:
        table.add_matrix(names, borrowable(X))
    for name, values in columns.items():
        table.add_column(name, borrowable(values))
    return table


def borrowable(array):
    """The array itself when C++ can read it where it is: native float64 or float32, strides of whole numbers; else a copy."""
    if array.dtype not in (np.float64, np.float32) or not array.dtype.isnative:
        return np.ascontiguousarray(array, dtype=np.float64)
    if any(stride % array.itemsize for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array


def add_frame(table, X, names):
    for position, name in enumerate(names):
        values, categories, declared = (read_polars if is_polars(X) else read_pandas)(X, position, name)
        if categories is None:
            table.add_column(name, borrowable(values))
        else:
            table.add_category(name, values, categories, declared)


def read_pandas(X, position, name):
    import pandas as pd

    series = X.iloc[:, position]
    types = pd.api.types
    if types.is_bool_dtype(series.dtype) or isinstance(series.dtype, pd.CategoricalDtype) or types.is_string_dtype(series.dtype) \
            or types.is_object_dtype(series.dtype):
        declared = isinstance(series.dtype, pd.CategoricalDtype)
        if types.is_object_dtype(series.dtype) or declared:
            series = series.astype(object)
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
        return read_texts(codes, [str(value) for value in uniques], declared)
    if types.is_complex_dtype(series.dtype) or not types.is_numeric_dtype(series.dtype):
        raise refusal(name, series.dtype)
    if isinstance(series.dtype, np.dtype):
        return series.to_numpy(), None, False
    return series.to_numpy(dtype=np.float64, na_value=np.nan), None, False


def read_polars(X, position, name):
    import polars as pl

    series = X.to_series(position)
    kind = series.dtype
    if kind.is_numeric():
        if series.null_count() or kind not in (pl.Float32, pl.Float64):
            series = series.cast(pl.Float64)
        return series.to_numpy(), None, False
    if kind not in (pl.String, pl.Categorical, pl.Enum, pl.Boolean):
        raise refusal(name, kind)
    texts = series.cast(pl.String)
    uniques = texts.drop_nulls().unique(maintain_order=True)
    order = pl.Series(range(len(uniques)), dtype=pl.Int64)
    codes = texts.replace_strict(uniques, order, default=None, return_dtype=pl.Int64).fill_null(-1)
    return read_texts(codes.to_numpy(), uniques.to_list(), kind in (pl.Categorical, pl.Enum))


def refusal(name, kind):
    return TypeError(f"column '{name}': a column holds numbers, texts or categories, got {kind}; "
                     "turn it into numbers (of days, say) or leave it out")


def read_texts(codes, texts, declared):
    """Codes that count `texts` in order of appearance (-1: missing) as the command line reads such a column.

    All cells numbers: a column of numbers, unless it is declared to be categorical. Otherwise a categorical one; empty cells and
    cells that say NA, NaN, null, None, - or ? are missing. Returns the cells, the categories or None, and whether they were declared.
    """
    cells = [_core.read_cell(text) for text in texts]
    codes = np.asarray(codes, dtype=np.int64)
    if not declared and not any(isinstance(cell, str) for cell in cells):
        values = np.array([np.nan if cell is None else cell for cell in cells] + [np.nan])
        return values[codes], None, False
    categories = {}
    for text, cell in zip(texts, cells):
        if cell is not None:
            categories.setdefault(text, len(categories))
    values = np.array([np.nan if cell is None else categories[text] for text, cell in zip(texts, cells)] + [np.nan])
    return values[codes], list(categories), declared

"""Columns of a pandas frame, by their dtypes. Frames are not read as Arrow streams, which pandas offers only with pyarrow: the kind of a
column must not depend on the installed packages."""
import numpy as np

from . import _core
from ._numbers import SOURCE, borrowable

UNITS_IN_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def is_pandas(X):
    return type(X).__module__.partition(".")[0] == "pandas" and hasattr(X, "iloc")


def add_frame(table, X, names):
    for position, name in enumerate(names):
        add_column(table, X.iloc[:, position], name)


def add_column(table, series, name):
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, getattr(pd, "ArrowDtype", ())):
        return table.append(_core.Table.from_arrow(SOURCE, series.array.__arrow_array__().__arrow_c_stream__(), name))
    if isinstance(dtype, pd.CategoricalDtype):
        texts = [str(value) for value in dtype.categories]
        return add_texts(table, name, series.cat.codes.to_numpy(), texts, declared=True, ordered=bool(dtype.ordered))
    held = pd.api.types.infer_dtype(series, skipna=True) if pd.api.types.is_object_dtype(dtype) else ""
    if held == "boolean":
        series = series.astype("boolean")
    elif held in ("datetime", "datetime64", "date"):
        series = pd.to_datetime(series, utc=True)
    elif pd.api.types.is_string_dtype(dtype) or pd.api.types.is_object_dtype(dtype):
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
        return add_texts(table, name, codes, [str(value) for value in uniques])
    return table.add_column(name, borrowable(cells(series, name)), kind(series))


def kind(series):
    return {"b": "boolean", "M": "date"}.get(series.dtype.kind, "number")


def cells(series, name):
    """The cells as numbers, NaN if missing; without a copy where possible."""
    import pandas as pd

    letter = getattr(series.dtype, "kind", "O")
    if letter == "M":
        return seconds(series.dt.tz_convert(None) if getattr(series.dtype, "tz", None) is not None else series)
    if letter == "m":
        return seconds(series)
    if letter not in "biuf" or isinstance(series.dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        raise TypeError(f"column '{name}': a column holds numbers, texts, booleans, dates or categories, got {series.dtype}; turn it into one "
                        "of these, or leave it out")
    return series.to_numpy() if isinstance(series.dtype, np.dtype) else numbers(series)


def numbers(series):
    """Numbers of an extension type with missing values (Int64, boolean, ...)."""
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def seconds(series):
    """Dates or durations in seconds, rounded once and in the same way as in C++."""
    values = series.to_numpy()
    per_second = UNITS_IN_SECOND[np.datetime_data(values.dtype)[0]]
    units = values.astype(np.int64)
    rest = np.fmod(units, per_second)
    return np.where(np.isnat(values), np.nan, (units - rest) // per_second + rest / per_second)


def add_texts(table, name, codes, texts, declared=False, ordered=False):
    """Adds a column of codes, which are indices of `texts` (-1: missing). Empty texts and NA, NaN or null are missing, as in a CSV file. If
    all texts are numbers, the training rows decide whether the column is numeric, unless it is `declared` categorical."""
    categories = {}
    for text in texts:
        if _core.read_cell(text) is not None:
            categories.setdefault(text, len(categories))
    values = np.array([categories.get(text, np.nan) for text in texts] + [np.nan])
    table.add_category(name, values[np.asarray(codes, dtype=np.int64)], list(categories), declared, ordered)

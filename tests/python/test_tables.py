"""Tables of every library: types are used, and every library gives the same data and the same bytes of the model."""
import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import QUICK, make_rows, slow
from scipy import sparse
from sklearn.linear_model import LinearRegression

from taut import ConformalRegressor, _columns, _core

pa = pytest.importorskip("pyarrow")

ROWS = 300


class Stream:
    """A table of an unknown library: an Arrow stream that can be read once."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


class Interchange:
    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__()


def arrow_table(rows=ROWS, seed=0):
    """Every kind of column, each with missing cells."""
    draw = np.random.default_rng(seed)
    X, y = make_rows(rows, seed)
    gaps = draw.random((8, rows)) < 0.05
    at = 1_600_000_000 + draw.integers(0, 10**8, rows)
    whole = draw.integers(-5, 5, rows)
    flag = draw.random(rows) < 0.4
    colour = draw.choice(["red", "green", "blue"], rows)
    size = draw.integers(0, 3, rows)
    table = pa.table({
        "a": pa.array(X[:, 0], mask=gaps[0]),
        "b": pa.array(X[:, 1].astype(np.float32)),
        "whole": pa.array(whole, pa.int32(), mask=gaps[1]),
        "flag": pa.array(flag, mask=gaps[2]),
        "colour": pa.array(colour, mask=gaps[3]),
        "size": pa.DictionaryArray.from_arrays(pa.array(size, pa.int8(), mask=gaps[4]), ["small", "middle", "large"], ordered=True),
        "kind": pa.DictionaryArray.from_arrays(pa.array(size, pa.int8(), mask=gaps[5]), ["7", "8", "9"]),
        "day": pa.array((at // 86400).astype(np.int32), mask=gaps[6]).cast(pa.date32()),
        "moment": pa.array(at * 1000 + 250, pa.timestamp("ms", "Europe/Berlin"), mask=gaps[7]),
    })
    return table, y + 0.5 * (colour == "red") + flag


def as_pandas(table):
    """The table with types of numpy and pandas."""
    frame = table.to_pandas()
    frame["whole"] = pd.array(table["whole"].to_pandas(), dtype="Int32")
    frame["flag"] = pd.array(table["flag"].to_pylist(), dtype="boolean")
    return frame


def as_polars(table):
    """The table in polars, with an Enum, which is ordered. polars converts ordered dictionaries of Arrow to plain categories."""
    return pl.from_arrow(table).with_columns(pl.col("size").cast(pl.Enum(["small", "middle", "large"])))


SOURCES = {
    "pyarrow": lambda table: table,
    "pyarrow in batches": lambda table: pa.Table.from_batches(table.to_batches(max_chunksize=37)),
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "reader": lambda table: table.to_reader(max_chunksize=101),
    "any stream": lambda table: Stream(table),
    "polars": as_polars,
    "pandas": as_pandas,
    "pandas with objects": lambda table: as_pandas(table).astype({"colour": object, "flag": object}),
    "pandas on pyarrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
}


@pytest.fixture(scope="module")
def fitted():
    table, y = arrow_table()
    cr = ConformalRegressor(**QUICK).fit(table, y)
    return cr, cr.model_.to_bytes()


@pytest.mark.parametrize("source", ["pyarrow in batches", "any stream", "polars", "pandas", *(
    slow(source) for source in ("pyarrow", "record batch", "reader", "pandas with objects", "pandas on pyarrow"))])
def test_every_library_gives_the_same_model_and_the_same_intervals(fitted, source):
    table, y = arrow_table()
    cr, expected = fitted
    assert ConformalRegressor(**QUICK).fit(SOURCES[source](table), y).model_.to_bytes() == expected
    new, y_new = arrow_table(120, seed=1)
    np.testing.assert_array_equal(cr.predict_interval(SOURCES[source](new))[1], cr.predict_interval(new)[1])
    np.testing.assert_array_equal(cr.predict(SOURCES[source](new)), cr.predict(new))
    np.testing.assert_array_equal(cr.p_values(SOURCES[source](new), y_new), cr.p_values(new, y_new))
    assert cr.evaluate(SOURCES[source](new), y_new) == cr.evaluate(new, y_new)


def test_the_command_line_reads_the_same_from_parquet_and_csv(tmp_path, program):
    """Every kind of column. A CSV file cannot express that digits are categories, nor the order of categories: options do."""
    import pathlib

    from conftest import PROGRAM
    from pyarrow import csv

    from taut import load

    pq = pytest.importorskip("pyarrow.parquet")
    table, y = arrow_table()
    table = table.set_column(1, "b", table["b"].cast(pa.float64()))  # the digits of a float32 would be read as another double
    declared = {"categorical": ["kind"], "ordered": {"size": ["small", "middle", "large"]}}
    flags = ["--categorical", "kind", "--ordered", "size:small<middle<large", "--effort", "quick", "--epochs", 20, "--seed", 0]
    cr = ConformalRegressor(**declared, **QUICK).fit(table, y)
    whole = table.append_column("y", pa.array(y))
    texts = [pa.compute.cast(column, pa.string()) if pa.types.is_dictionary(column.type) else column for column in whole.columns]
    csv.write_csv(pa.table(texts, names=whole.column_names), tmp_path / "data", csv.WriteOptions(quoting_style="needed"))
    program("fit", "data", "--target", "y", "-o", "csv.taut", *flags)
    read = load(tmp_path / "csv.taut")
    assert {name: kind for name, kind in ((fact["name"], fact["kind"]) for fact in read.columns_)} == {
        "a": "number", "b": "number", "whole": "number", "flag": "boolean", "colour": "category", "size": "ordered category",
        "kind": "category", "day": "date", "moment": "date"}
    assert read.model_.columns == cr.model_.columns
    for X in (table, as_pandas(table), pd.read_csv(tmp_path / "data", dtype=str).drop(columns="y"), pd.read_csv(tmp_path / "data").drop(columns="y")):
        np.testing.assert_array_equal(read.predict_interval(X)[1], cr.predict_interval(table)[1])
    pq.write_table(whole, tmp_path / "data")
    if not (pathlib.Path(PROGRAM).parent / "libtaut_columnar.so").exists():
        pytest.skip("the program was built without Parquet")
    program("fit", "data", "--target", "y", "-o", "parquet.taut", *flags)
    assert (tmp_path / "parquet.taut").read_bytes() == (tmp_path / "csv.taut").read_bytes()


def cells_of(X):
    """The columns that hold numbers, as C++ reads them."""
    X = _columns.understood(X)
    table = _columns.table_of(X, _columns.names_of(X))
    return {name: table.numbers(i) for i, name in enumerate(table.names)}


SECONDS = [datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc).timestamp(), np.nan,
           datetime.datetime(1969, 12, 31, 23, 59, 58, 250000, tzinfo=datetime.timezone.utc).timestamp()]
TEXTS = ["2020-01-02T03:04:05", None, "1969-12-31T23:59:58.25"]


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "America/New_York"])
def test_moments_are_instants_in_utc_whatever_their_unit(unit, zone):
    moments = pd.Series(pd.to_datetime(TEXTS, format="ISO8601")).astype(f"datetime64[{unit}]")
    if zone is not None:
        moments = moments.dt.tz_localize("UTC").dt.tz_convert(zone)
    frame = pd.DataFrame({"t": moments})
    for X in (frame, pa.Table.from_pandas(frame), pl.from_pandas(frame), frame.astype(object),
              frame.astype(pd.ArrowDtype(pa.timestamp(unit, tz=zone)))):
        np.testing.assert_array_equal(cells_of(X)["t"], SECONDS)


def test_days_durations_decimals_and_nullable_numbers():
    table = pa.table({
        "day": pa.array([datetime.date(1970, 1, 2), None, datetime.date(1969, 12, 31)]),
        "span": pa.array([datetime.timedelta(seconds=1.5), None, datetime.timedelta(days=-1)]),
        "price": pa.array([decimal.Decimal("12.34"), None, decimal.Decimal("-0.01")]),
        "whole": pa.array([2**40, None, -3]),
        "half": pa.array(np.array([0.5, np.nan, -2], dtype=np.float16)),
        "nothing": pa.nulls(3),
    })
    expected = {"day": [86400, np.nan, -86400], "span": [1.5, np.nan, -86400], "price": [12.34, np.nan, -0.01],
                "whole": [2**40, np.nan, -3], "half": [0.5, np.nan, -2], "nothing": [np.nan] * 3}
    arrow_backed = table.to_pandas(types_mapper=pd.ArrowDtype)
    own = pd.DataFrame({"day": pd.to_datetime(table["day"].to_pandas()), "span": table["span"].to_pandas(), "whole": pd.array(
        [2**40, None, -3], dtype="Int64"), "half": table["half"].to_pandas()})
    for X in (table, arrow_backed, own, table.to_pandas()[["day", "span"]]):
        cells = cells_of(X)
        for name in cells:
            np.testing.assert_array_equal(cells[name], expected[name], err_msg=name)


def test_what_is_left_out_or_rounded_is_said():
    table, y = arrow_table()
    odd = table.append_column("tags", pa.array([[1]] * ROWS)).append_column("id", pa.array(np.arange(ROWS) + 2**60))
    cr = ConformalRegressor(**QUICK).fit(odd, y)
    assert "X, column 'tags': left out, it holds lists" in cr.messages_
    assert any(text.startswith("X, column 'id': 300 whole numbers beyond 2^53") and "--" not in text for text in cr.messages_)
    assert "tags" not in dict(cr.model_.columns)
    for frame in (pl.from_arrow(odd), Stream(odd)):
        np.testing.assert_array_equal(cr.predict(frame), cr.predict(odd))
    with pytest.raises(TypeError, match="column 'z'.*complex"):
        ConformalRegressor().fit(pd.DataFrame({"z": [1j, 2j]}), [1.0, 2.0])


def test_streams_that_fail_or_lie_are_exceptions():
    table, y = arrow_table()

    def broken():
        yield table.to_batches()[0]
        raise ValueError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(table.schema, broken())
    with pytest.raises(ValueError, match="the rows cannot be read.*the disk is on fire"):
        ConformalRegressor().fit(reader, y)
    reader = table.to_reader()
    ConformalRegressor(**QUICK).fit(reader, y)
    with pytest.raises(ValueError):  # it has been read
        ConformalRegressor(**QUICK).fit(reader, y)

    class Liar:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.schema.__arrow_c_schema__()

    with pytest.raises(ValueError, match="arrow_array_stream"):
        ConformalRegressor().fit(Liar(), y)
    twice = pa.table([[1.0], [2.0]], names=["a", "a"])
    with pytest.raises(ValueError, match="'a' 2 times"):  # scikit-learn's message
        ConformalRegressor().fit(twice, [1.0])
    with pytest.raises(ValueError, match="the column 'a' is there more than once"):
        ConformalRegressor().fit(Stream(twice), [1.0])


def test_columns_of_a_stream_are_found_by_name(fitted):
    cr, _ = fitted
    new, _ = arrow_table(50, seed=2)
    turned = new.select(new.column_names[::-1]).append_column("extra", pa.nulls(50))
    np.testing.assert_array_equal(cr.predict(Stream(turned)), cr.predict(new))
    with pytest.raises(ValueError, match="there is no column 'whole'"):
        cr.predict(Stream(new.drop_columns(["whole"])))


def test_memory_of_a_stream_lives_as_long_as_the_table_and_no_longer():
    before = pa.total_allocated_bytes()
    table = pa.table({"x": pa.array(np.arange(100_000, dtype=np.float64) + 0.5).take(pa.array(np.arange(100_000)))})
    held = _core.Table.from_arrow("t", table.__arrow_c_stream__())
    del table
    assert pa.total_allocated_bytes() - before >= 800_000  # borrowed, not copied
    np.testing.assert_array_equal(held.numbers(0)[:3], [0.5, 1.5, 2.5])
    del held
    assert pa.total_allocated_bytes() == before


@pytest.mark.parametrize("column", [pa.array, lambda y: pa.chunked_array([y[:100], y[100:]]), pl.Series, pd.Series,
                                    lambda y: pa.table({"y": y}), lambda y: Stream(pa.table({"y": y})),
                                    lambda y: pd.Series(y, dtype=pd.ArrowDtype(pa.float64()))])
def test_targets_of_every_library(column):
    X, y = make_rows(200)
    expected = ConformalRegressor(**QUICK).fit(X, y)
    cr = ConformalRegressor(**QUICK).fit(X, column(y))
    assert cr.model_.to_bytes() == expected.model_.to_bytes()
    outside = ConformalRegressor(prefit=True, **QUICK).fit(X, column(y), y_pred=column(X[:, 0]))
    np.testing.assert_array_equal(outside.predict_interval(X, y_pred=X[:, 0])[1], outside.predict_interval(X, y_pred=column(X[:, 0]))[1])


def test_targets_that_are_no_numbers():
    X, _ = make_rows(3)
    with pytest.raises(ValueError, match="y must hold numbers"):
        ConformalRegressor().fit(X, pa.chunked_array([["a", "b", "c"]]))
    with pytest.raises(ValueError, match="NaN"):
        ConformalRegressor().fit(X, pa.array([1.0, None, 2.0]))


def test_estimators_of_other_libraries_get_the_table_itself():
    X, y = make_rows(200)
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    frames = [table, table.to_pandas(), pl.from_arrow(table)]
    seen = []

    def model(rows):
        seen.append(type(rows))
        return np.asarray(rows["a"], dtype=float)

    given = ConformalRegressor(prefit=True, **QUICK).fit(frames[1], y, y_pred=X[:, 0])
    expected = given.predict_interval(frames[1], y_pred=X[:, 0])[1]
    for frame in frames:
        cr = ConformalRegressor(model, prefit=True, **QUICK).fit(frame, y)
        np.testing.assert_array_equal(cr.predict_interval(frame)[1], expected)
        assert set(seen) == {type(frame)}
        seen.clear()
    for frame in frames[1:]:
        cr = ConformalRegressor(LinearRegression(), **QUICK).fit(frame, y)
        assert len(cr.estimators_) == 5 and np.isfinite(cr.predict_interval(frame)[1]).all()
    with pytest.raises(TypeError, match="give a table of pandas, polars or pyarrow"):
        ConformalRegressor(LinearRegression()).fit(Stream(table), y)


def test_the_interchange_protocol_is_the_last_resort():
    X, y = make_rows(100)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    expected = ConformalRegressor(**QUICK).fit(frame, y)
    assert ConformalRegressor(**QUICK).fit(Interchange(frame), y).model_.to_bytes() == expected.model_.to_bytes()
    with pytest.raises(TypeError, match="collect"):
        expected.predict(pl.LazyFrame({"a": [1.0]}))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.coo_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_is_dense_with_its_zeros(form, dtype):
    X, y = make_rows(200)
    X = np.where(np.abs(X) < 0.7, 0, X).astype(dtype)
    cr = ConformalRegressor(**QUICK).fit(X, y)
    assert ConformalRegressor(**QUICK).fit(form(X), y).model_.to_bytes() == cr.model_.to_bytes()
    np.testing.assert_array_equal(cr.predict_interval(form(X))[1], cr.predict_interval(X)[1])
    outside = ConformalRegressor(LinearRegression(), **QUICK).fit(form(X), y)
    assert np.isfinite(outside.predict_interval(form(X))[1]).all()


def test_sparse_beyond_the_memory_is_an_error_before_anything_is_made():
    X = sparse.csr_array((np.ones(1), ([0], [0])), shape=(2_000_000, 1_000_000))
    with pytest.raises(MemoryError, match="2,000,000 rows and 1,000,000 columns take 14,901.2 GiB"):
        ConformalRegressor(**QUICK).fit(X, np.arange(2_000_000.0))

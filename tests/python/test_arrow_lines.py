"""The lines of docs/scale.md for engines without a module of their own, with the real types: Ray, DuckDB, and the function for Flink."""
import re

import numpy as np
import pytest
from conftest import ROOT
from engines_data import fitted, frame

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

import taut  # noqa: E402
import taut.arrow  # noqa: E402


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """The folder of the documented lines: m.taut and new.parquet. Returns the rows with their predictions."""
    monkeypatch.chdir(tmp_path)
    fitted(tmp_path / "m.taut")
    table = pa.Table.from_pandas(frame(300, seed=1).drop(columns="y"), preserve_index=False)
    pq.write_table(table, "new.parquet", row_group_size=100)
    return pa.Table.from_batches(list(taut.arrow.predict("m.taut", table, 0.9))).to_pandas()


def documented(engine):
    """The lines below the comment with the engine's name."""
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    return re.search(rf"(?ms)^# {engine}\n(.*?)^(?:#|```)", text).group(1).strip()


def same(found, expected):
    found, expected = found.sort_values("id"), expected.sort_values("id")
    assert list(found.columns) == list(expected.columns)
    for name in ("prediction", "lower_0.9", "upper_0.9"):
        np.testing.assert_array_equal(found[name], expected[name])


def test_duckdb(rows):
    duckdb = pytest.importorskip("duckdb", reason="LEFT OUT: the line for DuckDB needs duckdb; tools/setup engines")
    same(eval(documented("DuckDB"), {"duckdb": duckdb, "pa": pa, "taut": taut}).df(), rows)


def test_relations_of_duckdb_are_rows(rows):
    duckdb = pytest.importorskip("duckdb", reason="LEFT OUT: the line for DuckDB needs duckdb; tools/setup engines")
    relation = duckdb.sql("from 'new.parquet'")
    same(pa.Table.from_batches(list(taut.arrow.predict("m.taut", relation, 0.9))).to_pandas(), rows)


@pytest.mark.slow
def test_ray(rows):
    ray = pytest.importorskip("ray", reason="LEFT OUT: the line for Ray needs ray[data], which tools/setup does not install (80 MB)")
    data = pytest.importorskip("ray.data", reason="LEFT OUT: the line for Ray needs ray[data]")
    ray.init(num_cpus=1, include_dashboard=False)
    try:
        same(eval(documented("Ray"), {"ds": data.read_parquet("new.parquet"), "pa": pa, "taut": taut}).to_pandas(), rows)
    finally:
        ray.shutdown()


def test_the_function_for_flink(tmp_path, monkeypatch):
    """Flink calls the function with columns of pandas; its decorator only declares the type."""
    import pandas as pd

    monkeypatch.chdir(tmp_path)
    train, new = frame(300, seed=2), frame(50, seed=3)[["a", "b"]]
    cr = taut.ConformalRegressor(predictor="linear", localizer="none", random_state=0).fit(train[["a", "b"]], train["y"])
    cr.save("m.taut")
    names = {"pd": pd, "taut": taut}
    exec("\n".join(line for line in documented("Flink").splitlines() if not line.startswith("@udf")), names)
    np.testing.assert_array_equal(names["upper"](new["a"], new["b"]), cr.predict_interval(new, 0.9)[1][:, 1, 0])

"""taut.dask on dask.distributed with two worker processes. Skipped, with a message, if dask is missing."""
import os

import numpy as np
import pandas as pd
import pytest
from engines_data import KillWorker, fitted, frame

pa = pytest.importorskip("pyarrow")
distributed = pytest.importorskip("distributed", reason="LEFT OUT: taut.dask needs dask[distributed]; tools/setup engines")

import taut.arrow  # noqa: E402
import taut.dask  # noqa: E402
from taut import _core  # noqa: E402

LEVELS = [0.8, 0.95]


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0,
                                  host="127.0.0.1") as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return fitted(tmp_path_factory.mktemp("dask") / "m.taut")


def skewed(rows):
    """Most rows in one partition, none in another."""
    return [rows.iloc[:len(rows) * 8 // 10], rows.iloc[:0], rows.iloc[len(rows) * 8 // 10:-3], rows.iloc[-3:]]


def test_predictions_have_the_bits_of_one_machine(client, model):
    dd = pytest.importorskip("dask.dataframe")
    rows = frame(700, seed=1)
    expected = pa.Table.from_batches(list(taut.arrow.predict(model, pa.Table.from_pandas(rows), LEVELS))).to_pandas()
    out = taut.dask.predict(model, dd.from_pandas(rows, npartitions=3), LEVELS).compute()
    assert list(out.columns) == list(expected.columns)
    assert np.array_equal(out.iloc[:, 5:].to_numpy(), expected.iloc[:, 5:].to_numpy())
    parts = client.gather(taut.dask.predict(model, skewed(rows), LEVELS, keep=["id"]))
    assert np.array_equal(pa.concat_tables(parts).to_pandas().iloc[:, 1:].to_numpy(), expected.iloc[:, 5:].to_numpy())


def test_calibration_has_the_bytes_of_one_machine(client, model):
    rows = frame(900, seed=2)
    alone = _core.Regressor.load(str(model))
    alone.calibrate(_core.Table.from_arrow("the data", pa.Table.from_pandas(rows[["a", "b", "town", "y"]], preserve_index=False).__arrow_c_stream__()))
    assert taut.dask.calibrate(model, skewed(rows)).to_bytes() == alone.to_bytes()


def test_groups_are_calibrated_apart_and_weights_count(client, model):
    rows = frame(900, seed=2)
    rows["w"] = 1 + (rows["town"] == "oslo")
    by = taut.dask.calibrate(model, skewed(rows), by="town")
    assert by.core.calibration["kind"] == "by-group" and by.core.record["calibration_rows"] == 900
    fewer = taut.dask.calibrate(model, skewed(rows), key="id", by="town", max_rows=300)
    assert {name: rows for name, rows in _sizes(fewer).items()}.keys() == {"oslo", "bergen", "tromsø"}
    assert max(_sizes(fewer).values()) <= 100 and _sizes(fewer)["tromsø"] >= 40, "every group has its part"
    weighted = taut.dask.calibrate(model, skewed(rows), weights="w")
    assert weighted.core.calibration["kind"] == "weighted"


def _sizes(model):
    return {group["name"]: group["rows"] for group in model.core.calibration["groups"]}


@pytest.mark.slow
def test_counting_and_prediction_survive_a_lost_worker(client, model, tmp_path):
    rows = frame(1500, seed=3)
    expected = taut.arrow.calibrate(model, pa.Table.from_pandas(rows), key="id", max_rows=1000, distribution_points=99)
    parts = [client.submit(KillWorker(tmp_path), part, pure=False) for part in skewed(rows)]
    found = taut.dask.calibrate(model, parts, key="id", max_rows=1000, distribution_points=99)
    assert len(os.listdir(tmp_path)) > 1, "the worker was to be killed and its work repeated"
    assert found.calibration_["method"] == "counted" and found.to_bytes() == expected.to_bytes()
    os.mkdir(tmp_path / "again")
    parts = [client.submit(KillWorker(tmp_path / "again"), part, pure=False) for part in skewed(rows)]
    out = pa.concat_tables(client.gather(taut.dask.predict(found, parts, 0.9, keep=["id"])))
    alone = pa.Table.from_batches(list(taut.arrow.predict(found, pa.Table.from_pandas(rows), 0.9, keep=["id"])))
    assert out.to_pydict() == alone.to_pydict()


def test_evaluation_is_that_of_one_machine(client, model):
    rows = frame(800, seed=5)
    calibrated = taut.dask.calibrate(model, [frame(500, seed=6)])
    found = taut.dask.evaluate(calibrated, skewed(rows), LEVELS, by="town")
    assert found == taut.arrow.evaluate(calibrated, pa.Table.from_pandas(rows), LEVELS, by="town")


@pytest.mark.slow
@pytest.mark.parametrize("source", ["pandas", "parquet"])
def test_the_documented_calls_take_dask_dataframes(client, tmp_path, source):
    """They give the same bytes as a list of the same partitions."""
    dd = pytest.importorskip("dask.dataframe")
    pytest.importorskip("xgboost")
    client.wait_for_workers(2, timeout=600)
    train, cal, new = frame(600, seed=21), frame(400, seed=22), frame(400, seed=23)

    def dask_frame(rows, name):
        if source == "pandas":
            return dd.from_pandas(rows, npartitions=3)
        for i in range(3):
            os.makedirs(tmp_path / name, exist_ok=True)
            rows.iloc[i::3].to_parquet(tmp_path / name / f"part{i}.parquet", index=False)
        return dd.read_parquet(tmp_path / name)

    options = {"target": "y", "key": "id", "folds": 2, "num_workers": 2, "predictor": {"rounds": 20}, "localizer": {"rounds": 10}}
    rows = dask_frame(train, "train")
    fit = taut.dask.fit(rows, **options)
    assert fit.to_bytes() == taut.dask.fit([part.compute() for part in rows.to_delayed()], **options).to_bytes()
    calibrated = taut.dask.calibrate(fit, dask_frame(cal, "cal"), key="id")
    assert calibrated.core.record["calibration_rows"] == 400
    found = taut.dask.evaluate(calibrated, dask_frame(new, "new"), LEVELS)
    assert found["rows"] == 400 and found["levels"] == taut.arrow.evaluate(calibrated, pa.Table.from_pandas(new), LEVELS)["levels"]
    assert len(taut.dask.predict(calibrated, dask_frame(new, "again"), 0.9).compute()) == 400


@pytest.mark.slow
def test_fit_calibrate_and_serve(client, program, tmp_path):
    pytest.importorskip("xgboost")
    client.wait_for_workers(2, timeout=600)
    train, cal, new = frame(1500, seed=11), frame(600, seed=12), frame(600, seed=13)
    options = {"target": "y", "key": "id", "folds": 3, "num_workers": 2, "predictor": {"rounds": 60}, "localizer": {"rounds": 40}}
    fit = taut.dask.fit(skewed(train), **options)
    assert fit.to_bytes() == taut.dask.fit(skewed(train), **options).to_bytes(), "two runs, the same bytes"
    calibrated = taut.dask.calibrate(fit, skewed(cal))
    level = taut.dask.evaluate(calibrated, skewed(new), 0.9)["levels"][0]
    assert level["coverage_low"] <= level["coverage"] <= level["coverage_high"]
    calibrated.save(tmp_path / "m.taut")
    new.to_csv(tmp_path / "new.csv", index=False)
    served = pd.read_csv(__import__("io").StringIO(program("predict", "m.taut", "new.csv", "--confidence", "0.9")))
    here = taut.dask.predict(calibrated, [new], 0.9)[0].result().to_pandas()
    assert np.allclose(served["lower_0.9"], here["lower_0.9"], rtol=1e-9)

"""A fit on a cluster compared with `taut fit` on the same rows, with 200,000 rows on Spark and Dask. It takes minutes and runs with TAUT_ENGINES=long only
(`make engines-test`)."""
import json
import os
import pathlib

import numpy as np
import pandas as pd
import pytest
from engines_data import frame

if os.environ.get("TAUT_ENGINES") != "long":
    pytest.skip("LEFT OUT: minutes of training; make engines-test", allow_module_level=True)
pa = pytest.importorskip("pyarrow")
pytest.importorskip("xgboost")

import taut.arrow  # noqa: E402

DATA = pathlib.Path(os.environ.get("TAUT_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
LEVELS = [0.8, 0.9, 0.95]


def cut(rows, places):
    """Splits a frame. numpy's split of a pandas 3 frame would lose the names of columns."""
    return [rows.iloc[part] for part in np.split(np.arange(len(rows)), places)]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed", reason="LEFT OUT: taut.dask needs dask[distributed]")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0,
                                  host="127.0.0.1") as cluster, distributed.Client(cluster) as client:
        yield client


def beside(program, tmp_path, train, cal, test, target, model):
    """Interval scores of the cluster's model over those of `taut fit` with the same parts, and its levels."""
    for name, rows in (("train", train), ("cal", cal), ("test", test)):
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
    program("fit", "train.csv", "--target", target, "--drop", "row", "--predictor", "boost", "--transform", "exp", "--calibrate-with", "cal.csv", "-o", "own.taut")
    own = json.loads(program("evaluate", "own.taut", "test.csv", "--confidence", ",".join(map(str, LEVELS)), "--json"))["levels"]
    levels = taut.arrow.evaluate(model, pa.Table.from_pandas(test), LEVELS)["levels"]
    return [a["interval_score"] / b["interval_score"] for a, b in zip(levels, own)], levels


def test_homes_beside_taut_fit(client, program, tmp_path):
    """Interval score within 1 % on average over splits and levels, coverage in its band."""
    import taut.dask

    path = DATA / "homes.csv.gz"
    if not path.exists():
        pytest.skip(f"LEFT OUT: {path} is not there; $TAUT_DATA names the folder of data sets")
    homes = pd.read_csv(path)
    homes["row"] = np.arange(len(homes))
    ratios, outside = [], 0
    for seed in range(3):
        shuffled = homes.sample(frac=1, random_state=seed)
        train, cal, test = cut(shuffled, [len(homes) * 6 // 10, len(homes) * 8 // 10])
        model = taut.dask.fit([train[::2], train[1::2]], "price", key="row", num_workers=2)
        model = taut.dask.calibrate(model, [cal])
        ratio, levels = beside(program, tmp_path, train, cal, test, "price", model)
        ratios += ratio
        outside += sum(not level["coverage_low"] <= level["coverage"] <= level["coverage_high"] for level in levels)
    print("interval score over that of taut fit:", np.round(ratios, 4))
    assert np.mean(ratios) < 1.01 and outside == 0


def test_two_hundred_thousand_rows(client, program, tmp_path):
    """Dask trains, calibrates by counting and evaluates; the file has 9,999 order statistics of all calibration scores."""
    import taut.dask

    train, cal, test = (frame(count, seed=seed).rename(columns={"id": "row"}) for count, seed in ((200_000, 1), (200_000, 2), (50_000, 3)))
    model = taut.dask.fit(cut(train, range(25_000, 200_000, 25_000)), "y", key="row", num_workers=2)
    model = taut.dask.calibrate(model, cut(cal, range(25_000, 200_000, 25_000)), key="row", max_rows=50_000)
    assert model.calibration_["method"] == "counted" and model.calibration_["rows"] == 200_000
    ratio, levels = beside(program, tmp_path, train, cal, test, "y", model)
    print("interval score over that of taut fit:", np.round(ratio, 4))
    assert np.mean(ratio) < 1.01
    assert all(level["coverage_low"] <= level["coverage"] <= level["coverage_high"] for level in levels)

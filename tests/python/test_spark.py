"""taut.spark on a local cluster with two executor processes, and once, for `make test`, in one process. Skipped, with a message, if Java
or pyspark is missing.

The longer tests, with 200,000 rows and a comparison with `taut fit`, run in `make engines-test` (TAUT_ENGINES=long)."""
import os
import pathlib
import shutil

import numpy as np
import pytest
from engines_data import KillExecutor, fitted, frame

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark", reason="LEFT OUT: taut.spark needs pyspark; tools/setup engines")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("LEFT OUT: Spark needs Java; tools/setup engines", allow_module_level=True)

import taut.arrow  # noqa: E402
import taut.spark  # noqa: E402
from taut import _core  # noqa: E402

LEVELS = [0.8, 0.95]


def started(master, folder, **more):
    import sys

    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_WORKER_DIR=str(folder), SPARK_LOCAL_IP="127.0.0.1")
    package = os.pathsep.join([str(pathlib.Path(taut.__path__[0]).parent), str(pathlib.Path(__file__).parent)])
    builder = (SparkSession.builder.master(master).appName("taut tests")
               .config("spark.executorEnv.PYTHONPATH", package).config("spark.executorEnv.OMP_WAIT_POLICY", "passive")
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.sql.execution.arrow.pyspark.enabled", "true"))
    for name, value in more.items():
        builder = builder.config(name.replace("__", "."), value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@pytest.fixture
def small_spark(tmp_path):
    """A session in one process with one thread, which starts in seconds."""
    session = started("local[1]", tmp_path, spark__sql__shuffle__partitions="1", spark__default__parallelism="1",
                      spark__driver__extraJavaOptions="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")  # little compilation for little work
    yield session
    session.stop()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    session = started("local-cluster[2,1,1024]", tmp_path_factory.mktemp("workers"), spark__sql__shuffle__partitions="4",
                      spark__executor__memory="768m", spark__task__maxFailures="4", spark__excludeOnFailure__enabled="false")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return fitted(tmp_path_factory.mktemp("spark") / "m.taut")


def skewed(spark, rows, partitions=5):
    """Most rows in one partition, none in another."""
    from pyspark.sql import functions as F

    place = F.when(F.col("id") % 10 < 8, 0).otherwise(F.col("id") % (partitions - 1))
    return spark.createDataFrame(rows).repartition(partitions, place)


def by_id(table):
    return table.sort_by("id").select([name for name in table.schema.names if name != "id"])


def test_a_round_trip_in_one_process(small_spark, model):
    """Calibration and prediction have the bits of one machine. This test is the first, because only one session can exist at a time."""
    rows = frame(60, seed=2)
    df = small_spark.createDataFrame(rows, schema="id long, a double, b double, town string, y double").coalesce(1)
    calibrated = taut.spark.calibrate(model, df)
    alone = taut.arrow.calibrate(model, pa.Table.from_pandas(rows))
    assert calibrated.to_bytes() == alone.to_bytes()
    found = taut.spark.predict(calibrated, df, 0.8, keep=["id"]).toArrow()
    expected = pa.Table.from_batches(list(taut.arrow.predict(alone, pa.Table.from_pandas(rows), 0.8, keep=["id"])))
    assert found.to_pydict() == expected.to_pydict()


@pytest.mark.slow
def test_predictions_have_the_bits_of_one_machine(spark, model):
    rows = frame(700, seed=1)
    expected = pa.Table.from_batches(list(taut.arrow.predict(model, pa.Table.from_pandas(rows), LEVELS)))
    out = taut.spark.predict(model, skewed(spark, rows), LEVELS)
    assert out.columns == ["id", "a", "b", "town", "y", "prediction", "lower_0.8", "upper_0.8", "lower_0.95", "upper_0.95"]
    names = out.columns[5:]
    assert by_id(out.toArrow().select(["id", *names])).equals(by_id(expected.select(["id", *names])).cast(by_id(out.toArrow().select(["id", *names])).schema))
    narrow = taut.spark.predict(model, spark.createDataFrame(rows.drop(columns="y")), 0.9, keep=["id"])
    assert narrow.columns == ["id", "prediction", "lower_0.9", "upper_0.9"] and narrow.count() == 700


@pytest.mark.slow
def test_calibration_has_the_bytes_of_one_machine(spark, model):
    rows = frame(900, seed=2)
    alone = _core.Regressor.load(str(model))
    alone.calibrate(_core.Table.from_arrow("the data", pa.Table.from_pandas(rows[["a", "b", "town", "y"]], preserve_index=False).__arrow_c_stream__()))
    assert taut.spark.calibrate(model, skewed(spark, rows)).to_bytes() == alone.to_bytes()


@pytest.mark.slow
def test_counting_survives_a_lost_executor(spark, model, tmp_path):
    """With more rows than max_rows, scores are counted on the cluster. An executor is killed meanwhile, with its cached data."""
    rows = frame(1500, seed=3)
    df = skewed(spark, rows)
    expected = taut.arrow.calibrate(model, pa.Table.from_pandas(rows), key="id", max_rows=1000, distribution_points=99)
    assert expected.calibration_["method"] == "counted" and expected.core.record["calibration_rows"] == 99
    found = taut.spark.calibrate(model, df.mapInArrow(KillExecutor(tmp_path, at=2), df.schema), key="id", max_rows=1000, distribution_points=99)
    assert len(os.listdir(tmp_path)) > 2, "the executor was to be killed and its work repeated"
    assert found.to_bytes() == expected.to_bytes()


@pytest.mark.slow
def test_prediction_survives_a_lost_executor(spark, model, tmp_path):
    rows = frame(400, seed=4)
    df = spark.createDataFrame(rows)
    out = taut.spark.predict(model, df.mapInArrow(KillExecutor(tmp_path, at=1), df.schema), 0.9, keep=["id"]).toArrow()
    expected = pa.Table.from_batches(list(taut.arrow.predict(model, pa.Table.from_pandas(rows), 0.9, keep=["id"])))
    assert len(os.listdir(tmp_path)) > 1
    assert [column.to_pylist() for column in by_id(out).columns] == [column.to_pylist() for column in by_id(expected).columns]


@pytest.mark.slow
def test_evaluation_is_that_of_one_machine(spark, model):
    rows = frame(800, seed=5)
    calibrated = taut.spark.calibrate(model, spark.createDataFrame(frame(500, seed=6)))
    found = taut.spark.evaluate(calibrated, skewed(spark, rows), LEVELS, by="town")
    assert found == taut.arrow.evaluate(calibrated, pa.Table.from_pandas(rows), LEVELS, by="town")
    assert [len(level["groups"]) for level in found["by_group"]] == [3, 3]


@pytest.mark.slow
def test_fit_calibrate_and_serve(spark, program, tmp_path):
    """The complete example of docs/scale.md; the command line reads the file."""
    pytest.importorskip("xgboost")
    train, cal, new = frame(1500, seed=11), frame(600, seed=12), frame(600, seed=13)
    options = {"target": "y", "key": "id", "folds": 3, "num_workers": 2, "sides": "one", "predictor": {"rounds": 60}, "localizer": {"rounds": 40}}
    fit = taut.spark.fit(skewed(spark, train), **options)
    again = taut.spark.fit(spark.createDataFrame(train.sample(frac=1, random_state=0)), **options)
    assert fit.to_bytes() == again.to_bytes(), "two runs, other partitions, another order of rows: the same bytes"
    calibrated = taut.spark.calibrate(fit, spark.createDataFrame(cal))
    report = taut.spark.evaluate(calibrated, spark.createDataFrame(new), 0.9)
    assert report["levels"][0]["coverage_low"] <= report["levels"][0]["coverage"] <= report["levels"][0]["coverage_high"]
    calibrated.save(tmp_path / "m.taut")
    new.to_csv(tmp_path / "new.csv", index=False)
    program("predict", "m.taut", "new.csv", "--confidence", "0.9", "-o", "out.csv")
    import pandas as pd

    served = pd.read_csv(tmp_path / "out.csv")
    here = taut.spark.predict(calibrated, spark.createDataFrame(new), 0.9).toPandas().sort_values("id").reset_index()
    assert np.allclose(served["lower_0.9"], here["lower_0.9"], rtol=1e-9)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("TAUT_ENGINES") != "long", reason="LEFT OUT: minutes; make engines-test")
def test_two_hundred_thousand_rows(spark, tmp_path):
    """The whole flow: training on two executors, calibration by counting, evaluation. The score distribution is that of one machine."""
    for count, seed in ((200_000, 1), (200_000, 2), (50_000, 3)):
        frame(count, seed=seed).to_parquet(tmp_path / f"{seed}.parquet", index=False, row_group_size=20_000)
    train, cal, new = (spark.read.parquet(str(tmp_path / f"{seed}.parquet")).repartition(6) for seed in (1, 2, 3))
    fit = taut.spark.fit(train, target="y", key="id", folds=2, num_workers=2, sides="one", predictor={"rounds": 25}, localizer={"rounds": 15})
    calibrated = taut.spark.calibrate(fit, cal, key="id", max_rows=50_000)
    assert calibrated.calibration_["method"] == "counted" and calibrated.core.record["calibration_rows"] == 9_999
    alone = taut.arrow.calibrate(fit, pa.Table.from_pandas(frame(200_000, seed=2)), key="id", max_rows=50_000)
    assert alone.to_bytes() == calibrated.to_bytes()
    for level in taut.spark.evaluate(calibrated, new, LEVELS)["levels"]:
        assert level["coverage_low"] <= level["coverage"] <= level["coverage_high"]

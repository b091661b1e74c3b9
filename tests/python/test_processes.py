"""Effects on the whole process: other libraries, threads, signals, and imported modules."""
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import QUICK, make_rows, slow

from taut import ConformalRegressor

TOGETHER = """
import sys, threading
import numpy as np
for name in sys.argv[1:]:
    __import__(name)
import taut, xgboost
X = np.random.default_rng(0).normal(size=(300, 4))
y = X[:, 0] + np.random.default_rng(1).normal(size=300)
found = {}
def ours(run):
    found["taut", run] = taut.ConformalRegressor(effort="quick", epochs=20, random_state=0).fit(X, y).predict_interval(X)[1]
def theirs(run):
    found["xgboost", run] = xgboost.XGBRegressor(n_estimators=30, random_state=0).fit(X, y).predict(X)
jobs = [ours, theirs] if sys.argv[1] == "taut" else [theirs, ours]
for job in jobs:
    job(0)
threads = [threading.Thread(target=job, args=(run,)) for run in (1, 2) for job in jobs]
for thread in threads: thread.start()
for thread in threads: thread.join()
for name in ("taut", "xgboost"):
    for run in (1, 2):
        assert (found[name, run] == found[name, 0]).all(), (name, run)
print("both")
"""


@pytest.mark.parametrize("order", [("taut", "xgboost"), slow(("xgboost", "taut"))])
def test_xgboost_of_the_package_index_in_one_process(python, order):
    pytest.importorskip("xgboost")
    assert "both" in python(TOGETHER, *order).stdout


def test_importing_brings_nothing_heavy(python):
    python("""
import sys
import taut
heavy = {"sklearn", "scipy", "pandas", "polars", "matplotlib", "xgboost", "numpy"} & set(sys.modules)
assert not heavy, heavy
from taut import ConformalRegressor
heavy = {"polars", "matplotlib", "xgboost"} & set(sys.modules)  # scikit-learn itself may import pandas
assert not heavy, heavy
try:
    taut.conformalise
except AttributeError as error:
    assert "conformalize" in str(error)
assert "plot" in dir(taut)
""")


INTERRUPTED = """
import time
import numpy as np
from taut import ConformalRegressor
X = np.random.default_rng(0).normal(size=(40000, 20))
y = X[:, 0] + np.random.default_rng(1).normal(size=40000)
print("fitting", flush=True)
try:
    ConformalRegressor(effort="thorough", random_state=0).fit(X, y)
except KeyboardInterrupt:
    print("stopped", flush=True)
    ConformalRegressor(predictor="linear", localizer="none").fit(X[:100], y[:100])  # and goes on
"""


def computed(process):
    """Processor seconds of all threads."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_stops_a_long_fit():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "fitting\n"
        enough = computed(process) + 0.5  # processor time, so that other load does not matter
        while computed(process) < enough:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 0 and out == "stopped\n", out + err


def test_the_interpreter_lock_is_released():
    X, y = make_rows(3000)
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1

    thread = threading.Thread(target=count)
    cr = ConformalRegressor(predictor="boost", **QUICK)
    thread.start()
    before = turns[0]
    cr.fit(X, y)
    during_fit = turns[0] - before
    many = np.tile(X, (30, 1))
    before = turns[0]
    cr.model_.predict_interval(cr._table(many, None, None, cr._names(many), {}), [0.9])
    during_prediction = turns[0] - before
    done.set()
    thread.join()
    assert during_fit > 1000 and during_prediction > 100


def test_fits_side_by_side_in_threads_give_the_same_bits(rows):
    X, y = rows
    found = {}

    def fit(run):
        found[run] = ConformalRegressor(**QUICK, n_jobs=1 + run % 2).fit(X, y).predict_interval(X)[1]

    threads = [threading.Thread(target=fit, args=(run,)) for run in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for run in range(1, 4):
        np.testing.assert_array_equal(found[run], found[0])


FORKED = """
import multiprocessing
import numpy as np
from taut import ConformalRegressor
X = np.random.default_rng(0).normal(size=(2000, 4))
y = X[:, 0] + np.random.default_rng(1).normal(size=2000)
def work(jobs):
    return ConformalRegressor(effort="quick", predictor="linear", random_state=0, n_jobs=jobs).fit(X, y).predict_interval(X)[1]
here = work(3)  # starts threads, which a forked process does not have
with multiprocessing.get_context("fork").Pool(2) as pool:
    for there in pool.map(work, [1, 3]):
        assert (there == here).all()
assert (work(3) == here).all()
print("alike")
"""


def test_forked_processes_start_threads_of_their_own(python):
    assert "alike" in python(FORKED).stdout

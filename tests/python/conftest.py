"""Fixtures of the Python tests: small data, quick options, and the command-line program."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TAUT", str(ROOT / "build" / "taut"))
# The checks of scikit-learn that estimators with random folds cannot pass. The C++ tests `RowWeights` compare weights with repeated
# rows for every learner.
RANDOM_SPLITS = {name: "a repeated row may be in two folds, a row of weight 2 is in one" for name in
                 ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")}
QUICK = {"effort": "quick", "epochs": 20, "random_state": 0}

os.environ.setdefault("MPLBACKEND", "Agg")
# scikit-learn, LightGBM and XGBoost read this variable when they load OpenMP, which is later. Without it threads wait in a busy loop,
# which makes parallel tests ten times as slow.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: compiles, starts a cluster, or takes many seconds; left to `make test-slow` (pytest -m slow)")


def slow(*values):
    """A parameter of a test that only `make test-slow` runs."""
    return pytest.param(*values, marks=pytest.mark.slow)


def make_rows(count, seed=0, columns=3):
    """Rows whose noise grows with |x1|."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(count, columns))
    return X, X[:, 0] + (0.1 + np.abs(X[:, 1])) * draw.normal(size=count)


@pytest.fixture(scope="session")
def rows():
    return make_rows(300)


@pytest.fixture(scope="session")
def fresh():
    return make_rows(200, seed=1)


@pytest.fixture
def program(tmp_path):
    """Runs the command line, which must succeed, in the test's folder."""

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=1200, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def python(tmp_path):
    """Runs a script in another interpreter; a crash there is a failure here."""
    import sys

    def run(script, *arguments, check=True, **environment):
        done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=1200,
                              env={**os.environ, **environment}, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    return run

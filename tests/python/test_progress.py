"""The progress bar outside notebooks: on a terminal, silent elsewhere, switchable."""
import contextlib
import io
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import make_rows
from sklearn.linear_model import LinearRegression

from taut import ConformalRegressor, _outside, _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """The environment of a terminal, and a stream for redirect_stderr: pytest replaces sys.stderr between a fixture and its test."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("TAUT_PROGRESS", raising=False)
    return Terminal()


def kind_of(stream, verbose=None):
    with _progress.shown(verbose), contextlib.redirect_stderr(stream):
        return type(_progress.bar()).__name__


def test_a_bar_waits_shows_and_goes(terminal):
    clock = [0.0]
    bar = _progress.TerminalBar(terminal, now=lambda: clock[0])
    bar("fitting", 0.1)
    bar.close()
    assert terminal.getvalue() == ""  # the work ended too soon for a bar
    clock[0] = 2.0
    for done in (0.25, 0.2501, 0.5):
        bar("fitting", done)
    bar("a stage with a name that is much longer than the line of the terminal", 1.0)
    bar.close()
    shown = terminal.getvalue().split("\r\x1b[K")
    assert shown[1] == "taut [######..................]  25 %  fitting"
    assert shown[2] == "taut [############............]  50 %  fitting"
    assert len(shown[3]) == 59 and shown[4] == "" and len(shown) == 5
    assert "\n" not in terminal.getvalue()


def test_when_there_is_a_bar(terminal, monkeypatch):
    assert kind_of(terminal) == "TerminalBar" and kind_of(terminal, True) == "TerminalBar" and kind_of(terminal, False) == "NoneType"
    for stream in (io.StringIO(), None):
        assert kind_of(stream) == "NoneType" and kind_of(stream, True) == ("NoneType" if stream is None else "Lines")
    found = []
    with contextlib.redirect_stderr(terminal):
        with _progress.shown(False), _progress.shown(None):
            assert _progress.bar() is not None
        thread = threading.Thread(target=lambda: found.append(_progress.bar()))
        thread.start()
        thread.join()
    assert found == [None]
    monkeypatch.setenv("TERM", "dumb")
    assert kind_of(terminal) == "NoneType" and kind_of(terminal, True) == "Lines"
    monkeypatch.setenv("TAUT_PROGRESS", "0")
    assert kind_of(terminal) == kind_of(terminal, True) == "NoneType"


def test_workers_of_a_pool_are_silent():
    """They share the terminal with the process that started them."""
    joblib = pytest.importorskip("joblib")

    def name():
        class AlwaysTerminal(io.StringIO):
            def isatty(self):
                return True

        from taut import _progress

        sys.stderr = AlwaysTerminal()
        return type(_progress.bar()).__name__

    assert joblib.Parallel(n_jobs=2)(joblib.delayed(name)() for _ in range(2)) == ["NoneType", "NoneType"]


def test_lines_for_a_log():
    stream = io.StringIO()
    lines = _progress.Lines(stream, now=iter([0.0, *range(2, 50)]).__next__)
    for done in (0.01, 0.02, 0.11, 0.19, 0.5):
        lines("fitting", done)
    lines("calibrating", 0.5)
    lines.close()
    assert stream.getvalue() == "taut: fitting 1 %\ntaut: fitting 11 %\ntaut: fitting 50 %\ntaut: calibrating 50 %\n"


def test_cross_fitting_of_an_estimator_is_shown(terminal, monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setenv("COLUMNS", "120")
    X, y = make_rows(20)
    with contextlib.redirect_stderr(terminal):
        _outside.Predictions().cross_fit(LinearRegression(), X, y, np.split(np.arange(20), 4))
    assert "training LinearRegression, fold 3 of 4" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")

    class Failing(LinearRegression):
        def fit(self, X, y):
            raise RuntimeError("no")

    with contextlib.redirect_stderr(terminal), pytest.raises(RuntimeError):
        _outside.Predictions().cross_fit(Failing(), X, y, np.split(np.arange(20), 4))
    assert terminal.getvalue().endswith("\r\x1b[K")


FIT = """
import sys, numpy as np
from taut import ConformalRegressor, _progress
_progress.PATIENCE = 0.0
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 5)); y = X[:, 0] + np.abs(X[:, 1]) * rng.normal(size=300)
ConformalRegressor(random_state=0, effort="quick", predictor="network", epochs=40, verbose=eval(sys.argv[1])).fit(X, y)
print("done")
"""


@pytest.mark.parametrize("verbose", ["None", "False"])
def test_a_fit_in_a_terminal(verbose):
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", FIT, verbose], stdout=subprocess.PIPE, stderr=slave, text=True,
                               env={**os.environ, "TERM": "xterm", "TAUT_PROGRESS": ""})
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed
            part = b""
        if not part:
            break
        seen += part
    os.close(master)
    assert process.stdout.read() == "done\n" and process.wait() == 0
    text = seen.decode()
    if verbose == "False":
        assert text == ""
    else:
        assert re.search(r"\rtaut \[#*\.*\] +\d+ %|\r\x1b\[Ktaut \[#*\.*\] +\d+ %  \w", text)
        assert text.endswith("\r\x1b[K")


@pytest.mark.parametrize("verbose", ["None", "True"])
def test_a_fit_with_captured_output(python, verbose):
    done = python(FIT, verbose)
    assert done.stdout == "done\n"
    assert (done.stderr == "") == (verbose == "None")
    assert verbose == "None" or re.match(r"taut: .+ \d+ %\n", done.stderr)


def test_verbose_changes_no_result():
    X, y = make_rows(100)
    ends = [ConformalRegressor(predictor="linear", effort="quick", epochs=5, random_state=0, verbose=verbose).fit(X, y).predict_interval(X)[1]
            for verbose in (None, False, True)]
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[0], ends[2])

"""A progress bar in notebooks. C++ (python/work.cpp) calls `bar()` for work that takes longer than its polling interval."""
import os
import sys
import threading
import time
from html import escape

PATIENCE = 1.0  # seconds; shorter work shows no bar


def bar():
    """A progress bar in a notebook, else None: elsewhere it would disturb other output."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel") or os.environ.get("TAUT_PROGRESS") == "0" or threading.current_thread() is not threading.main_thread():
        return None
    return Bar()


class Bar:
    """A bar below the cell, which is removed when the work is done."""

    def __init__(self, now=time.monotonic):
        self._now = now
        self._began = now()
        self._handle = None
        self._last = None

    def __call__(self, stage, done):
        if self._now() - self._began < PATIENCE or (stage, round(100 * done)) == self._last:
            return
        self._last = (stage, round(100 * done))
        shown = {"text/html": html(stage, done), "text/plain": f"{stage}: {100 * done:.0f} %"}
        if self._handle is None:
            from IPython.display import DisplayHandle

            self._handle = DisplayHandle()
            self._handle.display(shown, raw=True)
        else:
            self._handle.update(shown, raw=True)

    def close(self):
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)


def html(stage, done):
    return f'<label>{escape(stage)} <progress max="1" value="{done:.3f}"></progress> {100 * done:.0f} %</label>'

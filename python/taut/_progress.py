"""Progress of long work: a bar in notebooks, and on standard error if it is a terminal. C++ (python/work.cpp) calls `bar()` for work that
takes longer than its polling interval."""
from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from html import escape
from typing import Any, TextIO

PATIENCE = 1.0  # seconds; shorter work shows no bar
WIDTH = 24  # of the bar in a terminal
STEP = 10  # percent between two lines of a log

_verbose: ContextVar[bool | None] = ContextVar("verbose", default=None)


@contextlib.contextmanager
def shown(verbose: Any) -> Iterator[None]:
    """Within it bars are shown as `verbose` says: None: in a notebook or terminal; False: never; True: elsewhere too, as lines."""
    token = _verbose.set(None if verbose is None else bool(verbose))
    try:
        yield
    finally:
        _verbose.reset(token)


def bar() -> Bar | None:
    """A progress bar, or None where it would disturb other output: in threads, in other processes of a pool, in files and pipes."""
    wanted = _verbose.get()
    if wanted is False or os.environ.get("TAUT_PROGRESS") == "0" or threading.current_thread() is not threading.main_thread():
        return None
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if hasattr(shell, "kernel"):
        return NotebookBar()
    # The workers of joblib, Dask and others share the terminal with the process that started them.
    if sys.stderr is None or multiprocessing.current_process().name != "MainProcess":
        return None
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return TerminalBar(sys.stderr)
    return Lines(sys.stderr) if wanted else None


class Bar:
    """Shows the stage and the share that is done, once the work has taken some time and whenever the number changes."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._last: tuple[str, int] | None = None

    def __call__(self, stage: str, done: float) -> None:
        if self._now() - self._began < PATIENCE or (stage, round(100 * done)) == self._last:
            return
        self._last = (stage, round(100 * done))
        self._show(stage, done)

    def _show(self, stage: str, done: float) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Removes the bar."""


class NotebookBar(Bar):
    """A bar below the cell."""

    _handle: Any = None

    def _show(self, stage: str, done: float) -> None:
        shown_as = {"text/html": html(stage, done), "text/plain": f"{stage}: {100 * done:.0f} %"}
        if self._handle is None:
            from IPython.display import DisplayHandle

            self._handle = DisplayHandle()
            self._handle.display(shown_as, raw=True)
        else:
            self._handle.update(shown_as, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/html": "", "text/plain": ""}, raw=True)


class TerminalBar(Bar):
    """A bar in the last line of a terminal."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(now)
        self._stream = stream

    def _show(self, stage: str, done: float) -> None:
        filled = round(WIDTH * min(max(done, 0.0), 1.0))
        line = f"taut [{'#' * filled}{'.' * (WIDTH - filled)}] {100 * done:3.0f} %  {stage}"
        room = shutil.get_terminal_size().columns - 1  # a longer line would wrap, and stay
        self._write(f"\r\x1b[K{line[:room]}")

    def close(self) -> None:
        if self._last is not None:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Lines(TerminalBar):
    """Lines for a log: one for each stage, and one for every few percent."""

    _written: tuple[str, int] | None = None

    def _show(self, stage: str, done: float) -> None:
        step = (stage, int(100 * done) // STEP)
        if step != self._written:
            self._written = step
            self._write(f"taut: {stage} {100 * done:.0f} %\n")

    def close(self) -> None:
        """Lines stay."""


def html(stage: str, done: float) -> str:
    return f'<label>{escape(stage)} <progress max="1" value="{done:.3f}"></progress> {100 * done:.0f} %</label>'

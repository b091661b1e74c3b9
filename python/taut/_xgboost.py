"""Where the PyPI package `xgboost` keeps its library, without importing it: it serves where the system has none."""
import importlib.util
import pathlib

from . import _core


def tell_core():
    spec = importlib.util.find_spec("xgboost")
    if spec is None or not spec.origin:
        return
    for name in ("libxgboost.so", "libxgboost.dylib"):
        library = pathlib.Path(spec.origin).parent / "lib" / name
        if library.exists():
            _core.also_look_for_xgboost_at(str(library))

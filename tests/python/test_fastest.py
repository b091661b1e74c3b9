"""A wheel loads the best compiled module that the processor can run."""
import pathlib
import platform
import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

import taut
from taut import _fastest


@pytest.fixture
def folder(tmp_path):
    for level in ("x86-64-v3", "x86-64-v4"):
        (tmp_path / level).mkdir()
        (tmp_path / level / "_core.abi3.so").write_bytes(b"")
    return tmp_path


def chosen(folder, have, version=(3, 12)):
    file = _fastest.best(folder, have, version)
    return None if file is None else file.parent.name


def test_the_best_that_serves_is_taken(folder, monkeypatch):
    monkeypatch.delenv("TAUT_LEVEL", raising=False)
    assert chosen(folder, _fastest.V4) == "x86-64-v4"
    assert chosen(folder, _fastest.V3 | {"sse"}) == "x86-64-v3"
    assert chosen(folder, _fastest.V3 - {"fma"}) is None
    assert chosen(folder, set()) is None


def test_every_single_instruction_is_needed(folder, monkeypatch):
    monkeypatch.delenv("TAUT_LEVEL", raising=False)
    for flag in _fastest.V3:
        assert chosen(folder, _fastest.V3 - {flag}) is None, flag


def test_the_environment_overrules(folder, monkeypatch):
    monkeypatch.setenv("TAUT_LEVEL", "x86-64-v3")
    assert chosen(folder, _fastest.V4) == "x86-64-v3"
    monkeypatch.setenv("TAUT_LEVEL", "plain")
    assert chosen(folder, _fastest.V4) is None
    monkeypatch.setenv("TAUT_LEVEL", "x86-64-v9")
    with pytest.raises(ImportError, match="no module for 'x86-64-v9'; there are: plain, x86-64-v4, x86-64-v3"):
        _fastest.best(folder, _fastest.V4, (3, 12))


def test_modules_of_the_stable_abi_are_not_for_older_pythons(folder, monkeypatch):
    monkeypatch.delenv("TAUT_LEVEL", raising=False)
    assert [chosen(folder, _fastest.V4, (3, minor)) for minor in (10, 11, 12, 13)] == [None, None, "x86-64-v4", "x86-64-v4"]
    monkeypatch.setenv("TAUT_LEVEL", "x86-64-v3")
    with pytest.raises(ImportError, match="no module for 'x86-64-v3'; there are: plain$"):
        _fastest.best(folder, _fastest.V4, (3, 11))


def test_the_module_is_one_that_this_python_can_load(tmp_path, monkeypatch):
    monkeypatch.delenv("TAUT_LEVEL", raising=False)
    (tmp_path / "x86-64-v3").mkdir()
    (tmp_path / "x86-64-v3" / "_core.cpython-27-x86_64-linux-gnu.so").write_bytes(b"")
    assert chosen(tmp_path, _fastest.V4) is None
    (tmp_path / "x86-64-v3" / "_core.abi3.so").write_bytes(b"")
    own = tmp_path / "x86-64-v3" / f"_core{EXTENSION_SUFFIXES[0]}"
    assert _fastest.best(tmp_path, _fastest.V4, (3, 12)).name == "_core.abi3.so"
    own.write_bytes(b"")
    assert _fastest.best(tmp_path, _fastest.V4, (3, 12)) == own


def test_flags_are_those_of_all_processors(tmp_path):
    told = tmp_path / "cpuinfo"
    told.write_text("processor: 0\nflags\t: avx avx2 fma\n\nprocessor: 1\nflags\t: avx fma\n")
    assert _fastest.flags(told) == {"avx", "fma"}
    told.write_text("processor: 0\nFeatures: asimd\n")  # ARM
    assert _fastest.flags(told) == set()
    assert _fastest.flags(tmp_path / "none") == set()


def test_this_build_has_one_module():
    assert sys.modules["taut._core"].__name__ == "taut._core"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="levels are those of x86-64")
def test_the_chosen_module_stands_where_the_other_would(tmp_path, python):
    package = tmp_path / "here" / "taut"
    shutil.copytree(pathlib.Path(taut.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "_core.*so", "levels"))
    (package / "levels" / "x86-64-v3").mkdir(parents=True)
    shutil.copy2(taut._core.__file__, package / "levels" / "x86-64-v3")
    script = ("import pathlib, pickle, taut, taut._core; from taut import _core; from taut._core import Regressor; assert taut._core is _core;"
              "assert Regressor.__module__ == 'taut._core'; print(pathlib.Path(_core.__file__).parent.name, taut.__version__)")
    said = python(script, PYTHONPATH=str(package.parent), TAUT_LEVEL="x86-64-v3").stdout.split()
    assert said == ["x86-64-v3", taut.__version__]
    assert python("import taut", check=False, PYTHONPATH=str(package.parent), TAUT_LEVEL="plain").returncode != 0  # there is no such module

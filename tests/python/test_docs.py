"""Every block of Python on the pages runs, from top to bottom, and the pages name every public name."""
import inspect
import re

import pytest
from conftest import ROOT, slow

import taut
from taut import ConformalRegressor, _options, metrics

PAGES = [slow("python.md"), "groups-and-shift.md", "time.md", "several-targets.md", slow("python-tutorial.md"), "coming-from-mapie-or-crepes.md"]


def blocks(page):
    return re.findall(r"(?ms)^```python\n(.*?)^```$", (ROOT / "docs" / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": page}
    assert blocks(page)
    for block in blocks(page):
        exec(compile(block, page, "exec"), names)


def test_the_readme_runs_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    section = re.search(r"(?ms)^## In Python\n(.*?)^## ", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
    (block,) = re.findall(r"(?ms)^```python\n(.*?)^```$", section)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


def test_the_page_names_everything():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    for name in [*_options.LISTED, "estimator", "prefit", "n_jobs", "verbose"]:
        assert f"`{name}`" in page, name
    for name in metrics.__all__:
        assert f"metrics.{name}(" in page, name
    for name in taut.__all__:
        assert name in page or name == "__version__", name
    for name, method in inspect.getmembers(ConformalRegressor, inspect.isfunction):
        if not name.startswith("_") and method.__module__ in ("taut.regressor", "taut._questions", "taut._stream"):
            assert f"`{name}" in page or f".{name}(" in page, name


def test_the_tests_behind_the_guarantees_exist():
    page = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
    promised = re.findall(r"`(tests/python/\w+\.py)`: ((?:`\w+`(?:, )?)+)", page)
    assert promised
    for file, names in promised:
        source = (ROOT / file).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert f"def {name}(" in source, f"{file} has no {name}"


def test_the_examples_of_the_docstrings_run():
    import doctest

    import taut.classifier
    import taut.regressor

    for module in (taut.regressor, taut.classifier):
        found = doctest.testmod(module)
        assert found.failed == 0 and found.attempted > 0

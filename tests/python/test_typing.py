"""Types: every public function is annotated, annotations and docstrings agree with the options of C++, and mypy accepts a user's script."""
import importlib
import inspect
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import taut
from taut import ConformalClassifier, ConformalRegressor, _option_types, _options

ENGINES = {"arrow": "pyarrow", "dask": "pyarrow", "spark": "pyspark"}


def public_modules():
    for found in pkgutil.iter_modules(taut.__path__):
        if not found.name.startswith("_") and found.name != "engines":
            if found.name in ENGINES:
                pytest.importorskip(ENGINES[found.name], reason=f"{ENGINES[found.name]} is not installed: taut.{found.name} is not checked")
            yield importlib.import_module(f"taut.{found.name}")


def public_functions():
    """Functions and methods by their full names, without those that only rename an argument or warn."""
    for module in public_modules():
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for name in names:
            member = getattr(module, name)
            if not getattr(member, "__module__", "").startswith("taut"):
                continue
            if inspect.isfunction(member) and member.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", member
            elif inspect.isclass(member):
                for method, function in inspect.getmembers(member, lambda one: inspect.isfunction(one) or isinstance(one, property)):
                    function = function.fget if isinstance(function, property) else function
                    if function.__module__.startswith("taut") and (not method.startswith("_") or method == "__init__"):
                        yield f"{module.__name__}.{name}.{method}", function


FUNCTIONS = dict(public_functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_annotated(name):
    signature = inspect.signature(FUNCTIONS[name])
    untyped = [each.name for each in signature.parameters.values() if each.annotation is inspect.Parameter.empty and each.name != "self"]
    assert untyped == []
    assert signature.return_annotation is not inspect.Signature.empty


def test_the_list_of_functions_is_not_empty():
    for name in ("taut.regressor.ConformalRegressor.predict_quantiles", "taut.classifier.ConformalClassifier.stream", "taut.metrics.ert",
                 "taut.explanation.Shares.to_shap", "taut.spark.fit", "taut.functions.load"):
        assert name in FUNCTIONS


@pytest.mark.parametrize("estimator", [ConformalRegressor, ConformalClassifier])
def test_the_constructor_has_the_types_of_the_options(estimator):
    by_hand = {"transform", "objective"} if estimator is ConformalClassifier else set()
    for name, parameter in inspect.signature(estimator).parameters.items():
        if name in _options.LISTED:
            expected, words = _options.type_of(name)
            assert parameter.annotation == expected + (" | None" if parameter.default is None else ""), name
            line = f"    {name} : {words}{' or None' if parameter.default is None else ''}, default={parameter.default!r}\n"
            assert name in by_hand or line in estimator.__doc__, name


def test_types_come_from_the_list_of_options():
    assert _options.type_of("sides") == ("Literal['one', 'two', 'auto']", "{'one', 'two', 'auto'}")
    assert _options.type_of("split") == ("str", "str")  # cross|cv+|jackknife+|A,B,C,D: not only names
    assert _options.type_of("lags") == ("Sequence[int]", "sequence of int")
    assert _options.type_of("focus") == ("float", "float")
    assert _options.type_of("max_rows") == ("int", "int")
    assert _options.type_of("drop") == ("Names", "str or sequence of str")
    assert _options.type_of("in_order") == ("bool", "bool")


def test_the_dict_of_options_is_that_of_the_constructor():
    parameters = inspect.signature(ConformalRegressor).parameters
    left_out = {"estimator", "prefit", "region", "y_range", "random_state", "loss", "n_jobs", "verbose"}
    assert {name: parameter.annotation for name, parameter in parameters.items() if name not in left_out} == \
        {name: found.__forward_arg__ for name, found in _option_types.RegressorOptions.__annotations__.items()}


WORDS = r"(array|bool|int|float|str|sequence|mapping|tuple|list|dict|ndarray|regressor|classifier|callable|ConformalRegressor|taut\._core|rows|\{')"


@pytest.mark.parametrize("name", [*FUNCTIONS, "taut.ConformalRegressor", "taut.ConformalClassifier"])
def test_docstrings_give_types_of_python(name):
    member = FUNCTIONS.get(name) or getattr(taut, name.removeprefix("taut."))
    text = inspect.getdoc(member) or ""
    section = re.search(r"(?ms)^Parameters\n-+\n(.*?)(?=^\S+\n-+\n|\Z)", text)
    for line in re.findall(r"(?m)^\w[\w, ]* : .*$", section.group(1)) if section else []:
        assert re.match(WORDS, line.split(" : ", 1)[1]), line


def expected_errors(file):
    return {(file.name, number, code) for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
            for code in re.findall(r"# (\[[a-z-]+\])$", line)}


@pytest.mark.slow
def test_mypy_accepts_correct_use_and_reports_mistakes():
    """As a user runs it. The package is on PYTHONPATH like an installed one, so its types are read because of py.typed, and its own lines are
    not checked."""
    pytest.importorskip("mypy", reason="mypy is not installed: the types are NOT checked; tools/setup python-tests installs it")
    files = [ROOT / "tests" / "python" / name for name in ("typed_use.py", "typed_misuse.py")]
    packages = pathlib.Path(taut.__file__).parent.parent
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(packages.parent / "mypy-cache"),
                           *map(str, files)],
                          env={"PYTHONPATH": str(packages), "PATH": "/usr/bin:/bin"}, cwd=ROOT, capture_output=True, text=True, timeout=600,
                          check=False)
    found = {(pathlib.Path(path).name, int(line), code) for path, line, code in
             re.findall(r"(?m)^([^:\n]+):(\d+): error: .*  (\[[a-z-]+\])$", done.stdout)}
    assert found == expected_errors(files[1]), done.stdout + done.stderr
    assert len(found) >= 10

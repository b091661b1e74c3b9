"""Messages of C++ are translated for Python: keyword arguments and methods instead of options of the command line."""
import re

import numpy as np
import pytest
from conftest import QUICK, ROOT, make_rows

import taut
from taut import ConformalRegressor, _core, _options

FLAG = re.compile(r"--[a-z]|'taut [a-z]+'")


@pytest.mark.parametrize("said, meant", [
    ("--split: a share lies between 0 and 1, got '--split'", "split: a share lies between 0 and 1, got '--split'"),
    ("too few rows: --split cross needs at least 4", "too few rows: split='cross' needs at least 4"),
    ("if that always holds, --y-step 1 --y-min 0 makes", "if that always holds, y_step=1, y_min=0 makes"),
    ("no multiple of --y-step 0.3 lies between --y-min and --y-max", "no multiple of y_step=0.3 lies between y_min and y_max"),
    ("use --objective size or another", "use objective='size' or another"),
    ("use --objective error-fit.", "use objective='error-fit'."),
    ("--localizer none; --seed=3; --focus must be", "localizer='none'; random_state=3; focus must be"),
    ("drop the column (--drop), or give --prediction", "drop the column, or give y_pred"),
    ("for example with 'taut calibrate'", "for example with calibrate(X, y)"),
    ("the arrays, row 1, column 'a': the cell is missing", "the arrays, row 0, column 'a': the cell is missing (NaN)"),
    ("the arrays, row 1000, column 'a': found", "the arrays, row 999, column 'a': found"),
    ("the arrays, column 'a': 'abc' (row 1) counts as missing", "the arrays, column 'a': 'abc' (row 0) counts as missing"),
    ("say --date 'when:dmy' or --date 'when:mdy'", "say date=['when:dmy'] or date=['when:mdy']"),
    ("say --numeric 'it's', --categorical 'a', or --drop 'a'; --ordered size: no", "say numeric=['it's'], categorical=['a'], or drop=['a']; ordered size: no"),
    ("--skip-missing-target leaves out", "skip_missing_target leaves out"),
    ("trained on numbers with decimal points; --decimal , reads these", "trained on numbers with decimal points; decimal=',' of pandas.read_csv reads these"),
    ("two -- dashes, --nothing that is listed", "two -- dashes, --nothing that is listed"),
    ("X, row 4, column 'f': the prediction must be a finite number", "X, row 3: the prediction must be a finite number"),
    ("X, row 4, column 'y': the target must be; 'taut fit --skip-missing-target' leaves", "X, row 3: the target must be; skip_missing_target=True leaves"),
    (": the prediction must, column 'a': the target must", ": the prediction must: the target must"),
    ("recalibrate it: 'taut calibrate --plain'", "recalibrate it: calibrate(X, y, plain=True)"),
    ("", ""),
])
def test_flags_become_arguments(said, meant):
    assert _core.in_python(said) == meant


def test_every_literal_of_the_library_can_be_said():
    """Except those of the report, whose page always shows commands."""
    count = 0
    for source in sorted([*(ROOT / "taut").rglob("*.cpp"), *(ROOT / "taut").rglob("*.hpp")]):
        if "report" in source.relative_to(ROOT).parts:
            continue
        code = "\n".join(line.split("//")[0] for line in source.read_text(encoding="utf-8").splitlines())
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
            if FLAG.search(literal):
                count += 1
                assert not FLAG.search(_core.in_python(literal)), f"{source}: {literal}"
    assert count > 10


def nonsense(name, default):
    if name in ("y_min", "y_max"):
        return np.nan
    if isinstance(default, list) and default:
        return [-2]
    return "nonsense" if isinstance(default, str) else -2


@pytest.mark.parametrize("name", _options.LISTED)
def test_nonsense_is_refused_by_the_name_that_python_gives_it(name):
    value = nonsense(name, _options.LISTED[name]["default"])
    with pytest.raises((ValueError, TypeError)) as refused:
        ConformalRegressor(**{name: value}).fit(*make_rows(60))
    assert name in str(refused.value)
    assert not FLAG.search(str(refused.value)), refused.value


@pytest.mark.parametrize("name", _options.LISTED)
def test_help_names_arguments_of_python(name):
    assert not FLAG.search(_options.LISTED[name]["help"])


def too_few_rows():
    ConformalRegressor().fit(*make_rows(3))


def too_few_rows_for_shares():
    ConformalRegressor(split="0.4,0.3,0.1,0.2").fit(*make_rows(30))


def shares_of_given_predictions():
    X, y = make_rows(60)
    taut.conformalize(X, y, y, split="0.5")


def no_multiple_in_the_range():
    ConformalRegressor(y_min=0.1, y_max=0.2, y_step=1).fit(*make_rows(60))


def missing_prediction():
    X, y = make_rows(60)
    taut.conformalize(X, np.where(np.arange(60) == 3, np.nan, y), y, random_state=0)


def objective_of_another_transformation():
    ConformalRegressor(objective="error-fit").fit(*make_rows(60))


def objective_for_scales():
    ConformalRegressor(transform="spline", objective="conditional").fit(*make_rows(60))


@pytest.mark.parametrize("mistake, words", [
    (too_few_rows, "split='cross' needs at least 4, there are 3; give more rows or another split"),
    (too_few_rows_for_shares, "give more rows or another split"),
    (shares_of_given_predictions, "with y_pred the last three suffice; got '0.5'"),
    (no_multiple_in_the_range, "no multiple of y_step=1 lies between y_min and y_max"),
    (missing_prediction, "X, row 3: the prediction must be a finite number, found a missing value"),
    (objective_of_another_transformation, "'error-fit' cannot train the transformation 'exp'; it trains erc"),
    (objective_for_scales, "'spline' is trained by size, level, likelihood"),
])
def test_what_goes_wrong_is_told_in_python(mistake, words):
    with pytest.raises(ValueError) as told:
        mistake()
    assert words in str(told.value) and not FLAG.search(str(told.value))


def test_hints_too():
    X, _ = make_rows(100)
    counts = np.random.default_rng(0).poisson(3, 100).astype(float)
    cr = ConformalRegressor(predictor="linear", **QUICK).fit(X, counts)
    assert any("y_step=1, y_min=0 makes intervals narrower" in message for message in cr.messages_)
    assert not FLAG.search(" ".join(cr.messages_))

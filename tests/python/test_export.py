"""ConformalRegressor.export writes the bytes of `taut export` and refuses what it refuses."""
import json
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM, QUICK, make_rows
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression

from taut import ConformalClassifier, ConformalRegressor

TREES = {"predictor": "boost", "transform": "exp", **QUICK}


@pytest.fixture(scope="module")
def model():
    return ConformalRegressor(**TREES).fit(*make_rows(200))


def test_files_have_the_bytes_of_the_command_line(model, program, tmp_path):
    model.save(tmp_path / "m.taut")
    program("export", "m.taut", "--c", "cli.c", "--onnx", "cli.onnx", "--json", "cli.json", "--confidence", "0.8,0.95")
    for ending in ("c", "onnx", "json"):
        model.export(tmp_path / f"python.{ending}", [0.8, 0.95])
        assert (tmp_path / f"python.{ending}").read_bytes() == (tmp_path / f"cli.{ending}").read_bytes()
    program("export", "m.taut", "--c", "cli.c", "--function", "f")
    model.export(str(tmp_path / "no-ending"), format="c", function="f")
    assert (tmp_path / "no-ending").read_bytes() == (tmp_path / "cli.c").read_bytes()


def refused_by_program(tmp_path, *arguments):
    done = subprocess.run([PROGRAM, "export", "m.taut", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def test_what_has_no_export_is_refused_in_the_same_words(tmp_path):
    X, y = make_rows(200)
    knn = ConformalRegressor(**{**TREES, "predictor": "knn"}).fit(X, y)
    grouped = ConformalRegressor(**TREES).fit(X, y, groups=(X[:, 0] > 0).astype(int))
    quantiles = ConformalRegressor(**{**TREES, "predictor": "quantile:0.1,0.9"}).fit(X, y)
    cases = [(knn, "this model cannot be exported: the predictor 'knn' has no export"),
             (grouped, "this model cannot be exported: its calibration 'by-group' gives rows different distributions of scores"),
             (quantiles, "this model cannot be exported: it predicts two ends instead of one number")]
    for model, words in cases:
        model.save(tmp_path / "m.taut")
        assert words in refused_by_program(tmp_path, "--c", "m.c")
        for ending in ("c", "onnx"):
            with pytest.raises(ValueError) as told:
                model.export(tmp_path / f"m.{ending}")
            assert str(told.value).startswith(words) and "--" not in str(told.value) and "'taut" not in str(told.value)
            assert not (tmp_path / f"m.{ending}").exists()
        model.export(tmp_path / "m.json")
        assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))


def test_the_mean_of_imported_models(tmp_path, program):
    X, y = make_rows(200)
    cr = ConformalRegressor(HistGradientBoostingRegressor(max_iter=3), transform="exp", **QUICK).fit(X, y)
    with pytest.raises(ValueError, match="the mean of 5 models has no ONNX form; export it as C"):
        cr.export(tmp_path / "m.onnx")
    cr.export(tmp_path / "m.c")
    cr.save(tmp_path / "m.taut")
    program("export", "m.taut", "--c", "cli.c")
    assert (tmp_path / "m.c").read_bytes() == (tmp_path / "cli.c").read_bytes()
    assert '"models": 5' in json.dumps(json.loads(program("info", "m.taut", "--json")))


def test_called_estimators_are_the_last_input(tmp_path):
    cr = ConformalRegressor(LinearRegression(), transform="exp", **QUICK).fit(*make_rows(200))
    cr.export(tmp_path / "m.c")
    assert "const double f = cells[3];" in (tmp_path / "m.c").read_text(encoding="utf-8")


def test_labels_are_exported_as_json_only(tmp_path):
    X, y = make_rows(200)
    cc = ConformalClassifier(effort="quick", random_state=0).fit(X, y > 0)
    with pytest.raises(ValueError, match="predicts labels, not numbers; format='json' writes all"):
        cc.export(tmp_path / "m.c")
    cc.export(tmp_path / "m.json")
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8")) and not (tmp_path / "m.c").exists()


def test_wrong_arguments(model, tmp_path):
    for path, more in [("m.txt", {}), ("m", {}), ("m.c", {"format": "pmml"}), ("m.c", {"format": np.str_("C")})]:
        with pytest.raises(ValueError, match="the format is 'c', 'onnx' or 'json'") as told:
            model.export(tmp_path / path, **more)
        assert "np." not in str(told.value)
    with pytest.raises(ValueError, match="twice"):
        model.export(tmp_path / "m.c", [0.9, 0.9])
    with pytest.raises(ValueError, match="between 0 and 1"):
        model.export(tmp_path / "m.c", 90)
    with pytest.raises(ValueError):
        model.export(tmp_path / "absent" / "m.c")
    assert list(tmp_path.iterdir()) == []
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        ConformalRegressor().export(tmp_path / "m.c")

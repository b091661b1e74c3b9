"""y_range: the possible values of each of several targets."""
import numpy as np
import pytest
from conftest import QUICK

import taut
from taut import ConformalRegressor

OPTIONS = {"predictor": "linear", "region": "box", **QUICK}


def make_rows(count, seed):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(count, 2))
    return X, np.column_stack([X[:, 0] + draw.normal(size=count), np.clip(np.round(2 + X[:, 1] + draw.normal(size=count)), 0, 4)])


def test_each_target_has_its_own_range(tmp_path):
    X, Y = make_rows(400, 0)
    fresh = make_rows(100, 1)[0]
    model = ConformalRegressor(y_range="y1:0:4:1", **OPTIONS).fit(X, Y)
    boxes = model.predict_interval(fresh, 0.9)[1]
    assert boxes[:, 1].min() >= 0 and boxes[:, 1].max() <= 4 and (boxes[:, 1] % 1 == 0).all()
    assert boxes[:, 0].min() < 0 and (boxes[:, 0] % 1 != 0).any()
    model.save(tmp_path / "m.taut")
    again = taut.load(tmp_path / "m.taut")
    assert again.y_range == "y1:0:4:1" and (again.predict_interval(fresh, 0.9)[1] == boxes).all()


def test_what_is_no_range_is_an_error():
    X, Y = make_rows(400, 0)
    with pytest.raises(ValueError, match="y_range='y0:0:2' is for several targets"):
        ConformalRegressor(**{**OPTIONS, "region": "auto"}, y_range="y0:0:2").fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="names none of the targets y0, y1"):
        ConformalRegressor(y_range="y7:0:2", **OPTIONS).fit(X, Y)

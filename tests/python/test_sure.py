"""sure=: PAC coverage, at least the level for most calibration sets, like --sure of the command line."""
import math

import numpy as np
import pytest
import taut
from sklearn.base import clone
from taut import ConformalClassifier, ConformalRegressor


def rows(count, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 2))
    return X, X[:, 0] + rng.normal(size=count)


def smallest_rank(count, level, sure):
    below = 0.0
    for k in range(1, count + 1):
        below += math.comb(count, k - 1) * level ** (k - 1) * (1 - level) ** (count - k + 1)
        if below >= sure:
            return k
    return count + 1


PLAIN = dict(predictor="linear", transform="fixed", localizer="none", random_state=0)


def test_intervals_take_the_rank_and_calibrating_keeps_it():
    cr = ConformalRegressor(**PLAIN, sure=0.95).fit(*rows(200))
    X, y = rows(120, 1)
    cr.calibrate(X, y)
    assert cr.model_.sure == 0.95 and clone(cr).sure == 0.95
    f, intervals = cr.predict_interval(X, [0.8, 0.9])
    scores = np.sort(np.abs(y - f))
    for i, level in enumerate((0.8, 0.9)):
        rank = smallest_rank(120, level, 0.95)
        assert taut.exact_rank(120, level, 0.95) == rank > taut.exact_rank(120, level)
        assert (intervals[0, 1, i] - intervals[0, 0, i]) / 2 == pytest.approx(scores[rank - 1])
    assert cr.evaluate(*rows(300, 2), 0.9)["levels"][0]["rank"] == smallest_rank(120, 0.9, 0.95)
    assert "95 % of calibration sets" in cr._repr_html_()
    with pytest.raises(ValueError, match="smooth"):
        cr.predict_interval(X, smooth=1)
    with pytest.raises(ValueError, match="sure"):
        cr.calibrate(X, y, local=True)
    assert cr.model_.sure == 0.95
    cr.calibrate(X, y, sure=0)
    assert cr.model_.sure == 0 and cr.evaluate(*rows(300, 2), 0.9)["levels"][0]["rank"] == taut.exact_rank(120, 0.9)


def test_too_few_rows_are_a_warning_with_the_number_that_serves():
    cr = ConformalRegressor(**PLAIN, sure=0.95).fit(*rows(200))
    cr.calibrate(*rows(28, 1))
    assert taut.min_calibration_rows(0.9, 0.95) == 29
    with pytest.warns(taut.TooFewRowsWarning, match="at least 29"):
        assert np.isinf(cr.predict_interval(rows(3)[0])[1]).all()
    cr.calibrate(*rows(29, 1))
    assert np.isfinite(cr.predict_interval(rows(3)[0])[1]).all()


def test_sets_of_labels():
    X, y = rows(500)
    cc = ConformalClassifier(sure=0.9, effort="quick", random_state=0).fit(X, y > 0)
    usual = ConformalClassifier(effort="quick", random_state=0).fit(X, y > 0)
    assert cc.model_.sure == 0.9
    new = rows(200, 3)[0]
    assert (cc.predict_set(new) >= usual.predict_set(new)).all()
    X, y = rows(300, 4)
    cc.calibrate(X, y > 0, by_label=True)
    assert cc.model_.sure == 0.9
    cc.calibrate(X, y > 0, sure=0)
    assert cc.model_.sure == 0


def test_engines_use_it_or_refuse():
    pa = pytest.importorskip("pyarrow")
    import taut.arrow
    from taut.engines.batches import table_of
    X, y = rows(400)
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "y": y})
    cr = ConformalRegressor(**PLAIN, sure=0.95)
    options = cr._options_for_core() | {"target": "y"}
    core, _ = taut._core.Regressor.fit(table_of(table, ["a", "b", "y"]), options, 1, None)
    model = taut.arrow.calibrate(core.to_bytes(), table, sure=0.9)
    level, = taut.arrow.evaluate(model, table, 0.9)["levels"]
    assert level["rank"] == smallest_rank(400, 0.9, 0.9)
    with pytest.raises(ValueError, match="raise max_rows"):
        taut.arrow.calibrate(core.to_bytes(), table, key="a", max_rows=100)
    assert taut.arrow.calibrate(core.to_bytes(), table, key="a", max_rows=100, sure=0).core.sure == 0

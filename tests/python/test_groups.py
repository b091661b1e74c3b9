"""Group-conditional, weighted, covariate-shift, localized and hierarchical calibration with ConformalRegressor."""
import numpy as np
import pytest
import taut
from sklearn.linear_model import LinearRegression
from taut import ConformalRegressor

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}
NOISE = np.array([0.2, 1.0, 3.0])
NAMES = np.array(["north", "south", "west"])


def table(rows, seed, mean=0.0):
    random = np.random.default_rng(seed)
    X, region = random.normal(mean, 1, (rows, 2)), random.integers(0, 3, rows)
    return X, X[:, 0] + NOISE[region] * random.normal(size=rows), region


@pytest.fixture(scope="module")
def rows():
    return table(600, 0)


@pytest.fixture(scope="module")
def fresh():
    return table(600, 1)


def widths(intervals):
    return intervals[:, 1, 0] - intervals[:, 0, 0]


@pytest.mark.parametrize("values", [lambda region: region, lambda region: NAMES[region], lambda region: list(NAMES[region])])
def test_groups_as_an_array(rows, fresh, values):
    X, y, region = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y, groups=values(region))
    for model in (cr, ConformalRegressor(**PLAIN).fit(X, y).calibrate(fresh[0], fresh[1], groups=values(fresh[2]))):
        assert model.model_.calibration["kind"] == "by-group"
        assert len(model.model_.calibration["groups"]) == 3
        X_new, _, own = table(90, 2)
        _, intervals = model.predict_interval(X_new, 0.9, groups=values(own))
        assert len(np.unique(np.round(widths(intervals), 9))) == 3
        assert widths(intervals)[own == 2].min() > 5 * widths(intervals)[own == 0].max()
        with pytest.raises(ValueError, match="groups"):
            model.predict_interval(X_new, 0.9)
        with pytest.raises(ValueError, match="each of the 90 rows"):
            model.predict_interval(X_new, 0.9, groups=own[:5])
        bounds = model.predict_bound(X_new, "upper", 0.9, groups=values(own))
        assert bounds.shape == (90,)
        assert model.predict_quantiles(X_new, [0.1, 0.9], groups=values(own)).shape == (90, 2)


def test_groups_by_name_and_evaluate(rows, fresh):
    pandas = pytest.importorskip("pandas")

    def frame(X, region):
        return pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "region": NAMES[region]})

    X, y, region = rows
    cr = ConformalRegressor(**PLAIN, by="region", drop="region").fit(frame(X, region), y)
    told = cr.evaluate(frame(fresh[0], fresh[2]), fresh[1], 0.9, by="region")
    lines = {line["name"]: line for line in told["by_group"][0]["groups"]}
    assert set(lines) == set(NAMES) and not told["by_group"][0]["below"]
    X, y, region = table(3000, 2)  # with few calibration rows chance would explain large differences
    plain = ConformalRegressor(**PLAIN, drop="region").fit(frame(X, region), y)
    assert plain.evaluate(frame(fresh[0], fresh[2]), fresh[1], 0.9, by="region")["by_group"][0]["below"] == ["west"]
    plain.calibrate(frame(fresh[0], fresh[2]), fresh[1], by=["region", "prediction:2"])
    assert len(plain.model_.calibration["groups"]) == 6
    plain.calibrate(frame(fresh[0], fresh[2]), fresh[1], overlapping=["region", "a"])
    assert plain.model_.calibration["kind"] == "overlapping"
    told = plain.evaluate(frame(X, region), y, 0.9, by="region")["by_group"][0]
    assert min(line["coverage"] for line in told["groups"]) > 0.8


def test_by_names_columns_and_groups_is_an_array_in_every_method(rows, fresh):
    pandas = pytest.importorskip("pandas")
    X, y, region = rows
    frame = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "region": NAMES[region]})
    quiet = {**PLAIN, "drop": "region"}
    fits = [ConformalRegressor(**quiet, by="region").fit(frame, y), ConformalRegressor(**quiet).fit(frame, y, by="region")]
    with pytest.warns(DeprecationWarning, match="groups with names of columns is now called by; version 0.3 removes"):
        fits.append(ConformalRegressor(**quiet).fit(frame, y, groups="region"))
    with pytest.warns(DeprecationWarning, match="groups with names of columns is now called by"):
        renamed = ConformalRegressor(**quiet).fit(frame, y).calibrate(frame, y, groups=["region"])
    direct = ConformalRegressor(**quiet).fit(frame, y).calibrate(frame, y, by=["region"])
    assert len({model.model_.to_bytes() for model in fits}) == 1 and renamed.model_.to_bytes() == direct.model_.to_bytes()
    arrays = ConformalRegressor(**PLAIN).fit(X, y, groups=NAMES[region])
    np.testing.assert_array_equal(arrays.predict_interval(X, groups=NAMES[region])[1], fits[0].predict_interval(frame)[1])
    with pytest.raises(ValueError, match="give one of them"):
        ConformalRegressor(**quiet).fit(frame, y, by="region", groups=region)
    with pytest.raises(ValueError, match=r"by=\['region'\] of ConformalRegressor and groups of fit both define groups"):
        ConformalRegressor(**quiet, by="region").fit(frame, y, groups=region)
    for refused in (lambda: ConformalRegressor(**quiet).fit(frame, y, by=region), lambda: direct.calibrate(frame, y, by=region),
                    lambda: direct.evaluate(frame, y, by=region), lambda: direct.report(frame, y, by=region)):
        with pytest.raises(TypeError, match="by takes names of columns of X; give an array with a value for each row as groups"):
            refused()


def test_evaluate_reports_the_groups_of_an_array(rows, fresh):
    X, y, region = rows
    X_new, y_new, own = fresh
    grouped = ConformalRegressor(**PLAIN).fit(X, y, groups=NAMES[region])
    plain = ConformalRegressor(**PLAIN).fit(X, y)
    for model in (grouped, plain):
        told = model.evaluate(X_new, y_new, 0.9, groups=NAMES[own])["by_group"][0]["groups"]
        assert {line["name"]: line["rows"] for line in told} == {name: (NAMES[own] == name).sum() for name in NAMES}
    assert [line["name"] for line in plain.evaluate(X_new, y_new, 0.9, groups=np.column_stack([own, own]))["by_group"][0]["groups"]]
    with pytest.raises(ValueError, match="give groups="):
        grouped.evaluate(X_new, y_new, 0.9)
    with pytest.raises(ValueError, match="not calibrated with groups"):
        plain.predict_interval(X_new, 0.9, groups=NAMES[own])


def test_an_unseen_group_is_a_warning(rows):
    X, y, region = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y, groups=NAMES[region])
    with pytest.warns(taut.UnseenGroupsWarning, match="east"):
        _, intervals = cr.predict_interval(X[:3], 0.9, groups=["east", "north", "west"])
    assert np.isinf(intervals[0]).all() and np.isfinite(intervals[1:]).all()
    pooled = ConformalRegressor(**PLAIN, other_groups="pool").fit(X, y, groups=NAMES[region])
    with pytest.warns(taut.UnseenGroupsWarning, match="average"):
        _, intervals = pooled.predict_interval(X[:3], 0.9, groups=["east", "north", "west"])
    assert np.isfinite(intervals).all()


def test_weights(rows, fresh):
    X, y, _ = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y)
    cr.calibrate(fresh[0], fresh[1], sample_weight=np.exp(fresh[0][:, 0]))
    assert any("effective sample size" in note for note in cr.messages_)
    X_new, _, _ = table(50, 2, mean=1.0)
    _, intervals = cr.predict_interval(X_new, 0.9, sample_weight=np.exp(X_new[:, 0]))
    assert np.isfinite(intervals).all()
    with pytest.raises(ValueError, match="sample_weight"):
        cr.predict_interval(X_new, 0.9)
    with pytest.raises(ValueError, match="not negative"):
        cr.calibrate(fresh[0], fresh[1], sample_weight=-np.ones(600))
    with pytest.warns(taut.WeightsWarning):
        cr.calibrate(fresh[0], fresh[1], sample_weight=np.r_[1e9, np.ones(599)])
    cr.calibrate(fresh[0], fresh[1], plain=True)
    cr.predict_interval(X_new, 0.9)


def test_towards_and_local(rows, fresh):
    X, y, _ = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y)
    X_new, _, _ = table(300, 2, mean=0.7)
    cr.calibrate(fresh[0], fresh[1], towards=X_new)
    assert cr.model_.calibration["kind"] == "towards"
    assert np.isfinite(cr.predict_interval(X_new, 0.8)[1]).any()
    with pytest.warns(taut.NoOverlapWarning, match="x0"):
        cr.calibrate(fresh[0], fresh[1], towards=X_new + 100)
    cr.calibrate(fresh[0], fresh[1], local=True)
    first, again = cr.predict_interval(X_new, 0.8)[1], cr.predict_interval(X_new[::-1], 0.8)[1][::-1]
    np.testing.assert_array_equal(first, again)


def test_rows_that_stay_together(rows):
    X, y, _ = rows
    patient = np.arange(600) // 6
    cr = ConformalRegressor(**PLAIN).fit(X, y, keep_together=patient)
    assert cr.model_.calibration["kind"] == "hierarchical" and len(cr.model_.calibration["groups"]) == 20
    assert np.isfinite(cr.predict_interval(X, 0.9)[1]).all()

    class Spy(LinearRegression):
        def fit(self, X, y):
            self.seen_ = set(np.round(X[:, 0], 12))
            return super().fit(X, y)

    outside = ConformalRegressor(Spy(), random_state=0, localizer="none").fit(X, y, keep_together=patient)
    for one in outside.estimators_:
        known = [round(x, 12) in one.seen_ for x in X[:, 0]]
        assert {sum(known[6 * k:6 * k + 6]) for k in range(100)} <= {0, 6}


def test_a_file_keeps_its_groups(rows, tmp_path):
    X, y, region = rows
    cr = ConformalRegressor(**PLAIN).fit(X, y, groups=NAMES[region])
    cr.save(tmp_path / "m.taut")
    read = taut.load(tmp_path / "m.taut")
    np.testing.assert_array_equal(read.predict_interval(X, 0.9, groups=NAMES[region])[1], cr.predict_interval(X, 0.9, groups=NAMES[region])[1])


def test_groups_of_an_input_are_values_of_the_table():
    """Regions A and B train, A to D calibrate, E is new. A to D have their own intervals; those of E are the whole line."""
    pandas = pytest.importorskip("pandas")
    spread = {"A": 1.0, "B": 1.0, "C": 0.1, "D": 10.0, "E": 100.0}

    def frame(rows, seed, names):
        random = np.random.default_rng(seed)
        x, region = random.normal(size=rows), random.choice(list(names), rows)
        noise = np.array([spread[name] for name in region])
        return pandas.DataFrame({"x": x, "region": region}), 2 * x + noise * random.normal(size=rows)

    cr = ConformalRegressor(**PLAIN).fit(*frame(600, 0, "AB"))
    cr.calibrate(*frame(800, 1, "ABCD"), by="region")
    assert {group["name"] for group in cr.model_.calibration["groups"]} == set("ABCD")
    X, y = frame(3000, 2, "ABCDE")
    with pytest.warns(taut.UnseenGroupsWarning, match="'E'"):
        _, intervals = cr.predict_interval(X, 0.9)
    covered = (intervals[:, 0, 0] <= y) & (y <= intervals[:, 1, 0])
    for name in "ABCD":
        assert 0.82 < covered[X["region"] == name].mean() < 0.97
    assert np.isinf(widths(intervals)[X["region"] == "E"]).all()
    assert np.isfinite(widths(intervals)[X["region"] != "E"]).all()


def test_rows_that_belong_together_are_counted_once():
    """Coverage and shift of a model with keep_together, by a column of X and by an array."""
    pandas = pytest.importorskip("pandas")

    def frame(patients, seed, noise=1.0):
        random = np.random.default_rng(seed)
        patient = np.repeat(np.arange(patients), 8)
        x, effect = random.normal(size=patients)[patient], noise * random.normal(size=patients)[patient]
        return (pandas.DataFrame({"x": x, "patient": [f"{seed}-{one}" for one in patient]}), x + effect + 0.1 * random.normal(size=8 * patients))

    X, y = frame(100, 0)
    named = ConformalRegressor(**PLAIN, keep_together="patient").fit(X, y)
    arrays = ConformalRegressor(**PLAIN).fit(X[["x"]], y, keep_together=X["patient"])
    fresh, target = frame(60, 1)
    assert named.check_shift(fresh) == []
    assert arrays.check_shift(fresh[["x"]], keep_together=fresh["patient"]) == []
    assert "group_coverage" in named.evaluate(fresh, target)["levels"][0]
    assert "group_coverage" in arrays.evaluate(fresh[["x"]], target, keep_together=fresh["patient"])["levels"][0]
    assert arrays.evaluate(fresh[["x"]], target)["levels"][0]["coverage_low"] is not None
    noisy, target = frame(60, 2, noise=5.0)
    with pytest.warns(taut.CoverageWarning, match="each group counting once"):
        named.evaluate(noisy, target)
    moved = noisy.assign(x=noisy["x"] + 4)
    with pytest.warns(taut.ShiftWarning, match="groups of calibration rows"):
        assert named.check_shift(moved)

"""Several targets at once: ConformalRegressor with a y of two dimensions."""
import pickle
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, ROOT
from scipy.stats import betabinom, binomtest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import taut
from taut import ConformalRegressor, Regions

FAST = {"predictor": "linear", **QUICK}


def make_targets(count, seed=0):
    """Two targets with correlated noise that grows with |x1|."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(count, 3))
    noise = draw.normal(size=(count, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    return X, np.column_stack([X[:, 0], 100 - 50 * X[:, 1]]) + (0.2 + np.abs(X[:, 1:2])) * noise * [1, 30]


@pytest.fixture(scope="module")
def data():
    return make_targets(500)


@pytest.fixture(scope="module")
def new():
    return make_targets(300, seed=1)


@pytest.fixture(scope="module", params=["box", "ellipsoid", "density"])
def fitted(request, data):
    return ConformalRegressor(region=request.param, **FAST).fit(*data)


def test_shapes(fitted, new):
    X, Y = new
    assert fitted.target_names_ == ["y0", "y1"] and fitted.model_.region == fitted.region == fitted.record_["region"]
    assert fitted.predict(X).shape == (300, 2)
    y_pred, boxes = fitted.predict_interval(X, [0.5, 0.8, 0.9])
    np.testing.assert_array_equal(y_pred, fitted.predict(X))
    regions = fitted.predict_region(X, [0.5, 0.8, 0.9])
    empty = np.isnan(boxes).any(axis=(1, 2))  # where the density is nowhere high enough
    assert boxes.shape == (300, 2, 2, 3) and (regions.volume[empty] == 0).all() and empty.mean() < (0.05 if fitted.region == "density" else 1e-9)
    assert not (boxes[:, :, 0] > boxes[:, :, 1]).any() and np.isfinite(boxes.transpose(0, 3, 1, 2)[~empty]).all()
    assert not (boxes[:, :, 0, :-1] < boxes[:, :, 0, 1:]).any() and not (boxes[:, :, 1, :-1] > boxes[:, :, 1, 1:]).any()
    assert isinstance(regions, Regions) and len(regions) == 300 and regions.volume.shape == regions.side.shape == (300, 3)
    np.testing.assert_array_equal(regions.boxes, boxes)
    inside = fitted.contains(X, Y, [0.5, 0.8, 0.9])
    assert inside.dtype == bool and inside.shape == (300, 3) and (inside[:, :-1] <= inside[:, 1:]).all()
    np.testing.assert_array_equal(regions.contains(Y), inside)
    np.testing.assert_array_equal(fitted.contains(X, Y, 0.8), inside[:, 1])
    in_box = ((boxes[:, :, 0] <= Y[:, :, None]) & (Y[:, :, None] <= boxes[:, :, 1])).all(axis=1)
    if fitted.region == "density":  # its box is that of sampled points
        assert (inside & ~in_box).mean() < 0.05
    else:
        assert (inside <= in_box).all() and (fitted.region != "box" or (inside == in_box).all())
    enclosing = np.prod(boxes[:, :, 1] - boxes[:, :, 0], axis=1)
    assert fitted.region == "density" or (regions.volume <= enclosing * (1 + 1e-9)).all()  # sampled volumes may be larger
    assert fitted.sample(X, 7).shape == (300, 7, 2)


def test_coverage_lies_in_its_band(fitted):
    """Beta-binomial, at one in a million."""
    X, Y = make_targets(4000, seed=2)
    calibration = fitted.record_["calibration_rows"]
    for level in (0.5, 0.9):
        rank = taut.exact_rank(calibration, level)
        band = betabinom(len(X), rank, calibration + 1 - rank).ppf([5e-7, 1 - 5e-7])
        assert band[0] <= fitted.contains(X, Y, level).sum() <= band[1]


def test_regions_are_those_of_the_p_values(fitted, new):
    X, Y = new
    p = fitted.p_values(X, Y)
    n = fitted.record_["calibration_rows"]
    for level in (0.8, 0.9):
        rank = taut.exact_rank(n, level)
        np.testing.assert_array_equal(fitted.contains(X, Y, level), p * (n + 1) > n + 1.5 - rank)


def test_each_target_alone_has_its_own_level(fitted):
    X, Y = make_targets(4000, seed=3)
    _, each = fitted.predict_interval(X, 0.8, each=True)
    _, joint = fitted.predict_interval(X, 0.8)
    covered = ((each[:, :, 0, 0] <= Y) & (Y <= each[:, :, 1, 0])).sum(axis=0)
    n = fitted.record_["calibration_rows"]
    rank = taut.exact_rank(n, 0.8)
    band = betabinom(len(X), rank, n + 1 - rank).ppf([5e-7, 1 - 5e-7])
    assert (band[0] <= covered).all() and (covered <= band[1]).all()
    assert (each[:, :, 1] - each[:, :, 0]).mean() < (joint[:, :, 1] - joint[:, :, 0]).mean()


def test_samples_have_the_noise_and_its_correlation(fitted):
    X = np.zeros((400, 3))
    X[:200, 1] = 2
    values = fitted.sample(X, 50, random_state=0) - fitted.predict(X)[:, None]
    calm, wild = values[200:].reshape(-1, 2), values[:200].reshape(-1, 2)
    assert (wild.std(axis=0) > 2 * calm.std(axis=0)).all()
    assert 0.4 < np.corrcoef(wild.T)[0, 1] < 0.97
    np.testing.assert_array_equal(fitted.sample(X, 3, random_state=5), fitted.sample(X, 3, random_state=5))
    assert (fitted.sample(X, 3, random_state=5) != fitted.sample(X, 3, random_state=6)).any()
    np.testing.assert_array_equal(fitted.sample(X, 3, random_state=np.random.default_rng(1)), fitted.sample(X, 3, random_state=np.random.default_rng(1)))


def test_quantiles_of_linear_combinations(fitted, new):
    X, Y = new
    by_text = fitted.predict_quantiles(X, [0.1, 0.5, 0.9], sum="y0 - 0.5*y1")
    assert by_text.shape == (300, 3) and (np.diff(by_text, axis=1) >= 0).all()
    np.testing.assert_array_equal(fitted.predict_quantiles(X, [0.1, 0.5, 0.9], weights=[1, -0.5]), by_text)
    np.testing.assert_array_equal(fitted.predict_quantiles(X, [0.1, 0.5, 0.9], weights={"y1": -0.5, "y0": 1}), by_text)
    below = (Y @ [1, -0.5] <= by_text[:, 2]).mean()
    assert binomtest(int(round(below * 300)), 300, 0.9).pvalue > 1e-6  # an estimate: the band of exact quantiles, at one in a million
    alone = fitted.predict_quantiles(X, [0.2, 0.7])
    assert alone.shape == (300, 2, 2)
    np.testing.assert_allclose(alone[:, 1], fitted.predict_quantiles(X, [0.2, 0.7], weights=[0, 1]), rtol=1e-12)
    np.testing.assert_allclose(fitted.predict_quantiles(X, 0.3, weights=[-1e-7, 0])[:, 0], -1e-7 * fitted.predict_quantiles(X, 0.7)[:, 0, 0],
                               rtol=1e-6, atol=1e-12)


def test_evaluate_and_report(fitted, new, tmp_path):
    X, Y = new
    evaluation = fitted.evaluate(X, Y, [0.8, 0.9], by="x0:2")
    assert [level["coverage"] for level in evaluation["levels"]] == pytest.approx(fitted.contains(X, Y, [0.8, 0.9]).mean(axis=0))
    regions = fitted.predict_region(X, [0.8, 0.9])
    assert [level["mean_volume"] for level in evaluation["levels"]] == pytest.approx(regions.volume.mean(axis=0))
    assert [level["side"] for level in evaluation["levels"]] == pytest.approx(regions.side.mean(axis=0))
    assert evaluation["region"] == fitted.region and evaluation["energy_score"] > 0
    assert [one["target"] for one in evaluation["targets"]] == ["y0", "y1"]
    assert "side" in repr(evaluation) and len(evaluation.to_frame("groups")) == 4
    assert "y1" in fitted.report(X, Y, tmp_path / "r.html").html


def test_files_and_pickles(fitted, new, tmp_path, program):
    X, Y = new
    fitted.save(tmp_path / "m.taut")
    for again in (taut.load(tmp_path / "m.taut"), pickle.loads(pickle.dumps(fitted))):
        np.testing.assert_array_equal(again.predict_interval(X, 0.9)[1], fitted.predict_interval(X, 0.9)[1])
        np.testing.assert_array_equal(again.contains(X, Y), fitted.contains(X, Y))
        assert again.target_names_ == ["y0", "y1"] and again.region == fitted.region
    pd.DataFrame(np.column_stack([X, Y]), columns=["x0", "x1", "x2", "y0", "y1"]).to_csv(tmp_path / "new.csv", index=False)
    program("predict", "m.taut", "new.csv", "--confidence", "0.9", "-o", "p.csv")
    table = pd.read_csv(tmp_path / "p.csv")
    frame = fitted.predict_region(X).to_frame()
    for name in frame.columns:
        if name in table:
            np.testing.assert_allclose(table[name], frame[name], rtol=1e-9)
    assert {"prediction_y0", "lower_y1_0.9", "upper_y1_0.9"} <= set(table.columns) & set(frame.columns)


def test_the_commands_of_the_page_run(data, new, tmp_path, program):
    for name, (X, Y) in {"d": (data[0][:200], data[1][:200]), "new": new, "test": new}.items():
        columns = {f"x{i}": X[:, i] for i in range(3)} | ({} if name == "new" else {"y1": Y[:, 0], "y2": Y[:, 1]})
        pd.DataFrame(columns).to_csv(tmp_path / f"{name}.csv", index=False)
    page = (ROOT / "docs" / "several-targets.md").read_text(encoding="utf-8")
    page = re.sub(r"(?ms)^```\w+\n.*?^```$", "", page)
    commands = [line for block in re.findall(r"(?ms)^```\n(.*?)^```$", page) for line in block.splitlines()]
    assert len(commands) >= 8
    for command in commands:
        name, *words = shlex.split(command)
        assert name == "taut"
        program(*words)
    assert {"lower_y1_0.9", "upper_y2_0.9"} <= set(pd.read_csv(tmp_path / "p.csv")) and "contains_0.9" in pd.read_csv(tmp_path / "c.csv")


def test_calibrate_update_and_shift(fitted, new):
    X, Y = new
    model = pickle.loads(pickle.dumps(fitted))
    model.calibrate(X, Y)
    assert model.record_["calibration_rows"] == 300
    model.calibrate(X, Y, groups=X[:, 0] > 0)
    assert model.calibration_groups_ if hasattr(model, "calibration_groups_") else model.model_.calibration["kind"] == "by-group"
    assert model.predict_interval(X, 0.8, groups=X[:, 0] > 0)[1].shape == (300, 2, 2, 1)
    assert model.contains(X, Y, 0.8, groups=X[:, 0] > 0).mean() > 0.7
    with pytest.raises(ValueError, match="calibrated by groups: give groups"):
        model.predict_region(X)
    again = pickle.loads(pickle.dumps(fitted))
    y_pred, boxes = again.stream(X, Y, confidence_level=[0.8, 0.9])
    assert y_pred.shape == (300, 2) and boxes.shape == (300, 2, 2, 2) and again.stream_["rows"] == 300
    again.update(*make_targets(50, seed=9))
    assert isinstance(fitted.check_shift(X), list)


def test_names_of_tables(data, new):
    X, Y = (pd.DataFrame(values, columns=names) for values, names in zip(data, (["a", "b", "c"], ["heat", "cold, in kW"])))
    with pytest.raises(ValueError, match="'cold, in kW' must have a name without commas"):
        ConformalRegressor(**FAST).fit(X, Y)
    Y.columns = ["heat", "cold (kW)"]
    model = ConformalRegressor(region="box", **FAST).fit(X, Y)
    assert model.target_names_ == ["heat", "cold (kW)"]
    plain = ConformalRegressor(region="box", **FAST).fit(*data)
    X_new = pd.DataFrame(new[0], columns=X.columns, index=range(10, 310))
    np.testing.assert_array_equal(model.predict_interval(X_new)[1], plain.predict_interval(new[0])[1])
    assert model.predict_quantiles(X_new, 0.5, sum="heat + 2*cold (kW)").shape == (300, 1)
    with pytest.raises(ValueError, match="fitted with heat, cold .kW., in this order"):
        model.contains(X_new, pd.DataFrame(new[1], columns=Y.columns[::-1]))
    assert model.contains(X_new, new[1]).shape == (300,)
    frame = model.set_output(transform="pandas").predict_interval(X_new, 0.9)
    assert list(frame.columns) == ["prediction_heat", "prediction_cold (kW)", "lower_heat_0.9", "upper_heat_0.9", "lower_cold (kW)_0.9",
                                   "upper_cold (kW)_0.9"]
    assert list(frame.index) == list(X_new.index)
    assert list(model.predict_quantiles(X_new, [0.1, 0.9]).columns)[0] == "q0.1_heat"
    assert model.predict_interval(X_new.iloc[0]).shape == (1, 6)
    polars = pytest.importorskip("polars")
    same = ConformalRegressor(region="box", **FAST).fit(polars.DataFrame(X), polars.DataFrame(Y))
    np.testing.assert_array_equal(same.predict_interval(polars.DataFrame(X_new))[1], plain.predict_interval(new[0])[1])
    arrow = pytest.importorskip("pyarrow").Table.from_pandas
    same = ConformalRegressor(region="box", **FAST).fit(arrow(X), arrow(Y))
    assert same.target_names_ == ["heat", "cold (kW)"]


def test_names_are_free(data):
    X = pd.DataFrame(data[0], columns=["y0", "y0_", "y1"])
    assert ConformalRegressor(region="box", **FAST).fit(X, data[1]).target_names_ == ["y0__", "y1_"]


def test_one_column_is_one_target(data, new):
    X, Y = data
    alone = ConformalRegressor(**FAST).fit(X, Y[:, 0])
    with pytest.warns(UserWarning, match="1d array was expected"):
        column = ConformalRegressor(**FAST).fit(X, Y[:, :1])
    assert column.predict(new[0]).shape == (300,) and not hasattr(column, "target_names_")
    np.testing.assert_array_equal(column.predict_interval(new[0])[1], alone.predict_interval(new[0])[1])
    again = ConformalRegressor(region="auto", **FAST).fit(X, Y).fit(X, Y[:, 0])
    np.testing.assert_array_equal(again.predict_interval(new[0])[1], alone.predict_interval(new[0])[1])


def test_scikit_learn(data, new):
    X, Y = data
    model = ConformalRegressor(region="box", **FAST)
    assert clone(model).get_params()["region"] == "box"
    assert get_tags(model).target_tags.multi_output and not get_tags(ConformalRegressor(LinearRegression())).target_tags.multi_output
    inside = make_pipeline(StandardScaler(), model).fit(X, pd.DataFrame(Y, columns=["a", "b"]))
    assert inside.predict(new[0]).shape == (300, 2) and inside.score(*new) > 0.1
    search = GridSearchCV(model, {"region": ["box", "ellipsoid"]}, cv=2).fit(X, Y)
    assert search.predict(new[0]).shape == (300, 2)
    assert np.isfinite(cross_val_score(model, X, Y, cv=2)).all()


def test_any_number_of_threads_gives_the_same_bits(data, new):
    one, two = (ConformalRegressor(n_jobs=threads, **FAST).fit(*data) for threads in (1, 2))
    np.testing.assert_array_equal(one.predict_interval(new[0])[1], two.predict_interval(new[0])[1])
    np.testing.assert_array_equal(one.sample(new[0], 4), two.sample(new[0], 4))
    assert one.model_.to_bytes() == two.model_.to_bytes()


def test_rows_without_some_targets_train_the_others(data, new):
    X, Y = data[0], data[1].copy()
    Y[::3, 1] = np.nan
    with pytest.raises(ValueError, match="y, column 1: Input y contains NaN: 167 of 500 rows.*skip_missing_target"):
        ConformalRegressor(**FAST).fit(X, Y)
    model = ConformalRegressor(skip_missing_target=True, region="box", **FAST).fit(X, Y)
    assert model.record_["calibration_rows"] < 80
    assert np.isfinite(model.predict_interval(new[0])[1]).all()


@pytest.mark.parametrize("y, words", [
    (np.zeros((500, 2, 2)), r"y has 3 dimensions, the shape \(500, 2, 2\)"),
    (np.zeros((500, 0)), "y has no columns"),
    (np.zeros((499, 2)), "inconsistent numbers of samples"),
    ([[1.0, 2.0], [1.0]] * 250, "rows of different lengths"),
    (pd.DataFrame({"n": np.arange(500.0), "kind": ["a", "b"] * 250}), "the column 'kind': it must hold numbers, got str 'a' in row 0.*leave it out"),
    (pd.DataFrame(np.zeros((500, 2)), columns=["t", "t"]), "2 columns called 't'"),
    (pd.DataFrame(np.zeros((500, 2)), columns=["t", "x1"]), "'x1' is a column of X and of y"),
    (pd.DataFrame(np.zeros((500, 2)), columns=["t", " u"]), "without blanks"),
    (np.full((500, 2), np.inf), "infinity"),
])
def test_bad_targets_are_errors(y, words, data):
    X = pd.DataFrame(data[0], columns=["x0", "x1", "x2"])
    model = ConformalRegressor(**FAST).fit(X, data[1][:, 0])
    before = model.predict_interval(X)[1]
    with pytest.raises(ValueError, match=words):
        ConformalRegressor(**FAST).fit(X, y)
    np.testing.assert_array_equal(model.predict_interval(X)[1], before)


def test_targets_in_another_order_are_refused_whatever_their_names(data, new):
    Y = pd.DataFrame(data[1], columns=["y0", "y1"])
    for model in (ConformalRegressor(region="box", **FAST).fit(*data), ConformalRegressor(region="box", **FAST).fit(data[0], Y)):
        with pytest.raises(ValueError, match="y has the columns y1, y0, but the model was fitted with y0, y1, in this order"):
            model.evaluate(data[0], Y[["y1", "y0"]])
        assert model.contains(new[0], pd.DataFrame(new[1], columns=["y0", "y1"])).shape == (300,)
    assert ConformalRegressor(region="box", **FAST).fit(*data).contains(new[0], pd.DataFrame(new[1], columns=["a", "b"])).shape == (300,)


def test_weights_of_targets_whose_names_are_numbers(data, new):
    plain = ConformalRegressor(region="box", **FAST).fit(*data)
    model = ConformalRegressor(region="box", **FAST).fit(data[0], pd.DataFrame(data[1], columns=["2", "3"]))
    for weights in ([2, 0.5], {"2": 2, "3": 0.5}):
        np.testing.assert_array_equal(model.predict_quantiles(new[0], [0.1, 0.9], weights=weights),
                                      plain.predict_quantiles(new[0], [0.1, 0.9], weights=[2, 0.5]))
    with pytest.raises(ValueError, match="'2.3' can be read as"):
        model.predict_quantiles(new[0], 0.5, sum="2*3")
    np.testing.assert_array_equal(plain.predict_quantiles(new[0], 0.5, sum="y0*2 + 0.5*y1"), plain.predict_quantiles(new[0], 0.5, weights=[2, 0.5]))


def test_regions_know_that_their_model_has_changed(data, new):
    X, Y = data
    model = ConformalRegressor(region="box", in_order=True, **FAST).fit(X, Y)
    changes = (lambda: model.calibrate(*new), lambda: model.stream(*make_targets(50, seed=3)), lambda: model.update(*make_targets(50, seed=2)), lambda: model.fit(X, Y))
    for change in changes:
        regions = model.predict_region(new[0], 0.9)
        inside = regions.contains(new[1])
        np.testing.assert_array_equal(inside, regions.contains(new[1]))
        change()
        with pytest.raises(ValueError, match="predict_region again"):
            regions.contains(new[1])


def test_overlapping_groups_have_no_p_values(data, new):
    model = ConformalRegressor(region="ellipsoid", **FAST).fit(*data).calibrate(*new, overlapping=["x0:2", "x1:2"])
    assert model.contains(*new, 0.8).mean() > 0.7 and model.predict_region(new[0], 0.8).contains(new[1]).shape == (300, 1)
    with pytest.raises(ValueError, match="overlapping groups.*no p-values"):
        model.p_values(*new)


def test_look_at_several_targets(data):
    X, Y = data
    about = {fact["name"]: fact for fact in taut.look(np.column_stack([X, 2 * Y[:, 1]]), pd.DataFrame(Y, columns=["heat", "cold"]))}
    assert about["heat"]["words"] == about["cold"]["words"] == "the target"
    assert "repeats the target 'cold'" in about["x3"]["warnings"][0]
    assert [fact["name"] for fact in taut.look(X, Y)][-2:] == ["y0", "y1"]


def test_a_failed_fit_changes_nothing(data, new):
    X, Y = data
    named = pd.DataFrame(Y, columns=["heat", "cold"])
    for model in (ConformalRegressor(region="box", **FAST).fit(X, named), ConformalRegressor(**FAST).fit(X, Y[:, 0])):
        before = dict(model.__dict__)
        expected = model.predict_interval(new[0])[1]
        for wrong_X, wrong_Y in ((X[:, :2], Y * [1, 0]), (X[:, :2], Y[:, 0] * 0), (pd.DataFrame(X[:3], columns=list("abc")), named[:3] * 0)):
            with pytest.raises(ValueError):
                model.fit(wrong_X, wrong_Y)
            assert model.__dict__.keys() == before.keys() and all(model.__dict__[name] is value for name, value in before.items())
        np.testing.assert_array_equal(model.predict_interval(new[0])[1], expected)


def test_what_is_not_for_several_targets_says_so(data, new):
    X, Y = data
    for wrong in (ConformalRegressor(LinearRegression()), ConformalRegressor(prefit=True)):
        with pytest.raises(ValueError, match="several targets are for Taut's own predictors"):
            wrong.fit(X, Y)
    with pytest.raises(ValueError, match="region='box' is for several targets, and y has one"):
        ConformalRegressor(region="box").fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="'circle'"):
        ConformalRegressor(region="circle", **FAST).fit(X, Y)
    with pytest.raises(ValueError, match="focus"):
        ConformalRegressor(focus=0.9, **FAST).fit(X, Y)
    several, one = ConformalRegressor(region="box", **FAST).fit(X, Y), ConformalRegressor(**FAST).fit(X, Y[:, 0])
    calls = [lambda m: m.predict_bound(X, "upper"), lambda m: m.predict_distribution(X), lambda m: m.ask(X, "mean"),
             lambda m: m.predict_interval(X, tails="equal"), lambda m: m.predict_interval(X, smooth=1), lambda m: m.explain(X),
             lambda m: m.predict_interval(X, y_pred=Y), lambda m: m.p_values(X, Y, alternative="less"),
             lambda m: taut.plot.intervals(m, X), lambda m: m.quantile_estimator(0.5).predict(X)]
    for call in calls:
        with pytest.raises(ValueError, match="several|for one target|predicts 2"):
            call(several)
    for call in (lambda m: m.predict_region(X), lambda m: m.contains(X, Y), lambda m: m.sample(X), lambda m: m.predict_interval(X, each=True),
                 lambda m: m.predict_quantiles(X, 0.5, sum="y"), lambda m: m.predict_quantiles(X, 0.5, weights=[1])):
        with pytest.raises(ValueError, match="fitted with one"):
            call(one)
    with pytest.raises(ValueError, match="y has 2 columns, but the model was fitted with one target"):
        one.evaluate(X, Y)
    with pytest.raises(ValueError, match="y has 1 column, but the model was fitted with 2 targets"):
        several.evaluate(X, Y[:, 0])
    with pytest.raises(ValueError, match="weights and sum both"):
        several.predict_quantiles(X, 0.5, weights=[1, 1], sum="y0")
    for weights in ([1], [1, np.nan], {"y9": 1}):
        with pytest.raises(ValueError, match="weights"):
            several.predict_quantiles(X, 0.5, weights=weights)
    for text in ("y0 +", "2 y0", "y0*y1", ""):
        with pytest.raises(ValueError, match="sum"):
            several.predict_quantiles(X, 0.5, sum=text)
    for n in (0, 2.5, True):
        with pytest.raises(ValueError, match="n takes a whole number"):
            several.sample(X, n)
    with pytest.raises(ValueError, match="X has 500 rows, and y has 300"):
        several.contains(X, new[1])

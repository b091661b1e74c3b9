"""Alarms are warnings. Each kind has a class, all have one base class, and they are shown at the user's line."""
import inspect
import warnings

import numpy as np
import pytest
from conftest import QUICK, make_rows

import taut
from taut import ConformalRegressor, alarms

PLAIN = {"predictor": "linear", "localizer": "none", "random_state": 0}


def test_every_class_is_a_public_taut_warning():
    classes = [value for value in vars(alarms).values() if inspect.isclass(value) and issubclass(value, Warning)]
    assert sorted(kind.__name__ for kind in classes) == sorted(alarms.__all__)
    for kind in classes:
        assert issubclass(kind, taut.TautWarning) and issubclass(kind, UserWarning)
        assert getattr(taut, kind.__name__) is kind and kind.__name__ in taut.__all__


def test_nothing_is_said_where_nothing_is_wrong(rows, fresh):
    with warnings.catch_warnings():
        warnings.simplefilter("error", taut.TautWarning)
        cr = ConformalRegressor(**PLAIN).fit(*rows)
        cr.predict_interval(fresh[0], [0.5, 0.9])
        cr.evaluate(*fresh, [0.5, 0.9])
        assert cr.check_shift(fresh[0]) == []


def test_coverage_outside_its_band(rows, fresh):
    X, y = fresh
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with pytest.warns(taut.CoverageWarning) as said:
        level, = cr.evaluate(X, y + 10, 0.9)["levels"]
    assert level["coverage"] < level["coverage_low"]
    assert len(said) == 1 and said[0].filename == __file__
    assert f"coverage at confidence 0.9 is {level['coverage']:.4g}, outside the band" in str(said[0].message)
    assert "calibrate(X, y)" in str(said[0].message)


def test_too_much_coverage_is_an_alarm_unless_the_range_of_the_target_explains_it(rows, fresh):
    X = fresh[0]
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with pytest.warns(taut.CoverageWarning, match="at confidence 0.5 is 1, outside"):
        cr.evaluate(X, cr.predict(X), 0.5)
    ranged = ConformalRegressor(**PLAIN, y_min=-1000.0).fit(*rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error", taut.TautWarning)
        ranged.evaluate(X, ranged.predict(X), 0.5)


def test_shifted_inputs(rows, fresh):
    X = fresh[0] + [5, 0, 0]
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with pytest.warns(taut.ShiftWarning) as said:
        found = cr.check_shift(X)
    assert found[0]["column"] in ("x0", "the prediction")
    message = str(said[0].message)
    assert len(said) == 1 and message.startswith("200 rows differ from the 60 calibration rows by more than chance explains: ")
    assert all(shift["column"] in message and shift["words"] in message for shift in found[:5])


@pytest.mark.parametrize("call", ["predict_interval", "evaluate"])
def test_rows_outside(call, rows, fresh):
    X, y = fresh
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    X = X.copy()
    X[:7, 1] += 1000
    with pytest.warns(taut.OutsideRowsWarning, match=r"rows have numbers outside those of all calibration rows: 'x1'.* up to 1001") as said:
        cr.predict_interval(X) if call == "predict_interval" else cr.evaluate(X, y)
    assert said[0].filename == __file__


@pytest.mark.parametrize("call", ["predict_interval", "evaluate", "intervals_from_residuals"])
def test_too_few_rows_for_a_level(call, rows, fresh):
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    calls = {"predict_interval": lambda: cr.predict_interval(fresh[0], [0.5, 0.99]),
             "evaluate": lambda: cr.evaluate(*fresh, [0.5, 0.99]),
             "intervals_from_residuals": lambda: taut.intervals_from_residuals(np.arange(60.0), [0.0], [0.5, 0.99])}
    with pytest.warns(taut.TooFewRowsWarning, match="60 calibration rows are too few for confidence 0.99") as said:
        calls[call]()
    assert len(said) == 1 and said[0].filename == __file__


def test_falling_back_to_one_width(rows):
    X, y = np.zeros((300, 1)), rows[1]  # all rows have the same inputs
    with pytest.warns(taut.FallbackWarning, match="one width") as said:
        cr = ConformalRegressor(predictor="linear", sides="one", **QUICK).fit(X, y)
    assert cr.record_["fell_back"] and len(said) == 1 and said[0].filename == __file__
    with pytest.warns(taut.FallbackWarning):
        taut.conformalize(rows[0], y, y, random_state=0)  # exact predictions, so there is no noise to learn
    with warnings.catch_warnings():
        warnings.simplefilter("error", taut.TautWarning)
        ConformalRegressor(**PLAIN).fit(X, y)  # asked for


def test_a_script_can_stop_at_any_of_them(rows, fresh):
    X, y = fresh
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error", taut.TautWarning)
        for wrong in (lambda: cr.evaluate(X, y + 10), lambda: cr.check_shift(X + 5), lambda: cr.predict_interval(X, 0.999)):
            with pytest.raises(taut.TautWarning):
                wrong()


def test_rows_that_trained_the_model(rows):
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    with pytest.warns(taut.SeenRowsWarning, match="at least"):
        found = cr.evaluate(*rows, 0.9)["alarms"]
    assert "training_rows" in [alarm["kind"] for alarm in found]


def test_categories_that_the_fit_has_not_seen():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"x": np.linspace(0, 1, 200), "colour": ["red", "blue"] * 100})
    cr = ConformalRegressor(**PLAIN).fit(X, X["x"] + (X["colour"] == "red"))
    with pytest.warns(taut.UnseenCategoriesWarning, match="'colour' that the fit has not seen: 'violet'") as said:
        cr.predict_interval(X.assign(colour=["violet", "red"] * 100))
    assert len(said) == 1 and said[0].filename == __file__
    assert said[0].category is taut.UnseenCategoriesWarning


def test_columns_of_which_no_cell_can_be_used():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"x": np.linspace(0, 1, 200), "colour": ["red", "blue"] * 100})
    y = X["x"] + (X["colour"] == "red")
    cr = ConformalRegressor(**PLAIN).fit(X, y)
    commas = X.assign(x=[f"{x:.4f}".replace(".", ",") for x in X["x"]])
    for call in (lambda rows: cr.predict_interval(rows), lambda rows: cr.evaluate(rows, y), lambda rows: ConformalRegressor(**PLAIN).fit(X, y).calibrate(rows, y)):
        with pytest.warns(taut.UnusableColumnsWarning, match="all 200 cells are categories that the fit has not seen, such as 'violet', and the model knows"):
            call(X.assign(colour="violet"))
        with pytest.warns(taut.TextAmongNumbersWarning, match="'x' cannot be used: all 200 cells are texts such as '0,0000'.*decimal=','"):
            call(commas)
    # One row proves little: a new category in it is said as in any row.
    with pytest.warns(taut.UnseenCategoriesWarning) as said:
        cr.predict_interval(X[:1].assign(colour="violet"))
    assert [one.category for one in said] == [taut.UnseenCategoriesWarning]


def test_a_wrong_name_of_a_column_is_found_before_anything_is_trained():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"x": np.linspace(0, 1, 2000), "colour": ["red", "blue"] * 1000})

    class NeverTrained:
        def fit(self, X, y):
            raise AssertionError("trained")

        def predict(self, X):
            raise AssertionError("predicted")

        predict_proba = predict

    for wrong in ({"by": ["color"]}, {"by": ["color:5"]}, {"drop": ["color"]}, {"keep_together": "color"}, {"categorical": ["color"]}):
        for estimator in (None, NeverTrained()):
            with pytest.raises(ValueError, match="'color'"):
                ConformalRegressor(estimator, random_state=0, **wrong).fit(X, X["x"])
            with pytest.raises(ValueError, match="'color' \\(did you mean 'colour'\\?\\), which [a-z_]+ names"):
                taut.ConformalClassifier(estimator, random_state=0, **wrong).fit(X, X["x"] > 0.5)
    with pytest.raises(ValueError, match="'color' \\(did you mean 'colour'\\?\\), which by names; 'y2', which drop names"):
        ConformalRegressor(NeverTrained(), by=["color"], drop=["y2"]).fit(X, X["x"])


def test_every_listed_kind_is_a_warning():
    listed = taut._core.alarm_kinds()
    assert set(alarms._CLASSES) == set(listed)


def test_copies_of_rows(rows):
    X, y = rows
    order = np.random.default_rng(1).permutation(5 * len(y))
    with pytest.warns(taut.RepeatedRowsWarning, match="are copies of training rows") as said:
        cr = ConformalRegressor(**PLAIN).fit(np.tile(X, (5, 1))[order], np.tile(y, 5)[order])
    assert said[0].filename == __file__
    assert any("copies of training rows" in sentence for sentence in cr.messages_)
    with pytest.warns(taut.RepeatedRowsWarning):
        taut.ConformalClassifier(transform="fixed", effort="quick").fit(np.tile(X, (5, 1))[order], np.tile(y > np.median(y), 5)[order])


def test_columns_that_are_empty_in_every_row(rows, fresh):
    X, y = fresh
    lost = X.copy()
    lost[:, 1] = np.nan
    cr = ConformalRegressor(**PLAIN).fit(*rows)
    calls = [lambda: cr.predict_interval(lost), lambda: cr.evaluate(lost, y),
             lambda: ConformalRegressor(**PLAIN).fit(*rows).calibrate(lost, y)]
    for call in calls:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            call()
        assert taut.EmptyColumnsWarning in [one.category for one in said]
    cc = taut.ConformalClassifier(transform="fixed", effort="quick").fit(rows[0], rows[1] > 0)
    with pytest.warns(taut.EmptyColumnsWarning, match="is empty in all"):
        cc.predict_set(lost)


def test_a_row_without_an_id_is_an_error(rows):
    X, y = rows
    ids = np.array([f"p{i // 4}" for i in range(len(y))], dtype=object)
    ConformalRegressor(**PLAIN).fit(X, y, keep_together=ids)
    for missing in (None, np.nan):
        ids[7] = missing
        with pytest.raises(ValueError, match="--keep-together needs a value in every row|keep_together needs"):
            ConformalRegressor(**PLAIN).fit(X, y, keep_together=ids)
    numbers = np.arange(len(y), dtype=float) // 4
    numbers[7] = np.nan
    with pytest.raises(ValueError, match="needs a value in every row"):
        ConformalRegressor(**PLAIN).fit(X, y, keep_together=numbers)

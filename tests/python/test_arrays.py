"""Arrays of any kind: borrowed if C++ can read them, converted once if not, or refused with a message; never a crash."""
import numpy as np
import pytest
from conftest import QUICK, make_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression

import taut
from taut import ConformalRegressor, _columns, _core, _pandas, _targets


def layouts(X):
    """The same numbers in different memory layouts, all of which can be borrowed."""
    wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]), dtype=X.dtype)
    wide[::2, ::3] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    return {"rows": X, "columns": np.asfortranarray(X), "strided": wide[::2, ::3], "backwards": X[::-1].copy()[::-1],
            "read-only": frozen}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nothing_is_copied_and_every_layout_gives_the_same_bits(dtype):
    X, y = make_rows(200)
    X = X.astype(dtype)
    cr = ConformalRegressor(**QUICK).fit(X, y)
    expected = cr.predict_interval(X)[1]
    for name, laid_out in layouts(X).items():
        assert _columns.borrowable(laid_out) is laid_out, name
        assert (laid_out == X).all()
        np.testing.assert_array_equal(cr.predict_interval(laid_out)[1], expected, err_msg=name)
        np.testing.assert_array_equal(ConformalRegressor(**QUICK).fit(laid_out, y).predict_interval(X)[1], expected, err_msg=name)
    # The same numbers as float64 give the same model.
    np.testing.assert_array_equal(cr.predict_interval(X.astype(np.float64))[1], expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_table_reads_the_array_itself(dtype):
    X, y = make_rows(100)
    X = X.astype(dtype)
    cr = ConformalRegressor(predictor="linear", localizer="none").fit(X, y)
    table = _columns.table_of(X, ["x0", "x1", "x2"])
    before = cr.model_.predict(table)
    X += 1
    after = cr.model_.predict(table)
    np.testing.assert_array_equal(after, cr.predict(X))
    assert (after != before).all()
    reference = _columns.table_of(make_rows(100)[0], ["x0", "x1", "x2"])  # only the table keeps the array alive
    assert np.isfinite(cr.model_.predict(reference)).all()


def test_texts_in_an_array_are_refused_with_advice():
    import pandas as pd

    X, y = make_rows(60)
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=["u", "v", "w"] * 20)
    for texts in (frame.to_numpy(), frame.to_numpy().tolist(), frame.to_numpy().astype(str)):
        with pytest.raises(ValueError, match="'u'.*: cells of an array must be numbers; give a DataFrame"):
            ConformalRegressor(**QUICK).fit(texts, y)
    cr = ConformalRegressor(**QUICK).fit(frame, y)
    with pytest.warns(UserWarning, match="feature names"), pytest.raises(ValueError, match="give a DataFrame"):
        cr.predict(frame.to_numpy())
    cr.predict(frame)


def test_frames_of_numbers_are_borrowed_column_by_column():
    import pandas as pd

    X, y = make_rows(100)
    frame = pd.DataFrame({"x0": X[:, 0].copy(), "x1": X[:, 1].astype(np.float32), "x2": X[:, 2].copy()})
    for name in frame.columns:
        values = _pandas.cells(frame[name], name)
        assert _columns.borrowable(values) is values
        assert np.shares_memory(values, frame[name].to_numpy())


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float16, np.bool_, ">f8", ">f4", object])
def test_other_types_are_converted(dtype):
    X, y = make_rows(100)
    X = np.round(4 * X).clip(0, 8)
    if dtype is np.bool_:
        X = X > 2
    cr = ConformalRegressor(**QUICK).fit(X.astype(np.float64), y)
    np.testing.assert_array_equal(cr.predict_interval(X.astype(dtype))[1], cr.predict_interval(X.astype(np.float64))[1])
    np.testing.assert_array_equal(cr.predict_interval(X.tolist())[1], cr.predict_interval(X.astype(np.float64))[1])


def test_missing_and_infinite_cells():
    X, y = make_rows(200)
    X[5, 0], X[6, 1], X[7, 2] = np.nan, np.inf, -np.inf
    assert np.isfinite(ConformalRegressor(**QUICK).fit(X, y).predict_interval(X)[1]).all()
    for options in ({"predictor": "linear"}, {"predictor": "knn"}, {"predictor": "linear", "localizer": "mlp", "hidden": (4,), "epochs": 2}):
        cr = ConformalRegressor(**options).fit(X, y)
        assert np.isfinite(cr.predict_interval(X)[1]).all()
        assert np.isfinite(cr.predict_interval(np.full((1, X.shape[1]), np.nan))[1]).all()
    for bad in (np.nan, np.inf):
        y[3] = bad
        with pytest.raises(ValueError, match="y contains (NaN|infinity)"):
            ConformalRegressor().fit(X, y)


ANY_DTYPE = st.sampled_from(["f8", "f4", "f2", "i8", "u1", "?", "c8", "U3", "S2", "M8[s]", "O", ">f8"])
ANY_SHAPE = st.one_of(arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=40), st.just((30, 3)), st.just((30, 2)))


@st.composite
def any_array(draw):
    dtype, shape = draw(ANY_DTYPE), draw(ANY_SHAPE)
    if dtype == "O":
        values = draw(arrays.arrays("O", shape, elements=st.sampled_from([None, 1, "two", 3.0, float("nan"), (), b"x"]), fill=st.nothing()
                                    if 0 in shape else st.just(1.5)))
    else:
        values = draw(arrays.arrays(dtype, shape, fill=st.just(np.zeros((), dtype=dtype)[()])))
    if values.ndim and draw(st.booleans()):
        values = values[::draw(st.sampled_from([-1, 2, -3]))]
    return values.T if draw(st.booleans()) else values


@pytest.mark.parametrize("y, says", [(np.array([], dtype="<U3"), "no rows"), (np.array(["a", "b"]), "'a' in row 0"),
                                     (np.array([1.0, None, "b", "c"], dtype=object), "str 'b' in row 2"),
                                     (np.array([(), None], dtype=object)[:1], r"tuple '\(\)' in row 0")])
def test_a_target_of_texts_is_refused_by_the_first_one(y, says):
    with pytest.raises(ValueError, match="y must hold numbers.*" + says):
        _targets.numeric_target(y)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(X=any_array(), y=any_array(), level=st.one_of(st.floats(), any_array(), st.none(), st.text()))
def test_no_array_crashes_the_interpreter(X, y, level):
    """Any input may be refused with an ordinary exception; results of accepted inputs have the right shape."""
    fitted = test_no_array_crashes_the_interpreter.fitted
    expected = (ValueError, TypeError, OverflowError)
    calls = [
        lambda: ConformalRegressor(predictor="linear", localizer="none").fit(X, y),
        lambda: fitted.calibrate(X, y),
        lambda: fitted.evaluate(X, y, level),
        lambda: taut.conformalize(X, y, y, localizer="none"),
        lambda: taut.conformalize(None, y, X, localizer="none"),
        lambda: taut.intervals_from_residuals(X, y, level),
        lambda: taut.metrics.coverage(y, X),
        lambda: taut.metrics.interval_score(y, X, level),
        lambda: taut.metrics.hsic(y, X),
        lambda: taut.metrics.ert(X, y, X, level),
        lambda: taut.metrics.worst_slab_coverage(X, y, X, directions=5),
        lambda: taut.metrics.size_stratified_coverage(y, X),
        lambda: taut.metrics.coverage_gap(y, y, X, level),
        lambda: _core.Table("t", 30).add_matrix(["a", "b", "c"], X),
        lambda: _core.Table("t", 30).add_category("a", X, ["u", "v"], True),
    ]
    for call in calls:
        try:
            call()
        except expected:
            pass
    try:
        intervals = fitted.predict_interval(X, level)[1]
        assert intervals.shape == (np.shape(X)[0], 2, np.size(level))
    except expected:
        pass


X_FITTED, Y_FITTED = make_rows(60)
test_no_array_crashes_the_interpreter.fitted = ConformalRegressor(LinearRegression(), localizer="none").fit(X_FITTED, Y_FITTED)


def test_arrays_that_need_no_checks_are_refused_like_all_others():
    """Plain arrays of the right width skip scikit-learn's checks. All other inputs are checked, with scikit-learn's messages."""
    import warnings

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    cr = ConformalRegressor(predictor="linear", random_state=0).fit(X, y)
    wanted = cr.predict(X[:5])
    for same in (X[:5].astype(">f8"), np.asfortranarray(X[:5]), X[:5].tolist(), X[::1][:5], np.ma.masked_array(X[:5])):
        np.testing.assert_array_equal(cr.predict(same), wanted)
    assert np.isfinite(cr.predict(np.full((1, 3), np.nan))).all() and len(cr.predict(np.empty((0, 3)))) == 0
    for bad, words in [(X[:5, :2], "features"), (X[0], "1D"), (X[:5, :0], "feature"), (np.empty((2, 3), dtype=complex), "omplex")]:
        with pytest.raises(ValueError, match=words):
            cr.predict(bad)
        with pytest.raises(ValueError, match=words):
            cr.predict_interval(bad)
    with pytest.raises(NotFittedError):
        ConformalRegressor().predict(X)
    pandas = pytest.importorskip("pandas")
    named = ConformalRegressor(predictor="linear", random_state=0).fit(pandas.DataFrame(X, columns=list("abc")), y)
    with pytest.warns(UserWarning, match="feature names"):
        named.predict(X[:5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cr.predict(X[:1])
        named.predict(pandas.DataFrame(X[:1], columns=list("abc")))

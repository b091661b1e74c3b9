"""Rows in time order: Python gives the results of the command line."""
import numpy as np
import pytest

from taut import ConformalRegressor

QUICK = {"predictor": "linear", "localizer": "none", "random_state": 0}


def rows(count, seed, drift=0.0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(count, 2))
    return X, X[:, 0] + np.exp(drift * np.arange(count)) * draw.normal(size=count)


@pytest.fixture(name="fitted")
def _fitted():
    return ConformalRegressor(**QUICK).fit(*rows(600, 1), in_order=True)


def test_a_stream_follows_a_drift(fitted):
    X, y = rows(1500, 2, drift=0.001)
    _, fixed = fitted.predict_interval(X)
    f, intervals = fitted.stream(X, y, confidence_level=[0.9, 0.95])
    assert f.shape == (1500,) and intervals.shape == (1500, 2, 2)
    covered = (intervals[:, 0] <= y[:, None]) & (y[:, None] <= intervals[:, 1])
    assert np.allclose(covered.mean(axis=0), [0.9, 0.95], atol=0.015)
    assert ((fixed[:, 0, 0] <= y) & (y <= fixed[:, 1, 0])).mean() < 0.8
    assert (intervals[:, 0, 1] <= intervals[:, 0, 0]).all() and (intervals[:, 1, 0] <= intervals[:, 1, 1]).all()
    assert fitted.stream_["targets"] == 1500 and fitted.stream_["levels"] == [0.9, 0.95]


def test_in_pieces_it_is_the_same(fitted):
    X, y = rows(300, 3)
    other = ConformalRegressor(**QUICK).fit(*rows(600, 1), in_order=True)
    _, whole = fitted.stream(X, y, delay=5)
    pieces = [other.stream(X[i:j], y[i:j], delay=5)[1] for i, j in [(0, 1), (1, 120), (120, 300)]]
    assert np.array_equal(np.concatenate(pieces), whole)
    assert other.model_.to_bytes() == fitted.model_.to_bytes()


def test_without_targets_nothing_is_learnt(fitted):
    X, y = rows(50, 4)
    before = fitted.stream(X[:1])[1]
    fitted.stream(X)
    assert np.array_equal(fitted.stream(X[:1])[1], before)
    y[::2] = np.nan
    fitted.stream(X, y)
    assert fitted.stream_["targets"] == 25


def test_update_moves_what_is_predicted(fitted):
    X, y = rows(900, 5)
    _, before = fitted.predict_interval(X[:1])
    fitted.update(X, 3 * y)
    _, after = fitted.predict_interval(X[:1])
    assert np.diff(after[0, :, 0]) > 1.5 * np.diff(before[0, :, 0])


def test_lags_and_models_trained_anew():
    draw = np.random.default_rng(7)
    X = draw.normal(size=(1200, 1))
    y = np.zeros(1200)
    for i in range(1, 1200):
        y[i] = 0.9 * y[i - 1] + X[i, 0] + 0.2 * draw.normal()
    width = {}
    for lags in (None, [1, 2]):
        cr = ConformalRegressor(**QUICK, lags=lags, rolling=None if lags is None else (3,)).fit(X[:600], y[:600], in_order=True)
        _, intervals = cr.stream(X[600:], y[600:], refit_every=250)
        width[lags is None] = np.diff(intervals[:, :, 0]).mean()
        assert abs(((intervals[:, 0, 0] <= y[600:]) & (y[600:] <= intervals[:, 1, 0])).mean() - 0.9) < 0.04
        assert cr.stream_["refits"] == 2
    assert width[False] < 0.5 * width[True]


@pytest.mark.parametrize("options", [{}, {"refit_every": 120}])
def test_rows_from_before_are_those_of_the_command_line(tmp_path, program, options):
    def write(name, X, y):
        np.savetxt(tmp_path / name, np.column_stack([X, y]), delimiter=",", header="x0,x1,y", comments="", fmt="%.17g")

    train, new = rows(600, 1), rows(200, 2)
    cr = ConformalRegressor(**QUICK).fit(*train, in_order=True)
    cr.save(tmp_path / "m.taut")
    write("train.csv", *train)
    write("new.csv", *new)
    named = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    expected = program("stream", "m.taut", "new.csv", "--history", "train.csv", *named).splitlines()[1:]
    f, intervals = cr.stream(*new, history=train, **options)
    assert np.array_equal(np.column_stack([f, intervals[:, :, 0]]), np.loadtxt(expected, delimiter=","))
    with pytest.raises(ValueError, match="history.*streamed already"):
        cr.stream(*new, history=train)
    without = ConformalRegressor(**QUICK).fit(*train, in_order=True).stream(*new, **options)[0]
    assert not np.array_equal(f, without)


def test_at_least_the_level_is_never_empty():
    X = np.random.default_rng(8).normal(size=(2500, 2))
    y = X[:, 0]  # f is exact
    for at_least in (None, True):
        cr = ConformalRegressor(prefit=True, transform="fixed", random_state=0).fit(X[:500], y[:500], y_pred=y[:500], in_order=True)
        _, intervals = cr.stream(X[500:], y[500:], y_pred=y[500:], at_least=at_least)
        assert np.isnan(intervals).any() == (at_least is None)
        assert cr.stream_["at_least"] == bool(at_least)
    with pytest.raises(ValueError, match="were streamed"):
        cr.update(X[500:], y[500:], y_pred=y[500:])


def test_what_makes_no_sense_is_refused(fitted):
    X, y = rows(50, 6)
    for wrong in ({"delay": -1}, {"history": (X, y)}, {"controller": "nothing"}, {"window": 2}, {"half_life": 0.1}):
        with pytest.raises(ValueError):
            fitted.stream(X, y, **wrong)
    X, y = rows(600, 1)
    with pytest.raises(ValueError, match="later"):
        fitted.update(X, y)  # rows of the fit

"""A loss of the user's for the boosted trees of f, and students."""
import numpy as np
import pandas as pd
import pytest

from taut import ConformalRegressor, load

from sklearn.base import clone


def rows(count, seed):
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (count, 2))
    return X, X[:, 0] + 0.5 * random.exponential(size=count)


def expectile(tau):
    def loss(prediction, y, weight):
        side = np.where(y < prediction, 1 - tau, tau) * weight
        return side * (prediction - y), side

    return loss


@pytest.fixture(scope="module")
def data():
    return rows(400, 1)


def regressor(loss=None, **more):
    return ConformalRegressor(loss=loss, effort="quick", random_state=0, **more)


def test_expectiles_move_predictions():
    """The expectile e of exponential noise solves tau exp(-e) = (1 - tau) (e - 1 + exp(-e)): 0.41 for 0.1 and 2.04 for 0.9."""
    X, y = rows(2000, 2)
    new, _ = rows(2000, 3)
    low, high = (regressor(expectile(tau)).fit(X, y).predict(new) for tau in (0.1, 0.9))
    assert np.mean(low < high) > 0.95
    assert np.mean(low - new[:, 0]) == pytest.approx(0.5 * 0.41, abs=0.05)
    assert np.mean(high - new[:, 0]) == pytest.approx(0.5 * 2.04, abs=0.1)


def test_the_same_bits_for_any_number_of_threads_and_in_a_clone(data):
    X, y = data
    one = regressor(expectile(0.8), n_jobs=1).fit(X, y)
    three = clone(one).set_params(n_jobs=3).fit(X, y)
    assert (one.predict(X) == three.predict(X)).all()
    assert "boosted trees alone" in " ".join(one.messages_)


def test_exceptions_arrive_unchanged_and_leave_the_model(data):
    X, y = data
    fitted = regressor(expectile(0.5)).fit(X, y)
    before = fitted.predict(X)

    class Mine(Exception):
        pass

    error, calls = Mine("here"), []

    def loss(prediction, y, weight):
        calls.append(len(y))
        if len(calls) > 20:
            raise error
        return expectile(0.5)(prediction, y, weight)

    with pytest.raises(Mine) as raised:
        fitted.set_params(loss=loss).fit(X, y)
    assert raised.value is error
    assert (fitted.predict(X) == before).all()


@pytest.mark.parametrize("loss, words", [
    (lambda f, y, w: f - y, "gradient, curvature"),
    (lambda f, y, w: (f - y, np.ones(3)), "one number for each of"),
    (lambda f, y, w: (f - y, 0.5 * np.ones_like(y)), "the gradient changes by"),
    (lambda f, y, w: (y - f, np.ones_like(y)), "sign reversed"),
    (lambda f, y, w: (np.full_like(y, np.nan), np.ones_like(y)), "finite"),
    (lambda f, y, w: (2 * (f - y), 2 * np.ones_like(y), (f - y) ** 2 / 2), "the loss changes by"),
])
def test_wrong_losses_are_refused(data, loss, words):
    with pytest.raises(ValueError, match=words):
        regressor(loss).fit(*data)


def test_what_has_another_loss_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="only boosted trees"):
        regressor(expectile(0.5), predictor="linear").fit(X, y)
    with pytest.raises(ValueError, match="leave one of them out"):
        ConformalRegressor(prefit=True, loss=expectile(0.5)).fit(X, y, y_pred=y)
    with pytest.raises(TypeError, match="expected a function"):
        regressor("huber").fit(X, y)


def test_students(data, tmp_path):
    X, y = data
    teacher = regressor().fit(X, y, calibrate=False)
    X_new, (X_cal, y_cal), (X_test, y_test) = rows(500, 2)[0], rows(200, 3), rows(1000, 4)
    student = teacher.distil(X_new, X_cal, y_cal, learn_from=2000)
    assert student is not teacher and student.model_.is_student and not teacher.model_.is_student
    assert np.corrcoef(student.predict(X_test), teacher.predict(X_test))[0, 1] > 0.95
    _, intervals = student.predict_interval(X_test, 0.9)
    covered = np.mean((intervals[:, 0, 0] <= y_test) & (y_test <= intervals[:, 1, 0]))
    assert 0.82 < covered < 0.97
    assert np.isinf(teacher.distil(X_new, learn_from=0).predict_interval(X_test[:5])[1]).all()
    with pytest.raises(ValueError, match="give both"):
        teacher.distil(X_new, X_cal)


def test_a_loaded_model_is_not_trained_again_without_its_loss(data, tmp_path):
    X, y = data
    cr = regressor(expectile(0.8)).fit(X, y)
    cr.save(tmp_path / "m.taut")
    loaded = load(tmp_path / "m.taut")
    for one in (loaded, clone(loaded)):
        with pytest.raises(ValueError, match="which its file does not contain"):
            one.fit(X, y)
    np.testing.assert_array_equal(loaded.predict(X), cr.predict(X))
    np.testing.assert_array_equal(loaded.set_params(loss=expectile(0.8)).fit(X, y).predict(X), cr.predict(X))
    loaded.set_params(loss=None).fit(X, y)


def test_students_need_only_the_columns_that_they_use(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(constant=1.0, id=[f"row {i}" for i in range(len(X))])
    teacher = regressor().fit(frame, y)
    student = teacher.distil(frame, frame[:200], y[:200], learn_from=0)
    needed = student.model_.columns
    assert {name for name, _ in needed} == {"a", "b"}
    np.testing.assert_array_equal(student.predict(frame[["a", "b"]]), student.predict(frame))
    np.testing.assert_array_equal(student.predict_interval(frame[["b", "a"]])[1], student.predict_interval(frame)[1])
    with pytest.raises(TypeError, match="float"):
        teacher.distil(frame, learn_from=2.5)

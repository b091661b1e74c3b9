"""ConformalClassifier beside ConformalRegressor: what one has, the other has, or there is a reason."""
import inspect
import re

import numpy as np
import pandas as pd
import pytest
from conftest import make_rows
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from test_notebook import Balanced

from taut import ConformalClassifier, ConformalRegressor, _notebook, exact_rank, load

# Only numbers have these: a predictive distribution on the line, ends of intervals, R², and shares of a prediction.
ONLY_FOR_NUMBERS = {"ask", "contains", "distil", "explain", "p_values", "predict_bound", "predict_distribution", "predict_interval", "predict_quantiles",
                    "predict_region", "quantile_estimator", "sample"}
# Options about intervals, about the transformation of residuals, and about targets of the past as inputs.
ONLY_OPTIONS_OF_NUMBERS = {"predictor", "target_scale", "score_scale", "localizer", "sides", "lags", "rolling", "past_of", "y_min", "y_max", "y_step", "knn_rows",
                           "see_prediction", "hidden", "rate", "batch", "epochs", "patience", "depth", "min_weight", "calibrate_by_weight", "loss",
                           "region", "y_range", "repeats", "time", "quantile_columns", "sample_columns", "increasing", "decreasing"}
QUICK = {"effort": "quick", "random_state": 0}


def public(cls):
    """Without the methods that scikit-learn adds for metadata routing."""
    return {name for name, _ in inspect.getmembers(cls) if not name.startswith("_") and not re.fullmatch("set_.+_request", name)}


def labelled(rows=300, seed=0):
    X, y = make_rows(rows, seed)
    return X, np.where(y > 0.5, "high", np.where(y > -0.5, "middle", "low"))


@pytest.fixture(scope="module")
def fitted():
    return ConformalClassifier(**QUICK).fit(*labelled())


def test_the_two_have_the_same_methods_and_options():
    assert public(ConformalRegressor) - public(ConformalClassifier) == ONLY_FOR_NUMBERS
    assert public(ConformalClassifier) - public(ConformalRegressor) == {"predict_proba", "predict_set"}
    options = [set(inspect.signature(cls).parameters) for cls in (ConformalRegressor, ConformalClassifier)]
    assert options[0] - options[1] == ONLY_OPTIONS_OF_NUMBERS
    assert options[1] - options[0] == {"by_label", "conformity_score"}


def test_wrong_weights_are_refused_with_the_same_words():
    X, y = labelled()
    wrong = np.ones(300)
    wrong[7] = -1
    errors = []
    for estimator, target in ((ConformalRegressor(), make_rows(300)[1]), (ConformalClassifier(), y)):
        with pytest.raises(ValueError, match="row 7.*weight must not be negative, found -1") as error:
            estimator.fit(X, target, sample_weight=wrong)
        errors.append(str(error.value))
        with pytest.raises(TypeError, match="unexpected argument 'weights'"):
            estimator.fit(X, target, weights=np.ones(300))
    assert errors[0] == errors[1]


def test_a_fitted_classifier_shows_a_card(fitted, tmp_path):
    page = Balanced(_notebook.card(fitted))
    count = fitted.record_["calibration_rows"]
    assert "ConformalClassifier , fitted: 3 labels; probabilities of own trees" in page.words
    assert "300 rows" in page.words and f"0.9 {exact_rank(count, 0.9) / (count + 1):.5g}" in page.words
    assert "0.99 sets hold every label" in page.words
    with config_context(display="diagram"):
        assert "taut-card" in fitted._repr_html_() and "taut-card" not in ConformalClassifier()._repr_html_()
    X, y = labelled()
    others = {"for the rows of each true label": {"by_label": True}, "conformity score aps": {"conformity_score": "aps"}}
    for words, options in others.items():
        assert words in Balanced(_notebook.card(ConformalClassifier(**options, **QUICK).fit(X, y))).words
    assert "probabilities of LogisticRegression" in Balanced(_notebook.card(ConformalClassifier(LogisticRegression(), **QUICK).fit(X, y))).words
    proba = np.full((300, 3), 1 / 3)
    assert "probabilities of your own model" in Balanced(_notebook.card(ConformalClassifier(prefit=True, **QUICK).fit(X, y, y_proba=proba))).words
    assert "until calibrate is called, sets hold every label" in \
        Balanced(_notebook.card(ConformalClassifier(**QUICK).fit(X, y, calibrate=False))).words
    fitted.save(tmp_path / "m.taut")
    assert _notebook.card(load(tmp_path / "m.taut")) == _notebook.card(fitted)


def test_columns_and_messages_tell_how_the_table_was_read(tmp_path):
    X, y = labelled()
    frame = pd.DataFrame({"a": X[:, 0], "side": np.where(X[:, 1] > 0, "l", "r"), "id": [f"item {i}" for i in range(300)], "out": X[:, 2]})
    cc = ConformalClassifier(drop="out", **QUICK).fit(frame, y)
    assert [(fact["name"], fact["use"]) for fact in cc.columns_] == [("a", "input"), ("side", "input"), ("id", "left out"), ("out", "left out")]
    assert any("'id'" in message for message in cc.messages_)
    cc.save(tmp_path / "m.taut")
    again = load(tmp_path / "m.taut")  # the columns that were left out need not be removed
    np.testing.assert_array_equal(again.predict_set(frame), cc.predict_set(frame))
    np.testing.assert_array_equal(again.predict_set(frame[["a", "side"]]), cc.predict_set(frame))
    assert [fact["use"] for fact in again.columns_][:2] == ["input", "input"]


def test_rows_without_a_label_are_left_out_if_asked():
    X, y = labelled()
    gaps = y.astype(object)
    gaps[::10] = None
    gaps[5] = np.nan
    lacks = np.array([label is None or label != label for label in gaps])
    for estimator in (None, LogisticRegression()):
        cc = ConformalClassifier(estimator, skip_missing_target=True, **QUICK).fit(X, gaps)
        assert cc.record_["skipped_rows"] == 31 and "31 rows without a target left out" in cc.messages_
        assert list(cc.classes_) == ["high", "low", "middle"]
        fresh, others = labelled(300, seed=1)
        cc.calibrate(fresh, np.where(lacks, None, others))
        assert cc.record_["calibration_rows"] == 269
    with pytest.raises(ValueError):
        ConformalClassifier(**QUICK).fit(X, gaps)
    numbers = np.where(make_rows(300)[1] > 0, 1.0, np.nan)
    with pytest.raises(ValueError, match="only one class, .*1.0"):
        ConformalClassifier(skip_missing_target=True, **QUICK).fit(X, numbers)
    with pytest.raises(ValueError):
        ConformalClassifier(skip_missing_target=True, **QUICK).fit(X, np.full(300, np.nan))
    np.testing.assert_array_equal(ConformalClassifier(skip_missing_target=True, **QUICK).fit(X, y).predict_set(X),
                                  ConformalClassifier(**QUICK).fit(X, y).predict_set(X))


def test_a_sparse_table(fitted):
    X, y = labelled()
    np.testing.assert_array_equal(ConformalClassifier(**QUICK).fit(sparse.csr_matrix(X), y).predict_set(sparse.csr_matrix(X)),
                                  fitted.predict_set(X))


def test_a_stream_of_arrow_that_is_read_once(fitted):
    pa = pytest.importorskip("pyarrow")
    X, y = labelled()
    reader = pa.table({f"x{i}": X[:, i] for i in range(3)}).to_reader
    streamed = ConformalClassifier(**QUICK).fit(reader(), y)
    np.testing.assert_array_equal(streamed.predict_set(reader()), fitted.predict_set(X))
    with pytest.raises(TypeError, match="X is an Arrow stream, from which an estimator of another library cannot select rows"):
        ConformalClassifier(LogisticRegression()).fit(reader(), y)


def test_set_output_survives_a_clone():
    for cls in (ConformalRegressor, ConformalClassifier):
        assert clone(cls().set_output(transform="polars"))._container == "polars"
        with pytest.raises(ValueError, match="set_output takes 'default', 'pandas' or 'polars', got 'excel'"):
            cls().set_output(transform="excel")
